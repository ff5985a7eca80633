#include "unknown_times.h"

#include <algorithm>

namespace evt::tools {
namespace {

bool is_time(const Field& field) { return field.kind == Kind::kTicks || field.kind == Kind::kTickDelta; }

}  // namespace

void UnknownTimes::count(const Event& event) {
  const std::vector<Field>& fields = event.type().fields();
  if (std::none_of(fields.begin(), fields.end(), is_time)) return;
  FieldWalker values = event.values();
  while (const std::optional<Value> value = values.next()) {
    if (!value->is_absent() && !event.is_known(*value)) ++counts_[&event.session()];
  }
}

std::uint64_t UnknownTimes::of(const Session& session) const {
  const auto found = counts_.find(&session);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace evt::tools

#include "unknown_times.h"

#include <algorithm>

#include "libtrace-read/export/src/base/shown.h"

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

void UnknownTimes::carry(const Trace& before, const Trace& now) {
  std::map<const Session*, std::uint64_t> carried;
  for (const auto& [session, count] : counts_) {
    const std::size_t i = session_index(before, *session);
    if (i < now.sessions().size()) carried[&now.sessions()[i]] = count;
  }
  counts_ = std::move(carried);
}

std::uint64_t UnknownTimes::of(const Session& session) const {
  const auto found = counts_.find(&session);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace evt::tools

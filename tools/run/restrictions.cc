#include "run/restrictions.h"

#include <fmt/format.h>

#include "libtrace-read/export/src/base/shown.h"
#include "libtrace-record/collect/restriction_events.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostNamed = 4;

// As many as were left out.
std::uint64_t threads_of(const Event& event) {
  const auto threads = event.value(record::kUnrestrictedThreads);
  return threads ? threads->as_unsigned() : 0;
}

std::string time_text(std::int64_t ns) { return fmt::format("{:.3f} s", static_cast<double>(ns) * 1e-9); }

}  // namespace

void Restrictions::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kRow || item.event->role != Role::kMark || item.event->event == nullptr) return;
  const Event& event = *item.event->event;
  const std::string& type = event.type().name();
  if (type != record::kRestricted && type != record::kUnrestricted) return;
  Restriction& restriction = by_process_[name_of(event.stream().id)];
  restriction.was_refused = type == record::kUnrestricted;
  if (restriction.was_refused) restriction.threads = threads_of(event);
  if (!restriction.was_refused) restriction.ns = item.ns;
}

std::string Restrictions::name_of(std::uint32_t stream) const {
  for (const MergedPart& part : session_.parts) {
    if (part.has_stream(stream)) return shown(part.name);
  }
  return shown(session_.program);
}

std::vector<std::string> Restrictions::notes() const {
  std::vector<std::string> notes;
  std::size_t restricted = 0;
  for (const auto& [name, restriction] : by_process_) {
    const std::string when = time_text(restriction.ns);
    if (!restriction.was_refused && ++restricted <= kMostNamed) {
      notes.push_back(fmt::format("{} restricted its system calls at {}: not recorded from then on", name, when));
    }
    if (restriction.was_refused && restriction.threads > 0) {
      notes.push_back(fmt::format(
          "{} could not restrict its system calls at {}: {} not recorded from then on", name, when,
          restriction.threads == 1 ? "another thread is" : fmt::format("{} other threads are", restriction.threads)));
    }
  }
  if (restricted > kMostNamed) {
    notes.push_back(fmt::format("so did {} more: not recorded from then on", restricted - kMostNamed));
  }
  return notes;
}

}  // namespace evt::tools

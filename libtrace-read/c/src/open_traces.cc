#include "open_traces.h"

#include <fmt/core.h>

namespace evt::reader {

OpenTraces::OpenTraces(std::vector<std::string> paths, std::deque<Trace> traces)
    : paths_(std::move(paths)), traces_(std::move(traces)) {
  std::vector<Trace*> pointers;
  for (Trace& trace : traces_) {
    for (const Session& session : trace.sessions()) {
      places_[&session] = static_cast<std::uint32_t>(sessions_.size());
      sessions_.push_back(&session);
      trace_of_.push_back(static_cast<std::uint32_t>(pointers.size()));
    }
    pointers.push_back(&trace);
  }
  tables_.emplace(pointers);
}

std::vector<Status> OpenTraces::problems() const {
  std::vector<Status> problems;
  for (const Trace& trace : traces_) {
    const Status status = trace.status();
    if (!status.ok()) problems.push_back(status);
    for (const Damage& damage : trace.damage()) {
      problems.emplace_back(Code::kDamaged, fmt::format("{} bytes at offset {} were skipped: {}", damage.length,
                                                        damage.offset, damage.reason));
    }
  }
  for (const Session* const session : sessions_) {
    for (const StreamInfo& stream : session->streams) {
      if (stream.lost > 0) {
        problems.emplace_back(Code::kOk, fmt::format("{} events of stream `{}` were lost when they were to be recorded",
                                                     stream.lost, stream.name));
      }
      if (stream.missing > 0) {
        problems.emplace_back(Code::kDamaged, fmt::format("{} events of stream `{}` were recorded and cannot be read",
                                                          stream.missing, stream.name));
      }
    }
  }
  return problems;
}

std::function<TimeRange(const Session&)> range_in(const evtr_range& range) {
  if (range.has_from == 0 && range.has_to == 0) return nullptr;
  TimeRange times;
  if (range.has_from != 0) times.from_ns = range.from_ns;
  if (range.has_to != 0) times.to_ns = range.to_ns;
  return [times](const Session&) { return times; };
}

}  // namespace evt::reader

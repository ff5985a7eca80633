#include <evt/cut.h>

#include <algorithm>
#include <utility>

#include "anonymous.h"
#include "session_cut.h"

namespace evt {
namespace {

CutOptions without_names(CutOptions options) {
  options.type = [before = std::move(options.type)](const EventType& type) {
    return !names_program_or_objects(type) && (!before || before(type));
  };
  return options;
}

Status cut_all(Trace& trace, const CutOptions& options, const TakeBytes& take) {
  for (SessionData& data : TraceData::of(trace).data) {
    if (options.session && !options.session(*data.session)) continue;
    Status status = SessionCut(trace, data, options, take).run();
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace

Status cut(Trace& trace, const CutOptions& options, const TakeBytes& take) {
  if (options.anonymous) return cut_all(trace, without_names(options), take);
  return cut_all(trace, options, take);
}

std::vector<TimeRange> ranges_of_size(const Trace& trace, std::uint64_t bytes) {
  struct Begin {
    std::int64_t ns;
    std::uint64_t size;
  };
  std::vector<Begin> blocks;
  for (const SessionData& data : TraceData::of(trace).data) {
    for (const Block& block : data.blocks) {
      const auto clock = data.clocks.find(block.events.clock_id);
      if (clock == data.clocks.end()) continue;
      const std::int64_t ns = clock->second.to_ns(block.events.first_ticks);
      blocks.push_back({distance_ns(data.session->start_ns, ns), block.padded_end() - block.offset});
    }
  }
  std::sort(blocks.begin(), blocks.end(), [](const Begin& a, const Begin& b) { return a.ns < b.ns; });
  std::vector<TimeRange> ranges = {TimeRange{}};
  std::uint64_t size = 0;
  std::int64_t latest = INT64_MIN;
  for (const Begin& block : blocks) {
    if (size > 0 && size + block.size > bytes && block.ns > latest) {
      ranges.back().to_ns = block.ns - 1;
      ranges.push_back({block.ns, INT64_MAX});
      size = 0;
      latest = block.ns;
    }
    size += block.size;
  }
  return ranges;
}

}  // namespace evt

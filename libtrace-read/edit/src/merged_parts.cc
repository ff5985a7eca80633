#include "merged_parts.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "time_shift.h"

namespace evt {
namespace {

// The alignment of a part depends on both; a number of a later version depends on something unknown.
constexpr std::uint16_t kWeakestFirst[] = {EVT_ALIGNED_BY_HAND, EVT_ALIGNED_UTC, EVT_ALIGNED_MESSAGES,
                                           EVT_ALIGNED_SAME_BOOT, EVT_ALIGNED_SAME_CLOCK};

const std::uint16_t* strength(std::uint16_t alignment) {
  return alignment == EVT_ALIGNED_NONE ? std::end(kWeakestFirst)
                                       : std::find(std::begin(kWeakestFirst), std::end(kWeakestFirst), alignment);
}

bool is_known(std::uint16_t alignment) {
  return alignment == EVT_ALIGNED_NONE || strength(alignment) != std::end(kWeakestFirst);
}

std::uint16_t weaker(std::uint16_t a, std::uint16_t b) {
  if (!is_known(a)) return a;
  if (!is_known(b)) return b;
  return strength(a) <= strength(b) ? a : b;
}

TimeShift shift_of(const MergedPart& part) { return {part.offset_ns, part.drift_ps, part.pivot_ns}; }

}  // namespace

std::vector<MergedPart> renumbered_parts(const Session& session, std::uint32_t first_stream) {
  const auto place_of = [&](std::uint64_t id) {
    const auto place = std::lower_bound(session.streams.begin(), session.streams.end(), id,
                                        [](const StreamInfo& info, std::uint64_t wanted) { return info.id < wanted; });
    return first_stream + static_cast<std::uint32_t>(place - session.streams.begin());
  };
  std::vector<MergedPart> parts = session.parts;
  for (MergedPart& part : parts) {
    const std::uint64_t end = std::uint64_t{part.first_stream} + part.stream_count;
    part.first_stream = place_of(part.first_stream);
    part.stream_count = place_of(end) - part.first_stream;
  }
  return parts;
}

void align_within(const MergedPart& whole, MergedPart* part) {
  const TimeShift own = shift_of(*part);
  const TimeShift then = shift_of(whole);
  // At the pivot the sum is exact; the product of two drifts is ignored, a millionth of a millionth.
  if (own.drift_ps == 0 && then.drift_ps != 0) part->pivot_ns = distance_ns(own.offset_ns, then.pivot_ns);
  part->offset_ns = distance_ns(part->pivot_ns, then.apply(own.apply(part->pivot_ns)));
  part->drift_ps = later_ns(own.drift_ps, then.drift_ps);
  part->alignment = weaker(whole.alignment, part->alignment);
  saturating_add(&part->bound_ns, whole.bound_ns);
  part->ended = part->ended && whole.ended;
}

}  // namespace evt

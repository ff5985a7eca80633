// The merged session as a whole: where its parts are in time, and its identity. MergePlan's other half.
#include <fmt/core.h>

#include "merge_plan.h"
#include "part_message.h"
#include "uuid_digest.h"

namespace evt {

Status MergePlan::place() {
  if (clocks_.size() > UINT16_MAX) {
    return {Code::kInvalid, fmt::format("the inputs have {} clocks, one trace has at most 65535", clocks_.size())};
  }
  Status status = place_in_time(scales_, messages_.pairs(), !options_.sync_on.empty(), &notes_);
  if (!status.ok()) return status;
  bool is_first = true;
  for (MergedSession& session : sessions_) {
    if (session.left_out) continue;
    const TimeScale& scale = scales_[session.scale];
    const std::int64_t by_hand = options_.inputs[session.input].offset_ns;
    session.shift = scale.shift;
    session.shift.offset_ns = later_ns(session.shift.offset_ns, by_hand);
    MergedPart& part = session.part;
    part.alignment = scale.alignment;
    part.bound_ns = scale.bound_ns;
    if (session.scale == 0 && !is_first) {
      const bool is_same = session.shares_clock && clocks_[session.clocks.begin()->second - 1u].session == 0;
      part.alignment = is_same ? EVT_ALIGNED_SAME_CLOCK : EVT_ALIGNED_SAME_BOOT;
      part.bound_ns = is_same ? 0 : std::uint64_t{2} * scale.uncertainty_ns;
    }
    if (by_hand != 0) part.alignment = EVT_ALIGNED_BY_HAND;
    part.offset_ns = session.shift.offset_ns;
    part.drift_ps = session.shift.drift_ps;
    part.pivot_ns = session.shift.pivot_ns;
    const std::int64_t start = session.shift.apply(session.start_ns);
    start_ns_ = is_first ? start : std::min(start, start_ns_);
    if (is_first) utc_ahead_ = distance_ns(start, later_ns(session.start_ns, session.utc_ahead));
    session.has_utc_of_first = part.alignment == EVT_ALIGNED_MESSAGES || part.alignment == EVT_ALIGNED_BY_HAND;
    is_first = false;
  }
  return {};
}

void MergePlan::make_uuid() {
  UuidDigest digest;
  for (const MergedSession& session : sessions_) {
    if (session.left_out) continue;
    digest.add(session.part.origin);
    digest.add(session.part.name);
    digest.add(session.rows);
    digest.add(static_cast<std::uint64_t>(session.part.offset_ns));
    digest.add(static_cast<std::uint64_t>(session.part.drift_ps));
  }
  uuid_ = digest.uuid();
}

evt_session_info MergePlan::info() {
  program_.clear();
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    program_ += i == 0 ? "" : "+";
    program_ += i == kMostPrograms ? "..." : programs_[i];
  }
  origins_.clear();
  parts_.clear();
  for (const MergedSession& session : sessions_) {
    if (session.left_out) continue;
    origins_.push_back(session.part.origin);
    parts_.push_back(to_message(session.part));
  }
  evt_session_info info = {};
  info.program = program_.c_str();
  info.host = host_.c_str();
  info.boot_id = boot_.c_str();
  info.writer = options_.writer.c_str();
  info.pid = pid_;
  std::copy(uuid_.begin(), uuid_.end(), info.uuid);
  info.start_utc_ns = utc_of(start_ns_);
  info.origins = origins_.empty() ? nullptr : origins_.front().data();
  info.origin_count = static_cast<std::uint32_t>(origins_.size());
  info.parts = parts_.data();
  info.part_count = static_cast<std::uint32_t>(parts_.size());
  return info;
}

}  // namespace evt

#include <evt/not_kept.h>

#include <algorithm>

#include "trace_data.h"

namespace evt {

std::optional<std::uint64_t> length_of_last_rows(const Trace& trace, const Session& session) {
  const TraceData& data = TraceData::of(trace);
  const auto found = std::ranges::find(data.data, &session, &SessionData::session);
  if (found == data.data.end() || found->blocks.empty() || session.not_kept == 0) return std::nullopt;
  const std::uint64_t first_rows_at = found->blocks.front().offset;
  bool any = false;
  for (const auto& [place, gap] : found->gaps.all()) {
    if (gap.why != RowGap::Why::kNotKept) continue;
    any = true;
    if (gap.offset > first_rows_at) return std::nullopt;
  }
  if (!any) return std::nullopt;
  std::int64_t first = session.last_ns;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first = std::min(first, stream.first_ns);
  }
  return static_cast<std::uint64_t>(session.last_ns - first);
}

}  // namespace evt

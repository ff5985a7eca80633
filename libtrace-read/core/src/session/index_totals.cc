#include "index_totals.h"

#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/base/messages.h"

namespace evt {
namespace {

// For a piece, an index entry has only the times of its block's rows.
void settle_pieces(const IndexedStream& from, const SessionData& data, StreamParts& stream) {
  if (from.first_ticks < stream.first_ticks || from.last_ticks > stream.last_ticks) return;
  if (from.first_ticks > from.last_ticks) return;
  stream.first_ticks = from.first_ticks;
  stream.last_ticks = from.last_ticks;
  settle_times(data, stream);
}

// `is_all`: of the session, or what is there of it, is this the only segment.
std::optional<Damage> add_streams(const IndexedSession& from, bool is_all, SessionData& to) {
  const IndexPayload& last = from.indexes.back();
  std::vector<IndexedStream> streams;
  if (!read_index_info(last.info, &streams)) {
    return Damage{last.block.offset, 0, "the index is not used: the message of an INDEX block cannot be read"};
  }
  for (const IndexedStream& stream : streams) {
    const auto known = to.streams.find(stream.id);
    const StreamInfo* const info = known == to.streams.end() ? nullptr : known->second.info;
    const std::uint64_t rows = info == nullptr ? 0 : info->rows + info->not_kept;
    if (stream.rows != rows) {
      return Damage{last.block.offset, 0,
                    fmt::format("the index is not used: its table has {} rows of stream {}, its blocks {}", stream.rows,
                                stream.id, rows)};
    }
    if (known == to.streams.end()) continue;
    std::copy(std::begin(stream.lost), std::end(stream.lost), known->second.info->lost_by_cause.begin());
    if (is_all) settle_pieces(stream, to, known->second);
  }
  return std::nullopt;
}

}  // namespace

// Of a session in several segments the last one's table has all that is before it, too.
std::optional<Damage> add_what_indexes_say(const std::vector<IndexedSession>& sessions, std::deque<SessionData>& data) {
  for (SessionData& to : data) {
    IndexedRows all;
    const IndexedSession* last = nullptr;
    std::size_t segments = 0;
    bool all_have = true;
    for (const IndexedSession& segment : sessions) {
      if (segment.id != to.id) continue;
      all_have &= !segment.indexes.empty();
      last = &segment;
      ++segments;
      all.add(segment);
    }
    if (last == nullptr || last->indexes.empty() || to.session->abandoned) continue;
    if (auto wrong = add_streams(*last, segments == 1, to)) return wrong;
    to.session->indexed = all_have;
    if (all_have) to.session->counts = all.event_counts();
  }
  return std::nullopt;
}

}  // namespace evt

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

std::optional<Damage> add_streams(const IndexedSession& from, SessionData& to) {
  const IndexPayload& last = from.indexes.back();
  std::vector<IndexedStream> streams;
  if (!read_index_info(last.info, &streams)) {
    return Damage{last.block.offset, 0, "the index is not used: the message of an INDEX block cannot be read"};
  }
  for (const IndexedStream& stream : streams) {
    const auto known = to.streams.find(stream.id);
    const std::uint64_t rows = known == to.streams.end() ? 0 : known->second.info->rows;
    if (stream.rows != rows) {
      return Damage{last.block.offset, 0,
                    fmt::format("the index is not used: its table has {} rows of stream {}, its blocks {}", stream.rows,
                                stream.id, rows)};
    }
    if (known == to.streams.end()) continue;
    std::copy(std::begin(stream.lost), std::end(stream.lost), known->second.info->lost_by_cause.begin());
    settle_pieces(stream, to, known->second);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Damage> add_what_indexes_say(const std::vector<IndexedSession>& sessions, std::deque<SessionData>& data) {
  for (const IndexedSession& session : sessions) {
    const auto to = std::find_if(data.begin(), data.end(), [&](const SessionData& d) { return d.id == session.id; });
    if (session.indexes.empty() || to == data.end() || to->session->abandoned) continue;
    if (auto wrong = add_streams(session, *to)) return wrong;
    to->session->indexed = true;
    to->session->counts = session.event_counts();
  }
  return std::nullopt;
}

}  // namespace evt

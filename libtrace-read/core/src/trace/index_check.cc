#include "index_check.h"

#include <evt/format.h>
#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/base/messages.h"

namespace evt {
namespace {

std::string described(const IndexEntry& entry) {
  return fmt::format("block of type {} and {} bytes at {}", entry.type, entry.size, entry.offset);
}

bool is_recovered(const Block& block) { return block.header.block_no == EVT_BLOCK_NO_RECOVERED; }

bool same(const IndexEntry& entry, const Block& block) {
  return entry.type == block.header.type && entry.offset == block.offset &&
         entry.size == block.padded_end() - block.offset;
}

// `since`: the INDEX block before it, or the session's first block, and what follows.
bool describes_all(const IndexPayload& index, const std::vector<Block>& since) {
  if (since.empty()) return index.head.covered == 0;
  const Block& first = since.front();
  const std::uint64_t begin = first.header.type == EVT_BLOCK_INDEX ? first.padded_end() : first.offset;
  return index.block.offset - begin == index.head.covered;
}

}  // namespace

void IndexCheck::wrong(State& state, std::uint64_t at, std::string why) {
  state.right = false;
  ledger_.add({at, 0, std::move(why)});
}

void IndexCheck::add(const Block& block, const std::vector<Piece>& pieces) {
  const auto [at, is_new] = states_.try_emplace(block.header.session_id);
  State& state = at->second;
  if (is_new) state.damage = ledger_.damage().size();
  if (state.at_end && block.begins_segment()) begin_segment(state);
  state.at_end = block.header.type == EVT_BLOCK_TRAILER;
  if (block.header.type == EVT_BLOCK_INDEX && block.header.codec == EVT_CODEC_NONE) add_index(state, block);
  if (block.header.type == EVT_BLOCK_TRAILER && block.header.codec == EVT_CODEC_NONE) add_trailer(state, block);
  state.since.push_back(block);
  state.has_recovered |= is_recovered(block);
  if (block.header.type != EVT_BLOCK_EVENTS) return;
  for (const Piece& piece : pieces) {
    Stream& stream = state.streams[piece.stream_id];
    stream.rows += piece.row_count;
    stream.first_ticks = std::min(stream.first_ticks, piece.first_ticks);
    stream.last_ticks = std::max(stream.last_ticks, piece.last_ticks);
  }
}

// Indexes start over, and so do the times of streams in the last one.
void IndexCheck::begin_segment(State& state) {
  state.since.clear();
  state.any = state.ended = false;
  state.damage = ledger_.damage().size();
  for (auto& [id, stream] : state.streams) {
    stream.first_ticks = UINT64_MAX;
    stream.last_ticks = 0;
  }
}

// A stream of a session that has not ended has blocks of its ring, of which its writer does not know.
void IndexCheck::leave_out_recovered(State& state) {
  std::uint64_t bytes = 0;
  for (auto block = state.since.rbegin(); block != state.since.rend(); ++block) {
    if (is_recovered(*block)) bytes += block->padded_end() - block->offset;
    block->offset += bytes;
  }
  std::erase_if(state.since, is_recovered);
  state.leaves_out |= bytes > 0;
  if (state.any) state.index_at += bytes;
}

void IndexCheck::add_index(State& state, const Block& block) {
  IndexPayload index;
  index.block = block;
  if (!blocks_.load(block, &index.bytes)) {
    state.right = false;
  } else if (const Status status = index.parse(); !status.ok()) {
    wrong(state, block.offset, status.message());
  } else {
    if (!describes_all(index, state.since)) leave_out_recovered(state);
    const std::uint64_t distance = state.any ? block.offset - state.index_at : 0;
    if (index.head.previous_distance != distance) {
      wrong(state, block.offset,
            fmt::format("by an INDEX block the one before is {} bytes before it, it is {}",
                        index.head.previous_distance, distance));
    }
    compare(state, index);
    state.says.count(index);
    state.table.clear();
    if (!read_index_info(index.info, [&](const IndexedStream& stream) { state.table.push_back(stream); })) {
      wrong(state, block.offset, "the message of an INDEX block cannot be read");
    }
  }
  state.index_at = block.offset;
  state.any = true;
  state.since.clear();
  state.damage = ledger_.damage().size();
}

// An index may well have described what is now damaged.
void IndexCheck::compare(State& state, const IndexPayload& index) {
  if (ledger_.damage().size() != state.damage) {
    state.right = false;
    return;
  }
  IndexEntryReader entries = index.read();
  std::size_t next = state.since.empty() || state.since.front().header.type != EVT_BLOCK_INDEX ? 0 : 1;
  while (const IndexEntry* const entry = entries.next()) {
    if (next == state.since.size() || !same(*entry, state.since[next])) {
      return wrong(state, index.block.offset, fmt::format("the index has a {}, which is not there", described(*entry)));
    }
    const Block& block = state.since[next++];
    if (entry->type == EVT_BLOCK_EVENTS && !entry->has_rows_of(block)) {
      wrong(state, block.offset, kOtherRows);
    }
  }
  if (next != state.since.size()) {
    wrong(state, index.block.offset,
          fmt::format("the index does not tell of the block at {}", state.since[next].offset));
  }
}

void IndexCheck::add_trailer(State& state, const Block& block) {
  std::vector<std::byte> payload;
  TrailerClaims claims;
  std::uint32_t crc = 0;
  // Its damage is noted when it is read as a TRAILER.
  if (!blocks_.read_whole(block, &payload, &crc) || !claims.parse(payload)) return;
  state.rows = claims.rows_so_far;
  state.lost = claims.lost_so_far;
  state.trailer_at = block.offset;
  if (state.any && claims.index_distance != block.offset - state.index_at) leave_out_recovered(state);
  const std::uint64_t distance = state.any ? block.offset - state.index_at : 0;
  state.ended = claims.index_distance != 0 && claims.index_distance == distance;
  if (claims.index_distance != 0 && !state.ended && ledger_.damage().size() == state.damage) {
    wrong(state, block.offset,
          fmt::format("by TRAILER the last INDEX block is {} bytes before it, it is {}", claims.index_distance,
                      distance));
  }
}

// If all blocks are present, TRAILER must state their totals.
void IndexCheck::check_trailer(const State& state, const SessionData& data) {
  const Session& session = *data.session;
  const bool all_known = session.missing == 0 && session.not_understood == 0 && session.not_decodable == 0;
  if (!(session.closed || session.goes_on) || !all_known || !ledger_.damage().empty()) return;
  const std::uint64_t rows_once = session.rows + session.not_kept;
  std::uint64_t rows = rows_once;
  saturating_add(&rows, session.duplicate_rows);
  const std::uint64_t lost = session.lost + (data.segments == nullptr ? 0 : data.segments->lost_not_kept);
  // The losses in repeated LOST rows are not added up.
  const bool has_rows = state.rows == rows || (state.has_recovered && state.rows == rows_once);
  if (has_rows && (state.lost == lost || session.duplicate_rows > 0)) return;
  ledger_.add(
      {state.trailer_at, 0,
       fmt::format("TRAILER has {} rows and {} lost, its blocks {} and {}", state.rows, state.lost, rows, lost)});
}

// Rows of a later version's layout may be of other streams than their header's, so then nothing is compared.
void IndexCheck::check_table(State& state, const SessionData& session) {
  for (const IndexedStream& stream : state.table) {
    const Stream& found = state.streams[stream.id];
    const std::uint64_t rows = found.rows + session.not_kept_in(stream.id, 0, UINT64_MAX);
    // The first releases did not write the first tick: 0.
    const bool first_is_right = stream.first_ticks == 0 || stream.first_ticks == found.first_ticks || rows == 0;
    if (stream.rows == rows && first_is_right && stream.last_ticks == found.last_ticks) continue;
    wrong(state, state.index_at,
          fmt::format("by the index stream {} has {} rows at ticks {} to {}; it has {}, at {} to {}", stream.id,
                      stream.rows, stream.first_ticks, stream.last_ticks, rows, found.first_ticks, found.last_ticks));
  }
}

void IndexCheck::finish(std::deque<SessionData>& data) {
  for (SessionData& session : data) {
    State& state = states_[session.id];
    check_trailer(state, session);
    const bool has_end = session.session->closed || session.session->goes_on;
    if (!state.any || !state.ended || !state.right || !has_end || state.leaves_out) continue;
    if (session.session->not_decodable == 0) check_table(state, session);
    if (!state.right) continue;
    session.session->counts = state.says.event_counts();
    for (const IndexedStream& stream : state.table) {
      const auto known = session.streams.find(stream.id);
      if (known == session.streams.end()) continue;
      known->second.info->lost_by_cause = causes_of(stream);
    }
  }
}

}  // namespace evt

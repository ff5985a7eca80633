#include "index_chain.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace evt {
namespace {

// For a session's first segment, and for later ones.
constexpr std::uint64_t kTrailerSizes[] = {std::uint64_t{EVT_BLOCK_HEADER_SIZE} + EVT_TRAILER_FIXED_SIZE,
                                           std::uint64_t{EVT_BLOCK_HEADER_SIZE} + EVT_TRAILER_SEGMENT_SIZE};

bool is_plain(const Block* block, std::uint16_t type) {
  return block != nullptr && block->header.type == type && block->header.codec == EVT_CODEC_NONE &&
         block->header.must_understand == 0;
}

}  // namespace

void IndexedRows::count(const IndexPayload& index) {
  IndexEntryReader entries = index.read();
  while (const IndexEntry* const entry = entries.next()) {
    rows += entry->rows;
    counted &= entry->rows == 0 || !entry->counts.empty();
    for (const TypeCount& type : entry->counts) counts[type.number] += type.rows;
  }
}

void IndexedRows::add(const IndexedRows& more) {
  rows += more.rows;
  counted &= more.counted;
  for (const auto& [number, of] : more.counts) counts[number] += of;
}

std::vector<TypeCount> IndexedRows::event_counts() const {
  std::vector<TypeCount> events;
  if (!counted) return events;
  for (const auto& [number, of] : counts) {
    if (number < EVT_TYPE_FIRST_RESERVED || number == EVT_ROW_WIDE) events.push_back({number, of});
  }
  return events;
}

bool IndexChain::contradict(std::uint64_t at, std::string why) {
  contradiction_ = Damage{at, 0, "the index is not used: " + std::move(why)};
  return false;
}

bool IndexChain::find() {
  for (std::uint64_t end = blocks_.size(); end > 0; end = sessions_.back().begin) {
    if (!find_session(end)) return false;
  }
  std::ranges::reverse(sessions_);
  std::unordered_map<std::uint64_t, std::uint64_t> ends;  // end of each session, as a block number
  bool any = false;
  for (const IndexedSession& session : sessions_) {
    any |= !session.indexes.empty();
    // The same session twice is not for an index to judge, but consecutive segments are.
    const auto [end, is_first] = ends.try_emplace(session.id);
    if (!is_first && session.first_block_no < end->second) return false;
    end->second = session.end_block_no;
  }
  return any;
}

// The session whose TRAILER ends here.
bool IndexChain::find_session(std::uint64_t end) {
  const Block* trailer = nullptr;
  for (const std::uint64_t size : kTrailerSizes) {
    if (trailer == nullptr && end >= size) trailer = blocks_.header_at(end - size);
  }
  if (!is_plain(trailer, EVT_BLOCK_TRAILER) || trailer->end() != end) return false;
  IndexedSession session;
  session.id = trailer->header.session_id;
  session.end_block_no = trailer->header.block_no + 1;
  session.trailer_at = trailer->offset;
  session.end = end;
  std::vector<std::byte> payload;
  if (!blocks_.load(Block(*trailer), &payload) || !session.claims.parse(payload)) return false;
  if (session.claims.session_size > end || session.claims.session_size <= end - session.trailer_at) return false;
  session.begin = end - session.claims.session_size;
  const Block* const first = blocks_.header_at(session.begin);
  if (!is_plain(first, EVT_BLOCK_SESSION) || first->header.session_id != session.id) return false;
  if (!first->begins_segment()) return false;
  session.first_block_no = first->header.block_no;
  if (session.claims.index_distance != 0 && !find_indexes(session)) return false;
  sessions_.push_back(std::move(session));
  return true;
}

bool IndexChain::find_indexes(IndexedSession& session) {
  const std::uint64_t distance = session.claims.index_distance;
  if (distance > session.trailer_at - session.begin) {
    return contradict(session.trailer_at, "by TRAILER it is before its session");
  }
  std::uint64_t end = session.trailer_at;
  for (std::uint64_t at = end - distance;;) {
    if (!add_index(session, at, end)) return false;
    const IndexPayload& index = session.indexes.back();
    end = index.begin();
    if (end < session.begin) return contradict(at, "an INDEX block describes more than its session");
    const std::uint64_t back = index.head.previous_distance;
    if (back == 0) break;
    // It must precede what this one describes, so that the loop ends.
    if (back > at - session.begin || at - back >= end) {
      return contradict(at, "the INDEX block before this one cannot be at its place");
    }
    at -= back;
  }
  if (end != session.begin) {
    return contradict(session.indexes.back().block.offset,
                      fmt::format("no INDEX block describes the first {} bytes of its session", end - session.begin));
  }
  std::ranges::reverse(session.indexes);
  if (session.rows == session.claims.rows) return true;
  return contradict(session.trailer_at, fmt::format("it has {} rows, TRAILER {}", session.rows, session.claims.rows));
}

bool IndexChain::add_index(IndexedSession& session, std::uint64_t at, std::uint64_t end) {
  const Block* const block = blocks_.header_at(at);
  if (!is_plain(block, EVT_BLOCK_INDEX) || block->header.session_id != session.id || block->padded_end() != end) {
    return contradict(at, fmt::format("no INDEX block that ends at {} is here", end));
  }
  IndexPayload index;
  index.block = *block;
  if (!blocks_.load(index.block, &index.bytes))
    return contradict(at, "the payload checksum of an INDEX block is wrong");
  if (const Status status = index.parse(); !status.ok()) return contradict(at, status.message());
  session.count(index);
  session.indexes.push_back(std::move(index));
  return true;
}

}  // namespace evt

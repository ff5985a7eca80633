// INDEX blocks of raw_trace.h.
#pragma once

#include <map>
#include <memory>

#include "raw_trace.h"

namespace evt::testing {

BlockHeader header_of(const std::string& part);

// Of whose streams the rows of an EVENTS block are.
inline std::vector<Piece> pieces_of(const std::string& part) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(part.data());
  const EventsHeader events = load_events_header(bytes);
  if (!is_multiplexed(events.layout)) return {piece_of(events)};
  const std::uint8_t* const payload = bytes + header_of(part).header_size;
  PieceTable table(events, payload, piece_table_size(payload, header_of(part).payload_size));
  std::vector<Piece> pieces;
  for (Piece piece; table.next(&piece);) pieces.push_back(piece);
  return pieces;
}

// What an index would say of a block.
inline IndexClaims::Entry claim_of(const std::string& part) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(part.data());
  const BlockHeader header = header_of(part);
  IndexClaims::Entry entry;
  entry.type = header.type;
  entry.size = part.size();
  entry.codec = header.codec;
  if (header.type != EVT_BLOCK_EVENTS) return entry;
  entry.events = load_events_header(bytes);
  entry.pieces = pieces_of(part);
  if (entry.events.layout != EVT_LAYOUT_ROWS || header.codec != EVT_CODEC_NONE) return entry;
  for (std::size_t at = header.header_size; entry.row_types.size() < entry.events.row_count;) {
    entry.row_types.push_back(evt_load_u16(bytes + at + 4));
    at += evt_load_u16(bytes + at + 6);
  }
  return entry;
}

inline IndexClaims claims_of(const std::vector<std::string>& parts, std::size_t begin, std::size_t since) {
  IndexClaims claims;
  std::map<std::uint32_t, IndexedStream> streams;
  for (std::size_t i = begin; i < parts.size(); ++i) {
    const IndexClaims::Entry entry = claim_of(parts[i]);
    if (i >= since) claims.entries.push_back(entry);
    if (entry.type != EVT_BLOCK_EVENTS) continue;
    for (const Piece& piece : entry.pieces) {
      IndexedStream& stream = streams[piece.stream_id];
      stream.id = piece.stream_id;
      stream.first_ticks = stream.rows == 0 ? piece.first_ticks : std::min(stream.first_ticks, piece.first_ticks);
      stream.rows += piece.row_count;
      stream.last_ticks = std::max(stream.last_ticks, piece.last_ticks);
      stream.lost[EVT_LOST_RING_FULL] = piece.lost_total;
    }
  }
  for (const auto& [id, stream] : streams) claims.streams.push_back(stream);
  return claims;
}

// The payload with these claims.
inline std::string payload_of(const IndexClaims& claims) {
  std::vector<std::uint8_t> memory(1 << 20);
  IndexEntries entries(memory.data(), memory.size());
  const auto counts = std::make_unique<TypeCounts>();
  for (const IndexClaims::Entry& entry : claims.entries) {
    counts->clear();
    for (const std::uint16_t type : entry.row_types) counts->count(type);
    if (entry.type == EVT_BLOCK_EVENTS) {
      const std::vector<Piece> alone = {piece_of(entry.events)};
      const std::vector<Piece>& pieces = is_multiplexed(entry.events.layout) ? entry.pieces : alone;
      entries.add_events(entry.size, entry.codec, entry.events, pieces.data(),
                         static_cast<std::uint32_t>(pieces.size()), counts.get());
    } else {
      entries.add(entry.type, entry.size);
    }
  }
  Buffer message;
  append_index_info(message, claims.streams.data(), static_cast<std::uint32_t>(claims.streams.size()));
  IndexHead head;
  head.entry_count = entries.count();
  head.previous_distance = claims.previous_distance;
  head.covered = entries.covered() + static_cast<std::uint64_t>(claims.more_covered);
  head.entries_size = entries.size();
  head.info_size = static_cast<std::uint32_t>(message.size());
  std::string payload(EVT_INDEX_FIXED_SIZE, '\0');
  store_index_head(head, reinterpret_cast<std::uint8_t*>(payload.data()));
  payload.append(reinterpret_cast<const char*>(memory.data()), entries.size());
  return payload.append(reinterpret_cast<const char*>(message.data()), message.size());
}

inline RawTrace& RawTrace::index(const ChangeIndex& change) {
  IndexClaims claims = claims_of(parts_, begin_, index_ == 0 ? begin_ : index_ + 1);
  if (index_ != 0) claims.previous_distance = offset_of(size()) - offset_of(index_);
  if (change) change(claims);
  index_ = size();
  return block(EVT_BLOCK_INDEX, payload_of(claims));
}

}  // namespace evt::testing

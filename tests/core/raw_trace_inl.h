// The longer functions of raw_trace.h.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "raw_trace.h"
#include "support/row_sizes.h"

namespace evt::testing {

inline const std::uint8_t* raw_bytes(const std::string& bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}
inline std::uint8_t* raw_bytes(std::string& bytes) { return reinterpret_cast<std::uint8_t*>(bytes.data()); }

inline BlockHeader header_of(const std::string& part) {
  BlockHeader header;
  if (load_block_header(raw_bytes(part), part.size(), &header) != HeaderState::kGood) {
    throw std::runtime_error("the test wants to change a header that is none");
  }
  return header;
}

inline RawTrace RawTrace::of(std::string_view bytes) {
  RawTrace trace;
  for (std::size_t at = 0; at < bytes.size();) {
    const BlockHeader header = header_of(std::string(bytes.substr(at)));
    const std::size_t size = header.header_size + std::size_t{header.payload_size};
    const std::string_view part = bytes.substr(at, size + padding_after(size));
    trace.parts_.emplace_back(part);
    at += part.size();
  }
  return trace;
}

inline void RawTrace::add(BlockHeader header, const EventsHeader* events, std::string_view payload) {
  header.header_size = events != nullptr ? EVT_EVENTS_HEADER_SIZE : EVT_BLOCK_HEADER_SIZE;
  header.payload_size = header.raw_size = static_cast<std::uint32_t>(payload.size());
  header.payload_crc = crc32c(0, payload.data(), payload.size());
  header.session_id = id_;
  header.block_no = next_no_++;
  std::string part(header.header_size, '\0');
  store_block_header(header, raw_bytes(part));
  if (events != nullptr) store_events_header(*events, raw_bytes(part));
  seal_header(raw_bytes(part), part.size());
  part += payload;
  part.append(padding_after(part.size()), '\0');
  parts_.push_back(std::move(part));
}

inline RawTrace& RawTrace::session(std::uint8_t who, std::int64_t start_ns, const char* boot_id) {
  evt_session_info session = {};
  session.program = "test";
  session.boot_id = boot_id;
  session.start_utc_ns = 1767225600'000'000'000;
  constexpr std::uint8_t kUuid[16] = {0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15};
  std::copy(std::begin(kUuid), std::end(kUuid), session.uuid);
  session.uuid[0] = who;
  session.uuid[15] = static_cast<std::uint8_t>(15 + who);  // of the session id, too
  const bool repeat = !parts_.empty() && id_ == evt_session_id(session.uuid);
  if (!repeat) {
    id_ = evt_session_id(session.uuid);
    next_no_ = rows_ = index_ = 0;
    begin_ = parts_.size();
    streams_.assign(streams_.size(), {});
  }
  Buffer payload;
  append_session(payload, session, start_ns);
  return block(EVT_BLOCK_SESSION, {reinterpret_cast<const char*>(payload.data()), payload.size()});
}

inline RawTrace& RawTrace::clock(const ClockRecord& facts) {
  Buffer payload;
  append_clock(payload, facts, {});
  return block(EVT_BLOCK_CLOCK, {reinterpret_cast<const char*>(payload.data()), payload.size()});
}

inline RawTrace& RawTrace::sync(const SyncRecord& facts) {
  SyncRecord right = facts;
  if (right.rows_before == 0) {
    right.rows_before = rows_;
    for (const StreamFacts& stream : streams_) right.lost_before += stream.lost;
  }
  Buffer payload;
  append_sync(payload, right);
  return block(EVT_BLOCK_SYNC, {reinterpret_cast<const char*>(payload.data()), payload.size()});
}

inline RawTrace& RawTrace::declare(std::string_view text) {
  const RawTrace made = of(trace_from_text(text));
  for (const std::string& part : made.parts_) {
    const BlockHeader header = header_of(part);
    if (header.type < EVT_BLOCK_TYPES || header.type > EVT_BLOCK_STRINGS) continue;
    block(header.type, std::string_view(part).substr(header.header_size, header.payload_size));
  }
  return *this;
}

inline RawTrace& RawTrace::type(std::uint32_t number, const char* name, const std::vector<evt_field>& fields) {
  evt_event_type type = {};
  type.name = name;
  type.field_count = static_cast<std::uint32_t>(fields.size());
  type.fields = fields.data();
  Buffer record;
  append_type_record(record, type, number);
  return block(EVT_BLOCK_TYPES, le32(1) + std::string(reinterpret_cast<const char*>(record.data()), record.size()));
}

inline RawTrace& RawTrace::events(std::uint32_t stream, const Rows& rows, std::uint64_t base, std::uint16_t clock) {
  StreamFacts& facts = streams_.at(stream);
  EventsHeader events;
  events.stream_id = stream;
  events.clock_id = clock;
  events.base_ticks = base;
  events.first_ticks = UINT64_MAX;
  const std::string& bytes = rows.bytes();
  for (std::size_t at = 0; at + kRowHeader <= bytes.size();) {  // what the rows pretend to be
    const std::uint32_t short_size = evt_load_u16(&bytes[at + 6]);
    const bool big = short_size == 0 && at + kLargeRowHeader <= bytes.size();
    if (evt_load_u16(&bytes[at + 4]) == EVT_ROW_TIME_BASE && at + 16 <= bytes.size()) {
      base = evt_load_u64(&bytes[at + 8]);
    } else {
      const std::uint64_t ticks = base + evt_load_u32(&bytes[at]);
      events.first_ticks = std::min(events.first_ticks, ticks);
      events.last_ticks = std::max(events.last_ticks, ticks);
    }
    at += std::max<std::size_t>(kRowHeader, big ? evt_load_u32(&bytes[at + 8]) : short_size);
  }
  if (events.first_ticks > events.last_ticks) events.first_ticks = events.last_ticks = base;
  events.row_count = rows.count();
  events.rows_size = static_cast<std::uint32_t>(bytes.size());
  events.rows_crc = crc32c(0, bytes.data(), bytes.size());
  events.stream_seq = facts.seq++;
  events.first_ordinal = facts.ordinal;
  events.lost_total = facts.lost += rows.lost_count();
  facts.ordinal += rows.count();
  rows_ += rows.count();
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  add(header, &events, bytes);
  return *this;
}

inline RawTrace& RawTrace::gather(std::size_t blocks) {
  std::vector<Piece> pieces;
  std::string rows;
  for (std::size_t i = size() - blocks; i < size(); ++i) {
    pieces.push_back(piece_of(load_events_header(raw_bytes(parts_[i]))));
    rows += parts_[i].substr(EVT_EVENTS_HEADER_SIZE, pieces.back().rows_size);
  }
  const auto count = static_cast<std::uint32_t>(pieces.size());
  EventsHeader events =
      multiplexed_header(pieces.data(), count, load_events_header(raw_bytes(parts_[size() - blocks])).clock_id, 0);
  events.rows_crc = crc32c(0, rows.data(), rows.size());
  std::string payload(EVT_PIECE_TABLE_HEAD + pieces.size() * kMaxPiece, '\0');
  payload.resize(store_piece_table(events, pieces.data(), count, raw_bytes(payload)));
  parts_.resize(parts_.size() - blocks);
  next_no_ -= blocks;
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  add(header, &events, payload + rows);
  return *this;
}

inline RawTrace& RawTrace::trailer(const ChangeTrailer& change) {
  TrailerRecord facts;
  facts.session_size = offset_of(size()) - offset_of(begin_) + EVT_BLOCK_HEADER_SIZE + EVT_TRAILER_FIXED_SIZE;
  facts.rows = rows_;
  for (const StreamFacts& stream : streams_) facts.lost += stream.lost;
  if (index_ != 0) facts.index_distance = offset_of(size()) - offset_of(index_);
  if (change) change(facts);
  Buffer payload;
  append_trailer(payload, facts);
  return block(EVT_BLOCK_TRAILER, {reinterpret_cast<const char*>(payload.data()), payload.size()});
}

inline RawTrace& RawTrace::block(std::uint16_t type, std::string_view payload) {
  BlockHeader header;
  header.type = type;
  add(header, nullptr, payload);
  return *this;
}

inline RawTrace& RawTrace::leave_out_blocks(std::uint64_t count) {
  next_no_ += count;
  return *this;
}

inline RawTrace& RawTrace::leave_out_rows(std::uint32_t stream, std::uint64_t count) {
  streams_.at(stream).ordinal += count;
  return *this;
}

inline RawTrace& RawTrace::header(const ChangeHeader& change, std::size_t part) {
  std::string& bytes = parts_.at(index(part));
  BlockHeader header = header_of(bytes);
  const std::size_t size = header.header_size;
  change(header);
  store_block_header(header, raw_bytes(bytes));
  seal_header(raw_bytes(bytes), size);
  return *this;
}

inline RawTrace& RawTrace::events_header(const ChangeEvents& change, std::size_t part) {
  std::string& bytes = parts_.at(index(part));
  EventsHeader events = load_events_header(raw_bytes(bytes));
  change(events);
  store_events_header(events, raw_bytes(bytes));
  seal_header(raw_bytes(bytes), EVT_EVENTS_HEADER_SIZE);
  return *this;
}

inline RawTrace& RawTrace::store_as(std::string_view payload, std::uint8_t layout, std::uint8_t codec,
                                    std::size_t raw_size) {
  std::string& bytes = parts_.back();
  bytes.resize(EVT_EVENTS_HEADER_SIZE);
  bytes += payload;
  bytes.resize(bytes.size() + padding_after(payload.size()));
  events_header([&](EventsHeader& events) { events.layout = layout; });
  return header([&](BlockHeader& header) {
    header.codec = codec;
    header.payload_size = static_cast<std::uint32_t>(payload.size());
    header.raw_size = static_cast<std::uint32_t>(raw_size);
    header.payload_crc = crc32c(0, payload.data(), payload.size());
  });
}

inline RawTrace& RawTrace::spoil_header(std::size_t part) {
  parts_.at(index(part))[44] ^= 1;
  return *this;
}

inline RawTrace& RawTrace::spoil_payload(std::size_t part) {
  std::string& bytes = parts_.at(index(part));
  bytes.at(header_of(bytes).header_size) ^= 1;
  return *this;
}

inline RawTrace& RawTrace::cut(std::size_t size, std::size_t part) {
  parts_.at(index(part)).resize(size);
  return *this;
}

inline RawTrace& RawTrace::insert(std::string bytes, std::size_t before) {
  parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(std::min(before, parts_.size())), std::move(bytes));
  return *this;
}

inline RawTrace& RawTrace::remove(std::size_t part) {
  parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(part));
  return *this;
}

inline RawTrace& RawTrace::swap(std::size_t a, std::size_t b) {
  std::swap(parts_.at(a), parts_.at(b));
  return *this;
}

inline RawTrace& RawTrace::append(const RawTrace& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  return *this;
}

inline std::string RawTrace::bytes() const {
  std::string all;
  for (const std::string& part : parts_) all += part;
  return all;
}

inline std::uint64_t RawTrace::offset_of(std::size_t part) const {
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < part; ++i) offset += parts_.at(i).size();
  return offset;
}

inline std::string RawTrace::place(std::uint64_t offset) const {
  std::size_t part = 0;
  while (part < parts_.size() && offset >= parts_[part].size()) offset -= parts_[part++].size();
  return std::to_string(part) + (offset == 0 ? "" : "+" + std::to_string(offset));
}

inline RawTrace ordinary_trace(std::uint8_t who) {
  RawTrace trace;
  trace.session(who).clock({.id = 1, .hz = 1'000'000'000});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\nstream 2 \"b\"\n");
  return trace;
}

}  // namespace evt::testing

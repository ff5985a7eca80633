#include "writer_check.h"

#include <evt/breaches.h>
#include <evt/names.h>
#include <fmt/core.h>

#include <algorithm>

#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"
#include "format-spec/src/session/metadata_repeat.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/event/interned_fields.h"
#include "payload_breaches.h"
#include "trace_data.h"

namespace evt {
namespace {

// Rows, as FORMAT.md has them for writers of this version: each one by itself, and what it refers to.
// Refers to its arguments while it lives. `session` has what blocks before this one describe.
class RowBreaches {
 public:
  RowBreaches(const Block& block, const SessionData& session, BreachList* breaches)
      : block_(block), session_(session), breaches_(breaches) {}

  void find(const Piece& piece, Bytes rows) {
    RowReader reader(rows, piece.base_ticks);
    std::uint64_t latest = 0;
    bool is_first = true;
    bool is_unsorted = false;
    while (const RowView* const row = reader.next()) {
      check_reserved(*row, is_first && !is_multiplexed(block_.events.layout));
      if (row->is_event()) check_event(*row);
      is_first = false;
      const bool has_time = row->type != EVT_ROW_TIME_BASE && row->ticks <= block_.events.latest_possible();
      if (!has_time) continue;
      is_unsorted |= row->ticks < latest;
      latest = std::max(latest, row->ticks);
    }
    if (is_unsorted && (block_.header.flags & EVT_FLAG_UNSORTED) == 0) {
      say("a row is earlier than one before it, and the block has not the flag 4");
    }
  }

 private:
  void check_reserved(const RowView& row, bool may_jump) {
    if (row.type < EVT_TYPE_FIRST_RESERVED) return;
    const auto expect_size = [&](const char* of, std::size_t size) {
      if (row.payload.size() != size) say(fmt::format("{} has {} bytes, expected {}", of, row.payload.size(), size));
    };
    switch (row.type) {
      case EVT_ROW_TIME_BASE:
        expect_size("a TIME_BASE row", EVT_TIME_BASE_PAYLOAD);
        if (row.delta != 0) say("a TIME_BASE row has a delta");
        if (row.is_jump() && !may_jump) say("a jump is not in the first row of its block, or is in a piece");
        if (row.is_time_base() && (evt_load_u32(row.payload.data() + 8) & ~std::uint32_t{EVT_TIME_BASE_JUMP}) != 0) {
          say("a TIME_BASE row has flags that are not given out");
        }
        return;
      case EVT_ROW_LOST:
        expect_size("a LOST row", EVT_LOST_PAYLOAD);
        if (row.is_lost() && named_number(NumberList::kLossCause, row.lost_cause()) == nullptr) {
          say(fmt::format("a LOST row has the cause {}, which is not in REGISTRY.md", row.lost_cause()));
        }
        return;
      case EVT_ROW_WIDE:
        if (row.is_event() && row.number() >= EVT_TYPE_FIRST_RESERVED && row.number() <= UINT16_MAX) {
          say(fmt::format("a WIDE row has the reserved number {}", row.number()));
        }
        return;
      case EVT_ROW_END:
        return expect_size("an END row", 0);
      case EVT_ROW_PADDING:
        return;
      default:
        say(fmt::format("a row has the reserved type {:#x}", row.type));
    }
  }
  void check_event(const RowView& row) {
    const std::uint32_t number = row.number();
    if (number == 0) return say("a row has type 0");
    const EventType* const type = session_.types.find(number);
    if (type == nullptr) return say(fmt::format("event type {} is used and not described before", number));
    const std::size_t size = row.fields().size();
    if (type->declared_size() != EVT_SIZE_VARIABLE && type->declared_size() != size) {
      say(fmt::format("event type {} has {} bytes by its record, a row {}", type->name(), type->declared_size(), size));
    }
    for_each_interned(*type, row.fields(), [&](const std::byte* at) {
      const std::uint32_t id = evt_load_u32(at);
      if (id != 0 && !session_.session->strings.contains(id)) {
        say(fmt::format("string {} is used and not described before", id));
      }
    });
  }
  void say(std::string what) { breaches_->add(block_, std::move(what)); }

  const Block& block_;
  const SessionData& session_;
  BreachList* breaches_;
};

constexpr std::uint16_t kFlagsOfAll = EVT_FLAG_RECOVERED;
constexpr std::size_t kReservedInEvents = 53;  // where its header has one byte that is 0

bool is_skipped(std::uint16_t type) {
  return type >= EVT_BLOCK_PRIVATE || type > EVT_BLOCK_FACTS || type < EVT_BLOCK_SESSION;
}

// Flags that a block of a type may have.
std::uint16_t flags_of(std::uint16_t type) {
  if (is_skipped(type)) return kFlagsOfAll | EVT_FLAG_COPYABLE;
  if (type == EVT_BLOCK_EVENTS) return kFlagsOfAll | EVT_FLAG_UNSORTED;
  if (type == EVT_BLOCK_SESSION) return kFlagsOfAll | EVT_FLAG_CONTINUED;
  if (type == EVT_BLOCK_TRAILER) return kFlagsOfAll | EVT_FLAG_MORE;
  return kFlagsOfAll;
}

}  // namespace

void WriterCheck::add(const Block& block, const SessionData* session) {
  const auto [at, is_new] = states_.try_emplace(block.header.session_id);
  State& state = at->second;
  if (is_new || block.begins_segment()) {
    state.begin = state.repeated_at = block.offset;
    state.metadata = state.rows = 0;
    state.has_index = false;
  }
  check_header(block, state);
  if (session == nullptr || session->is_refused || block.header.must_understand != 0) return;
  check_order(block, *session, state);
  check_repeat(block, state);
  if (block.header.type >= EVT_BLOCK_PRIVATE) check_private(block);
  if (block.header.type == EVT_BLOCK_TRAILER) check_end(block, *session, state);
  std::uint32_t crc = 0;
  if (block.header.type == EVT_BLOCK_EVENTS) {
    state.rows += block.events.row_count;
    check_rows(block, *session);
  } else if (!is_skipped(block.header.type) && block.header.codec == EVT_CODEC_NONE &&
             blocks_.read_whole(block, &payload_, &crc)) {
    find_payload_breaches(block, payload_, state.rows, &breaches_);
  }
  for (; state.types < session->session->types.size(); ++state.types) {
    find_type_breaches(block, session->session->types[state.types], &breaches_);
  }
  state.before = block.header.type;
}

std::vector<Damage> WriterCheck::finish() { return breaches_.take(); }

void WriterCheck::check_header(const Block& block, const State& state) {
  const BlockHeader& header = block.header;
  const bool is_events = header.type == EVT_BLOCK_EVENTS;
  const std::size_t size = is_events ? EVT_EVENTS_HEADER_SIZE : EVT_BLOCK_HEADER_SIZE;
  if (header.header_size != size) say(block, fmt::format("header_size is {}, expected {}", header.header_size, size));
  if (header.type < EVT_BLOCK_PRIVATE && is_skipped(header.type)) {
    say(block, fmt::format("block type {} is reserved", header.type));
  }
  if (const int wrong = header.flags & ~flags_of(header.type); wrong != 0) {
    say(block, fmt::format("a block of type {} has the flags {:#x}", header.type, wrong));
  }
  const bool is_recovered = header.block_no == EVT_BLOCK_NO_RECOVERED;
  if (is_recovered != ((header.flags & EVT_FLAG_RECOVERED) != 0)) {
    say(block, "a block is flagged recovered and has a number, or has none and is not flagged");
  }
  if (header.must_understand != 0) say(block, "must_understand is not 0");
  const std::uint8_t most = is_events || is_skipped(header.type) ? EVT_CODEC_ZSTD : EVT_CODEC_NONE;
  if (header.codec > most) say(block, fmt::format("a block of type {} has codec {}", header.type, header.codec));
  if ((block.offset - state.begin) % EVT_ALIGNMENT != 0) {
    say(block, "a block does not begin at a multiple of 8 bytes from the start of its session");
  }
  std::byte padding[EVT_ALIGNMENT] = {};
  source_.read_at(block.end(), padding, padding_after(block.header.payload_size));
  if (std::any_of(std::begin(padding), std::end(padding), [](std::byte b) { return b != std::byte{0}; })) {
    say(block, "the padding behind a block is not 0");
  }
  if (!is_events) return;
  std::byte reserved{};
  source_.read_at(block.offset + kReservedInEvents, &reserved, 1);
  if (reserved != std::byte{0}) say(block, "EVENTS: reserved bytes are not 0");
  if (block.events.layout > EVT_LAYOUT_MULTIPLEXED_COLUMNS) {
    say(block, fmt::format("layout {} is not in REGISTRY.md", block.events.layout));
  }
}

void WriterCheck::check_order(const Block& block, const SessionData& session, State& state) {
  const BlockHeader& header = block.header;
  if (header.type != EVT_BLOCK_SESSION && !session.session->declared) say(block, "the first block is not SESSION");
  if (state.before == EVT_BLOCK_TRAILER && !block.begins_segment() && header.block_no != EVT_BLOCK_NO_RECOVERED) {
    say(block, "a block of the session is behind its TRAILER");
  }
  if (header.type == EVT_BLOCK_SEGMENT && state.before != EVT_BLOCK_SESSION) {
    say(block, "SEGMENT is not directly behind SESSION");
  }
  const bool is_first = state.begin == block.offset && header.block_no != EVT_BLOCK_NO_RECOVERED;
  if (is_first && header.block_no > 0 && !block.begins_segment())
    say(block, "the first block has a number other than 0");
  if (header.type == EVT_BLOCK_SYNC && !session.syncs.empty()) {
    state.synced_at[session.syncs.back().clock_id] = block.offset;
  }
  state.has_index |= header.type == EVT_BLOCK_INDEX;
}

void WriterCheck::check_repeat(const Block& block, State& state) {
  if (block.header.block_no == EVT_BLOCK_NO_RECOVERED) return;
  if (block.header.type == EVT_BLOCK_SESSION) {
    state.repeated_at = block.offset;
    state.metadata = 0;
  }
  if (is_metadata(block.header.type)) state.metadata += block.padded_end() - block.offset;
  if (block.header.type != EVT_BLOCK_EVENTS) return;
  state.has_rows = true;
  // What is due when a block begins may be late by the block before it.
  const std::uint64_t since = block.offset - state.repeated_at;
  if (since > bytes_to_repeat(state.metadata, EVT_REPEAT_METADATA_EVERY) + state.metadata + EVT_MAX_EVENTS_PAYLOAD) {
    say(block, "metadata is not repeated every 64 MiB");
  }
  state.rows_end = block.padded_end();
}

void WriterCheck::check_end(const Block& block, const SessionData& session, const State& state) {
  const std::uint64_t since = state.rows_end - std::min(state.rows_end, state.repeated_at);
  if (since > bytes_to_repeat(state.metadata, EVT_REPEAT_METADATA_AT_END) + state.metadata) {
    say(block, "metadata is not repeated before TRAILER");
  }
  if (state.has_index && state.before != EVT_BLOCK_INDEX) say(block, "INDEX is not directly before TRAILER");
  if (!state.has_rows) return;
  for (const ClockInfo& clock : session.session->clocks) {
    if (clock.kind != EVT_CLOCK_OTHER && !state.synced_at.contains(clock.id)) {
      say(block, fmt::format("clock {} can be paired with others, and has no SYNC", clock.id));
    }
  }
}

void WriterCheck::check_rows(const Block& block, const SessionData& session) {
  if (!BlockDecoder::knows(block)) return;
  std::vector<std::byte> rows(block.events.rows_size);
  if (!decoder_.decode(block, rows.data()).ok()) return;
  if (!session.clock_places.contains(block.events.clock_id)) {
    say(block, fmt::format("clock {} is used and not described before", block.events.clock_id));
  }
  RowBreaches found(block, session, &breaches_);
  const auto check_piece = [&](const Piece& piece, Bytes of_piece) {
    const auto stream = session.streams.find(piece.stream_id);
    if (stream == session.streams.end() || !stream->second.info->declared) {
      say(block, fmt::format("stream {} is used and not described before", piece.stream_id));
    }
    found.find(piece, of_piece);
  };
  if (!is_multiplexed(block.events.layout)) return check_piece(piece_of(block.events), rows);
  const Bytes table = decoder_.table();
  PieceTable pieces(block.events, raw(table.data()), table.size());
  std::size_t at = 0;
  for (Piece piece; pieces.next(&piece); at += piece.rows_size) {
    check_piece(piece, Bytes(rows).subspan(at, piece.rows_size));
  }
}

// Its payload begins with the name of who owns it.
void WriterCheck::check_private(const Block& block) {
  std::byte size[2] = {};
  const std::size_t there = blocks_.read(block, 0, size, sizeof size);
  const std::uint16_t name = evt_load_u16(size);
  if (there == sizeof size && name > 0 && name + sizeof size <= block.header.payload_size) return;
  if (block.header.payload_size > 0) say(block, "a private block does not begin with the name of its owner");
}

std::vector<Damage> breaches_of(Trace& trace) {
  TraceData& data = TraceData::of(trace);
  Ledger ledger;  // what is damaged was noted when the trace was opened
  std::deque<Session> sessions;
  std::deque<SessionData> with_more;
  BlockReader blocks = data.blocks.anew(ledger);
  SessionBuilder builder(blocks, sessions, with_more, ledger);
  WriterCheck check(*data.source, blocks);
  while (const Block* const block = blocks.next()) {
    Block here = *block;  // reading on may need those of the reader
    builder.add(here);
    const auto session = std::find_if(with_more.rbegin(), with_more.rend(),
                                      [&](const SessionData& each) { return each.id == here.header.session_id; });
    check.add(here, session == with_more.rend() ? nullptr : &*session);
  }
  return check.finish();
}

}  // namespace evt

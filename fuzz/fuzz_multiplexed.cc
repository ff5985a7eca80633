// Rows of several streams in one block are read as if each piece had a block of its own; a table of anything is read as
// far as it makes sense, and never beyond.
#include <evt/trace.h>

#include <vector>

#include "allocation.h"
#include "blocks.h"
#include "format-spec/src/block/piece_table.h"
#include "fuzz_target.h"
#include "input.h"

namespace {

constexpr std::uint32_t kStreams = 4;

struct Pieces {
  std::vector<evt::Piece> facts;
  std::vector<std::string> rows;
};

// Pieces as a writer could have them: each of some rows, behind those that its stream has had.
Pieces pieces_of(Input& in) {
  Pieces pieces;
  std::uint64_t next[kStreams] = {};
  std::uint64_t latest[kStreams] = {};
  while (!in.empty() && pieces.facts.size() < 100) {
    const std::uint8_t how = in.u8();
    const std::uint32_t stream = how % kStreams;
    evt::Piece piece;
    piece.stream_id = stream + 1;
    piece.base_ticks = latest[stream] + (in.u32() >> (how >> 3));
    piece.first_ordinal = next[stream];
    std::string rows;
    std::uint32_t delta = 0;
    for (int left = (how >> 2 & 7) + 1; left > 0; --left) {
      delta += in.u8();
      if (piece.row_count++ == 0) piece.first_ticks = piece.base_ticks + delta;
      rows += fuzz::row(delta, 1024, fuzz::le32(in.u16()));
    }
    piece.last_ticks = latest[stream] = piece.base_ticks + delta;
    piece.rows_size = static_cast<std::uint32_t>(rows.size());
    next[stream] += piece.row_count;
    pieces.facts.push_back(piece);
    pieces.rows.push_back(std::move(rows));
  }
  return pieces;
}

fuzz::Blocks session() {
  fuzz::Blocks blocks;
  blocks.add(EVT_BLOCK_SESSION, fuzz::session_payload());
  blocks.add(EVT_BLOCK_CLOCK, fuzz::clock_payload(1));
  return blocks;
}

// What a reader makes of it, event by event.
std::string reading_of(const std::string& bytes, std::uint64_t* missing) {
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, options);
  FUZZ_CHECK(trace.ok());
  std::string all;
  evt::Events events = trace->events();
  while (const evt::Event* const event = events.next()) {
    all += fuzz::le32(event->stream().id) + fuzz::le32(static_cast<std::uint32_t>(event->ordinal()));
    all += fuzz::le32(static_cast<std::uint32_t>(event->ticks()));
    all.append(reinterpret_cast<const char*>(event->payload().data()), event->payload().size());
  }
  *missing = trace->sessions().front().missing;
  std::uint64_t reported = 0;
  for (const evt::MissingRows& rows : trace->missing()) reported += rows.rows;
  FUZZ_CHECK(reported == *missing);
  FUZZ_CHECK(*missing == 0 || !trace->status().ok());
  return all;
}

void read_as_if_apart(Input& in) {
  const Pieces pieces = pieces_of(in);
  if (pieces.facts.empty()) return;
  fuzz::Blocks apart = session();
  fuzz::Blocks together = session();
  const auto count = static_cast<std::uint32_t>(pieces.facts.size());
  const evt::EventsHeader events = evt::multiplexed_header(pieces.facts.data(), count, 1, 0);
  std::string payload(EVT_PIECE_TABLE_HEAD + count * evt::kMaxPiece, '\0');
  payload.resize(evt::store_piece_table(events, pieces.facts.data(), count, fuzz::raw(payload)));
  std::string rows;
  for (std::uint32_t i = 0; i < count; ++i) {
    apart.add_rows(evt::header_of(pieces.facts[i], 1, 0), pieces.rows[i]);
    rows += pieces.rows[i];
  }
  evt::EventsHeader with_checksum = events;
  with_checksum.rows_crc = evt::crc32c(0, rows.data(), rows.size());
  evt::BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  together.add(header, &with_checksum, payload + rows);
  std::uint64_t missing = 0;
  FUZZ_CHECK(reading_of(apart.bytes(), &missing) == reading_of(together.bytes(), &missing));
  FUZZ_CHECK(missing == 0);
}

// A table of any bytes, with a right checksum: its pieces amount to the block's rows, or it is refused.
void read_any_table(Input& in) {
  evt::EventsHeader events;
  events.clock_id = 1;
  events.layout = EVT_LAYOUT_MULTIPLEXED_ROWS;
  events.row_count = in.u8();
  events.first_ticks = in.u16();
  events.last_ticks = events.first_ticks + in.u16();
  const std::uint32_t pieces = in.u8();
  const std::string entries = in.rest();
  const std::string counted = fuzz::le32(pieces) + fuzz::le32(0) + entries;
  const auto size = static_cast<std::uint32_t>(8 + counted.size());
  const std::string table = fuzz::le32(size) + fuzz::le32(evt::crc32c(0, counted.data(), counted.size())) + counted;
  std::string rows;
  for (std::uint32_t i = 0; i < events.row_count; ++i) rows += fuzz::row(i, 1024, fuzz::le32(i));
  events.rows_size = static_cast<std::uint32_t>(rows.size());
  events.rows_crc = evt::crc32c(0, rows.data(), rows.size());
  fuzz::Blocks blocks = session();
  evt::BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  blocks.add(header, &events, table + rows);
  std::uint64_t missing = 0;
  const std::size_t shown = reading_of(blocks.bytes(), &missing).size() / 16;
  evt::PieceTable checked(events, fuzz::raw(table), table.size());
  for (evt::Piece piece; checked.next(&piece);) {
    FUZZ_CHECK(piece.first_ticks >= events.first_ticks && piece.last_ticks <= events.last_ticks);
  }
  FUZZ_CHECK(shown <= events.row_count);
  FUZZ_CHECK(checked.ok() || events.row_count == 0 || (shown == 0 && missing == events.row_count));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const AllocationLimit limit(64 << 20);
  Input in(data, size);
  in.u8() % 2 == 0 ? read_as_if_apart(in) : read_any_table(in);
  return 0;
}

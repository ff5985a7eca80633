// One stream's blocks -> its rows, in their order, each with the key that orders it among other streams' rows.
#pragma once

#include <evt/format.h>
#include <evt/trace.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/block/decode_ahead.h"
#include "libtrace-read/core/src/block/ledger.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/block/shared_buffer.h"
#include "libtrace-read/core/src/session/clock_map.h"
#include "libtrace-read/core/src/session/session_builder.h"
#include "libtrace-read/core/src/session/type_lookup.h"
#include "row_buffer.h"
#include "spooled_rows.h"

namespace evt {

// What the streams of a session share while they are read.
struct RowContext {
  BlockReader* blocks = nullptr;
  BlockDecoder* decoder = nullptr;
  MultiplexedBlocks* multiplexed = nullptr;
  std::vector<Block>* event_blocks = nullptr;  // that parts of streams refer to; verified as they are opened
  DecodeAhead* ahead = nullptr;                // null: blocks are decoded when they are needed
  Session* session = nullptr;
  const std::map<std::uint16_t, ClockMap>* clocks = nullptr;
  Ledger* ledger = nullptr;
  std::uint32_t session_number = 0;
  std::size_t slice_size = 0;           // of a block read at a time
  std::vector<std::byte> whole;         // rows of a block of which a slice is wanted
  std::uint64_t whole_of = UINT64_MAX;  // the block's offset
  bool by_ns = false;
  bool markers = false;
  TimeRange range;  // blocks wholly outside are not read
  BufferPool* slices = nullptr;
  SpooledRows* spooled = nullptr;
  TypeLookup* types = nullptr;
  std::uint64_t key_of(const ClockMap* clock, std::uint64_t ticks) const {
    // The order of signed numbers, in unsigned ones.
    return by_ns ? static_cast<std::uint64_t>(clock->to_ns(ticks)) ^ (std::uint64_t{1} << 63) : ticks;
  }
  // All rows of a block, if they are not there already. Empty, or why not.
  Status decode_whole(const Block& block);
  std::uint64_t key_of(std::uint16_t clock, std::uint64_t ticks) const { return key_of(&clocks->at(clock), ticks); }
};

// Refers to its context, blocks and stream while it lives. Damage in a block costs that block's rows, from the
// place of the damage on.
class StreamRows {
 public:
  // One run of a stream, of this number: `parts` without a meant step back in time but at its front. What came before
  // them, if anything did, went up to the key `floor`.
  StreamRows(RowContext& context, std::size_t run, std::span<const StreamSpan> parts, std::uint64_t floor,
             StreamInfo& info)
      : context_(context), run_(run), parts_(parts), floor_(floor), info_(info) {}

  // The reading position; a copy can be put back within the same window.
  struct Place {
    std::size_t part = 0;           // index of the part
    bool open = false;              // it has been begun
    EventsHeader rows_of_part;      // what describes its rows
    std::uint64_t slice_start = 0;  // of the slice within the rows
    std::size_t at = 0;             // of the next row within the slice
    std::uint64_t base = 0;
    std::uint64_t ordinal = 0;
    std::uint64_t latest_key = 0;
    std::uint32_t rows_left = 0;
    std::optional<std::uint64_t> lost_before;  // by the stream, up to this part
    bool jump = false;                         // a marker precedes the next row
    const ClockMap* clock = nullptr;
    SharedBuffer slice;
    std::shared_ptr<DecodeAhead::Ticket> ahead;  // of the next block
  };
  const Place& place() const { return place_; }
  void put_back(const Place& place) { place_ = place; }

  // No row of a run that has not been read from has a smaller key: it is what the first header states, and what a row's
  // own time is raised to if that header lies.
  std::uint64_t least_key() const;
  // The key of the next row; false at the end.
  bool next_key(std::uint64_t* key);
  // Releases the bytes that are being read from; they are read again when they are needed. Rows that were taken keep
  // theirs until the window goes on.
  void drop_slice();
  // Appends the rows with a key of at most `limit`; false when `rows` was full before that, or the kept bytes reached
  // `most_bytes`.
  bool take(std::uint64_t limit, std::size_t most_bytes, RowBuffer* rows);

 private:
  // What is at the place: a row to hand out, one to step over, or the need to go on elsewhere.
  enum class Step : std::uint8_t { kRow, kSkip, kMoved, kEnd };

  // What is wanted of a row: its key alone, or its payload too, which may take reading more.
  enum class Want : std::uint8_t { kKey, kAll };

  // A row that was looked at closely.
  struct Found {
    std::uint64_t key;
    std::uint64_t ticks;
    const std::byte* payload;
    std::size_t payload_size;
    std::size_t size;       // of the whole row
    std::uint32_t number;   // of its type
    const EventType* type;  // unless only the key was wanted
  };

  template <bool kByNs>
  void take_ordinary(std::uint64_t limit, RowBuffer* rows);
  bool find(Want want, Found* row);
  Step look(Want want, Found* row);
  Step reserved(Found* row, Bytes payload);
  Step found(Want want, Found* row);
  Step mark(Found* row);
  void step_over(std::size_t size);
  bool open_part();
  Status enter_part();
  Status read_slice(std::uint64_t start, std::size_t wanted);
  Status fill_slice(std::uint64_t start, std::size_t wanted, BufferBytes* slice);
  Status unpack_slice(std::uint64_t start, BufferBytes* slice);
  Status check_plain();
  void begin_slice(SharedBuffer slice, std::uint64_t start);
  Status open_slice();
  void ask_ahead();
  void leave_part();
  void give_up(const Status& why);
  Block& block_of(std::size_t part) const { return (*context_.event_blocks)[parts_[part].block]; }
  Block& block() const { return block_of(place_.part); }
  SpooledRows::Source source() const { return {block().offset, parts_[place_.part].piece}; }
  bool is_piece() const { return parts_[place_.part].piece != StreamSpan::kWhole; }

  RowContext& context_;
  std::size_t run_;
  std::span<const StreamSpan> parts_;
  std::uint64_t floor_;
  StreamInfo& info_;
  Place place_;
};

}  // namespace evt

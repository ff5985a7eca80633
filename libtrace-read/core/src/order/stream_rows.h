// One stream's blocks -> its rows, in their order, each with the key that orders it among other streams' rows.
#pragma once

#include <evt/format.h>
#include <evt/trace.h>

#include <optional>
#include <span>

#include "format-spec/src/block/row_times.h"
#include "row_buffer.h"
#include "row_context.h"
#include "stream_blocks.h"

namespace evt {

// Refers to its context, blocks and stream while it lives. Damage in a block costs that block's rows from there on.
class StreamRows {
 public:
  // Reads one run of a stream, with this number: `parts` with an intentional step back in time only at their start.
  // Earlier rows, if any, went up to the key `floor`.
  StreamRows(RowContext& context, std::size_t run, std::span<const StreamSpan> parts, const OrderKey& floor,
             const StreamParts& of)
      : context_(context), blocks_(context, run, parts), floor_(floor), of_(of), info_(*of.info) {}

  // Position of the next row, within the current part.
  struct RowPlace {
    std::uint64_t base = 0;
    std::uint64_t ordinal = 0;
    std::uint64_t first_new = 0;  // rows before this ordinal belong to an earlier part
    bool is_extract = false;      // later rows belong to other parts
    OrderKey latest_key;
    std::uint32_t rows_left = 0;
    std::optional<std::uint64_t> lost_before;  // lost by the stream, up to this part
    bool jump = false;                         // a marker precedes the next row
    std::uint16_t clock_id = 0;
    const ClockMap* clock = nullptr;
    RowTimes times;
  };
  // The reading position; a copy can be restored within the same window.
  struct Place {
    StreamBlocks::Place bytes;
    RowPlace row;
  };
  Place place() const { return {blocks_.place(), place_}; }
  void put_back(const Place& place) {
    blocks_.put_back(place.bytes);
    place_ = place.row;
  }

  // No row of a run that has not been read from has a smaller key: the first header states it, and if that header lies,
  // row times are raised to it.
  OrderKey least_key() const;
  // The key of the next row; false at the end.
  bool next_key(OrderKey* key);
  // Releases the current bytes; they are read again when they are needed. Rows that were taken keep theirs until the
  // window moves on.
  void drop_slice() { blocks_.drop_slice(); }
  // What take() stopped at.
  enum class Stop : std::uint8_t {
    kLater,  // a row with a key above the limit
    kEnd,
    kFull,  // `rows` was full, or the kept bytes reached `most_bytes`
  };
  // Appends the rows with a key of at most `limit`. kLater: sets `next` to the key of the next row.
  Stop take(const OrderKey& limit, std::size_t most_bytes, RowBuffer* rows, OrderKey* next);

 private:
  // Result of looking at the current place: a row to return, one to step over, or a need to continue elsewhere.
  enum class Step : std::uint8_t { kRow, kSkip, kMoved, kEnd };

  // What is needed of a row: only its key, or its payload too, which may take more reading.
  enum class Want : std::uint8_t { kKey, kAll };

  // A row that was examined closely.
  struct Found {
    OrderKey key;
    std::uint64_t ticks;
    std::uint64_t stamp;  // 0: it is possible
    const std::byte* payload;
    std::size_t payload_size;
    std::size_t size;       // the whole row's
    std::uint32_t number;   // its type's
    const EventType* type;  // unless only the key was wanted
  };

  void take_ordinary(const OrderKey& limit, RowBuffer* rows);
  template <OrderBy kOrder>
  void take_ordinary(const OrderKey& limit, RowBuffer* rows);
  bool find(Want want, Found* row);
  Step look(Want want, Found* row);
  Step reserved(Found* row, Bytes payload);
  Step found(Want want, Found* row);
  Step mark(Found* row);
  void count_impossible() const;
  void step_over(std::size_t size);
  bool open_part();
  void begin_part();
  bool is_new() const { return place_.ordinal >= place_.first_new; }
  void leave_part();
  void give_up(const Status& why);

  RowContext& context_;
  StreamBlocks blocks_;
  OrderKey floor_;
  const StreamParts& of_;
  StreamInfo& info_;
  RowPlace place_;
};

}  // namespace evt

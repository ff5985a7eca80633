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

// Refers to its context, blocks and stream while it lives. Damage in a block costs that block's rows, from the
// place of the damage on.
class StreamRows {
 public:
  // One run of a stream, of this number: `parts` without a meant step back in time but at its front. What came before
  // them, if anything did, went up to the key `floor`.
  StreamRows(RowContext& context, std::size_t run, std::span<const StreamSpan> parts, const OrderKey& floor,
             const StreamParts& of)
      : context_(context), blocks_(context, run, parts), floor_(floor), of_(of), info_(*of.info) {}

  // Of the next row, within the part that is read.
  struct RowPlace {
    std::uint64_t base = 0;
    std::uint64_t ordinal = 0;
    std::uint64_t first_new = 0;  // rows before this ordinal belong to a part before
    bool is_extract = false;      // rows after those that are left belong to other parts
    OrderKey latest_key;
    std::uint32_t rows_left = 0;
    std::optional<std::uint64_t> lost_before;  // by the stream, up to this part
    bool jump = false;                         // a marker precedes the next row
    std::uint16_t clock_id = 0;
    const ClockMap* clock = nullptr;
    RowTimes times;
  };
  // The reading position; a copy can be put back within the same window.
  struct Place {
    StreamBlocks::Place bytes;
    RowPlace row;
  };
  Place place() const { return {blocks_.place(), place_}; }
  void put_back(const Place& place) {
    blocks_.put_back(place.bytes);
    place_ = place.row;
  }

  // No row of a run that has not been read from has a smaller key: it is what the first header states, and what a row's
  // own time is raised to if that header lies.
  OrderKey least_key() const;
  // The key of the next row; false at the end.
  bool next_key(OrderKey* key);
  // Releases the bytes that are being read from; they are read again when they are needed. Rows that were taken keep
  // theirs until the window goes on.
  void drop_slice() { blocks_.drop_slice(); }
  // Appends the rows with a key of at most `limit`; false when `rows` was full before that, or the kept bytes reached
  // `most_bytes`.
  bool take(const OrderKey& limit, std::size_t most_bytes, RowBuffer* rows);

 private:
  // What is at the place: a row to hand out, one to step over, or the need to go on elsewhere.
  enum class Step : std::uint8_t { kRow, kSkip, kMoved, kEnd };

  // What is wanted of a row: its key alone, or its payload too, which may take reading more.
  enum class Want : std::uint8_t { kKey, kAll };

  // A row that was looked at closely.
  struct Found {
    OrderKey key;
    std::uint64_t ticks;
    std::uint64_t stamp;  // 0: it is possible
    const std::byte* payload;
    std::size_t payload_size;
    std::size_t size;       // of the whole row
    std::uint32_t number;   // of its type
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

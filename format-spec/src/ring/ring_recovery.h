// Rows and metadata of a ring that its file lacks, as blocks to be read after the file's own. FORMAT.md, section 12.
// Pure: the caller reads the ring. Trusts nothing: a ring may be half written, and may be written while it is read.
#pragma once

#include "format-spec/src/base/buffer.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/row/ordinal_range.h"
#include "format-spec/src/row/row_reader.h"
#include "ring_layout.h"

namespace evt {

// A walk over the rows of a ring, which may be half written or forged.
struct RingWalk {
  std::uint64_t base;
  std::uint64_t latest_possible = UINT64_MAX;
  std::uint64_t first_ticks = UINT64_MAX;  // leaves out rows with impossible stamps
  std::uint64_t last_ticks = 0;
  std::uint64_t recorded[ring::kCauses] = {};
  bool unsorted = false;

  explicit RingWalk(std::uint64_t from) : base(from) {}
  std::uint64_t recorded_total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : recorded) sum += count;
    return sum;
  }

  // Walks over `rows` rows; returns their size, or SIZE_MAX if they are not rows.
  std::size_t over(const std::uint8_t* bytes, std::size_t size, std::uint32_t rows) {
    RowReader reader(bytes, size, base);
    for (; rows > 0; --rows) {
      const RowView* const row = reader.next();
      if (row == nullptr || !take(*row)) return SIZE_MAX;
    }
    base = reader.base();
    return size - reader.left();
  }

 private:
  bool take(const RowView& row) {
    if (row.type == EVT_ROW_TIME_BASE) return row.is_time_base();
    unsorted |= row.ticks < last_ticks;
    if (row.ticks <= latest_possible) {
      first_ticks = row.ticks < first_ticks ? row.ticks : first_ticks;
      last_ticks = row.ticks > last_ticks ? row.ticks : last_ticks;
    }
    if (row.type != EVT_ROW_LOST) return true;
    if (!row.is_lost()) return false;
    recorded[row.lost_cause() < EVT_LOST_CAUSES ? row.lost_cause() : 0] += row.lost_count();
    return true;
  }
};

// Callback that reads a ring: `size` bytes at `offset` into `out`; returns how many there were.
struct RingBytes {
  std::size_t (*read)(void* self, std::uint64_t offset, void* out, std::size_t size);
  void* self;
};

// Rows of a stream that the file lacks: the first one at or after `from`, and those that follow it. After its last row
// it lacks all, up to UINT64_MAX.
struct FileRows {
  OrdinalRange (*lacking)(void* self, std::uint32_t stream, std::uint64_t from);
  void* self;
};

class RingRecovery {
 public:
  explicit RingRecovery(RingBytes bytes) : bytes_(bytes) {}

  // Reads the ring's header; false if this is not a ring, or one whose writer was killed before it was made. Reads at
  // most 10 KiB, whatever the ring's size.
  bool open();
  // Valid after that: it is a ring, but a later version's.
  bool is_newer() const { return !understood_; }
  std::uint64_t session_id() const { return header_.session_id; }
  const ring::Header& header() const { return header_; }

  // Copies what the file may lack. Look at the file only afterwards: a living writer keeps moving rows into it. Returns
  // false if memory runs out.
  bool take();
  // The writer has changed to another file since open(): `header()` is about the one before.
  bool has_changed_output() const;
  // The first row of a stream that the ring still has; UINT64_MAX: none. After take().
  std::uint64_t first_ordinal(std::uint32_t stream) const;
  // Appends the log of metadata, then the rows that the file lacks as EVENTS blocks, in the order of each stream, then
  // the losses that no row records yet, then the SESSION block again, which tells readers that nothing was left behind.
  // For a living writer, rows that came while its ring was copied may be left out. Returns false if memory runs out.
  enum class Unrecorded : std::uint8_t { kAppended, kLeftOut };
  bool append_blocks(Buffer& out, FileRows file, bool living, Unrecorded unrecorded = Unrecorded::kAppended);
  std::uint64_t rows() const { return rows_; }  // appended rows

 private:
  // A slot worth reading, and its place.
  struct Found {
    std::uint64_t offset;
    std::uint32_t size;
    bool has_rows;
    std::uint64_t rows_at;  // in copied_
    ring::Slot slot;
    std::uint64_t end;  // after its last row, once its rows have been appended
  };

  bool read(std::uint64_t offset, void* out, std::size_t size) const;
  // End of the blocks at the ring's start; 0: there are none. `session` gets the header of the first.
  std::uint64_t end_of_front(BlockHeader* session) const;
  void read_later_members();
  bool take_slots();
  void take_rows(Found& found);
  bool take_log();
  bool take_log_bytes(std::uint64_t size);
  void keep_whole_blocks();
  bool take_records();
  void append_session(Buffer& out) const;
  void append_slots(FileRows file, bool living, Buffer& out);
  void append_slot(Found& found, OrdinalRange had, FileRows file, bool living, Buffer& out);
  void append_unrecorded(const ring::StreamRecord& record, FileRows file, bool living, Buffer& out);
  void append_events(const ring::Slot& slot, const std::uint8_t* rows, std::uint32_t from, std::uint32_t to,
                     Buffer& out);
  std::size_t first_behind(std::uint32_t stream) const;
  const Found* newest_of(std::uint32_t stream) const;
  static std::uint64_t end_of(const Found* newest, std::uint64_t next);

  RingBytes bytes_;
  ring::Header header_ = {};
  std::uint64_t header_at_ = 0;
  bool understood_ = true;
  Buffer found_;  // Found elements, by stream and ordinal
  Buffer copied_;
  Buffer log_;
  Buffer records_;  // by stream
  std::uint64_t rows_ = 0;
};

}  // namespace evt

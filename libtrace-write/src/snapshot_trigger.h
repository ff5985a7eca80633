// The event types that make a session take a snapshot of itself, and the rows of them that were written.
#pragma once

#include <cstdint>

#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/index_entries.h"

namespace evt {

class SnapshotTrigger {
 public:
  // The first such row since the last look that mattered.
  struct Met {
    std::uint32_t type = 0;
    std::uint32_t stream = 0;
    std::uint64_t row = 0;
    std::uint64_t ticks = 0;
    std::uint16_t clock = 0;
  };

  SnapshotTrigger() = default;
  SnapshotTrigger(const SnapshotTrigger&) = delete;
  SnapshotTrigger& operator=(const SnapshotTrigger&) = delete;

  // Watches types whose names match this shell pattern. Called by open; false without memory.
  bool watch(const char* glob);
  // Null: watches none.
  const char* glob() const { return glob_; }
  // A type has been declared. REQUIRES: the session's lock is held.
  void declared(const char* name, std::uint32_t number);
  // True if a declared type matched. REQUIRES: as above.
  bool has_matched() const { return has_matched_; }
  // Called when nothing is written any more.
  void release();

  // --- For the thread that writes the trace.

  // Whether the first row is wanted, and not only their number.
  void arm(bool is_armed) { is_armed_ = is_armed; }
  // A block with so many rows of each type will be written; null: they are not known.
  void look(const TypeCounts* counts);
  // It was.
  void note_written() { rows_ += rows_in_block_; }
  // True if its rows are to be given to find().
  bool seeks() const { return seeks_; }
  void find(const EventsHeader& events, const std::uint8_t* rows);
  // Returns the number of rows since the last call. `met` gets the first one, if it was wanted: its type is not 0.
  std::uint64_t take(Met* met);

 private:
  bool has(std::uint32_t type) const {
    return type <= UINT16_MAX && (__atomic_load_n(&numbers_[type / 8], __ATOMIC_RELAXED) >> (type % 8) & 1) != 0;
  }

  char* glob_ = nullptr;
  bool has_matched_ = false;
  std::uint8_t* numbers_ = nullptr;  // a bit per type, atomic
  bool is_armed_ = false;
  bool seeks_ = false;
  bool counts_ = false;  // the rows that find() meets
  std::uint64_t rows_in_block_ = 0;
  std::uint64_t rows_ = 0;
  Met met_;
};

}  // namespace evt

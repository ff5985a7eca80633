// Rows of some streams, one after another -> blocks of the new session that are not too small.
#pragma once

#include <map>

#include "used_metadata.h"

namespace evt {

// Rows of a stream wait here for more. Refers to its arguments while it lives.
class CutRows {
 public:
  CutRows(UsedMetadata& words, TraceOutput& out) : words_(words), out_(out) {}

  // Appends a row in the stored form of that block. `ticks`: its time, which differs from an impossible stamp. `jump`:
  // the stream's time intentionally steps back before it.
  void append(std::uint32_t stream, std::uint16_t clock, const Block& like, const RowView& row, std::uint64_t ticks,
              bool jump);
  // A row that no thread recorded.
  void append(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint32_t type, Bytes fields);
  void append_lost(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint64_t count);

  // Called before a block of the stream is put in another way.
  void flush(std::uint32_t stream);
  void flush_all();

 private:
  struct Waiting {
    Piece piece;
    std::uint16_t clock = 0;
    std::uint64_t base = 0;  // the next row's
    std::uint64_t latest = 0;
    std::uint64_t before = 0;  // time of its last row
    bool jumps = false;
    bool passes_bound = false;          // a row does, the bound of `like`
    bool begins_passing_bound = false;  // its first row does
    Block like;
    std::vector<std::byte> rows;
  };

  // Values of a row that determine its place.
  struct Next {
    std::uint64_t base;
    std::size_t size;
    std::uint64_t ticks;  // when it was
    bool jump = false;
    std::uint64_t bound = 0;  // its time's
    bool passes_bound = false;
  };

  static bool keeps_times(const Waiting& waiting, const Next& row);
  Waiting& room_for(std::uint32_t stream, std::uint16_t clock, const Next& row);
  void add_time_base(Waiting& waiting, std::uint64_t base, bool jump);
  void note(Waiting& waiting, std::uint64_t ticks);
  void put(Waiting& waiting);
  void put_multiplexed(const std::vector<Waiting*>& group);

  UsedMetadata& words_;
  TraceOutput& out_;
  std::map<std::uint32_t, Waiting> waiting_;  // by stream
  std::size_t bytes_ = 0;                     // bytes of waiting rows, in all streams
};

}  // namespace evt

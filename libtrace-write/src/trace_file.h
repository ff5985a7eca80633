// A trace that an earlier writer left, as far as a writer must understand it: where its blocks end, and whether its
// last session was finished.
#pragma once

#include <unistd.h>

#include <cstdint>

#include "file_id.h"
#include "format-spec/src/base/buffer.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/ring/ring_recovery.h"
#include "hash_index.h"

namespace evt {

class TraceFile {
 public:
  TraceFile() = default;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile();

  // Steps over the blocks of a regular file, whose path is not a link; false if it does not begin as a trace.
  bool open(const char* path);
  // Reads the file again, because it may have changed. `ring`: also reads the blocks whose rows it has, because a
  // damaged block has none.
  bool reread(const RingRecovery* ring = nullptr);
  // Keeps writers and recoveries away until this is destroyed. Waits a moment for others that hold it, and returns
  // false if they keep it. Succeeds on a file system without locks.
  bool lock();
  // The file is not fully known: nothing may be put into it, and nothing of it thrown away.
  bool lacks_memory() const { return lacks_memory_; }
  int descriptor() const { return fd_; }
  // The file that was opened.
  const FileId& id() const { return id_; }
  bool is_of_this_user() const { return owner_ == geteuid(); }
  // Where to append: after everything, except a block that was truncated when its writer died.
  std::uint64_t append_at() const { return append_at_; }
  // For the last session: false if its last segment says that it continues.
  bool finished() const { return finished_; }
  // Its last session has more than one segment here.
  bool has_segments() const { return has_segments_; }
  std::uint64_t session_id() const { return session_id_; }
  // After the last block of it that has a number.
  std::uint64_t next_block_no() const { return next_block_no_; }
  std::int64_t start_utc_ns() const { return start_utc_ns_; }
  // See FileRows.
  OrdinalRange lacking(std::uint32_t stream, std::uint64_t from) const;
  // There are more gaps in the file than are remembered.
  bool has_many_gaps() const { return has_many_gaps_; }

 private:
  struct Ordinal {
    std::uint32_t stream;
    std::uint64_t next;  // after its last row
  };
  // Absent rows before that one.
  struct Gap {
    std::uint32_t stream;
    OrdinalRange rows;
  };
  // The next block header at or after an offset; the end of the file if there is none.
  std::uint64_t next_header(std::uint64_t from, std::uint64_t size) const;
  void note_block(const std::uint8_t* front, const BlockHeader& header, std::uint64_t payload_at);
  void note_pieces(const EventsHeader& events, const BlockHeader& header, std::uint64_t payload_at);
  void forget_rows();
  void note_piece(const Piece& piece);
  void note_rows(std::uint32_t stream, OrdinalRange rows);
  void add_gap(std::uint32_t stream, OrdinalRange rows);
  void fill_gaps(std::uint32_t stream, OrdinalRange rows);
  std::uint64_t next_ordinal(std::uint32_t stream) const;
  bool is_of_ring(const Piece& piece) const;
  bool has_payload(const BlockHeader& header, std::uint64_t payload_at) const;
  void note_session(std::uint64_t payload_at, std::uint64_t size);
  void note_segment(std::uint64_t payload_at, std::uint32_t payload_size);
  std::uint64_t place_of(std::uint32_t stream) const;

  int fd_ = -1;
  FileId id_;
  uid_t owner_ = 0;
  std::uint64_t end_ = 0;  // after the last block that was skipped over
  std::uint64_t append_at_ = 0;
  std::uint64_t session_id_ = 0;
  std::uint64_t next_block_no_ = 0;
  std::int64_t start_utc_ns_ = 0;
  bool finished_ = false;
  bool has_segments_ = false;
  bool lacks_memory_ = false;
  Buffer table_;     // for multiplexed rows, or for streams
  Buffer ordinals_;  // Ordinal elements
  HashIndex by_stream_;
  Buffer gaps_;  // Gap elements
  bool has_many_gaps_ = false;
  const RingRecovery* ring_ = nullptr;  // while blocks are read for it
};

}  // namespace evt

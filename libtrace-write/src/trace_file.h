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

  // Hops over the blocks of a regular file, to which the path leads without a link at its end; false when it does not
  // begin as a trace.
  bool open(const char* path);
  // The same again, as the file may have changed. `ring`: reads the blocks whose rows it has, too, as one that is
  // damaged has none.
  bool reread(const RingRecovery* ring = nullptr);
  // Keeps writers and recoveries away until this is destroyed. Waits a moment for those who have the file, and is false
  // when they keep it. A file system without locks has to do without.
  bool lock();
  // What is known of the file is not all: nothing may be put into it, and nothing of it thrown away.
  bool lacks_memory() const { return lacks_memory_; }
  int descriptor() const { return fd_; }
  // Of what was opened.
  const FileId& id() const { return id_; }
  bool is_of_this_user() const { return owner_ == geteuid(); }
  // Where more is to be put: behind all there is, but for a block that was truncated when its writer died.
  std::uint64_t append_at() const { return append_at_; }
  // Of the last session: with a segment behind which it goes on it is not.
  bool finished() const { return finished_; }
  std::uint64_t session_id() const { return session_id_; }
  std::int64_t start_utc_ns() const { return start_utc_ns_; }
  // As FileRows has it.
  OrdinalRange lacking(std::uint32_t stream, std::uint64_t from) const;
  // There are more gaps in the file than are kept in mind.
  bool has_many_gaps() const { return has_many_gaps_; }

 private:
  struct Ordinal {
    std::uint32_t stream;
    std::uint64_t next;  // behind its last row
  };
  // Rows before that one that the file lacks.
  struct Gap {
    std::uint32_t stream;
    OrdinalRange rows;
  };
  // The next block header at or behind an offset; the end of the file if there is none.
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
  std::uint64_t end_ = 0;  // behind the last block that was hopped over
  std::uint64_t append_at_ = 0;
  std::uint64_t session_id_ = 0;
  std::int64_t start_utc_ns_ = 0;
  bool finished_ = false;
  bool lacks_memory_ = false;
  Buffer table_;     // of multiplexed rows, or of streams
  Buffer ordinals_;  // of Ordinal
  HashIndex by_stream_;
  Buffer gaps_;  // of Gap
  bool has_many_gaps_ = false;
  const RingRecovery* ring_ = nullptr;  // while blocks are read for it
};

}  // namespace evt

// What a writer that is killed at this moment leaves behind: its ring, and the bytes of its trace.
#pragma once

#include <evt/trace.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "blocks.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/ring/ring_recovery.h"
#include "fuzz_target.h"
#include "held_rows.h"

namespace fuzz {

// FORMAT.md, section 12.3: the ring is copied first, then the file, so that rows which go from the one to the other
// meanwhile are in one of them. Holds at any moment of the flusher, while no producer is at work.
class KilledCopy {
 public:
  explicit KilledCopy(const std::string& ring) : fd_(open(ring.c_str(), O_RDONLY | O_CLOEXEC)) {
    FUZZ_CHECK(fd_ >= 0);
    FUZZ_CHECK(recovery_.open());
    FUZZ_CHECK(recovery_.take());
  }
  KilledCopy(const KilledCopy&) = delete;
  KilledCopy& operator=(const KilledCopy&) = delete;
  ~KilledCopy() { close(fd_); }

  // The trace as it is recovered. `file`: what the file had when the ring had been copied.
  std::string recovered(std::string file) {
    HeldRows held;
    file.resize(whole_blocks(file, held));
    evt::Buffer blocks;
    FUZZ_CHECK(recovery_.append_blocks(blocks, held.rows(), false));
    return file.append(text_of(blocks));
  }

 private:
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size) {
    const ssize_t got = pread(static_cast<KilledCopy*>(self)->fd_, out, size, static_cast<off_t>(offset));
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }

  // Where the last whole block ends; which rows are in those before it.
  static std::size_t whole_blocks(const std::string& file, HeldRows& held) {
    std::size_t at = 0;
    evt::BlockHeader header;
    while (at < file.size()) {
      const std::uint8_t* const p = raw(std::string_view(file)) + at;
      if (evt::load_block_header(p, file.size() - at, &header) != evt::HeaderState::kGood) break;
      const std::size_t size = header.header_size + std::size_t{header.payload_size};
      if (size > file.size() - at) break;
      if (header.type == EVT_BLOCK_EVENTS) {
        count_rows(evt::load_events_header(p), p + header.header_size, header.payload_size, held);
      }
      at += size + std::min(evt::padding_after(size), file.size() - at - size);
    }
    return at;
  }

  static void count_rows(const evt::EventsHeader& events, const std::uint8_t* payload, std::size_t size,
                         HeldRows& held) {
    const auto count = [&](const evt::Piece& piece) {
      FUZZ_CHECK(piece.first_ordinal == held.end(piece.stream_id));
      held.add(piece.stream_id, piece.first_ordinal, piece.first_ordinal + piece.row_count);
    };
    if (!evt::is_multiplexed(events.layout)) return count(evt::piece_of(events));
    evt::PieceTable table(events, payload, evt::piece_table_size(payload, size));
    for (evt::Piece piece; table.next(&piece);) count(piece);
    FUZZ_CHECK(table.ok());
  }

  int fd_;
  evt::RingRecovery recovery_{{&KilledCopy::read, this}};
};

}  // namespace fuzz

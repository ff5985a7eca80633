// Contents of a session's INDEX blocks about the blocks that are written: noted as they pass, in memory that is
// allocated once.
#pragma once

#include "format-spec/src/block/index_entries.h"

namespace evt {

// Owned by the thread that writes the trace. Allocates nothing between open and close, because the flusher must not.
class IndexLog {
 public:
  struct Bytes {
    const std::uint8_t* data;
    std::size_t size;
  };

  IndexLog() = default;
  IndexLog(const IndexLog&) = delete;
  IndexLog& operator=(const IndexLog&) = delete;

  // Without memory the session has no index, and nothing else changes.
  void open();
  void close();
  // The next block is the first that INDEX blocks describe.
  void begin_again();

  // Where to count the rows of the next EVENTS block by type, from zero; null if the session has no index.
  TypeCounts* begin_counts();

  // Notes a block that has been written. `size` is that of the whole block.
  void note(std::uint16_t type, std::uint64_t size);
  // `pieces`: the rows of each stream in it.
  void note_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const Piece* pieces,
                   std::uint32_t count);

  // True if an INDEX block must come before any other block.
  bool is_due() const;
  // Its payload, valid until the next note. `message_size`: of the message that the caller appends.
  Bytes payload(std::size_t message_size);

  bool is_open() const { return state_ != nullptr; }
  // The size of the latest INDEX block, 0 if there is none: the distance from its start to TRAILER.
  std::uint64_t latest_size() const { return latest_size_; }

 private:
  struct State;

  State* state_ = nullptr;
  std::uint32_t event_blocks_ = 0;  // since the latest INDEX block
  std::uint64_t latest_size_ = 0;
};

}  // namespace evt

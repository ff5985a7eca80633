// What a session's INDEX blocks will say of the blocks that are written: noted as they pass, in memory that is had
// once.
#pragma once

#include "format-spec/src/block/index_entries.h"

namespace evt {

// Owned by the thread that writes the trace. Allocates nothing between open and close, as the flusher must not.
class IndexLog {
 public:
  struct Bytes {
    const std::uint8_t* data;
    std::size_t size;
  };

  IndexLog() = default;
  IndexLog(const IndexLog&) = delete;
  IndexLog& operator=(const IndexLog&) = delete;

  // Without memory the session has no index, and that is all.
  void open();
  void close();
  // The next block is the first that INDEX blocks describe.
  void begin_again();

  // Where to count the rows of the next EVENTS block by type, from zero; null when the session has no index.
  TypeCounts* begin_counts();

  // Of blocks that have been written. `size` is that of the whole block.
  void note(std::uint16_t type, std::uint64_t size);
  // `pieces`: the rows of each stream in it.
  void note_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const Piece* pieces,
                   std::uint32_t count);

  // An INDEX block has to come before any other block.
  bool is_due() const;
  // Its payload, which holds until the next note. `message_size`: of the message that the caller puts behind it.
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

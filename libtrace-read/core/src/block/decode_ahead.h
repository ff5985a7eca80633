// Decodes blocks on a second core before their rows are asked for.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "block_decoder.h"
#include "shared_buffer.h"

namespace evt {

// Refers to the blocks while it lives. Its thread begins with the first block that is asked for, and only if there
// is a second core; one thread at a time asks. What is asked for and not begun yet is decoded by the one that needs it.
class DecodeAhead {
 public:
  // Rows that were asked for. The thread that has it may wait for them.
  struct Ticket {
    Block block;
    SharedBuffer slice;            // of the size of its rows
    Status status;                 // of decoding them
    std::vector<std::byte> table;  // what precedes its rows, if they are multiplexed
    enum class State : std::uint8_t { kWaiting, kBegun, kDone } state = State::kWaiting;
  };

  explicit DecodeAhead(BlockReader& blocks);
  DecodeAhead(const DecodeAhead&) = delete;
  DecodeAhead& operator=(const DecodeAhead&) = delete;
  ~DecodeAhead();

  bool is_worth_it() const { return cores_ > 1; }
  std::shared_ptr<Ticket> ask(const Block& block, SharedBuffer slice);
  // Returns when the ticket is done; without the memory for that it throws, and the ticket waits again.
  void finish(Ticket& ticket, BlockDecoder& decoder);

 private:
  void work();

  static void* run(void* self);
  static Ticket::State decode(Ticket& ticket, BlockDecoder& decoder);

  long cores_;
  BlockDecoder decoder_;
  pthread_t thread_ = {};  // not of the library's, which throws where there is none to be had
  bool running_ = false;
  std::mutex mutex_;  // guards what follows, and the states of tickets
  std::condition_variable asked_;
  std::condition_variable done_;
  std::deque<std::shared_ptr<Ticket>> queue_;
  bool stop_ = false;
};

}  // namespace evt

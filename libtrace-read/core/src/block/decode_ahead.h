// Decodes blocks on a second core before their rows are needed.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "block_decoder.h"
#include "shared_buffer.h"

namespace evt {

// Refers to the blocks while it lives. Its thread starts with the first request, and only if there is a second core;
// one thread at a time makes requests. Requested blocks that are not begun yet are decoded by the thread that needs
// them.
class DecodeAhead {
 public:
  // Requested rows. The thread that holds it may wait for them.
  struct Ticket {
    Block block;
    SharedBuffer slice;            // as large as its rows
    Status status;                 // result of decoding them
    std::vector<std::byte> table;  // precedes its rows, if they are multiplexed
    enum class State : std::uint8_t { kWaiting, kBegun, kDone } state = State::kWaiting;
  };

  explicit DecodeAhead(BlockReader& blocks);
  DecodeAhead(const DecodeAhead&) = delete;
  DecodeAhead& operator=(const DecodeAhead&) = delete;
  ~DecodeAhead();

  bool is_worth_it() const { return cores_ > 1; }
  std::shared_ptr<Ticket> ask(const Block& block, SharedBuffer slice);
  // Returns when the ticket is done; throws if there is no memory, and the ticket waits again.
  void finish(Ticket& ticket, BlockDecoder& decoder);

 private:
  void work();

  static void* run(void* self);
  static Ticket::State decode(Ticket& ticket, BlockDecoder& decoder);

  long cores_;
  BlockDecoder decoder_;
  pthread_t thread_ = {};  // not std::thread, which throws if no thread can be made
  bool running_ = false;
  std::mutex mutex_;  // guards the members below, and the states of tickets
  std::condition_variable asked_;
  std::condition_variable done_;
  std::deque<std::shared_ptr<Ticket>> queue_;
  bool stop_ = false;
};

}  // namespace evt

// A sink that blocks while its gate is shut, so that the ring fills up when a test wants it to.
#pragma once

#include <condition_variable>
#include <mutex>

#include "write/recording.h"

namespace evt::testing {

class Gate {
 public:
  explicit Gate(std::size_t that_work = SIZE_MAX, Sink::Counted counted = Sink::kCalls) : blocks(that_work, counted) {}

  static int take(void* self, const void* bytes, std::size_t size) {
    auto& gate = *static_cast<Gate*>(self);
    std::unique_lock lock(gate.mutex_);
    ++gate.waiting_;
    gate.changed_.notify_all();
    gate.changed_.wait(lock, [&] { return gate.open_; });
    --gate.waiting_;
    return Sink::take(&gate.blocks, bytes, size);
  }
  void shut() {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  // Waits until the flusher is at the gate.
  void wait_for_flusher() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ > 0; });
  }

  Sink blocks;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  int waiting_ = 0;
};

}  // namespace evt::testing

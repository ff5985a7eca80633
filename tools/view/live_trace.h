// A trace that grows, for a page that shows its end.
#pragma once

#include <evt/follow.h>
#include <evt/trace.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "libtrace-view/tiles/session_tiles.h"

namespace evt::tools {

// Follows its program on a thread of its own. While somebody asks, it opens the trace anew when rows have come, and
// reads all of it: at most twice a second, and for no more than a fifth of the time.
class LiveTrace {
 public:
  // The trace at a moment.
  struct Look {
    std::unique_ptr<Trace> trace;
    std::deque<view::SessionTiles> tiles{};  // of its sessions; all rows were read
    std::uint64_t late = 0;                  // events that came after later ones, so far
    bool has_ended = false;                  // nothing will follow
    Status status{};                         // why it cannot be followed any further
  };

  explicit LiveTrace(Follow follow) : follow_(std::move(follow)) {}
  LiveTrace(const LiveTrace&) = delete;
  LiveTrace& operator=(const LiveTrace&) = delete;
  ~LiveTrace();

  // The trace now, of which nothing was read. Once, and before begin().
  Result<Trace> now() const { return follow_.whole(); }
  // From now on next() may be called, by any thread.
  void begin() {
    thread_ = std::thread([this] { run(); });
  }
  // The next look, as soon as there is one, within `most`. After the last one, nothing.
  std::optional<Look> next(std::chrono::milliseconds most);

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void follow();
  bool is_due(Clock::time_point now);
  bool is_stopped();
  // Nothing: a file was removed meanwhile, or nobody waits any more.
  std::optional<Look> look();
  void hand_over(Look look);

  Follow follow_;
  Clock::time_point due_{};  // the next look
  std::uint64_t size_ = 0;   // of the largest
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Look> made_;
  Clock::time_point asked_{};  // last
  bool is_stopped_ = false;
};

}  // namespace evt::tools

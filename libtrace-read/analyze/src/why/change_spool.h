// Changes of all threads in the order of time, which may exceed memory.
#pragma once

#include <evt/status.h>
#include <evt/timeline.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace evt {

// The state of a thread from a moment on.
struct Change {
  static constexpr std::uint64_t kNone = UINT64_MAX;
  static constexpr std::uint32_t kNobody = Actor::kNone;

  enum class Kind : std::uint8_t {
    kBegins,     // the thread exists from now on; `cause` created it
    kState,      // its state changes
    kPlace,      // a span or call of it begins or ends
    kRelease,    // it releases a lock; `link`: the release of that lock before
    kUncertain,  // events were lost since `cause_ns`
  };
  enum class Cause : std::uint8_t { kNone, kWoke, kHeld, kSent, kEnded };

  std::int64_t ns = 0;
  std::uint64_t previous = kNone;  // the change of the thread before
  std::uint64_t state_at = kNone;  // the one with which its present state began
  // That it is a wait: the last release of the lock before it ended, if there was one. That it is runnable: how it ran
  // next. That it has a cpu: the one before of that cpu.
  std::uint64_t link = kNone;
  // For a wait: what ended it, and the latest change of that thread by then; it is the cause until `cause_ns`. That it
  // has a cpu: until `cause_ns`.
  std::uint64_t cause_at = kNone;
  std::int64_t cause_ns = INT64_MAX;
  std::uint32_t cause_thread = kNobody;
  std::uint32_t thread = 0;
  std::uint32_t place = 0;
  std::uint32_t part = Actor::kNone;  // its process
  std::uint32_t cpu = kNobody;        // that it has
  std::uint32_t collector = kNobody;  // the index of the stream that collects in its place
  Kind kind = Kind::kState;
  ThreadState state = ThreadState::kUnknown;
  Cause cause = Cause::kNone;
  bool is_collecting = false;
  bool is_uncertain = false;
  bool is_released = false;  // that it waits for a lock: the lock was released, and then the wait ended
  std::uint16_t within = 0;  // the groups of names that its open spans and calls are in
};

// Keeps what was used last in memory, and the rest in an unlinked temporary file.
class ChangeSpool {
 public:
  // `most_bytes`: in memory.
  explicit ChangeSpool(std::size_t most_bytes);
  ChangeSpool(const ChangeSpool&) = delete;
  ChangeSpool& operator=(const ChangeSpool&) = delete;
  ~ChangeSpool();

  // Returns its index.
  std::uint64_t add(const Change& change);
  // Valid until the next call. REQUIRES: there is one with the index.
  const Change& get(std::uint64_t index) { return page_of(index).changes[index % kPage]; }
  // To be changed.
  Change& edit(std::uint64_t index);
  std::uint64_t size() const { return size_; }
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kPage = 1024;  // changes

  struct Page {
    std::unique_ptr<Change[]> changes;  // null: in the file
    std::uint64_t used = 0;             // when, as a number
    bool is_dirty = false;              // not in the file as it is
  };

  Page& page_of(std::uint64_t index);
  void make_room();
  void fail(const char* what);

  std::size_t most_pages_;
  std::vector<Page> pages_;
  std::vector<std::size_t> in_memory_;  // pages
  std::uint64_t size_ = 0;
  std::uint64_t uses_ = 0;
  int fd_ = -1;
  Status status_;
};

}  // namespace evt

// What each span, each call and each thread by itself has of the time that it shares with other threads.
#pragma once

#include <evt/analysis/share.h>

#include <vector>

#include "active_time.h"
#include "flat_map.h"

namespace evt {

// Time of a thread goes to the innermost span or call that is open in it, or else to the thread itself. All calls apply
// at the moment to which the clock was advanced last; threads are indexes of Actors, names those of Names. Memory grows
// with threads, with pairs of a thread and a name, and with how deep spans are open.
class SpanShares {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  using Row = Share::Row;
  using Doubts = Share::Doubts;  // of which it knows the first four

  // `by_most`: a stretch of time in one span is divided by the most that were active, up to its end, since one alone
  // was. `with_complete`: complete() may come.
  SpanShares(bool by_most, bool with_complete)
      : by_most_(by_most), with_complete_(with_complete), clock_(with_complete) {}

  ActiveTime& clock() { return clock_; }
  const ActiveTime& clock() const { return clock_; }
  bool is_active(std::uint32_t thread) const { return thread < threads_.size() && threads_[thread].member.active; }
  bool has_open(std::uint32_t thread) const { return thread < threads_.size() && !threads_[thread].open.empty(); }
  void activate(std::uint32_t thread);
  void deactivate(std::uint32_t thread);

  void open(std::uint32_t thread, std::uint32_t name, bool is_call);
  // The innermost, or of calls the innermost of this name; kNone: of any. What is open inside of it ends too.
  void close(std::uint32_t thread, std::uint32_t name, bool is_call);
  // All that is open in a thread that ends.
  void close_all(std::uint32_t thread);
  // Something that ends now was open for so long.
  void complete(std::uint32_t thread, std::uint32_t name, bool is_call, std::int64_t ns);

  // What is open in those threads ends, and they are active no more.
  void fold(const FoldedActors& gone);
  // Counts from this moment on alone; what is open goes on.
  void restart(std::int64_t ns);
  // No thread was active until now, as is known by now.
  void forget_active();

  // At this moment, which is not before that of the clock. Those of a thread are not next to one another.
  std::vector<Row> rows(std::int64_t ns) const;
  const Doubts& doubts() const { return doubts_; }
  std::uint64_t open_now() const;
  std::uint64_t never_active() const;  // threads that have spans or calls

 private:
  struct Open {
    std::uint32_t row = 0;
    std::uint32_t name = 0;
    bool is_call = false;
  };
  // How much a thread had until a moment: in the span that was innermost then, and all together.
  struct Point {
    std::int64_t ns = INT64_MIN;
    SharedTime own;
    SharedTime all;
  };
  // Of a span that is open, or the thread itself: what it takes to find out later that something was open in it.
  struct Level {
    std::int64_t from = INT64_MIN;
    SharedTime own;
    Point floor;                 // nothing begins before it
    std::size_t first_done = 0;  // of its own
    bool is_forgetful = false;
  };
  struct Done {
    std::int64_t from = 0;
    Point end;
  };
  struct Thread {
    ActiveTime::Member member;
    std::uint32_t row = kNone;  // of the thread itself
    bool was_active = false;
    std::vector<Open> open;
    SharedTime all;
    std::vector<Level> levels;  // one more than are open
    std::vector<Done> done;     // in all that are open, in order
  };

  static constexpr std::size_t kDone = 64;  // that are remembered of a span, at most

  Thread& meet(std::uint32_t thread);
  std::uint32_t row_of(std::uint32_t thread, std::uint32_t name, bool is_call);
  std::uint32_t top(const Thread& thread) const { return thread.open.empty() ? thread.row : thread.open.back().row; }
  SharedTime since(const Thread& thread, const SharedTime& now) const;
  void settle(Thread* thread);
  void pop(Thread* thread);
  void add_done(Thread* thread, std::int64_t from);
  void zero();

  bool by_most_;
  bool with_complete_;
  ActiveTime clock_;
  std::int64_t counted_from_ = INT64_MIN;
  std::vector<Thread> threads_;
  std::vector<Row> rows_;
  FlatMap<std::uint32_t> by_key_;  // indexes of rows
  Doubts doubts_;
};

}  // namespace evt

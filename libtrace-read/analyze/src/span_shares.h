// What each span, each call and each thread by itself has of the time that it shares with other threads.
#pragma once

#include <evt/analysis/share.h>

#include <vector>

#include "active_time.h"
#include "flat_map.h"
#include "pair_table.h"

namespace evt {

// Time of a thread goes to the innermost span or call that is open in it, or else to the thread itself. All calls apply
// at the moment to which the clock was advanced last; threads are indexes of Actors. Memory grows with threads, with
// pairs of a thread and a name, and with how deep spans are open.
class SpanShares {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  using Row = Share::Row;

  // `by_most`: a stretch of time in one span is divided by the most that were active, up to its end, since one alone
  // was.
  explicit SpanShares(bool by_most) : by_most_(by_most) {}

  ActiveTime& clock() { return clock_; }
  const ActiveTime& clock() const { return clock_; }
  bool is_active(std::uint32_t thread) const { return thread < threads_.size() && threads_[thread].is_active; }
  // Its own time counts in answers.
  void meet(std::uint32_t thread, bool is_wanted);
  void set_wanted(std::uint32_t thread, bool is_wanted);
  void activate(std::uint32_t thread);
  void deactivate(std::uint32_t thread);
  // Its process is stopped: it has no time, active or not.
  void set_stopped(std::uint32_t thread, bool is_stopped);
  // The collector of a stream, which is at this place in the session.
  void begin_collector(std::uint32_t place, bool is_wanted);
  void set_collector(std::uint32_t place, bool works);
  void set_collector_stopped(std::uint32_t place, bool is_stopped);
  std::uint32_t collectors() const { return static_cast<std::uint32_t>(collectors_.size()); }  // their places
  void end_collector(std::uint32_t place, bool is_wanted);
  // What begins or ends, at its place in the thread's stack.
  void open(const TimelineItem& item);
  void close(const TimelineItem& item);

  // Those threads are no more.
  void fold(const FoldedActors& gone);
  // Counts from this moment on alone; what is open goes on.
  void restart(std::int64_t ns);

  // At this moment, which is not before that of the clock, of what is wanted. Those of a thread are not next to one
  // another.
  std::vector<Row> rows(std::int64_t ns) const;
  const std::vector<Share::Lengths>& lengths() const { return lengths_; }
  std::uint64_t never_active() const;  // threads that have spans or calls

 private:
  // Of a thread itself, or of what is open in it: what it has had and its row has not, as it is not known yet whether
  // it is wanted.
  struct Frame {
    std::uint32_t row = 0;
    bool is_wanted = true;
    SharedTime time;
  };
  struct Thread {
    ActiveTime::Member member;
    std::uint32_t row = kNone;  // of the thread itself
    bool is_wanted = true;
    bool was_wanted = false;  // at some time of those that are counted
    bool is_active = false;
    bool is_stopped = false;
    bool was_active = false;
    bool has_spans = false;
    std::vector<Frame> open;
  };

  struct Collector {
    ActiveTime::Member member;
    bool collects = false;
    bool works = false;
    bool is_stopped = false;
    Frame time;
  };

  bool was_wanted(const Row& row) const;
  SharedTime since(const ActiveTime::Member& member, const SharedTime& now) const;
  void settle(Collector* collector);
  // Has its time from now on, or no more.
  template <typename T>
  void set_member(T* whose, bool has_time);
  Thread& threads_of(std::uint32_t thread);
  std::uint32_t row_of(std::uint32_t thread, std::uint32_t name, bool is_call);
  void settle(Thread* thread);
  void add_length(const TimelineItem& item, const SharedTime& time);

  bool by_most_;
  ActiveTime clock_;
  std::vector<Thread> threads_;
  std::vector<Collector> collectors_;
  std::vector<Row> rows_;
  PairTable by_kind_;  // of a thread and a kind of row: its index
  std::vector<Share::Lengths> lengths_;
  FlatMap<std::uint32_t> lengths_by_name_;  // indexes of them
  std::size_t rows_before_ = 0;             // that were there when counting began
};

}  // namespace evt

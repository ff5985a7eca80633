// Which spans and calls are open on which thread.
#pragma once

#include <evt/open_stack.h>

#include <unordered_map>
#include <vector>

#include "libtrace-read/analyze/src/archive.h"
#include "timeline_items.h"

namespace evt {

// Spans and calls of a thread are in one stack, whatever streams record them. An end is that of the innermost of its
// kind and name, and ends what is inside of it and of its kind: but for what is recorded as a whole, whose end is
// known. Memory: of spans that are open on a thread, 65536 at most are known; of more, the outermost half is cut.
class OpenSpans {
 public:
  struct Open {
    std::int64_t began_ns = 0;
    std::uint64_t order = 0;  // of its event, if that records it as a whole; 0: begin and end are events
    std::uint32_t name = 0;
    std::uint32_t stream = 0;  // its place in the session
    bool is_call = false;
    bool is_named = false;  // without, any end of its kind is its own
    bool is_wanted = false;
    bool is_uncertain = false;     // its end may have been lost
    bool ends_with_event = false;  // that records it as a whole
  };

  explicit OpenSpans(const Session& session) : session_(&session) {}

  // `at`: what the items have in common. Items are appended.
  void begin(std::uint32_t thread, const Open& open, const TimelineItem& at, TimelineItems* items);
  // `name`: kNone for an end that has none.
  void end(std::uint32_t thread, bool is_call, std::uint32_t name, const TimelineItem& at, TimelineItems* items);
  // What was recorded as a whole by this event; false if that is open neither on this thread nor on one that lost its
  // number.
  bool end_complete(std::uint32_t thread, std::uint64_t order, const TimelineItem& at, TimelineItems* items);
  // Whether the innermost one is what this event records as a whole, and ends with it.
  bool is_ending(std::uint32_t thread, std::uint64_t order) const {
    if (thread >= threads_.size() || threads_[thread].size() == 0) return false;
    const Open& last = threads_[thread][threads_[thread].size() - 1];
    return last.order == order && last.ends_with_event;
  }
  // Its number is another thread's from now on, of which events are that name it.
  void lose_number(std::uint32_t thread);
  // Those of a thread that ended; what is recorded as a whole goes on until its own end.
  void end_of_thread(std::uint32_t thread, TimelineItem at, TimelineItems* items);
  // All of a thread that is forgotten, and of all.
  void forget(std::uint32_t thread, TimelineItem at, TimelineItems* items);
  void finish(const TimelineItem& at, TimelineItems* items);
  // A range begins: what is open then, the outermost first.
  void begin(const TimelineItem& at, TimelineItems* items) const;
  // How many are open on a thread that began at this time, by events of their own.
  std::size_t begun_at(std::uint32_t thread, std::int64_t ns) const;
  // Events of a stream were lost: what began there may have ended.
  void lose(std::uint32_t stream);
  // Of so many threads and names.
  void archive(Archive& archive, std::size_t threads, std::size_t names);

 private:
  static constexpr std::size_t kMaxOpen = 65536;
  static constexpr std::size_t kMaxSearched = 4096;

  using Stack = OpenStack<Open>;

  void cut_inside(std::uint32_t thread, bool is_call, std::size_t place, const TimelineItem& at, TimelineItems* items);
  void close_all(std::uint32_t thread, bool complete_too, TimelineItem at, TimelineItems* items);
  bool close_complete(std::uint32_t thread, std::uint64_t order, const TimelineItem& at, TimelineItems* items);
  void append_begin(std::uint32_t thread, std::size_t depth, const Open& open, const TimelineItem& at,
                    TimelineItems* items) const;
  void close(Stack* stack, std::size_t place, std::uint32_t thread, const TimelineItem& at, TimelineItems* items) const;

  const Session* session_;
  std::vector<Stack> threads_;
  // What is recorded as a whole and open on threads that lost their numbers: the thread, by the order of the event.
  std::unordered_map<std::uint64_t, std::uint32_t> strays_;
};

}  // namespace evt

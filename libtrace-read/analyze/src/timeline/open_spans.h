// Open spans and calls of each thread.
#pragma once

#include <evt/open_stack.h>

#include <unordered_map>
#include <vector>

#include "libtrace-read/analyze/src/archive.h"
#include "timeline_items.h"

namespace evt {

// Spans and calls of a thread are in one stack, whatever streams record them. An end belongs to the innermost of its
// kind and name, and ends those of its kind that are nested in it: except those recorded as a whole, whose end is
// known. Memory: at most 65536 open spans of a thread are kept; if there are more, the outermost half is cut.
class OpenSpans {
 public:
  struct Open {
    std::int64_t began_ns = 0;
    std::uint64_t order = 0;  // its event's, if that records it as a whole; 0: begin and end are events
    std::uint32_t name = 0;
    std::uint32_t stream = 0;  // index in the session
    bool is_call = false;
    bool is_named = false;  // else any end of its kind ends it
    bool is_wanted = false;
    bool is_uncertain = false;     // its end may have been lost
    bool ends_with_event = false;  // the one that records it as a whole
  };

  explicit OpenSpans(const Session& session) : session_(&session) {}

  // `at`: common values of the items. Items are appended.
  void begin(std::uint32_t thread, const Open& open, const TimelineItem& at, TimelineItems* items);
  // `name`: kNone for an end that has none.
  void end(std::uint32_t thread, bool is_call, std::uint32_t name, const TimelineItem& at, TimelineItems* items);
  // Ends the one that this event recorded as a whole; false if it is open neither on this thread nor on one that lost
  // its number.
  bool end_complete(std::uint32_t thread, std::uint64_t order, const TimelineItem& at, TimelineItems* items);
  // True if the innermost one is what this event records as a whole, and ends with it.
  bool is_ending(std::uint32_t thread, std::uint64_t order) const {
    if (thread >= threads_.size() || threads_[thread].size() == 0) return false;
    const Open& last = threads_[thread][threads_[thread].size() - 1];
    return last.order == order && last.ends_with_event;
  }
  // Its number belongs to another thread from now on, and so do events that name it.
  void lose_number(std::uint32_t thread);
  // Ends those of a thread that ended; those recorded as a whole continue until their own end.
  void end_of_thread(std::uint32_t thread, TimelineItem at, TimelineItems* items);
  // Ends all of a thread that is forgotten, and of all threads.
  void forget(std::uint32_t thread, TimelineItem at, TimelineItems* items);
  void finish(const TimelineItem& at, TimelineItems* items);
  // A range begins: begins the spans that are open then, the outermost first.
  void begin(const TimelineItem& at, TimelineItems* items) const;
  // Number of open ones on a thread that began at this time, by separate events.
  std::size_t begun_at(std::uint32_t thread, std::int64_t ns) const;
  // Events of a stream were lost: what began there may have ended.
  void lose(std::uint32_t stream);
  // For so many threads and names.
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
  // Those recorded as a whole that are open on threads that lost their numbers: the thread, by the order of the event.
  std::unordered_map<std::uint64_t, std::uint32_t> strays_;
};

}  // namespace evt

// The innermost span or call that an event is in, with the self time that evt stats spans counts for it.
#pragma once

#include <evt/open_stack.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libtrace-view/rows/span_rows.h"
#include "self_times.h"

namespace evt::tools {

// Takes the items of one session in order: up to an event of which it is asked, and on to the end of the span. From its
// start on, or behind a mark: of what was open there self times are not known. Memory grows with names and with what is
// open. Refers to the timeline.
class EnclosingSpan {
 public:
  struct Around {
    std::string name;
    std::int64_t from_ns = 0;
  };
  struct Found {
    std::string name;
    std::uint32_t thread = Actor::kNone;  // of Actors
    std::vector<Around> around{};         // the outermost is the first
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    std::uint64_t self_ns = 0;
    bool is_open = false;  // no event ended it: evt stats counts it as unfinished, and here it ends with what is around
    bool was_open = false;  // it began before the mark: its self time is not all of it
  };

  explicit EnclosingSpan(Timeline& timeline) : timeline_(&timeline), selves_(timeline) {}
  // `timeline` goes on behind a mark at which these are open.
  EnclosingSpan(Timeline& timeline, const view::SpanRows& open);

  void take(const TimelineItem& item);
  // The next item that is taken is that of the event itself.
  void expect_event() { is_expected_ = true; }
  // How many spans have begun, those that were open at the mark among them; and asks for one of them, by its number
  // from 1 on, instead of that of an event. REQUIRES: it is open.
  std::uint64_t begun() const { return began_; }
  void want(std::uint64_t number);
  // Whether further items change nothing.
  bool is_done() const { return has_event_ && !is_at_event_ && !wanted_; }
  // Nothing if the event is in none. REQUIRES: is_done(), or all items were taken.
  const std::optional<Found>& found() const { return found_; }

 private:
  struct Frame {
    std::uint64_t number = 0;  // of all that began
    std::uint32_t name = 0;
    std::int64_t began_ns = 0;
  };

  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);

  Timeline* timeline_;
  SelfTimes selves_;
  OpenStacks<Frame> open_;
  std::uint64_t began_ = 0;
  std::uint64_t were_open_ = 0;  // of them, at the mark
  bool is_expected_ = false;
  bool has_event_ = false;
  bool is_at_event_ = false;  // what the event itself begins follows
  std::uint32_t thread_ = Actor::kNone;
  std::optional<std::uint64_t> wanted_;  // the number of the span, which is open
  std::optional<Found> found_;
};

}  // namespace evt::tools

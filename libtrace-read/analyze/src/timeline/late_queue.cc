#include "late_queue.h"

#include <algorithm>

#include "libtrace-read/analyze/src/actors_impl.h"

namespace evt {
namespace {

// True if it begins at the moment of a begin on its thread, and ends later than that.
bool is_around(const LateEvent& late, const RoleEvent& event, const Actor& thread, std::size_t begun) {
  const bool is_its_own =
      late.number == thread.number && late.part == thread.part && late.is_stream == thread.is_stream;
  return late.role != Role::kStopped && is_its_own && late.at_ns == event.recorded_ns && late.around <= begun;
}

}  // namespace

// The first of the waiting begins is before this one. So it is if this one ends with its begin, which waits too.
bool LateQueue::begins_first(const LateEvent& late) const {
  if (begins_.empty()) return false;
  const LateEvent& begin = begins_.front();
  if (begin.epoch < late.epoch || begin.at_ns < late.at_ns) return true;
  return late.is_end && late.has_no_length() &&
         std::ranges::any_of(begins_, [&](const LateEvent& each) { return each.order == late.order; });
}

const LateEvent* LateQueue::take_out(Begin begin) {
  out_ = *begin;
  begin == begins_.begin() ? begins_.pop_front() : void(begins_.erase(begin));
  return &out_;
}

// Returns due ones in order; of begins only those that are over: no event of their moment comes any more.
template <typename IsDue, typename IsOver>
[[gnu::always_inline]] inline const LateEvent* LateQueue::next_in_order(const IsDue& is_due, const IsOver& is_over) {
  if (is_out_) pop();
  is_out_ = false;
  while (first_ != nullptr && is_due(*first_)) {
    if (begins_first(*first_)) return take_out(begins_.begin());
    // Usually a begin need not wait.
    is_out_ = first_->is_end || (begins_.empty() && !first_->has_no_length() && is_over(*first_));
    if (is_out_) return first_;
    LateCall& begin = begins_.emplace_back();
    static_cast<LateEvent&>(begin) = *first_;
    if (begin.role == Role::kCall) begin.facts = static_cast<const LateCall*>(first_)->facts;
    pop();
  }
  return !begins_.empty() && is_over(begins_.front()) ? take_out(begins_.begin()) : nullptr;
}

const LateEvent* LateQueue::next_before(const RoleEvent& event, const OpenSpans& spans, const Actors::Impl& actors) {
  const auto is_due = [&](const LateEvent& late) {
    return late.epoch < epoch_ || (late.epoch == epoch_ && (event.jump || late.at_ns <= event.ns));
  };
  const auto is_over = [&](const LateEvent& late) {
    return event.jump || late.epoch < epoch_ || late.at_ns < event.ns;
  };
  const LateEvent* const late = next_in_order(is_due, is_over);
  if (late != nullptr || begins_.empty()) return late;
  Begin found = begins_.end();
  if ((event.role == Role::kSpanBegin || event.role == Role::kCallBegin) && event.thread < Actor::kOthers) {
    const Actor& thread = actors.threads()[event.thread];
    const std::size_t begun = spans.begun_at(event.thread, event.recorded_ns);
    found =
        std::ranges::find_if(begins_, [&](const LateEvent& begin) { return is_around(begin, event, thread, begun); });
  } else if (event.event != nullptr && LateEvents::is_late(event.role)) {
    found = std::ranges::find_if(begins_, [this](const LateEvent& begin) { return begin.order == order_; });
  }
  return found != begins_.end() ? take_out(found) : nullptr;
}

const LateEvent* LateQueue::next_until(std::int64_t ns) {
  return next_in_order([&](const LateEvent& late) { return late.epoch <= epoch_ && late.at_ns <= ns; },
                       [](const LateEvent&) { return true; });
}

bool LateQueue::is_any_until(std::int64_t ns) const {
  const auto is_until = [&](const LateEvent& late) { return late.at_ns <= ns; };
  return (first_ != nullptr && is_until(*first_)) || std::ranges::any_of(begins_, is_until);
}

std::optional<LateQueue::Mark> LateQueue::mark(std::int64_t now_ns) const {
  const std::optional<std::size_t> place = events_.place();
  if (epoch_ > 0 || is_any_until(now_ns) || !place) return std::nullopt;
  return Mark{begins_, *place, order_};
}

void LateQueue::go_on(const LateQueue& other, const Mark& mark) {
  events_.take_again(other.events_, mark.place);
  first_ = events_.first();
  begins_ = mark.begins;
  order_ = mark.order;
}

}  // namespace evt

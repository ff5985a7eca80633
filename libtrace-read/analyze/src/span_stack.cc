#include "span_stack.h"

#include <algorithm>

#include "libtrace-read/core/src/base/uint128.h"
#include "parts.h"
#include "tracing_cost.h"

namespace evt {
namespace {

std::uint64_t length_from(std::int64_t from, std::int64_t to) { return to > from ? length(from, to) : 0; }

// The part of `all`, which is spread evenly over `whole`.
std::uint64_t share(std::uint64_t all, std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  return part < whole ? division(product(all, part), whole).quotient : all;
}

}  // namespace

std::size_t SpanStack::begin(const Open& open) {
  const std::size_t too_many = open_.size() == kMaxOpen ? kMaxOpen / 2 : 0;
  if (too_many > 0) forget(too_many);
  open_.push_back(open);
  return too_many;
}

void SpanStack::forget(std::size_t outermost) {
  open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(outermost));
  uncertain_ -= std::min(uncertain_, outermost);
  const auto gone = static_cast<std::uint32_t>(outermost);
  for (Done& done : done_) done.depth -= std::min(done.depth, gone);
}

std::optional<std::size_t> SpanStack::find(std::uint32_t name) const {
  const std::size_t last = open_.size() - std::min(open_.size(), kMaxSearched);
  for (std::size_t i = open_.size(); i > last; --i) {
    if (open_[i - 1].name == name || !open_[i - 1].is_named) return i - 1;
  }
  return std::nullopt;
}

void SpanStack::leave() {
  const std::uint64_t inside = open_.back().children_ns;
  open_.pop_back();
  uncertain_ = std::min(uncertain_, open_.size());
  // What was inside it was inside the one around it, which is about to end.
  if (!open_.empty()) open_.back().children_ns += inside;
}

SpanStack::Ended SpanStack::end(std::int64_t ns, std::uint64_t spent_ps) {
  const Open span = open_.back();
  open_.pop_back();
  Ended ended;
  ended.is_uncertain = uncertain_ > open_.size();
  uncertain_ = std::min(uncertain_, open_.size());
  const std::uint64_t whole = length_from(span.start, ns);
  ended.subtracted_ns = std::min(whole, (spent_ps - span.spent_ps) / kPsInNs);
  ended.ns = whole - ended.subtracted_ns;
  ended.self_ns = ended.ns - std::min(ended.ns, span.children_ns);
  while (!done_.empty() && done_.back().depth > open_.size()) done_.pop_back();
  if (!open_.empty()) open_.back().children_ns += ended.ns;
  if (has_complete_) add_done(span.start, ns, ended.ns);
  return ended;
}

// What it had inside it is no longer a part of what is open around it: it is, as a whole.
SpanStack::Ended SpanStack::complete(const Complete& span) {
  Ended ended;
  ended.is_uncertain = lost_ns_ > span.start;
  const std::uint64_t whole = length_from(span.start, span.end);
  ended.subtracted_ns = std::min(whole, span.spent_ps / kPsInNs);
  ended.ns = whole - ended.subtracted_ns;
  const std::uint64_t inside = take_inside(span, &ended);
  ended.self_ns = ended.ns - std::min(ended.ns, inside);
  std::int64_t from = span.start;
  std::uint64_t ns = ended.ns;
  if (!open_.empty()) {
    Open& around = open_.back();
    if (around.start > from) {
      ended.overlaps |= length(from, around.start) > span.step_ns;
      from = std::min(around.start, span.end);
      ns = share(ns, length(from, span.end), whole);
    }
    around.children_ns += ns;
    around.children_ns -= std::min(around.children_ns, inside);
  }
  add_done(from, span.end, ns);
  return ended;
}

// The latest end first. One that began before the span has a part of its time before it: of several that are known as
// one, that part is unknown.
std::uint64_t SpanStack::take_inside(const Complete& span, Ended* ended) {
  std::uint64_t inside = 0;
  while (!done_.empty() && done_.back().depth == open_.size() && done_.back().to > span.start) {
    Done& done = done_.back();
    if (done.from >= span.start || (done.count == 1 && length(done.from, span.start) <= span.step_ns)) {
      inside += done.ns;
      done_.pop_back();
      continue;
    }
    const std::uint64_t part = share(done.ns, length(span.start, done.to), length(done.from, done.to));
    if (done.count > 1) {
      ended->off_ns = std::max(part, done.ns - part);
    } else {
      ended->overlaps = true;
    }
    inside += part;
    done.to = span.start;
    done.ns -= part;
    break;
  }
  return inside;
}

void SpanStack::add_done(std::int64_t from, std::int64_t to, std::uint64_t ns) {
  if (done_.size() >= thin_at_) thin();
  done_.push_back({from, to, ns, static_cast<std::uint32_t>(open_.size()), 1});
}

// From the latest to the oldest: two that follow one another become one if there is so much behind them that it matters
// little which of them is inside a span, and if nothing is open between them.
void SpanStack::thin() {
  std::size_t last = done_.size() - 1;  // the spans that stay are from here on
  std::uint64_t behind = 0;             // spans that ended after `last`
  for (std::size_t i = last; i-- > 0;) {
    const Done& done = done_[i];
    Done& later = done_[last];
    const std::uint64_t both = std::uint64_t{done.count} + later.count;
    if (done.depth != later.depth) {
      behind = 0;
      done_[--last] = done;
    } else if (both <= behind / kExactness && both <= UINT32_MAX) {
      later = {done.from, later.to, done.ns + later.ns, done.depth, static_cast<std::uint32_t>(both)};
    } else {
      behind += later.count;
      done_[--last] = done;
    }
  }
  done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(last));
  thin_at_ = std::max(kMaxDone, 2 * done_.size());
}

void SpanStack::lose(std::int64_t ns) {
  uncertain_ = open_.size();
  lost_ns_ = ns;
}

void SpanStack::jump(std::int64_t ns) {
  lose(ns);
  done_.clear();
}

void SpanStack::restart(std::int64_t ns, std::uint64_t spent_ps) {
  done_.clear();
  for (Open& open : open_) {
    open.spent_ps = spent_ps;
    open.start = std::max(open.start, ns);
    open.children_ns = 0;
  }
}

}  // namespace evt

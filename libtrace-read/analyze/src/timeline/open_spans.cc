#include "open_spans.h"

#include <algorithm>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {

inline void OpenSpans::append_begin(std::uint32_t thread, std::size_t depth, const Open& open, const TimelineItem& at,
                                    TimelineItems* items) const {
  TimelineItem& item = items->append(at, ItemKind::kBegan);
  item.thread = thread;
  item.name = open.name;
  item.is_call = open.is_call;
  item.is_complete = open.order != 0;
  item.is_wanted = open.is_wanted;
  item.depth = static_cast<std::uint32_t>(depth);
  item.began_ns = open.began_ns;
  item.stream = &session_->streams[open.stream];
}

void OpenSpans::begin(std::uint32_t thread, const Open& open, const TimelineItem& at, TimelineItems* items) {
  Stack& stack = grown(&threads_, thread);
  if (stack.size() == kMaxOpen) {
    TimelineItem cut = at;
    cut.is_cut = true;
    for (std::size_t i = 0; i < kMaxOpen / 2; ++i) close(&stack, 0, thread, cut, items);
  }
  append_begin(thread, stack.size(), open, at, items);
  stack.add(open);
}

void OpenSpans::begin(const TimelineItem& at, TimelineItems* items) const {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    const Stack& stack = threads_[thread];
    for (std::size_t depth = 0; depth < stack.size(); ++depth) append_begin(thread, depth, stack[depth], at, items);
  }
}

// Those nested in it are one level less deep from now on.
void OpenSpans::close(Stack* stack, std::size_t place, std::uint32_t thread, const TimelineItem& at,
                      TimelineItems* items) const {
  Open* const closed = stack->begin() + place;
  TimelineItem& item = items->append(at, ItemKind::kEnded);
  item.thread = thread;
  item.name = closed->name;
  item.is_call = closed->is_call;
  item.is_complete = closed->order != 0;
  item.is_wanted |= closed->is_wanted;
  item.is_uncertain = closed->is_uncertain;
  item.depth = static_cast<std::uint32_t>(place);
  item.began_ns = closed->began_ns;
  item.overlaps =
      std::any_of(closed + 1, stack->end(), [&](const Open& inner) { return inner.began_ns < at.ended_ns; });
  item.stream = &session_->streams[closed->stream];
  stack->remove(place);
}

void OpenSpans::end(std::uint32_t thread, bool is_call, std::uint32_t name, const TimelineItem& at,
                    TimelineItems* items) {
  Stack& stack = grown(&threads_, thread);
  const std::size_t last = stack.size() - std::min(stack.size(), kMaxSearched);
  std::size_t place = stack.size();
  const auto is_it = [&](const Open& open) {
    const bool fits = name == EventNames::kNone || open.name == name || !open.is_named;
    return open.is_call == is_call && open.order == 0 && fits;
  };
  while (place > last && !is_it(stack[place - 1])) --place;
  if (place == last) {
    TimelineItem& item = items->append(at, ItemKind::kUnmatchedEnd);
    item.thread = thread;
    item.is_call = is_call;
    return;
  }
  if (place < stack.size()) cut_inside(thread, is_call, place, at, items);
  close(&stack, place - 1, thread, at, items);
}

// Spans of the same kind that are nested in it end with it.
void OpenSpans::cut_inside(std::uint32_t thread, bool is_call, std::size_t place, const TimelineItem& at,
                           TimelineItems* items) {
  Stack& stack = threads_[thread];
  TimelineItem cut = at;
  cut.is_cut = true;
  cut.is_wanted = false;
  for (std::size_t inner = stack.size(); inner > place; --inner) {
    const Open& open = stack[inner - 1];
    if (open.order == 0 && open.is_call == is_call) close(&stack, inner - 1, thread, cut, items);
  }
}

bool OpenSpans::end_complete(std::uint32_t thread, std::uint64_t order, const TimelineItem& at, TimelineItems* items) {
  if (close_complete(thread, order, at, items)) return true;
  const auto stray = strays_.find(order);
  if (stray == strays_.end()) return false;
  const bool is_open = close_complete(stray->second, order, at, items);
  strays_.erase(stray);
  return is_open;
}

void OpenSpans::lose_number(std::uint32_t thread) {
  if (thread >= threads_.size()) return;
  for (const Open& open : threads_[thread]) {
    if (open.order != 0) strays_[open.order] = thread;
  }
}

bool OpenSpans::close_complete(std::uint32_t thread, std::uint64_t order, const TimelineItem& at,
                               TimelineItems* items) {
  Stack& stack = grown(&threads_, thread);
  std::size_t place = stack.size();
  while (place > 0 && stack[place - 1].order != order) --place;
  if (place > 0) close(&stack, place - 1, thread, at, items);
  return place > 0;
}

void OpenSpans::close_all(std::uint32_t thread, bool complete_too, TimelineItem at, TimelineItems* items) {
  if (thread >= threads_.size()) return;
  at.is_wanted = false;
  Stack& stack = threads_[thread];
  for (std::size_t place = stack.size(); place > 0; --place) {
    if (complete_too || stack[place - 1].order == 0) close(&stack, place - 1, thread, at, items);
  }
}

void OpenSpans::end_of_thread(std::uint32_t thread, TimelineItem at, TimelineItems* items) {
  at.is_cut = true;
  close_all(thread, false, at, items);
}

void OpenSpans::forget(std::uint32_t thread, TimelineItem at, TimelineItems* items) {
  if (thread < threads_.size()) {
    for (const Open& open : threads_[thread]) strays_.erase(open.order);
  }
  at.is_cut = true;
  close_all(thread, true, at, items);
}

void OpenSpans::finish(const TimelineItem& at, TimelineItems* items) {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) close_all(i, true, at, items);
}

std::size_t OpenSpans::begun_at(std::uint32_t thread, std::int64_t ns) const {
  if (thread >= threads_.size()) return 0;
  const Stack& stack = threads_[thread];
  std::size_t count = 0;
  for (std::size_t i = stack.size(); i > 0 && stack[i - 1].began_ns >= ns; --i) {
    count += stack[i - 1].began_ns == ns && stack[i - 1].order == 0 ? 1 : 0;
  }
  return count;
}

void OpenSpans::archive(Archive& archive, std::size_t threads, std::size_t names) {
  archive.list(threads_, threads, [&](Stack& stack) {
    archive.list(stack, kMaxOpen, [&](Open& open) {
      archive.numbers(open.began_ns, open.order);
      archive.index(open.name, names);
      archive.index(open.stream, session_->streams.size());
      archive.numbers(open.is_call, open.is_named, open.is_wanted, open.is_uncertain, open.ends_with_event);
      archive.require(open.name != EventNames::kNone && open.stream != Actor::kNone);
    });
  });
  archive.map(strays_, Archive::kMost, [&](std::uint64_t& order, std::uint32_t& thread) {
    archive.numbers(order);
    archive.index(thread, threads_.size());
    archive.require(thread != Actor::kNone);
  });
}

void OpenSpans::lose(std::uint32_t stream) {
  for (Stack& stack : threads_) {
    for (Open& open : stack) open.is_uncertain |= open.stream == stream;
  }
}

}  // namespace evt

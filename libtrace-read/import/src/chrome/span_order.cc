#include "span_order.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kMaxSearched = 256;  // open spans, and rows of one time

std::uint32_t type_of(Bytes row) { return evt_load_u32(raw(row.data())); }
std::uint32_t thread_of(Bytes row) { return evt_load_u32(raw(row.data()) + 4); }

// The spans of a thread that began at one time.
struct Begun {
  std::size_t first = 0;  // index of the first
  std::vector<std::string_view> open;
  std::map<std::string_view, std::size_t> names;  // how many of these

  void add(std::string_view name) {
    open.push_back(name);
    ++names[name];
  }
  // Returns false if the end does not belong to any of them.
  bool end(std::string_view name) {
    if (!name.empty() && names[name] == 0) return false;
    bool is_found = false;
    while (!is_found && !open.empty()) {
      is_found = name.empty() || open.back() == name;
      --names[open.back()];
      open.pop_back();
    }
    return true;
  }
};

}  // namespace

EventKind SpanOrder::kind_of(Bytes row) const { return types_.kind_of(type_of(row)); }

bool SpanOrder::begins(Bytes row) const {
  const EventKind kind = kind_of(row);
  return kind == EventKind::kSpanBegin || kind == EventKind::kSpanUnfinished;
}

std::string_view SpanOrder::name_of(Bytes row) const {
  if (!types_.begins_with_name(type_of(row))) return {};
  const std::byte* const field = row.data() + kRowFront;
  return {reinterpret_cast<const char*>(field) + 4, evt_load_u32(raw(field))};
}

const RowSort::Row* SpanOrder::next() {
  if (given_ < order_.size()) return give();
  held_.clear();
  bytes_.clear();
  names_.clear();
  const RowSort::Row* row = pending_ != nullptr ? std::exchange(pending_, nullptr) : rows_.next();
  if (row == nullptr || !(begins(row->bytes) || ends(row->bytes))) return row;
  const std::int64_t ns = row->ns;
  do {
    hold(*row);
    row = rows_.next();
  } while (row != nullptr && row->ns == ns && bytes_.size() < kMaxHeld);
  pending_ = row;
  order_.resize(held_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  if (held_.size() > 1) put_ends_first();
  put_inner_ends_first();
  given_ = 0;
  return give();
}

void SpanOrder::hold(const RowSort::Row& row) {
  held_.push_back({{row.ns, row.rank, {}}, bytes_.size(), row.bytes.size()});
  bytes_.insert(bytes_.end(), row.bytes.begin(), row.bytes.end());
}

const RowSort::Row* SpanOrder::give() {
  const Held& held = held_[order_[given_++]];
  row_ = held.row;
  row_.bytes = held.name == 0 ? bytes_of(held) : named(bytes_of(held), names_[held.name - 1]);
  return &row_;
}

void SpanOrder::put_ends_first() {
  std::vector<std::size_t> places;  // 2 * index + 1; an even number 2 * index comes before that index
  std::unordered_map<std::uint32_t, Begun> threads;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Bytes row = bytes_of(held_[i]);
    places.push_back(2 * i + 1);
    if (begins(row)) {
      Begun& begun = threads.try_emplace(thread_of(row), Begun{i, {}, {}}).first->second;
      if (kind_of(row) == EventKind::kSpanBegin) begun.add(name_of(row));
    } else if (ends(row)) {
      const auto begun = threads.find(thread_of(row));
      if (begun != threads.end() && !begun->second.end(name_of(row))) places.back() = 2 * begun->second.first;
    }
  }
  std::ranges::stable_sort(order_, [&places](std::size_t a, std::size_t b) { return places[a] < places[b]; });
}

bool SpanOrder::fits(const Open& open, std::string_view name) {
  return name.empty() || open.hash == 0 || open.hash == std::hash<std::string_view>()(name);
}

// Begins and ends what is held, in its order, except that an end that fits the innermost span comes before one that
// does not.
void SpanOrder::put_inner_ends_first() {
  for (std::size_t i = 0; i < order_.size() && open_size_ <= kMaxOpen; ++i) {
    const Bytes row = bytes_of(held_[order_[i]]);
    const EventKind kind = kind_of(row);
    const bool is_end = kind == EventKind::kSpanEnd;
    if (!is_end && kind != EventKind::kSpanBegin && kind != EventKind::kSpanUnfinished) continue;
    Stack& stack = open_[thread_of(row)];
    if (!is_end) {
      begin(row, &stack);
      continue;
    }
    if (order_.size() > 1) put_inner_end(i, stack);
    end(&held_[order_[i]], &stack);
  }
}

// At that place of the order, which is an end.
void SpanOrder::put_inner_end(std::size_t place, const Stack& stack) {
  const Bytes row = bytes_of(held_[order_[place]]);
  if (stack.empty() || fits(stack.back(), name_of(row))) return;
  const std::size_t last = std::min(order_.size(), place + kMaxSearched);
  for (std::size_t i = place + 1; i < last; ++i) {
    const Bytes other = bytes_of(held_[order_[i]]);
    if (thread_of(other) != thread_of(row)) continue;
    if (begins(other)) return;
    if (!ends(other) || name_of(other).empty() || !fits(stack.back(), name_of(other))) continue;
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(place);
    const auto found = order_.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(from, found, found + 1);
    return;
  }
}

void SpanOrder::begin(Bytes row, Stack* stack) {
  if (kind_of(row) == EventKind::kSpanUnfinished) {
    if (!stack->empty()) stack->back().has_unfinished = true;
    return;
  }
  const std::string_view name = name_of(row);
  Open open = {name.empty() ? 0 : std::hash<std::string_view>()(name)};
  if (types_.has_names_of_ends()) open.name = name;
  open_size_ += sizeof open + open.name.size();
  stack->push_back(std::move(open));
}

// Ends its span, and those nested in it.
void SpanOrder::end(Held* held, Stack* stack) {
  const std::string_view name = name_of(bytes_of(*held));
  const std::size_t last = stack->size() - std::min(stack->size(), kMaxSearched);
  std::size_t at = stack->size();
  while (at > last && !fits((*stack)[at - 1], name)) --at;
  if (at == last) return;
  const Open& ended = (*stack)[at - 1];
  if (name.empty() && ended.has_unfinished && !ended.name.empty()) {
    names_.push_back(ended.name);
    held->name = names_.size();
  }
  for (; stack->size() >= at; stack->pop_back()) open_size_ -= sizeof(Open) + stack->back().name.size();
}

// The row of an end, with a name.
Bytes SpanOrder::named(Bytes row, std::string_view name) {
  const std::uint32_t type = types_.named_end(type_of(row));
  if (type == 0) return row;
  named_.resize(kRowFront + 4);
  evt_store_u32(raw(named_.data()), type);
  evt_store_u32(raw(named_.data()) + 4, thread_of(row));
  evt_store_u32(raw(named_.data()) + kRowFront, static_cast<std::uint32_t>(name.size()));
  const auto* const text = reinterpret_cast<const std::byte*>(name.data());
  named_.insert(named_.end(), text, text + name.size());
  named_.insert(named_.end(), row.begin() + kRowFront, row.end());
  return named_;
}

}  // namespace evt::chrome

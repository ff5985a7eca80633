#include "span_order.h"

#include <evt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kMaxSearched = 4096;

std::uint32_t type_of(Bytes row) { return evt_load_u32(raw(row.data())); }
std::uint32_t thread_of(Bytes row) { return evt_load_u32(raw(row.data()) + 4); }

// The spans of a thread that began at one time.
struct Begun {
  std::size_t first = 0;  // the place of the first
  std::vector<std::string_view> open;
  std::map<std::string_view, std::size_t> names;  // how many of these

  void add(std::string_view name) {
    open.push_back(name);
    ++names[name];
  }
  // False if the end is none of theirs.
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
  const RowSort::Row* const row = next_in_order();
  return row != nullptr && types_.has_names_of_ends() ? named(*row) : row;
}

const RowSort::Row* SpanOrder::next_in_order() {
  if (given_ < order_.size()) return give();
  held_.clear();
  bytes_.clear();
  const RowSort::Row* row = pending_ != nullptr ? std::exchange(pending_, nullptr) : rows_.next();
  if (row == nullptr || !begins(row->bytes)) return row;
  const std::int64_t ns = row->ns;
  do {
    hold(*row);
    row = rows_.next();
  } while (row != nullptr && row->ns == ns && bytes_.size() < kMaxHeld);
  pending_ = row;
  sort();
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
  row_.bytes = bytes_of(held);
  return &row_;
}

void SpanOrder::sort() {
  order_.resize(held_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  const auto ends = [this](const Held& held) { return kind_of(bytes_of(held)) == EventKind::kSpanEnd; };
  if (std::none_of(held_.begin(), held_.end(), ends)) return;
  std::vector<std::size_t> places;  // twice those that they have, or between these
  std::unordered_map<std::uint32_t, Begun> threads;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Bytes row = bytes_of(held_[i]);
    places.push_back(2 * i + 1);
    if (begins(row)) {
      Begun& begun = threads.try_emplace(thread_of(row), Begun{i, {}, {}}).first->second;
      if (kind_of(row) == EventKind::kSpanBegin) begun.add(name_of(row));
    } else if (ends(held_[i])) {
      const auto begun = threads.find(thread_of(row));
      if (begun != threads.end() && !begun->second.end(name_of(row))) places.back() = 2 * begun->second.first;
    }
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&places](std::size_t a, std::size_t b) { return places[a] < places[b]; });
}

// Ends spans from the innermost to that at `place`.
void SpanOrder::end(std::vector<Open>* stack, std::size_t place) {
  for (; stack->size() > place; stack->pop_back()) open_size_ -= sizeof(Open) + stack->back().name.size();
}

// The row, or the same with the name of what it ends.
const RowSort::Row* SpanOrder::named(const RowSort::Row& row) {
  const EventKind kind = kind_of(row.bytes);
  const std::string_view name = name_of(row.bytes);
  if (begins(row.bytes) && open_size_ < kMaxOpen) {
    open_size_ += sizeof(Open) + name.size();
    open_[thread_of(row.bytes)].push_back({std::string(name), kind == EventKind::kSpanUnfinished});
  }
  if (kind != EventKind::kSpanEnd || open_size_ >= kMaxOpen) return &row;
  std::vector<Open>& stack = open_[thread_of(row.bytes)];
  const std::size_t last = stack.size() - std::min(stack.size(), kMaxSearched);
  std::size_t place = stack.size();
  while (place > last && (stack[place - 1].is_unfinished || (!name.empty() && stack[place - 1].name != name))) --place;
  if (place == last) return &row;
  const Open ended = stack[place - 1];
  const bool is_hidden = name.empty() && place < stack.size() && !ended.name.empty();
  end(&stack, place - 1);
  const std::uint32_t type = is_hidden ? types_.named_end(type_of(row.bytes)) : 0;
  if (type == 0) return &row;
  named_.resize(kRowFront + 4);
  evt_store_u32(raw(named_.data()), type);
  evt_store_u32(raw(named_.data()) + 4, thread_of(row.bytes));
  evt_store_u32(raw(named_.data()) + kRowFront, static_cast<std::uint32_t>(ended.name.size()));
  const auto* const text = reinterpret_cast<const std::byte*>(ended.name.data());
  named_.insert(named_.end(), text, text + ended.name.size());
  named_.insert(named_.end(), row.bytes.begin() + kRowFront, row.bytes.end());
  named_row_ = {row.ns, row.rank, named_};
  return &named_row_;
}

}  // namespace evt::chrome

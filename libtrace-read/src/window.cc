#include "window.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace evt {
namespace {

constexpr unsigned kIndexBits = 16;
static_assert(Window::kRows <= 1 << kIndexBits);
constexpr std::uint64_t kLongestSpan = (std::uint64_t{1} << (64 - kIndexBits)) - 1;
constexpr std::size_t kSmallestSlice = 4 << 10;

// Merges two ordered sequences that stand one behind the other. A comparison waits for the one before; so it is done
// from both ends, which is two chains of them side by side, and without a branch, as nobody can foresee it.
void merge(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* b_end, std::uint64_t* out) {
  const std::uint64_t* a_end = b;
  std::uint64_t* out_end = out + (b_end - a);
  for (;;) {
    // So many steps from both ends cannot come to the end of either.
    const std::ptrdiff_t steps = std::min(a_end - a, b_end - b) / 2;
    if (steps == 0) break;
    for (std::ptrdiff_t i = 0; i < steps; ++i) {
      const bool b_is_first = *b < *a;
      *out++ = b_is_first ? *b : *a;
      b += b_is_first;
      a += !b_is_first;
      const bool a_is_last = b_end[-1] < a_end[-1];
      *--out_end = a_is_last ? a_end[-1] : b_end[-1];
      a_end -= a_is_last;
      b_end -= !a_is_last;
    }
  }
  std::merge(a, a_end, b, b_end, out);
}

}  // namespace

Window::Window(SessionData& data, const RowContext& context, const StreamFilter& wanted, std::size_t memory_budget)
    : data_(data), context_(context), most_kept_(memory_budget / 2) {
  context_.session = data.session;
  context_.clocks = &data.clocks;
  std::unordered_set<std::uint16_t> clocks_used;
  for (const auto& [id, stream] : data_.streams) {
    for (const Block& block : stream.blocks) clocks_used.insert(block.events.clock_id);
  }
  if (clocks_used.size() > 1) context_.by_ns = true;
  for (auto& [id, stream] : data_.streams) {
    if (!wanted || wanted(*data.session, *stream.info)) add_runs(stream);
  }
  const std::size_t fair_share = memory_budget / 2 / std::max<std::size_t>(1, runs_.size());
  lean_ = fair_share < kSmallestSlice;
  context_.slice_size = std::max(kSmallestSlice, fair_share);
  for (std::uint32_t i = 0; i < runs_.size(); ++i) waiting_.push({runs_[i].least_key(), i});
}

// A meant step back in time begins a run of its own, which is ordered by its own times.
void Window::add_runs(StreamBlocks& stream) {
  const std::span<const Block> blocks(stream.blocks);
  std::size_t begin = 0;
  std::uint64_t latest = 0;
  const auto add = [&](std::size_t end) {
    add_run(blocks.subspan(begin, end - begin), *stream.info);
    begin = end;
    latest = 0;
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const EventsHeader& events = blocks[i].events;
    if (i > begin && context_.key_of(events.clock_id, events.first_ticks) < latest && begins_with_jump(blocks[i])) {
      add(i);
    }
    latest = std::max(latest, context_.key_of(events.clock_id, events.last_ticks));
  }
  if (begin < blocks.size()) add(blocks.size());
}

// Without the blocks at either end that are wholly before or behind the times that are wanted.
void Window::add_run(std::span<const Block> blocks, StreamInfo& info) {
  const auto ns_of = [&](const Block& block, std::uint64_t ticks) {
    return distance_ns(context_.session->start_ns, context_.clocks->at(block.events.clock_id).to_ns(ticks));
  };
  std::uint64_t floor = 0;
  while (!blocks.empty() && ns_of(blocks.front(), blocks.front().events.last_ticks) < context_.range.from_ns) {
    floor = std::max(floor, context_.key_of(blocks.front().events.clock_id, blocks.front().events.last_ticks));
    blocks = blocks.subspan(1);
  }
  while (!blocks.empty() && ns_of(blocks.back(), blocks.back().events.first_ticks) > context_.range.to_ns) {
    blocks = blocks.first(blocks.size() - 1);
  }
  if (blocks.empty()) return;
  runs_.emplace_back(context_, blocks, floor, info, static_cast<std::uint32_t>(runs_.size()));
}

bool Window::begins_with_jump(const Block& block) {
  std::array<std::byte, EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD> row{};
  const std::size_t got = context_.blocks->read(block, 0, row.data(), row.size());
  const auto type = static_cast<std::uint16_t>(evt_load_u64(row.data()) >> 32);
  return got == row.size() && type == EVT_ROW_TIME_BASE && (evt_load_u32(row.data() + 16) & EVT_TIME_BASE_JUMP) != 0;
}

bool Window::fill() {
  at_ = 0;
  do {
    rows_.clear();
    places_.clear();
    context_.forget_kept();
    if (waiting_.empty()) return false;
    const std::uint64_t smallest = waiting_.top().key;
    std::uint64_t span = std::min({span_, kLongestSpan, UINT64_MAX - smallest});
    wake(smallest + span);
    while (!collect(smallest + span) && span > 0) {
      put_back();
      span /= 2;
    }
    span_ = rows_.size() < kRows / 2 && span < kLongestSpan / 2 ? span * 2 + 1 : std::max<std::uint64_t>(span, 1);
    send_to_sleep();
    sorted_ = ends_.size() <= 1;
    if (!sorted_) sort(smallest);
  } while (rows_.empty());  // what headers promised was not there
  return true;
}

void Window::wake(std::uint64_t limit) {
  due_.clear();
  while (!waiting_.empty() && waiting_.top().key <= limit) {
    due_.push_back(waiting_.top().run);
    waiting_.pop();
  }
  std::sort(due_.begin(), due_.end());
  for (const std::uint32_t run : due_) places_.push_back(runs_[run].place());
}

bool Window::collect(std::uint64_t limit) {
  ends_.clear();
  for (const std::uint32_t run : due_) {
    const std::size_t before = rows_.size();
    const bool all = runs_[run].take(limit, most_kept_, &rows_);
    if (rows_.size() > before) ends_.push_back(rows_.size());
    if (!all) return false;
  }
  return true;
}

void Window::put_back() {
  for (std::size_t i = 0; i < due_.size(); ++i) runs_[due_[i]].put_back(places_[i]);
  rows_.clear();
  context_.forget_kept();
}

// Those that have more rows wait for them.
void Window::send_to_sleep() {
  for (const std::uint32_t run : due_) {
    std::uint64_t key = 0;
    if (!runs_[run].next_key(&key)) continue;
    waiting_.push({key, run});
    if (lean_) runs_[run].drop_slice();
  }
}

void Window::sort(std::uint64_t smallest) {
  const std::size_t count = rows_.size();
  order_.resize(count);
  scratch_.resize(count);
  for (std::size_t i = 0; i < count; ++i) order_[i] = (rows_[i].key - smallest) << kIndexBits | i;
  // Neighbours are merged until one is left; the last of an odd number waits for the next round.
  while (ends_.size() > 1) {
    std::size_t begin = 0;
    std::size_t merged = 0;
    for (std::size_t i = 0; i < ends_.size(); i += 2) {
      const bool alone = i + 1 == ends_.size();
      const std::size_t end = alone ? ends_[i] : ends_[i + 1];
      const std::uint64_t* const from = order_.data();
      merge(from + begin, from + ends_[i], from + end, scratch_.data() + begin);
      ends_[merged++] = begin = end;
    }
    ends_.resize(merged);
    order_.swap(scratch_);
  }
}

}  // namespace evt

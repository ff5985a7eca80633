#include "window.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace evt {
namespace {

constexpr unsigned kIndexBits = 16;
constexpr std::uint64_t kLongestSpan = (std::uint64_t{1} << (64 - kIndexBits)) - 1;
constexpr std::size_t kSmallestSlice = 4 << 10;

}  // namespace

Window::Window(SessionData& data, const RowContext& context, std::size_t memory_budget)
    : data_(data), context_(context), most_kept_(memory_budget / 2) {
  context_.session = data.session;
  context_.clocks = &data.clocks;
  std::unordered_set<std::uint16_t> clocks_used;
  for (const auto& [id, stream] : data_.streams) {
    for (const Block& block : stream.blocks) clocks_used.insert(block.events.clock_id);
  }
  if (clocks_used.size() > 1) context_.by_ns = true;
  for (auto& [id, stream] : data_.streams) add_runs(stream);
  const std::size_t fair_share = memory_budget / 2 / std::max<std::size_t>(1, runs_.size());
  lean_ = fair_share < kSmallestSlice;
  context_.slice_size = std::max(kSmallestSlice, fair_share);
  for (std::uint32_t i = 0; i < runs_.size(); ++i) waiting_.push({runs_[i].least_key(), i});
  rows_.reserve(kRows);
}

// A meant step back in time begins a run of its own, which is ordered by its own times.
void Window::add_runs(StreamBlocks& stream) {
  const std::span<const Block> blocks(stream.blocks);
  std::size_t begin = 0;
  std::uint64_t latest = 0;
  const auto add = [&](std::size_t end) {
    runs_.emplace_back(context_, blocks.subspan(begin, end - begin), *stream.info,
                       static_cast<std::uint32_t>(runs_.size()));
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
    if (!rows_.empty()) sort(smallest);
  } while (rows_.empty());  // what headers promised was not there
  return true;
}

void Window::wake(std::uint64_t limit) {
  due_.clear();
  places_.clear();
  while (!waiting_.empty() && waiting_.top().key <= limit) {
    due_.push_back(waiting_.top().run);
    waiting_.pop();
  }
  std::sort(due_.begin(), due_.end());
  for (const std::uint32_t run : due_) places_.push_back(runs_[run].place());
}

bool Window::collect(std::uint64_t limit) {
  return std::all_of(due_.begin(), due_.end(),
                     [&](std::uint32_t run) { return runs_[run].take(limit, kRows, most_kept_, &rows_); });
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
  const auto earlier = [](const Row& a, const Row& b) { return a.key < b.key; };
  sorted_ = rows_.front().run == rows_.back().run || std::is_sorted(rows_.begin(), rows_.end(), earlier);
  if (sorted_) return;
  order_.resize(rows_.size());
  scratch_.resize(rows_.size());
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    order_[i] = (rows_[i].key - smallest) << kIndexBits | i;
    all |= order_[i];
  }
  // Least significant byte first, only the bytes in which keys differ.
  for (unsigned shift = kIndexBits; shift < 64 && all >> shift != 0; shift += 8) {
    std::array<std::uint32_t, 256> place{};
    for (const std::uint64_t item : order_) ++place[item >> shift & 0xFF];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) sum += std::exchange(p, sum);
    for (const std::uint64_t item : order_) scratch_[place[item >> shift & 0xFF]++] = item;
    order_.swap(scratch_);
  }
}

}  // namespace evt

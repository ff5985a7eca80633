#include "window.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <array>

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
  std::size_t clocks_used = 0;
  std::uint32_t last_clock = UINT32_MAX;
  for (auto& [id, stream] : data_.streams) {
    add_runs(stream);
    for (const Block& block : stream.blocks) {
      clocks_used += block.events.clock_id != last_clock ? 1 : 0;
      last_clock = block.events.clock_id;
    }
  }
  if (clocks_used > 1) context_.by_ns = true;
  const std::size_t streams = std::max<std::size_t>(1, runs_.size());
  context_.slice_size = std::max(kSmallestSlice, memory_budget / 2 / streams);
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
    if (blocks[i].events.first_ticks < latest && begins_with_jump(blocks[i])) add(i);
    latest = std::max(latest, blocks[i].events.last_ticks);
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
  rows_.clear();
  at_ = 0;
  context_.kept.clear();
  context_.kept_bytes = 0;
  std::uint64_t smallest = UINT64_MAX;
  bool any = false;
  places_.clear();
  for (StreamRows& run : runs_) {
    std::uint64_t key = 0;
    if (run.next_key(&key)) {
      smallest = std::min(smallest, key);
      any = true;
    }
    places_.push_back(run.place());
  }
  if (!any) return false;

  std::uint64_t span = std::min({span_, kLongestSpan, UINT64_MAX - smallest});
  while (!collect(smallest + span) && span > 0) {
    for (std::size_t i = 0; i < runs_.size(); ++i) runs_[i].put_back(places_[i]);
    rows_.clear();
    span /= 2;
  }
  const bool few = rows_.size() < kRows / 2;
  span_ = few && span < kLongestSpan / 2 ? span * 2 + 1 : std::max<std::uint64_t>(span, 1);
  sort(smallest);
  return true;
}

bool Window::collect(std::uint64_t limit) {
  return std::all_of(runs_.begin(), runs_.end(),
                     [&](StreamRows& run) { return run.take(limit, kRows, most_kept_, &rows_); });
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

#include "window.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "format-spec/src/row/row_reader.h"
#include "format-spec/src/row/row_writer.h"

namespace evt {
namespace {

constexpr std::size_t kSmallestSlice = 1 << 8;

// Visiting a run costs as much as taking many rows, so a window has room for 32 rows of each. More than kInCache rows
// do not fit into the cache: that pays only if runs would otherwise get fewer than four rows each.
std::size_t most_rows(std::size_t runs) {
  constexpr std::size_t kRowsOfRun = 32;
  constexpr std::size_t kLeastOfRun = 4;
  constexpr std::size_t kInCache = std::size_t{1} << 17;
  const std::size_t rows = std::max(std::min(runs * kRowsOfRun, kInCache), runs * kLeastOfRun);
  return std::clamp(std::bit_ceil(rows), rows::Ordered::kMax, RowBuffer::kMax);
}

// The last key of a window.
OrderKey limit_of(const OrderKey& smallest, WindowOf what, std::uint64_t span) {
  if (what == WindowOf::kTicks) return {smallest.time, smallest.clock, smallest.ticks + span};
  return {smallest.time + span, UINT16_MAX, UINT64_MAX};
}

}  // namespace

Window::Window(SessionData& data, const RowContext& context, const StreamFilter& wanted, const ReadOptions& options)
    : data_(data),
      context_(context),
      most_kept_(options.memory_budget / 4),
      slices_(options.memory_budget / 4),
      spooled_(options.spool_budget),
      decoder_(*context.blocks),
      multiplexed_(*context.blocks, *context.verifier, decoder_, options.memory_budget / 8),
      ahead_(*context.blocks) {
  context_.session = data.session;
  context_.slices = &slices_;
  context_.spooled = &spooled_;
  context_.decoder = &decoder_;
  context_.multiplexed = &multiplexed_;
  context_.data = &data;
  context_.event_blocks = &data.blocks;
  if (ahead_.is_worth_it()) context_.ahead = &ahead_;
  context_.clocks = &data.clocks;
  std::unordered_set<std::uint16_t> clocks_used;
  for (const Block& block : data_.blocks) {
    if (data_.clocks.contains(block.events.clock_id)) clocks_used.insert(block.events.clock_id);
  }
  if (clocks_used.size() > 1 && context_.order == OrderBy::kTicks) context_.order = OrderBy::kNsClockTicks;
  const auto has_rows = [](const auto& stream) { return !stream.second.parts.empty(); };
  if (!wanted) runs_.reserve(static_cast<std::size_t>(std::ranges::count_if(data_.streams, has_rows)));
  for (auto& [id, stream] : data_.streams) {
    if (!wanted || wanted(*data.session, *stream.info)) add_runs(stream);
  }
  // Each has one current block, and may have one that is decoded ahead.
  const std::size_t fair_share = options.memory_budget / 4 / std::max<std::size_t>(1, runs_.size());
  lean_ = fair_share < kSmallestSlice;
  context_.slice_size = std::max(kSmallestSlice, fair_share);
  spooled_.share_among(runs_.size(), EVT_MAX_EVENTS_PAYLOAD);
  for (std::uint32_t i = 0; i < runs_.size(); ++i) waiting_.push({runs_[i].least_key(), i});
  rows_ = RowBuffer(most_rows(runs_.size()));
  sorter_ = RowOrder(rows_.most());
}

// An intentional step back in time begins a new run, which is ordered by its own times. Rows after absent ones do too:
// they are not before the latest of them.
void Window::add_runs(StreamParts& stream) {
  const std::span<const StreamSpan> parts(stream.parts);
  std::size_t begin = 0;
  OrderKey latest;
  OrderKey floor;
  std::span<const SegmentData::Gap> gaps;
  if (data_.segments != nullptr) gaps = data_.segments->gaps_of(stream.info->id);
  const auto add = [&](std::size_t end) {
    if (end > begin) add_run(parts.subspan(begin, end - begin), stream, floor);
    begin = end;
    latest = floor = {};
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const EventsHeader& events = data_.blocks[parts[i].block].events;
    for (; !gaps.empty() && gaps.front().part <= i; gaps = gaps.subspan(1)) {
      if (!gaps.front().has_time || !data_.clocks.contains(gaps.front().clock)) continue;
      add(i);
      latest = floor = context_.key_of(gaps.front().clock, gaps.front().ticks);
    }
    const bool may_begin = (i > begin || floor != OrderKey{}) && parts[i].piece == StreamSpan::kWhole;
    if (may_begin && context_.key_of(events.clock_id, events.first_ticks) < latest && begins_with_jump(stream, i)) {
      add(i);
    }
    latest = std::max(latest, context_.key_of(events.clock_id, events.last_ticks));
  }
  if (begin < parts.size()) add(parts.size());
}

// Without the parts at either end that are wholly before or after the requested times.
void Window::add_run(std::span<const StreamSpan> parts, const StreamParts& of, OrderKey floor) {
  const auto header = [&](StreamSpan part) -> const EventsHeader& { return data_.blocks[part.block].events; };
  const auto ns_of = [&](const EventsHeader& events, std::uint64_t ticks) {
    return distance_ns(context_.session->start_ns, context_.clocks->at(events.clock_id).to_ns(ticks));
  };
  while (!parts.empty() && ns_of(header(parts.front()), header(parts.front()).last_ticks) < context_.range.from_ns) {
    floor = std::max(floor, context_.key_of(header(parts.front()).clock_id, header(parts.front()).last_ticks));
    parts = parts.subspan(1);
  }
  while (!parts.empty() && ns_of(header(parts.back()), header(parts.back()).first_ticks) > context_.range.to_ns) {
    parts = parts.first(parts.size() - 1);
  }
  if (parts.empty()) return;
  runs_.emplace_back(context_, runs_.size(), parts, floor, of);
}

bool Window::begins_with_jump(const StreamParts& stream, std::size_t part) {
  Block& block = data_.blocks[stream.parts[part].block];
  const Extract* const extract = data_.extract_of(stream.info->id, part);
  if (extract != nullptr && extract->rows.begin != block.events.first_ordinal) return false;
  if (!block.verified && !context_.verifier->verify(&block).ok()) return false;  // reported when it is read
  std::array<std::byte, RowWriter::kTimeBaseSize> row{};
  if (block.events.rows_size < row.size()) return false;
  if (BlockDecoder::is_plain(block)) {
    if (context_.blocks->read(block, 0, row.data(), row.size()) != row.size()) return false;
  } else {
    if (!context_.decode_whole(block).ok()) return false;  // reported when it is read
    std::copy_n(context_.whole.begin(), row.size(), row.begin());
  }
  return evt::begins_with_jump(row);
}

bool Window::fill() {
  if (returned_ < size_) return true;
  do {
    places_.clear();
    slices_.forget_kept();
    context_.types->forget_strays();
    if (waiting_.empty()) return false;
    const OrderKey smallest = waiting_.top().key;
    const bool by_clocks = context_.order == OrderBy::kNsClockTicks;
    WindowOf what = WindowOf::kTimes;
    wake(limit_of(smallest, what, span_from(smallest, what)));
    if (!collect(smallest, what) && by_clocks) {
      put_back();
      what = WindowOf::kTicks;
      collect(smallest, what);
    }
    send_to_sleep();
    if (ends_.size() > 1) {
      sorter_.sort(rows_.order(), ends_, RowBuffer::kIndexBits);
      if (by_clocks && what == WindowOf::kTimes) rows_.order_within_times();
    }
    size_ = rows_.size();
    if (context_.range.is_limited()) leave_out();
  } while (size_ == 0);  // headers promised rows that were not there
  returned_ = 0;
  return true;
}

rows::Ordered Window::ordered() {
  const std::uint64_t* const order = rows_.order().get() + returned_;
  const std::size_t count = std::min(size_ - returned_, rows::Ordered::kMax);
  returned_ += count;
  if (rows_.most() > rows::Ordered::kMax) return portion_.of(rows_, order, count);
  return {order, order + count, rows_.rows(), rows_.pieces().data()};
}

// Removes rows of blocks that are partly within the requested times.
void Window::leave_out() {
  std::uint64_t* const order = rows_.order().get();
  const auto is_outside = [&](std::uint64_t entry) {
    const rows::Row& row = rows_.rows()[RowBuffer::index_of(entry)];
    const ClockMap& clock = *rows_.pieces()[row.piece].clock;
    return !context_.range.contains(distance_ns(context_.session->start_ns, clock.to_ns(row.ticks)));
  };
  size_ = static_cast<std::size_t>(std::remove_if(order, order + size_, is_outside) - order);
}

void Window::wake(const OrderKey& limit) {
  due_.clear();
  while (!waiting_.empty() && waiting_.top().key <= limit) {
    due_.push_back(waiting_.top().run);
    waiting_.pop();
  }
  std::ranges::sort(due_);
}

// The guess, limited by what a window can hold and by the largest number.
std::uint64_t Window::span_from(const OrderKey& smallest, WindowOf what) const {
  const std::uint64_t from = what == WindowOf::kTimes ? smallest.time : smallest.ticks;
  return std::min({spans_[static_cast<std::size_t>(what)], RowBuffer::kLongestSpan, UINT64_MAX - from});
}

// Returns false if even the rows of one time, or one key, did not fit; those that fit are there then.
bool Window::collect(const OrderKey& smallest, WindowOf what) {
  std::uint64_t span = span_from(smallest, what);
  bool all = take(smallest, what, span);
  while (!all && span > 0) {
    put_back();
    span /= 2;
    all = take(smallest, what, span);
  }
  const bool may_be_longer = rows_.size() < rows_.most() / 2 && span < RowBuffer::kLongestSpan / 2;
  spans_[static_cast<std::size_t>(what)] = may_be_longer ? span * 2 + 1 : std::max<std::uint64_t>(span, 1);
  return all;
}

bool Window::take(const OrderKey& smallest, WindowOf what, std::uint64_t span) {
  const OrderKey limit = limit_of(smallest, what, span);
  rows_.begin(smallest, what);
  ends_.clear();
  later_.clear();
  for (read_ = 0; read_ < due_.size();) {
    const std::uint32_t number = due_[read_++];
    StreamRows& run = runs_[number];
    if (read_ > places_.size()) places_.push_back(run.place());
    const std::size_t before = rows_.size();
    OrderKey next;
    const StreamRows::Stop stop = run.take(limit, most_kept_, &rows_, &next);
    if (rows_.size() > before) ends_.push_back(rows_.size());
    if (stop != StreamRows::Stop::kEnd) later_.push_back({next, number});
    if (stop == StreamRows::Stop::kFull) return false;
  }
  return true;
}

void Window::put_back() {
  for (std::size_t i = 0; i < places_.size(); ++i) runs_[due_[i]].put_back(places_[i]);
  slices_.forget_kept();
}

// Runs with more rows wait for them.
void Window::send_to_sleep() {
  for (; read_ < due_.size(); ++read_) {
    OrderKey key;
    if (runs_[due_[read_]].next_key(&key)) later_.push_back({key, due_[read_]});
  }
  for (const Waiting& later : later_) {
    waiting_.push(later);
    if (lean_) runs_[later.run].drop_slice();
  }
}

}  // namespace evt

// The rows of a window, in the order in which runs gave them, and the order in which they are returned.
#pragma once

#include <evt/row.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace evt {

// How rows of different streams are ordered (FORMAT.md, section 9). Ticks suffice if a session has one clock: its time
// never decreases when they increase.
enum class OrderBy : std::uint8_t { kTicks, kNs, kNsClockTicks };

// The largest key so far of a row of the stream.
struct OrderKey {
  std::uint64_t time = 0;   // ticks; or ns, as unsigned numbers of the same order
  std::uint16_t clock = 0;  // 0 if only time orders, and so are the ticks
  std::uint64_t ticks = 0;

  friend auto operator<=>(const OrderKey&, const OrderKey&) = default;
};

// What orders the rows of a window. A window by ticks has rows of one time and one clock.
enum class WindowOf : std::uint8_t { kTimes, kTicks };

// Only rows that are present cost memory.
class RowBuffer {
 public:
  // An entry of the order is a key relative to the window's smallest, and the place of the row.
  static constexpr unsigned kIndexBits = 18;
  static constexpr std::size_t kMax = std::size_t{1} << kIndexBits;
  static constexpr std::uint64_t kLongestSpan = (std::uint64_t{1} << (64 - kIndexBits)) - 1;

  static std::size_t index_of(std::uint64_t entry) { return entry & (kMax - 1); }

  // `most`: rows that it holds, at most kMax.
  explicit RowBuffer(std::size_t most)
      : most_(most),
        rows_(std::make_unique_for_overwrite<rows::Row[]>(most)),
        order_(std::make_unique_for_overwrite<std::uint64_t[]>(most)),
        keys_(std::make_unique_for_overwrite<OrderKey[]>(most)) {}

  // No added key is less than `smallest`, or more than kLongestSpan beyond it.
  void begin(const OrderKey& smallest, WindowOf what) {
    size_ = 0;
    smallest_ = smallest;
    what_ = what;
    pieces_.clear();
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t most() const { return most_; }
  std::size_t room() const { return most_ - size_; }

  // The next rows have this stream and clock; the first of them has this ordinal. `stamp`: of a row that has another
  // time, because its stamp is impossible.
  void begin_piece(const StreamInfo& stream, const ClockMap& clock, std::uint64_t ordinal, std::uint64_t stamp = 0) {
    pieces_.push_back({&stream, &clock, ordinal - size_, stamp});
  }
  std::uint32_t piece() const { return static_cast<std::uint32_t>(pieces_.size() - 1); }
  // REQUIRES: the window is of times, and only time orders.
  void put(std::size_t at, std::uint64_t time, const rows::Row& row) {
    rows_[at] = row;
    order_[at] = (time - smallest_.time) << kIndexBits | at;
  }
  void put(std::size_t at, const OrderKey& key, const rows::Row& row) {
    rows_[at] = row;
    keys_[at] = key;
    const std::uint64_t from = what_ == WindowOf::kTimes ? key.time - smallest_.time : key.ticks - smallest_.ticks;
    order_[at] = from << kIndexBits | at;
  }
  // Counts rows that were put after the last one.
  void grow(std::size_t count) { size_ += count; }

  // A sorter may replace it by another array of the same size.
  std::unique_ptr<std::uint64_t[]>& order() { return order_; }
  // Called when the rows are in the order of their times: sorts those of one time by clocks and ticks. REQUIRES: all
  // were put with whole keys.
  void order_within_times() {
    const auto rank = [&](std::uint64_t entry) {
      const std::size_t at = index_of(entry);
      return std::tuple(keys_[at].clock, keys_[at].ticks, at);
    };
    std::uint64_t* const end = order_.get() + size_;
    for (std::uint64_t* begin = order_.get(); begin != end;) {
      const std::uint64_t time = *begin >> kIndexBits;
      std::uint64_t* const next = std::find_if(begin, end, [&](std::uint64_t e) { return e >> kIndexBits != time; });
      std::sort(begin, next, [&](std::uint64_t a, std::uint64_t b) { return rank(a) < rank(b); });
      begin = next;
    }
  }
  const rows::Row* rows() const { return rows_.get(); }
  const std::vector<rows::Piece>& pieces() const { return pieces_; }

 private:
  std::size_t most_;
  std::unique_ptr<rows::Row[]> rows_;
  std::unique_ptr<std::uint64_t[]> order_;
  std::unique_ptr<OrderKey[]> keys_;
  std::vector<rows::Piece> pieces_;
  std::size_t size_ = 0;
  OrderKey smallest_;
  WindowOf what_ = WindowOf::kTimes;
};

}  // namespace evt

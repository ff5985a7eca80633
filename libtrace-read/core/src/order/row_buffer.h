// The rows of a window, in the order in which runs gave them, and the order in which they are handed out.
#pragma once

#include <evt/row.h>

#include <memory>
#include <vector>

namespace evt {

// Holds `kMax` rows at most, of which only those that are there cost memory.
class RowBuffer {
 public:
  static constexpr std::size_t kMax = rows::Ordered::kMax;
  // An entry of the order is a key relative to the window's smallest, and the place of the row.
  static constexpr unsigned kIndexBits = rows::Ordered::kIndexBits;
  static constexpr std::uint64_t kLongestSpan = (std::uint64_t{1} << (64 - kIndexBits)) - 1;

  RowBuffer()
      : rows_(std::make_unique_for_overwrite<rows::Row[]>(kMax)),
        order_(std::make_unique_for_overwrite<std::uint64_t[]>(kMax)) {}

  // No key that is added will be less than `smallest`, or more than kLongestSpan beyond.
  void begin(std::uint64_t smallest) {
    size_ = 0;
    smallest_ = smallest;
    pieces_.clear();
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t room() const { return kMax - size_; }

  // Rows that follow are of this stream and clock; the next of them has this ordinal.
  void begin_piece(const StreamInfo& stream, const ClockMap& clock, std::uint64_t ordinal) {
    pieces_.push_back({&stream, &clock, ordinal - size_});
  }
  std::uint32_t piece() const { return static_cast<std::uint32_t>(pieces_.size() - 1); }
  void put(std::size_t at, std::uint64_t key, const rows::Row& row) {
    rows_[at] = row;
    order_[at] = (key - smallest_) << kIndexBits | at;
  }
  // Rows were put behind the last one.
  void grow(std::size_t count) { size_ += count; }

  // Who sorts the order may put another array of as many in its place.
  std::unique_ptr<std::uint64_t[]>& order() { return order_; }
  const rows::Row* rows() const { return rows_.get(); }
  const std::vector<rows::Piece>& pieces() const { return pieces_; }

 private:
  std::unique_ptr<rows::Row[]> rows_;
  std::unique_ptr<std::uint64_t[]> order_;
  std::vector<rows::Piece> pieces_;
  std::size_t size_ = 0;
  std::uint64_t smallest_ = 0;
};

}  // namespace evt

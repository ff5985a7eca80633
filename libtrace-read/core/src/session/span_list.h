// The parts of a stream, in memory of their own only if there is more than one.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

namespace evt {

// Consecutive rows of one stream: a block of them, or a piece of one.
struct StreamSpan {
  static constexpr std::uint32_t kWhole = UINT32_MAX;
  std::uint32_t block = 0;       // in SessionData::blocks
  std::uint32_t piece = kWhole;  // index among multiplexed rows
  auto operator<=>(const StreamSpan&) const = default;
};

// A contiguous list of at most 2^32 - 1 spans. A trace may have a million streams of one part each.
class SpanList {
 public:
  SpanList() {}
  SpanList(const SpanList&) = delete;
  SpanList& operator=(const SpanList&) = delete;
  ~SpanList() {
    if (room_ > 1) delete[] many_;
  }

  void push_back(StreamSpan span) {
    if (size_ == room_) grow();
    spans()[size_++] = span;
  }
  void assign(const std::vector<StreamSpan>& spans) {
    size_ = 0;
    for (const StreamSpan span : spans) push_back(span);
  }
  template <typename Condition>
  void erase_if(Condition condition) {
    size_ = static_cast<std::uint32_t>(std::remove_if(spans(), spans() + size_, condition) - spans());
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const StreamSpan* data() const { return room_ > 1 ? many_ : &one_; }
  const StreamSpan* begin() const { return data(); }
  const StreamSpan* end() const { return data() + size_; }
  const StreamSpan& back() const { return data()[size_ - 1]; }
  const StreamSpan& operator[](std::size_t place) const { return data()[place]; }

 private:
  StreamSpan* spans() { return room_ > 1 ? many_ : &one_; }

  void grow() {
    auto larger = std::make_unique<StreamSpan[]>(std::size_t{room_} * 2);
    std::copy(begin(), end(), larger.get());
    if (room_ > 1) delete[] many_;
    many_ = larger.release();
    room_ *= 2;
  }

  union {
    StreamSpan one_{};
    StreamSpan* many_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 1;
};

}  // namespace evt

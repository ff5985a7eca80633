// Text being built, for millions of lines: appending code reserves room for the most that it may need, writes there,
// and reports where the text ends.
#pragma once

#include <evt/cpp20.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace evt {

// Text that is appended again and again: followed by spare bytes, so that it is copied in steps of a fixed size.
class CachedText {
 public:
  static constexpr std::size_t kStep = 32;

  CachedText() = default;
  explicit CachedText(std::string_view text) : size_(text.size()), bytes_(text) {
    bytes_.resize((size_ + kStep - 1) / kStep * kStep);
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  std::string bytes_;
};

// Functions that a line calls for each field are always inlined: the speed of a dump must not depend on how many
// callers a compiler sees in one unit.
class TextBuffer {
 public:
  using value_type = char;  // for std::back_inserter

  std::string_view text() const { return {begin_.get(), size()}; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_.get()); }
  void clear() { end_ = begin_.get(); }
  void cut(std::size_t size) { end_ = begin_.get() + size; }
  // REQUIRES: it is not empty.
  char back() const { return end_[-1]; }
  void pop_back() { --end_; }

  // Where to write up to `most` bytes; call end_at() with the end of what was written.
  [[gnu::always_inline]] char* room(std::size_t most) {
    if (static_cast<std::size_t>(limit_ - end_) < most) grow(most);
    return end_;
  }
  void end_at(char* end) { end_ = end; }

  [[gnu::always_inline]] void push_back(char c) {
    *room(1) = c;
    ++end_;
  }
  [[gnu::always_inline]] TextBuffer& operator+=(char c) {
    push_back(c);
    return *this;
  }
  TextBuffer& operator+=(std::string_view text) {
    if (text.empty()) return *this;
    std::memcpy(room(text.size()), text.data(), text.size());
    end_ += text.size();
    return *this;
  }
  [[gnu::always_inline]] TextBuffer& operator+=(const CachedText& phrase) {
    const std::string_view text = phrase.text();
    char* const to = room(text.size() + CachedText::kStep);
    for (std::size_t at = 0; at < text.size(); at += CachedText::kStep) {
      std::memcpy(to + at, text.data() + at, CachedText::kStep);
    }
    end_ = to + text.size();
    return *this;
  }
  void append(std::size_t count, char c) {
    if (count == 0) return;
    std::memset(room(count), c, count);
    end_ += count;
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow(std::size_t most) {
    const std::size_t used = size();
    const std::size_t all = std::max<std::size_t>(256, (used + most) * 2);
    auto larger = std::make_unique_for_overwrite<char[]>(all);
    if (used > 0) std::memcpy(larger.get(), begin_.get(), used);
    begin_ = std::move(larger);
    end_ = begin_.get() + used;
    limit_ = begin_.get() + all;
  }

  std::unique_ptr<char[]> begin_;
  char* end_ = nullptr;
  char* limit_ = nullptr;
};

// The text that `append` makes, outside of hot loops.
template <typename Append>
std::string text_from(Append append) {
  TextBuffer out;
  append(out);
  return std::string(out.text());
}

}  // namespace evt
#pragma GCC visibility pop

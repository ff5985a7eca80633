// A file in Chrome's Trace Event Format, cut into its events: where each begins and ends, by brackets and quotes alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt::chrome {

// An object whose `traceEvents` is an array of events, or the bare array. Reads the file once, from the front; memory
// is that of one event.
class JsonScan {
 public:
  static constexpr std::size_t kMaxEvent = 4 << 20;
  static constexpr std::size_t kMaxProperty = 0xFFFF;

  explicit JsonScan(ByteSource& file) : file_(file) {}

  struct Element {
    std::string_view text;  // valid until the next call; empty if there is too much of it
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  // The next value of the array; false behind the last one that is whole.
  bool next(Element* element);

  // After the last one.
  bool has_events() const { return has_events_; }  // there was an array for them
  bool is_closed() const { return is_closed_; }    // the file ends where JSON does
  std::uint64_t end() const { return end_; }       // where the first byte is that was not understood
  // What else the object has, as JSON; of what is longer than kMaxProperty the name alone.
  // At most kMaxProperties.
  const std::vector<std::pair<std::string, std::string>>& properties() const { return properties_; }
  std::uint64_t properties_left_out() const { return properties_left_out_; }

 private:
  static constexpr std::size_t kMaxProperties = 256;

  int peek() { return at_ < size_ || fill() ? static_cast<unsigned char>(window_[at_]) : -1; }
  bool fill();
  int skip_space(bool commas);
  bool skip_string();
  bool skip_value();
  bool take_value(std::size_t most, Element* element);
  bool take_property();

  ByteSource& file_;
  std::vector<char> window_;
  std::uint64_t window_offset_ = 0;
  std::size_t size_ = 0;  // of what is in the window
  std::size_t at_ = 0;
  // What is kept in the window: from here on, while there is no more of it than that.
  std::size_t kept_ = 0;
  std::size_t most_kept_ = 0;
  bool has_begun_ = false;
  bool is_bare_ = false;
  bool in_events_ = false;
  bool has_events_ = false;
  bool is_closed_ = false;
  std::uint64_t end_ = 0;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::uint64_t properties_left_out_ = 0;
};

}  // namespace evt::chrome

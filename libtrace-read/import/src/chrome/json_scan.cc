#include "json_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace evt::chrome {
namespace {

constexpr std::size_t kStep = 256 << 10;

bool is_space(int c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// What a value's end is found by.
enum Mark : std::uint8_t { kPlain, kOpens, kCloses, kQuote };

constexpr std::array<Mark, 256> marks() {
  std::array<Mark, 256> all{};
  all['{'] = all['['] = kOpens;
  all['}'] = all[']'] = kCloses;
  all['"'] = kQuote;
  return all;
}
constexpr std::array<Mark, 256> kMarks = marks();

}  // namespace

// More bytes behind those of the window; what is not kept goes. False at the end of the file.
bool JsonScan::fill() {
  if (most_kept_ > 0 && at_ - kept_ > most_kept_) most_kept_ = 0;
  const std::size_t from = most_kept_ > 0 ? kept_ : at_;
  if (from > 0) {
    std::memmove(window_.data(), window_.data() + from, size_ - from);
    window_offset_ += from;
    size_ -= from;
    at_ -= from;
    kept_ = 0;
  }
  if (window_.size() < size_ + kStep) window_.resize(size_ + kStep);
  const std::size_t got =
      file_.read_at(window_offset_ + size_, reinterpret_cast<std::byte*>(window_.data() + size_), kStep);
  size_ += got;
  return got > 0;
}

// The first byte that is none; -1 at the end of the file.
int JsonScan::skip_space(bool commas) {
  for (int c = peek();; c = peek()) {
    if (!is_space(c) && !(commas && c == ',')) return c;
    ++at_;
  }
}

// Behind the quote that ends a string, from the one that begins it. False if the file ends before.
bool JsonScan::skip_string() {
  ++at_;
  while (peek() >= 0) {
    const char* const window = window_.data();
    std::size_t at = at_;
    while (at < size_ && window[at] != '"' && window[at] != '\\') ++at;
    at_ = at;
    if (at == size_) continue;
    ++at_;
    if (window[at] == '"') return true;
    if (peek() < 0) return false;
    ++at_;
  }
  return false;
}

// Behind the value that begins here. False if the file ends before.
bool JsonScan::skip_value() {
  const int first = peek();
  if (first == '"') return skip_string();
  if (first != '{' && first != '[') {
    // A number or a word; whatever it is, one byte of it.
    do {
      ++at_;
      const int c = peek();
      if (c < 0) return false;
      if (is_space(c) || c == ',' || c == ']' || c == '}') return true;
    } while (true);
  }
  std::size_t depth = 0;
  for (int c = peek(); c >= 0; c = peek()) {
    while (at_ < size_ && kMarks[static_cast<unsigned char>(window_[at_])] == kPlain) ++at_;
    if (at_ == size_) continue;
    switch (kMarks[static_cast<unsigned char>(window_[at_])]) {
      case kQuote:
        if (!skip_string()) return false;
        break;
      case kOpens:
        ++depth;
        ++at_;
        break;
      default:
        ++at_;
        if (--depth == 0) return true;
    }
  }
  return false;
}

bool JsonScan::take_value(std::size_t most, Element* element) {
  element->offset = window_offset_ + at_;
  kept_ = at_;
  most_kept_ = most;
  const bool is_whole = skip_value();
  element->size = window_offset_ + at_ - element->offset;
  const bool is_kept = most_kept_ > 0 && element->size <= most;
  element->text =
      is_kept ? std::string_view(window_.data() + kept_, static_cast<std::size_t>(element->size)) : std::string_view();
  most_kept_ = 0;
  return is_whole;
}

// A member of the object around all. False where the file ends, or is none.
bool JsonScan::take_property() {
  Element key;
  if (!take_value(kMaxProperty, &key)) return false;
  std::string name(key.text.size() < 2 ? std::string_view() : key.text.substr(1, key.text.size() - 2));
  if (skip_space(false) != ':') return false;
  ++at_;
  const int first = skip_space(false);
  if (first == '[' && name == "traceEvents") {
    ++at_;
    in_events_ = has_events_ = true;
    return true;
  }
  Element value;
  if (first < 0 || !take_value(kMaxProperty, &value)) return false;
  if (properties_.size() == kMaxProperties) {
    ++properties_left_out_;
  } else {
    properties_.emplace_back(std::move(name), value.text);
  }
  return true;
}

bool JsonScan::next(Element* element) {
  if (!has_begun_) {
    has_begun_ = true;
    if (peek() == 0xEF) at_ = std::min<std::size_t>(size_, 3);  // a byte order mark
    is_bare_ = in_events_ = has_events_ = skip_space(false) == '[';
    ++at_;
  }
  for (;;) {
    const int c = skip_space(true);
    end_ = window_offset_ + at_;
    if (c < 0 || is_closed_) return false;
    if (in_events_ && c != ']') return take_value(kMaxEvent, element);
    if (in_events_) {
      ++at_;
      in_events_ = false;
      is_closed_ = is_bare_;
    } else if (c == '}') {
      ++at_;
      is_closed_ = true;
    } else if (c != '"' || !take_property()) {
      return false;
    }
  }
}

}  // namespace evt::chrome

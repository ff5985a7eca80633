#include "json_cursor.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "json_words.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kStep = 256 << 10;

// Characters by which a value's end is found.
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

// Reads more bytes after those of the window; bytes that are not kept are dropped. False at the end of the file.
bool JsonCursor::fill() {
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

void JsonCursor::seek(std::uint64_t offset) {
  if (offset < window_offset_ || offset > window_offset_ + size_) {
    window_offset_ = offset;
    size_ = 0;
  }
  at_ = static_cast<std::size_t>(offset - window_offset_);
}

// The first byte that is neither space nor a comma; -1 at the end of the file. `comma` is set if there was one.
int JsonCursor::skip_space(bool* comma) {
  for (int c = peek();; c = peek()) {
    if (c == ',') {
      *comma = true;
    } else if (!is_space(static_cast<char>(c))) {
      return c;
    }
    ++at_;
  }
}

// Moves after the quote that ends a string, from the one that begins it. False if the file ends before.
bool JsonCursor::skip_string() {
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

// Moves after the value that begins here. False if the file ends before.
bool JsonCursor::skip_value() {
  const int first = peek();
  if (first == '"') return skip_string();
  if (first != '{' && first != '[') {
    // A number or a word; in any case at least one byte.
    do {
      ++at_;
      const int c = peek();
      if (c < 0) return false;
      if (is_space(static_cast<char>(c)) || c == ',' || c == ']' || c == '}') return true;
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

void JsonCursor::keep(std::size_t most, Value* value) {
  value->offset = here();
  kept_ = at_;
  most_kept_ = most;
}

void JsonCursor::end_kept(Value* value) {
  value->size = here() - value->offset;
  const bool is_kept = most_kept_ > 0 && value->size <= most_kept_;
  value->text =
      is_kept ? std::string_view(window_.data() + kept_, static_cast<std::size_t>(value->size)) : std::string_view();
  most_kept_ = 0;
}

bool JsonCursor::take_value(std::size_t most, Value* value) {
  keep(most, value);
  const bool is_whole = skip_value();
  end_kept(value);
  return is_whole;
}

// Moves to the value's end, or to where it stops being JSON, or by `most` bytes. kGoesOn: the file ends in it, or it is
// longer.
JsonCheck::Result JsonCursor::check_value(std::size_t most, std::size_t kept, Value* value) {
  keep(kept, value);
  check_.begin();
  JsonCheck::Result result = JsonCheck::Result::kGoesOn;
  while (result == JsonCheck::Result::kGoesOn && here() - value->offset < most && peek() >= 0) {
    std::size_t used = 0;
    const std::size_t size = std::min(size_ - at_, most - static_cast<std::size_t>(here() - value->offset));
    result = check_.take({window_.data() + at_, size}, &used);
    at_ += used;
  }
  end_kept(value);
  return result;
}

bool JsonCursor::starts_with(std::string_view text) {
  while (size_ - at_ < text.size() && fill()) {
  }
  return std::string_view(window_.data() + at_, size_ - at_).starts_with(text);
}

}  // namespace evt::chrome

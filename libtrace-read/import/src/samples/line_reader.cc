#include "line_reader.h"

namespace evt::samples {

bool LineReader::next() {
  offset_ += size_;
  size_ = 0;
  is_too_long_ = false;
  std::size_t end = 0;
  while ((end = rest().find('\n')) == std::string_view::npos) {
    if (rest().size() > kMax) {
      is_too_long_ = true;
      take(rest().size());
    }
    if (!fill()) break;
  }
  line_ = rest().substr(0, end);
  is_too_long_ |= line_.size() > kMax;
  take(line_.size() + (end == std::string_view::npos ? 0 : 1));
  if (size_ == 0) return false;
  ++number_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (is_too_long_) line_ = {};
  return true;
}

void LineReader::take(std::size_t size) {
  at_ += size;
  size_ += size;
}

// Returns false at the end of the file.
bool LineReader::fill() {
  constexpr std::size_t kStep = 64 << 10;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kStep);
  const std::size_t got = file_.read_at(read_to_, reinterpret_cast<std::byte*>(buffer_.data()) + before, kStep);
  read_to_ += got;
  buffer_.resize(before + got);
  return got > 0;
}

}  // namespace evt::samples

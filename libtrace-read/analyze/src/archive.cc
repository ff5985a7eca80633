#include "archive.h"

#include <algorithm>

namespace evt {
namespace {

// Small differences of either sign are small numbers.
std::uint64_t difference(std::uint64_t word, std::uint64_t base) {
  const std::uint64_t by = word - base;
  return by << 1 ^ (by >> 63 != 0 ? ~std::uint64_t{0} : 0);
}

std::uint64_t sum(std::uint64_t base, std::uint64_t difference) {
  return base + (difference >> 1 ^ ((difference & 1) != 0 ? ~std::uint64_t{0} : 0));
}

}  // namespace

Archive::Archive(std::span<const std::uint64_t> words, const Archive* base)
    : left_(0), is_reading_(true), is_ok_(!words.empty()) {
  while (!words.empty()) {
    const std::uint64_t size = words.front();
    words = words.subspan(1);
    if (!require(size <= words.size())) return;
    std::vector<std::uint64_t>& column = columns_.emplace_back().words;
    column.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(size));
    words = words.subspan(column.size());
    left_ += column.size();
    if (base == nullptr || columns_.size() > base->columns_.size()) continue;
    const std::vector<std::uint64_t>& before = base->columns_[columns_.size() - 1].words;
    for (std::size_t i = 0; i < std::min(column.size(), before.size()); ++i) column[i] = sum(before[i], column[i]);
  }
}

std::vector<std::uint64_t> Archive::words(const Archive* base) const {
  std::vector<std::uint64_t> all;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const std::vector<std::uint64_t>& now = columns_[column].words;
    all.push_back(now.size());
    all.insert(all.end(), now.begin(), now.end());
    if (base == nullptr || column >= base->columns_.size()) continue;
    const std::vector<std::uint64_t>& before = base->columns_[column].words;
    const std::size_t first = all.size() - now.size();
    for (std::size_t i = 0; i < std::min(now.size(), before.size()); ++i)
      all[first + i] = difference(now[i], before[i]);
  }
  return all;
}

std::uint64_t Archive::next(std::uint64_t word) {
  for (; !is_reading_ && column_ >= columns_.size() && left_ > 0; --left_) columns_.emplace_back();  // and its length
  if (!require(left_ > 0 && column_ < columns_.size())) return 0;
  Column& column = columns_[column_++];
  --left_;
  if (!is_reading_) return column.words.emplace_back(word);
  return require(column.read < column.words.size()) ? column.words[column.read++] : 0;
}

// Eight bytes a word.
void Archive::text(std::string& value) {
  std::size_t size = value.size();
  std::vector<std::uint64_t> words((size + 7) / 8);
  value.copy(reinterpret_cast<char*>(words.data()), size);
  numbers(size);
  list(words, kMost, [&](std::uint64_t& word) { number(word); });
  if (is_reading_ && require(size <= words.size() * 8)) value.assign(reinterpret_cast<const char*>(words.data()), size);
}

}  // namespace evt

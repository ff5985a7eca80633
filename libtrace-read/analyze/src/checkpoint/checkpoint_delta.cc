#include "checkpoint_delta.h"

#include <algorithm>
#include <array>

#include "checkpoint_words.h"

namespace evt {
namespace {

// Where the lists of numbers are, of which each has its own length.
struct Columns {
  std::array<std::size_t, CheckpointWords::kColumns> at{};  // the first is behind the sizes
  std::array<std::size_t, CheckpointWords::kColumns> size{};
};

bool find_columns(std::span<const std::uint64_t> words, std::size_t streams, Columns* columns) {
  if (words.size() < CheckpointWords::kSizes) return false;
  columns->size = CheckpointWords::column_sizes(words, streams);
  std::size_t at = CheckpointWords::kSizes;
  for (std::size_t i = 0; i < CheckpointWords::kColumns; ++i) {
    columns->at[i] = at;
    if (columns->size[i] > words.size() - at) return false;
    at += columns->size[i];
  }
  return at == words.size();
}

// Calls f(column, word, base) with all that both have.
template <typename F>
bool for_pairs(std::vector<std::uint64_t>* words, std::span<const std::uint64_t> base, std::size_t streams, F f) {
  Columns of_words;
  Columns of_base;
  if (!find_columns(*words, streams, &of_words) || !find_columns(base, streams, &of_base)) return false;
  for (std::size_t column = 0; column < CheckpointWords::kColumns; ++column) {
    const std::size_t size = std::min(of_words.size[column], of_base.size[column]);
    for (std::size_t i = 0; i < size; ++i) f(column, (*words)[of_words.at[column] + i], base[of_base.at[column] + i]);
  }
  return true;
}

}  // namespace

void subtract(std::vector<std::uint64_t>* words, std::span<const std::uint64_t> base, std::size_t streams) {
  for_pairs(words, base, streams, [](std::size_t, std::uint64_t& word, std::uint64_t before) {
    const std::uint64_t by = word - before;
    word = by << 1 ^ (by >> 63 != 0 ? ~std::uint64_t{0} : 0);
  });
}

bool add(std::vector<std::uint64_t>* words, std::span<const std::uint64_t> base, std::size_t streams) {
  bool grows = true;
  const auto add_one = [&](std::size_t column, std::uint64_t& word, std::uint64_t before) {
    word = before + (word >> 1 ^ ((word & 1) != 0 ? ~std::uint64_t{0} : 0));
    grows &= word >= before || !CheckpointWords::only_grows(column);
  };
  if (words->size() < CheckpointWords::kSizes || base.size() < CheckpointWords::kSizes) return false;
  for (std::size_t i = 0; i < CheckpointWords::kSizes; ++i) grows &= (*words)[i] >= base[i];
  return for_pairs(words, base, streams, add_one) && grows;
}

}  // namespace evt

#include "row_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace evt {
namespace {

constexpr std::size_t kFewEntries = 512;

// Merges two adjacent ordered sequences. Each comparison waits for the one before; so the merge runs from both ends,
// which gives two independent chains, and without a branch, because no processor can predict it.
void merge_two(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* b_end, std::uint64_t* out) {
  const std::uint64_t* a_end = b;
  std::uint64_t* out_end = out + (b_end - a);
  for (;;) {
    // So many steps from both ends reach the end of neither.
    const std::ptrdiff_t steps = std::min(a_end - a, b_end - b) / 2;
    if (steps == 0) break;
    for (std::ptrdiff_t i = 0; i < steps; ++i) {
      const bool b_is_first = *b < *a;
      *out++ = b_is_first ? *b : *a;
      b += b_is_first;
      a += !b_is_first;
      const bool a_is_last = b_end[-1] < a_end[-1];
      *--out_end = a_is_last ? a_end[-1] : b_end[-1];
      a_end -= a_is_last;
      b_end -= !a_is_last;
    }
  }
  std::merge(a, a_end, b, b_end, out);
}

}  // namespace

// Merging takes a round for each doubling of the number of runs, distributing by digits one for each digit of the
// largest key, whatever the number of runs. Digits are as few as may be: a digit of more than 11 bits has more values
// than there are entries.
void RowOrder::sort(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends, unsigned tie_bits) {
  const std::size_t count = ends.back();
  std::uint64_t largest = 0;
  for (const std::size_t end : ends) largest = std::max(largest, entries[end - 1]);
  const auto bits = static_cast<unsigned>(std::bit_width(largest >> tie_bits));
  const unsigned digits = (bits + 10) / 11;
  if (digits == 0) return;  // all of one key
  const auto rounds = static_cast<unsigned>(std::bit_width(ends.size() - 1));
  if (rounds <= digits || count < kFewEntries) return merge(entries, ends);
  const unsigned digit_bits = (bits + digits - 1) / digits;
  if (digit_bits <= 8) return distribute<8>(entries, count, tie_bits, digits);
  if (digit_bits <= 9) return distribute<9>(entries, count, tie_bits, digits);
  if (digit_bits <= 10) return distribute<10>(entries, count, tie_bits, digits);
  return distribute<11>(entries, count, tie_bits, digits);
}

// Neighbours are merged until one is left; the last of an odd number waits for the next round.
void RowOrder::merge(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends) {
  while (ends.size() > 1) {
    std::size_t begin = 0;
    std::size_t merged = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::size_t end = ends[std::min(i + 1, ends.size() - 1)];
      const std::uint64_t* const from = entries.get();
      merge_two(from + begin, from + ends[i], from + end, scratch_.get() + begin);
      ends[merged++] = begin = end;
    }
    ends.resize(merged);
    entries.swap(scratch_);
  }
}

// Entries of equal keys keep their order, so the lowest digit comes first.
template <unsigned kBits>
void RowOrder::distribute(std::unique_ptr<std::uint64_t[]>& entries, std::size_t count, unsigned low, unsigned digits) {
  constexpr std::size_t kValues = std::size_t{1} << kBits;
  constexpr std::size_t kTables = 4;
  for (; digits > 0; --digits, low += kBits) {
    const std::uint64_t* const in = entries.get();
    // Neighbours often have the same digit, and a counter waits for its last increment: so they use different counters.
    counts_.assign(kTables * kValues, 0);
    std::uint32_t* const places = counts_.data();
    std::size_t i = 0;
    for (; i + kTables <= count; i += kTables) {
      ++places[(in[i] >> low) % kValues];
      ++places[kValues + (in[i + 1] >> low) % kValues];
      ++places[2 * kValues + (in[i + 2] >> low) % kValues];
      ++places[3 * kValues + (in[i + 3] >> low) % kValues];
    }
    for (; i < count; ++i) ++places[(in[i] >> low) % kValues];
    // A separate loop, so that it is vectorised.
    for (std::size_t value = 0; value < kValues; ++value) {
      places[value] += places[kValues + value] + places[2 * kValues + value] + places[3 * kValues + value];
    }
    std::uint32_t at = 0;
    for (std::size_t value = 0; value < kValues; ++value) at += std::exchange(places[value], at);
    std::uint64_t* const out = scratch_.get();
    for (i = 0; i < count; ++i) out[places[(in[i] >> low) % kValues]++] = in[i];
    entries.swap(scratch_);
  }
}

}  // namespace evt

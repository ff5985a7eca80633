#include "column_output.h"

#include "layout.h"
#include "planes.h"

namespace evt::columns {
namespace {

// Decides from a sample whether a column takes less space as values or as differences.
constexpr std::size_t kSample = 128;

// n * log2(n) in 256ths: what an entropy coder saves for n equal bytes among others.
struct LogTable {
  std::uint32_t of[kSample + 1];
  constexpr LogTable() : of() {
    for (std::uint32_t n = 1; n <= kSample; ++n) {
      // log2 by squaring: each square that reaches 2 is one more bit of it.
      std::uint32_t whole = 0;
      while (n >> whole > 1) ++whole;
      std::uint64_t part = (std::uint64_t{n} << 31) >> whole;  // from 1 to 2, in 2^31sts
      std::uint32_t log = whole;
      for (int bit = 0; bit < 8; ++bit) {
        part = part * part >> 31;
        log = log << 1 | static_cast<std::uint32_t>(part >> 32);
        part >>= part >> 32;
      }
      of[n] = n * log;
    }
  }
};
inline constexpr LogTable kLogs;

// The entropy of the bytes of `count` values, plane by plane, in 256ths of a bit.
template <typename T>
std::uint32_t entropy(const T* values, std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    std::uint8_t times[256] = {};
    std::uint32_t saved = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t& n = times[static_cast<std::uint8_t>(values[i] >> (8 * plane))];
      ++n;
      saved += kLogs.of[n] - kLogs.of[n - 1];
    }
    bits += kLogs.of[count] - saved;
  }
  return bits;
}

// Differences must be a tenth better: plain values repeat.
template <typename T>
bool difference_pays(const T* values, std::size_t count) {
  if (count < 16) return false;
  const std::size_t sampled = count - 1 < kSample ? count - 1 : kSample;
  const T* const sample = values + (count - sampled) / 2;
  T differences[kSample];
  const T* before = sample == values ? values : sample - 1;
  for (std::size_t i = 0; i < sampled; ++i) {
    differences[i] = fold(static_cast<T>(sample[i] - *before));
    before = sample + i;
  }
  const std::uint32_t as_it_is = entropy(sample, sampled);
  return entropy(differences, sampled) + 8 * 256 < as_it_is - as_it_is / 10;
}

}  // namespace

bool ColumnOutput::begin(std::size_t most_data) {
  directory_.clear();
  data_size_ = 0;
  part_count_ = 0;
  return data_.reserve(most_data) && parts_.reserve(kMaxParts);
}

template <typename T>
void ColumnOutput::put_values(T* values, std::size_t count, bool decides, std::uint8_t* transform) {
  if (decides) *transform = difference_pays(values, count) ? kDelta : kNone;
  if (*transform == kDelta) put_differences(values, count);
  put_column(values, count);
}

// Puts the first value into the directory, the differences in place of the values.
template <typename T>
void ColumnOutput::put_differences(T* values, std::size_t count) {
  std::uint8_t first[sizeof(T)];
  store<T>(first, values[0]);
  directory_.append(first, sizeof first);
  T last = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    const T value = values[i];
    values[i] = fold(static_cast<T>(value - last));
    last = value;
  }
  values[0] = count > 1 ? values[1] : T{0};  // it has no meaning, so it should not differ
}

template <typename T>
void ColumnOutput::put_column(const T* values, std::size_t count) {
  const T first = count > 0 ? values[0] : T{0};
  T differs = 0;
  for (std::size_t i = 0; i < count; ++i) differs |= static_cast<T>(values[i] ^ first);
  std::uint8_t header[1 + sizeof(T)] = {};
  std::size_t header_size = 1;
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (static_cast<std::uint8_t>(differs >> (8 * plane)) == 0) {
      header[header_size++] = static_cast<std::uint8_t>(first >> (8 * plane));
      continue;
    }
    header[0] = static_cast<std::uint8_t>(header[0] | 1U << plane);
    put_plane(values, count, plane);
  }
  directory_.append(header, header_size);
}

template <typename T>
void ColumnOutput::put_plane(const T* values, std::size_t count, std::size_t plane) {
  split_plane(values, count, plane, end());
  end_part(count);
}

void ColumnOutput::end_part(std::size_t size) {
  data_size_ += size;
  if (part_count_ == kMaxParts) {
    parts_[part_count_ - 1] += static_cast<std::uint32_t>(size);
  } else {
    parts_[part_count_++] = static_cast<std::uint32_t>(size);
  }
}

template void ColumnOutput::put_values(std::uint8_t*, std::size_t, bool, std::uint8_t*);
template void ColumnOutput::put_values(std::uint16_t*, std::size_t, bool, std::uint8_t*);
template void ColumnOutput::put_values(std::uint32_t*, std::size_t, bool, std::uint8_t*);
template void ColumnOutput::put_values(std::uint64_t*, std::size_t, bool, std::uint8_t*);
template void ColumnOutput::put_column(const std::uint32_t*, std::size_t);
template void ColumnOutput::put_plane(const std::uint16_t*, std::size_t, std::size_t);

}  // namespace evt::columns

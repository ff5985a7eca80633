#include "packed_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace evt {
namespace {

constexpr std::size_t kGroup = 8;  // numbers of a group of bits
constexpr std::size_t kBlock = 128;
constexpr std::size_t kMiniblock = 32;

void append_varint(std::string* to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to += static_cast<char>(value | 0x80);
  *to += static_cast<char>(value);
}

// The lowest bit of the first number is the lowest of the first byte.
class BitPacker {
 public:
  explicit BitPacker(std::string* to) : to_(to) {}

  void add(std::uint64_t number, unsigned width) {
    while (width > 0) {
      const unsigned taken = std::min(width, 8 - used_);
      bits_ |= static_cast<unsigned>(number & ((1u << taken) - 1)) << used_;
      number >>= taken;
      width -= taken;
      used_ += taken;
      if (used_ == 8) flush();
    }
  }
  void flush() {
    if (used_ == 0) return;
    *to_ += static_cast<char>(bits_);
    bits_ = 0;
    used_ = 0;
  }

 private:
  std::string* to_;
  unsigned bits_ = 0;
  unsigned used_ = 0;
};

std::size_t run_at(std::span<const std::uint32_t> numbers, std::size_t at) {
  std::size_t end = at + 1;
  while (end < numbers.size() && numbers[end] == numbers[at]) ++end;
  return end - at;
}

void append_run(std::string* to, std::uint32_t number, std::size_t count, unsigned width) {
  append_varint(to, count << 1);
  for (unsigned bits = 0; bits < width; bits += 8) *to += static_cast<char>(number >> bits);
}

void append_groups(std::string* to, std::span<const std::uint32_t> numbers, unsigned width) {
  const std::size_t groups = (numbers.size() + kGroup - 1) / kGroup;
  append_varint(to, groups << 1 | 1);
  BitPacker bits(to);
  for (const std::uint32_t number : numbers) bits.add(number, width);
  for (std::size_t i = numbers.size(); i < groups * kGroup; ++i) bits.add(0, width);
  bits.flush();
}

}  // namespace

unsigned width_of(std::uint64_t greatest) { return static_cast<unsigned>(std::bit_width(greatest)); }

// Groups of 8 are packed, until a run of 8 or more begins after a whole group.
void append_hybrid(std::string* to, std::span<const std::uint32_t> numbers, unsigned width) {
  std::size_t at = 0;
  while (at < numbers.size()) {
    const std::size_t run = run_at(numbers, at);
    if (run >= kGroup) {
      append_run(to, numbers[at], run, width);
      at += run;
      continue;
    }
    std::size_t end = at;
    while (end < numbers.size() && (end == at || run_at(numbers, end) < kGroup)) end += kGroup;
    end = std::min(end, numbers.size());
    append_groups(to, numbers.subspan(at, end - at), width);
    at = end;
  }
}

void append_deltas(std::string* to, std::span<const std::uint64_t> numbers) {
  append_varint(to, kBlock);
  append_varint(to, kBlock / kMiniblock);
  append_varint(to, numbers.size());
  const auto zigzag = [](std::uint64_t value) { return value << 1 ^ (0 - (value >> 63)); };
  append_varint(to, numbers.empty() ? 0 : zigzag(numbers[0]));
  std::array<std::uint64_t, kBlock> deltas;
  for (std::size_t at = 1; at < numbers.size(); at += kBlock) {
    const std::size_t count = std::min(kBlock, numbers.size() - at);
    auto least = INT64_MAX;
    for (std::size_t i = 0; i < count; ++i) {
      deltas[i] = numbers[at + i] - numbers[at + i - 1];
      least = std::min(least, static_cast<std::int64_t>(deltas[i]));
    }
    append_varint(to, zigzag(static_cast<std::uint64_t>(least)));
    const std::size_t widths = to->size();
    to->append(kBlock / kMiniblock, '\0');
    for (std::size_t from = 0; from < count; from += kMiniblock) {
      const std::size_t end = std::min(count, from + kMiniblock);
      std::uint64_t greatest = 0;
      for (std::size_t i = from; i < end; ++i) {
        deltas[i] -= static_cast<std::uint64_t>(least);
        greatest = std::max(greatest, deltas[i]);
      }
      const unsigned width = width_of(greatest);
      (*to)[widths + from / kMiniblock] = static_cast<char>(width);
      BitPacker bits(to);
      for (std::size_t i = from; i < from + kMiniblock; ++i) bits.add(i < end ? deltas[i] : 0, width);
      bits.flush();
    }
  }
}

}  // namespace evt

// What the fuzzer made up, taken from the front piece by piece. Behind its end all is zero, so that no target has to
// ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}

  bool empty() const { return left_ == 0; }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  // This many bytes, or as many as there are.
  std::string bytes(std::size_t count) {
    if (count > left_) count = left_;
    std::string taken(reinterpret_cast<const char*>(at_), count);
    at_ += count;
    left_ -= count;
    return taken;
  }
  std::string rest() { return bytes(left_); }

 private:
  std::uint64_t number(unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width && left_ > 0; ++i, ++at_, --left_) value |= std::uint64_t{*at_} << (8 * i);
    return value;
  }

  const std::uint8_t* at_;
  std::size_t left_;
};

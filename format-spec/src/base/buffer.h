// A growable run of bytes from malloc, for code that links no C++ runtime.
#pragma once

#include <evt/little_endian.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace evt {

// When memory runs out the buffer fails: it keeps what it has, later appends do nothing, and ok() is false at the end.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  bool ok() const { return ok_; }
  const std::uint8_t* data() const { return data_; }
  std::uint8_t* data() { return data_; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  void release() {  // releases its memory; it starts over
    std::free(data_);
    data_ = nullptr;
    size_ = capacity_ = 0;
    ok_ = true;
  }
  void truncate(std::size_t size) { size_ = size < size_ ? size : size_; }

  // Room for `count` zero bytes at the end, or null. Valid until the next append.
  std::uint8_t* extend(std::size_t count) {
    if (!reserve(count)) return nullptr;
    std::uint8_t* const place = data_ + size_;
    if (count > 0) std::memset(place, 0, count);
    size_ += count;
    return place;
  }
  void append(const void* bytes, std::size_t count) {
    if (count == 0 || !reserve(count)) return;
    std::memcpy(data_ + size_, bytes, count);
    size_ += count;
  }
  void append_u16(std::uint16_t v) {
    if (std::uint8_t* p = extend(sizeof v)) evt_store_u16(p, v);
  }
  void append_u32(std::uint32_t v) {
    if (std::uint8_t* p = extend(sizeof v)) evt_store_u32(p, v);
  }

 private:
  bool reserve(std::size_t count) {
    if (!ok_) return false;
    if (capacity_ - size_ >= count) return true;
    std::size_t wanted = capacity_ < 256 ? 256 : capacity_;
    while (wanted - size_ < count) {
      if (wanted > SIZE_MAX / 2) return ok_ = false;
      wanted *= 2;
    }
    auto* const grown = static_cast<std::uint8_t*>(std::realloc(data_, wanted));
    if (grown == nullptr) return ok_ = false;
    data_ = grown;
    capacity_ = wanted;
    return true;
  }

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool ok_ = true;
};

}  // namespace evt

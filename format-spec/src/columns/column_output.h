// The columns that an encoder makes: their directory, followed by their data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "format-spec/src/base/buffer.h"

namespace evt::columns {

// Working memory, without the C++ runtime. Grows to the requested size, and is kept; its content is not.
template <typename T>
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::free(data_); }

  bool reserve(std::size_t count) {
    if (count <= capacity_) return true;
    std::free(data_);
    data_ = static_cast<T*>(std::malloc(count * sizeof(T)));
    capacity_ = data_ != nullptr ? count : 0;
    return data_ != nullptr;
  }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

// Holds one block at a time; keeps its memory between blocks. Uses no C++ runtime.
class ColumnOutput {
 public:
  // For data of at most this size. False: no memory.
  bool begin(std::size_t most_data);

  Buffer& directory() { return directory_; }
  const Buffer& directory() const { return directory_; }
  const std::uint8_t* data() { return data_.data(); }
  std::size_t data_size() const { return data_size_; }
  // Sizes of the planes and runs of bytes that the data consists of.
  const std::uint32_t* parts() { return parts_.data(); }
  std::size_t part_count() const { return part_count_; }

  // A column of values, which are changed if it is transformed; that is decided here or was before.
  template <typename T>
  void put_values(T* values, std::size_t count, bool decides, std::uint8_t* transform);
  // A column, unchanged.
  template <typename T>
  void put_column(const T* values, std::size_t count);
  // One plane of values, without a directory entry.
  template <typename T>
  void put_plane(const T* values, std::size_t count, std::size_t plane);

  // Where to write data of another kind, which end_part() adds.
  std::uint8_t* end() { return data_.data() + data_size_; }
  // Adds `size` bytes of one kind, written at end().
  void end_part(std::size_t size);

 private:
  static constexpr std::size_t kMaxParts = 1 << 16;

  template <typename T>
  void put_differences(T* values, std::size_t count);

  Buffer directory_;
  Scratch<std::uint8_t> data_;
  std::size_t data_size_ = 0;
  Scratch<std::uint32_t> parts_;
  std::size_t part_count_ = 0;
};

}  // namespace evt::columns

// Memory for work, without the C++ runtime.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace evt::columns {

// Memory that is kept, and grows to what was asked for; its content is not.
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

}  // namespace evt::columns

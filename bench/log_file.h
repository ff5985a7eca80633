// A file that is written piece by piece. What goes wrong is reported at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace evt::bench {

enum class Order { kLittle, kBig };

// Numbers of either byte order, one behind the other.
class Packed {
 public:
  explicit Packed(Order order) : order_(order) {}

  // The `width` low bytes of a number.
  void number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      bytes_.push_back(static_cast<char>(value >> 8 * (order_ == Order::kLittle ? i : width - 1 - i)));
    }
  }
  // The same, in the place of what was there.
  void replace(std::size_t at, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      bytes_[at + i] = static_cast<char>(value >> 8 * (order_ == Order::kLittle ? i : width - 1 - i));
    }
  }
  void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  std::size_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  void clear() { bytes_.clear(); }

 private:
  Order order_;
  std::vector<char> bytes_;
};

class LogFile {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
  LogFile(LogFile&& other) noexcept : file_(other.file_), good_(other.good_) { other.file_ = nullptr; }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { close(); }

  void write(std::string_view bytes) {
    good_ = good_ && file_ != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
  }
  bool close() {
    if (file_ != nullptr) good_ = std::fclose(file_) == 0 && good_;
    file_ = nullptr;
    return good_;
  }

 private:
  std::FILE* file_;
  bool good_ = true;
};

}  // namespace evt::bench

// The streams that a row is of, by their places in the session.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace evt::view {

class StreamSet {
 public:
  StreamSet() = default;
  StreamSet(std::initializer_list<std::uint32_t> streams) {
    for (const std::uint32_t stream : streams) insert(stream);
  }

  void insert(std::uint32_t stream) {
    if (stream < 64) {
      first_ |= bit(stream);
      return;
    }
    const std::size_t word = stream / 64 - 1;
    if (word >= others_.size()) others_.resize(word + 1);
    others_[word] |= bit(stream);
  }
  bool contains(std::uint32_t stream) const {
    if (stream < 64) return (first_ & bit(stream)) != 0;
    const std::size_t word = stream / 64 - 1;
    return word < others_.size() && (others_[word] & bit(stream)) != 0;
  }

 private:
  static std::uint64_t bit(std::uint32_t stream) { return std::uint64_t{1} << stream % 64; }

  std::uint64_t first_ = 0;  // most sessions have no others
  std::vector<std::uint64_t> others_;
};

}  // namespace evt::view

// Puts what a window's runs gave, each in order by itself, into one order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace evt {

// Entries compare as numbers. All but their low `tie_bits` is the key; runs are in the order that equal keys shall
// have. Memory for its work is kept between calls.
class RowOrder {
 public:
  explicit RowOrder(std::size_t most) : scratch_(std::make_unique_for_overwrite<std::uint64_t[]>(most)) {}

  // `ends` has where each run ends, the last one at the number of entries; the call uses it up.
  void sort(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends, unsigned tie_bits);

 private:
  void merge(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends);
  template <unsigned kBits>
  void distribute(std::unique_ptr<std::uint64_t[]>& entries, std::size_t count, unsigned low, unsigned digits);

  std::unique_ptr<std::uint64_t[]> scratch_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace evt

// Merges the runs of a window, each of which is in order, into one order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace evt {

// Entries compare as numbers. All but their low `tie_bits` are the key; runs are in the order that equal keys must
// have. Working memory is kept between calls.
class RowOrder {
 public:
  explicit RowOrder(std::size_t most) : scratch_(std::make_unique_for_overwrite<std::uint64_t[]>(most)) {}

  // `ends` has the end of each run, the last one at the number of entries; the call overwrites it.
  void sort(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends, unsigned tie_bits);

 private:
  void merge(std::unique_ptr<std::uint64_t[]>& entries, std::vector<std::size_t>& ends);
  template <unsigned kBits>
  void distribute(std::unique_ptr<std::uint64_t[]>& entries, std::size_t count, unsigned low, unsigned digits);

  std::unique_ptr<std::uint64_t[]> scratch_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace evt

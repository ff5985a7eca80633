// Paths of names and their time as the boxes of a flame graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evt::view {

class FlameTree {
 public:
  // `outer;inner` as a folded stack has it, and the time in which nothing was inside of the innermost.
  using Stack = std::pair<std::string_view, std::uint64_t>;
  // Its own width is `sum`; that of the boxes on it is less by the time of its own.
  struct Box {
    std::string name;
    std::uint32_t depth = 0;
    std::uint64_t from = 0;
    std::uint64_t sum = 0;
    std::uint64_t self = 0;
  };

  // A box of less than 1/`parts` of the time is left out, and those on it. Inverted: the innermost is outermost.
  FlameTree(const std::vector<Stack>& stacks, bool inverted, std::uint64_t parts);

  // Each before those on it, which are in the order of their names; the first is of all. Empty: there is no time.
  const std::vector<Box>& boxes() const { return boxes_; }
  std::uint64_t total() const { return boxes_.empty() ? 0 : boxes_.front().sum; }
  std::uint32_t depth() const;
  // Its name, time and part of all time, in one line.
  std::string sentence(const Box& box) const;

 private:
  std::vector<Box> boxes_;
};

}  // namespace evt::view

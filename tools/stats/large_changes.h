// Changes beyond a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/table.h"

namespace evt::tools {

class LargeChanges {
 public:
  // In percent; without one no change is too large.
  explicit LargeChanges(std::optional<double> limit) : limit_(limit) {}

  // A change of a value of this column, in percent, infinite from 0; only counts, durations and bytes are judged.
  void take(const std::string& where, const Table::Column& column, double percent);
  bool any() const { return count_ > 0; }
  // REQUIRES: any(). `kind`: of change.
  std::string sentence(const char* kind) const;

 private:
  std::optional<double> limit_;
  std::uint64_t count_ = 0;
  double largest_ = 0;
  std::string where_;  // it is
};

}  // namespace evt::tools

// What a trace has that its writer must not write, though a reader can read it.
#pragma once

#include <evt/session.h>

#include <set>
#include <string>
#include <vector>

#include "libtrace-read/core/src/block/block.h"

namespace evt {

class BreachList {
 public:
  // Each sentence once, as a writer does the same all the time.
  void add(const Block& block, std::string reason) {
    if (all_.size() < kMost && said_.insert(reason).second) all_.push_back({block.offset, 0, std::move(reason)});
  }
  std::vector<Damage> take() { return std::move(all_); }

 private:
  static constexpr std::size_t kMost = 1000;

  std::vector<Damage> all_;
  std::set<std::string> said_;
};

}  // namespace evt

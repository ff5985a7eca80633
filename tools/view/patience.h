// Whether a long reading for an answer goes on: as long as somebody waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace evt::tools {

// One thread at a time.
class Patience {
 public:
  // Asked now and then, which may take a system call. None: somebody waits always.
  explicit Patience(std::function<bool()> is_wanted = {}) : is_wanted_(std::move(is_wanted)) {}

  // To be asked for each item that is read. When it is false once, it stays so.
  bool lasts() {
    if (++items_ % kItems == 0 && lasts_ && is_wanted_) lasts_ = is_wanted_();
    return lasts_;
  }

 private:
  static constexpr std::uint64_t kItems = 65'536;

  std::function<bool()> is_wanted_;
  std::uint64_t items_ = 0;
  bool lasts_ = true;
};

}  // namespace evt::tools

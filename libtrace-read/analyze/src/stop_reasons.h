// Why threads stop running, and what they do then.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "archive.h"

namespace evt {

// Of the threadStop events of one session. The words that tell what a thread does are those of the standard event and
// of GHC (REGISTRY.md); for any other it waits, for that. At most 4096; all others are one, `(other reasons)`.
class StopReasons {
 public:
  // An index of all(). As a rule all stops are of one type, and their reasons are small numbers.
  std::uint32_t of(const Event& stop) {
    std::uint64_t number = 0;
    const bool is_quick = &stop.type() == type_ && stop.get_number(Role::kReason, &number) && number < kQuick;
    return is_quick && quick_[number] != kUnknown ? quick_[number] : of_any(stop);
  }
  // That of a thread on which a stream collects garbage.
  std::uint32_t collection() { return add(kCollection); }
  const std::vector<StopReason>& all() const { return reasons_; }
  // What is read comes into one that has none.
  void archive(Archive& archive);

  static ThreadState state_after(std::string_view reason);
  // Whether the thread is over with it, without remembering the reason.
  static bool ends_thread(const Event& stop);
  // By which number events of the type mean that; nothing if none has it, or the reason is an interned text.
  static std::optional<std::uint64_t> ending_number(const EventType& type);

 private:
  static constexpr const char* kCollection = "garbage collection";
  static constexpr std::size_t kMax = 4096;
  static constexpr std::size_t kQuick = 32;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  std::uint32_t of_any(const Event& stop);
  std::uint32_t add(const std::string& text);
  std::uint32_t quick_of(std::optional<std::uint64_t> number, std::uint32_t index);

  std::vector<StopReason> reasons_;
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::map<std::pair<const EventType*, std::uint64_t>, std::uint32_t> known_;  // as many
  const EventType* type_ = nullptr;                                            // of the latest stop
  std::uint32_t quick_[kQuick] = {};                                           // of its numbers, as known_ has them
};

}  // namespace evt

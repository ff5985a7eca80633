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

// For the threadStop events of one session. The words that tell what a thread does are those of the standard event and
// of GHC (REGISTRY.md); any other word means that it waits for that. At most 4096; all others are one, `(other
// reasons)`.
class StopReasons {
 public:
  // An index in all(). Usually all stops have one type, and their reasons are small numbers.
  std::uint32_t of(const Event& stop) {
    std::uint64_t number = 0;
    const bool is_quick = &stop.type() == type_ && stop.get_number(Role::kReason, &number) && number < kQuick;
    return is_quick && quick_[number] != kUnknown ? quick_[number] : of_any(stop);
  }
  // The reason of a thread on which a stream collects garbage.
  std::uint32_t collection() { return add(kCollection); }
  const std::vector<StopReason>& all() const { return reasons_; }
  // Can be read only into an empty one.
  void archive(Archive& archive);

  static ThreadState state_after(std::string_view reason);
  // True if the stop ends the thread; does not remember the reason.
  static bool ends_thread(const Event& stop);
  // The number by which events of the type say so; nothing if there is none, or the reason is an interned text.
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
  std::map<std::pair<const EventType*, std::uint64_t>, std::uint32_t> known_;  // at most as many
  const EventType* type_ = nullptr;                                            // the latest stop's
  std::uint32_t quick_[kQuick] = {};                                           // known_ for its numbers
};

}  // namespace evt

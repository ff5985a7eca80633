// Finds the thread of events that name none, on streams on which threads take turns.
#pragma once

#include <evt/analysis/actors.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt::tools {

// Streams are those of one session, by their index. Memory grows with the turns that have such events.
class StreamTurns {
 public:
  // None: the event is the stream's own.
  struct Thread {
    bool is_any = false;
    std::uint32_t part = Actor::kNone;
    std::uint64_t number = 0;
    bool operator==(const Thread&) const = default;
  };

  // The next event of a session; those that name a thread are of no turn.
  void take(const RoleEvent& event, Actors& actors);
  Thread at(std::size_t stream, std::uint64_t ordinal) const;
  // There were more than are remembered: events after that are the stream's own.
  bool are_too_many() const { return turns_ > kMost; }

  static constexpr std::size_t kMost = std::size_t{1} << 22u;

 private:
  struct Turn {
    std::uint64_t first = 0;  // ordinal
    Thread thread;
  };

  std::vector<std::vector<Turn>> streams_;
  std::size_t turns_ = 0;
};

}  // namespace evt::tools

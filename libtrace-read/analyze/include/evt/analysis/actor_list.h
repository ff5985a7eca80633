// The threads, or the cpus, of a session, and which of them are remembered.
#pragma once

#include <evt/cpp20.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

class ActorTable;

struct Actor {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // The index of "(others)": actors that were folded, and those for which there is no room.
  static constexpr std::uint32_t kOthers = 65536;
  static constexpr const char* kRecorder = "evt-flusher";  // as the writer names its own thread

  std::uint64_t number = 0;    // its number in events; for a stream, its id
  std::uint32_t part = kNone;  // in a merged session, the index in Session::parts: two of them may use the same number
  bool is_stream = false;      // events do not name it: its stream stands for it
  bool has_ended = false;
  bool is_idle = false;                      // not a thread, but what cpus run when they have nothing to do
  std::string name;                          // the latest
  std::optional<std::int64_t> created_ns{};  // when a thread was created, if an event records it

  // Its name, or `WHAT NUMBER`; `#NUMBER` for a stream, because its id may be the number of another actor.
  std::string name_or_number(const char* what) const {
    if (!name.empty()) return name;
    return (is_stream ? "#" : std::string(what) + " ") + std::to_string(number);
  }
};

// Actors that are no longer remembered, and whose indexes are reused: their data moves to "(others)".
class FoldedActors {
 public:
  std::uint32_t operator()(std::uint32_t index) const { return is_gone(index) ? Actor::kOthers : index; }
  bool is_gone(std::uint32_t index) const { return index < gone_.size() && gone_[index]; }
  const std::vector<std::uint32_t>& all() const { return all_; }
  void add(std::uint32_t index);

 private:
  std::vector<bool> gone_;
  std::vector<std::uint32_t> all_;
};

// Actors by their indexes, as events have named them so far. A view of the data of Actors, valid as long as that.
class ActorList {
 public:
  explicit ActorList(const ActorTable& table) : table_(&table) {}

  const std::vector<Actor>& all() const;
  const Actor& operator[](std::uint32_t index) const { return all()[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all().size()); }
  std::uint64_t folded() const;   // so far
  std::uint64_t no_room() const;  // requests for one that found no room
  std::uint32_t most() const;     // followed at a time
  bool has_others() const { return folded() + no_room() > 0; }

 private:
  const ActorTable* table_;
};

}  // namespace evt
#pragma GCC visibility pop

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
  // The index of "(others)": those that were folded, and those for which there is no room.
  static constexpr std::uint32_t kOthers = 65536;
  static constexpr const char* kRecorder = "evt-flusher";  // as the writer names its own thread

  std::uint64_t number = 0;    // by which events name it; of a stream, its id
  std::uint32_t part = kNone;  // of a merged session, which of Session::parts: two of them may use the same number
  bool is_stream = false;      // events do not name it: their stream takes its place
  bool has_ended = false;
  bool is_idle = false;                      // no thread, but what cpus run when they have nothing to do
  std::string name;                          // the latest
  std::optional<std::int64_t> created_ns{};  // of a thread: when, if an event records that

  // Its name, or `WHAT NUMBER`; of a stream `#NUMBER`, as its id may be the number of another.
  std::string name_or_number(const char* what) const {
    if (!name.empty()) return name;
    return (is_stream ? "#" : std::string(what) + " ") + std::to_string(number);
  }
};

// Actors that are remembered no more, and whose indexes are given to others: what is known of them becomes known of
// "(others)".
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

// By their indexes, as events have named them so far. A view of what Actors hold, valid as long as they are.
class ActorList {
 public:
  explicit ActorList(const ActorTable& table) : table_(&table) {}

  const std::vector<Actor>& all() const;
  const Actor& operator[](std::uint32_t index) const { return all()[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all().size()); }
  std::uint64_t folded() const;   // so far
  std::uint64_t no_room() const;  // so often one was asked for and had none
  std::uint32_t most() const;     // that are followed at a time
  bool has_others() const { return folded() + no_room() > 0; }

 private:
  const ActorTable* table_;
};

}  // namespace evt
#pragma GCC visibility pop

// What things are called that events are about: spans, calls, reasons.
#pragma once

#include <evt/event.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Gives indexes to the names that events of one session say in fields of some role: the same text is the same name,
// whatever its kind, type and role. At most 65536 names; all others are one, `(other names)`.
class EventNames {
 public:
  explicit EventNames(const Session& session) : session_(&session), by_type_(session.types.size(), kNotAsked) {}

  // The index of the event's name, which is that of its type if the event has none.
  std::uint32_t of(const Event& event, Role role) {
    const std::uint32_t said = said_by(event, role);
    return said != kNone ? said : of_type(event.type());
  }
  // Without that; kNone if it has none. An empty text is none.
  std::uint32_t said_by(const Event& event, Role role);
  // Of a text that no event has.
  std::uint32_t of_text(std::string_view text);

  const std::string& text(std::uint32_t index) const { return texts_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  bool is_full() const { return size() > kMax; }  // some are under `(other names)`

  static constexpr std::uint32_t kNone = UINT32_MAX;

 private:
  static constexpr std::uint32_t kMax = 65536;
  static constexpr std::uint32_t kNotAsked = kNone - 1;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::uint32_t of_type(const EventType& type);
  std::uint32_t of_interned(std::uint32_t id);
  std::uint32_t of_number(const Event& event, const Field& field, std::uint64_t number);

  const Session* session_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_text_;
  std::vector<std::uint32_t> by_type_;  // by place in Session::types
  std::vector<std::uint32_t> by_id_;    // interned
  std::map<std::pair<const Field*, std::uint64_t>, std::uint32_t> by_number_;
};

}  // namespace evt
#pragma GCC visibility pop

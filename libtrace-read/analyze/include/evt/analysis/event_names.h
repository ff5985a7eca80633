// Names that events mention: of spans, calls, reasons.
#pragma once

#include <evt/event.h>
#include <evt/opaque.h>

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace evt {

class Archive;

// Gives indexes to the names that events of one session have in fields of some role: the same text is the same name,
// whatever its kind, type and role. At most 65536 names; all others are one, `(other names)`.
class EventNames {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit EventNames(const Session& session);

  // The index of the event's name; if it has none, of its type's name.
  std::uint32_t of(const Event& event, Role role);
  // Like of(), but kNone if it has none. An empty text counts as none.
  std::uint32_t said_by(const Event& event, Role role);
  // The index of a text that is not from an event.
  std::uint32_t of_text(std::string_view text);

  const std::string& text(std::uint32_t index) const;
  std::uint32_t size() const;
  bool is_full() const;  // some are under `(other names)`

  // REQUIRES: !is_full(). Can be read only into an empty one.
  void archive(Archive& archive);

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop

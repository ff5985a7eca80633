// Events of one type as an event class of CTF.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace evt {

// The part of its type that an event has. All events of a CTF class have all its fields, so events of a type that
// differ in this are of different classes.
struct EventForm {
  std::size_t fields = 0;        // number of fields, from the first on
  bool has_rest = false;         // bytes that no field describes
  bool texts_are_bytes = false;  // some text has a byte 0, which ends a string of CTF

  friend auto operator<=>(const EventForm&, const EventForm&) = default;

  static EventForm of(const Event& event);
  // The form that events should have; nothing can be found after a field of a shape without a size.
  static EventForm of(const EventType& type);
};

// Fields are aligned to bytes and little-endian, as in rows; so most of a row's bytes are copied.
class EventClass {
 public:
  EventClass(const EventType& type, const EventForm& form, std::uint32_t id);

  std::uint32_t id() const { return id_; }
  // In TSDL.
  const std::string& declaration() const { return declaration_; }
  // Number of its names that differ in CTF.
  std::uint64_t changed_names() const { return changed_names_; }

  // Appends the fields of an event of the type. Returns false if it has another form: then some of it may have been
  // appended.
  bool append(TextBuffer& out, const Event& event) const;

 private:
  enum class Step : std::uint8_t { kCopy, kText, kTextList, kInterned, kInternedList, kTicks, kTickDelta };

  Step step_of(const Field& field) const;
  std::string declared(const Field& field, const std::string& name, class TsdlNames* names) const;
  void declare(const EventType& type);
  bool append_value(TextBuffer& out, const Event& event, const Value& value, Step step) const;
  bool append_interned(TextBuffer& out, const Event& event, std::uint64_t id) const;

  EventForm form_;
  std::uint32_t id_;
  std::vector<Step> steps_;     // by field
  std::size_t fixed_size_ = 0;  // size of payloads that are copied whole; kVariable: there are others
  std::string declaration_;
  std::uint64_t changed_names_ = 0;
  static constexpr std::size_t kVariable = SIZE_MAX;
};

}  // namespace evt

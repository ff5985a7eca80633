// Events of one type as an event class of CTF.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace evt {

// What of its type an event has. A class of CTF has all its fields in each event, so events of a type that differ in
// this are of different classes.
struct EventForm {
  std::size_t fields = 0;        // how many it has, from the first on
  bool has_rest = false;         // bytes that no field describes
  bool texts_are_bytes = false;  // some text has a byte 0, which ends a string of CTF

  friend auto operator<=>(const EventForm&, const EventForm&) = default;

  static EventForm of(const Event& event);
  // Of the events as they should be; behind a field of a shape that has no size nothing can be found.
  static EventForm of(const EventType& type);
};

// Fields are aligned to bytes and little-endian, as rows have them; so most of a row's bytes are copied.
class EventClass {
 public:
  EventClass(const EventType& type, const EventForm& form, std::uint32_t id);

  std::uint32_t id() const { return id_; }
  // In TSDL.
  const std::string& declaration() const { return declaration_; }
  // How many of its names are others in CTF.
  std::uint64_t changed_names() const { return changed_names_; }

  // The fields of an event of the type. False if it is of another form: then some of it may have been appended.
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
  std::size_t fixed_size_ = 0;  // of payloads that are copied whole; kVariable: there are others
  std::string declaration_;
  std::uint64_t changed_names_ = 0;
  static constexpr std::size_t kVariable = SIZE_MAX;
};

}  // namespace evt

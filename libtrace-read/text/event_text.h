// Events as text: `field=value` pairs, the same for people and for the text form.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <string>
#include <vector>

namespace evt {

// The differences between the text form and the lines for people.
class ValueStyle {
 public:
  virtual ~ValueStyle() = default;
  // The text to show for an interned id; null: show #id.
  virtual const std::string* name_of(const Event& event, std::uint32_t id) = 0;
  // Longer text and bytes are cut after this many bytes, text at a whole character, longer sequences after this many
  // elements, and their size is shown.
  virtual std::size_t most_bytes() const { return SIZE_MAX; }
  virtual std::size_t most_elements() const { return SIZE_MAX; }
  // Numbers are shown with their meaning: scaled, and `none` for the value that means it. Otherwise as they are
  // recorded.
  virtual bool shows_meaning() const { return false; }
};

// For people: interned texts if there are any, and no more of a value than fits a screen.
class PeopleStyle : public ValueStyle {
 public:
  const std::string* name_of(const Event& event, std::uint32_t id) override { return event.session().text({id}); }
  std::size_t most_bytes() const override { return 256; }
  std::size_t most_elements() const override { return 64; }
  bool shows_meaning() const override { return true; }
};

// For people and their scripts, complete.
class WholePeopleStyle : public PeopleStyle {
 public:
  std::size_t most_bytes() const override { return SIZE_MAX; }
  std::size_t most_elements() const override { return SIZE_MAX; }
};

// Appends one value.
void append_value(TextBuffer& out, const Event& event, const Value& value, ValueStyle& style);

// Text before the value of each field of a type: ` name=`.
std::vector<CachedText> field_names(const EventType& type);
// Appends names and values, then ` +0x...` for bytes that no field describes. REQUIRES: the names are those of the
// event's type.
void append_fields(TextBuffer& out, const Event& event, const std::vector<CachedText>& names, ValueStyle& style);

}  // namespace evt

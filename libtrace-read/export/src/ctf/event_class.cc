#include "event_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "little_bytes.h"
#include "tsdl.h"

namespace evt {
namespace {

bool has_zero(std::string_view text) { return text.find('\0') != text.npos; }

// For an id without a text, makes the text that JSON uses, in `made`.
std::string_view interned_text(const Event& event, std::uint64_t id, std::string* made) {
  if (const std::string* const known = event.session().text({static_cast<std::uint32_t>(id)})) return *known;
  *made = fmt::format("#{}", id);
  return *made;
}

bool has_text_with_zero(const Event& event, const Value& value) {
  const bool is_interned = value.kind() == Kind::kInterned;
  if (value.kind() != Kind::kText && !is_interned) return false;
  bool found = false;
  std::string made;
  value.for_each([&](const Value& element) {
    const std::string_view text = is_interned ? interned_text(event, element.as_unsigned(), &made) : element.as_text();
    found = found || has_zero(text);
  });
  return found;
}

void append_string(TextBuffer& out, std::string_view text) {
  char* const to = out.room(text.size() + 1);
  std::copy(text.begin(), text.end(), to);
  to[text.size()] = '\0';
  out.end_at(to + text.size() + 1);
}

std::string enumeration(const Field& field) {
  const std::string number = fmt::format("uint{}_t", field.width * 8);
  const std::string labels = text_from([&](TextBuffer& out) {
    for (const Field::Label& label : field.labels) {
      if (label.text.empty()) continue;
      if (out.size() > 0) out += ", ";
      append_tsdl_text(out, label.text);
      fmt::format_to(std::back_inserter(out), " = {}", label.value);
    }
  });
  return labels.empty() ? number : fmt::format("enum : {} {{ {} }}", number, labels);
}

// The type of one number.
std::string number_type(const Field& field) {
  switch (field.kind) {
    case Kind::kSigned:
      return fmt::format("int{}_t", field.width * 8);
    case Kind::kFloat:
      return field.width == 4 ? "float" : "double";
    case Kind::kBool:
      return "enum : uint8_t { \"false\" = 0, \"true\" = 1 }";
    case Kind::kEnumeration:
      return enumeration(field);
    default:
      return fmt::format("uint{}_t", field.width * 8);
  }
}

// A count before a value is a separate field in CTF; this is LTTng's name for it, and readers may leave it out.
std::string sequence(const std::string& name, std::size_t count_width, std::string_view element, TsdlNames* names) {
  const std::string length = names->unused("_" + name + "_length");
  return fmt::format("uint{}_t {}; {} {}[{}];", count_width * 8, length, element, name, length);
}

bool is_number(const Field& field) {
  return field.known() && field.kind >= Kind::kUnsigned && field.kind <= Kind::kEnumeration;
}
bool is_text_like(const Field& field) {
  return field.known() && (field.kind == Kind::kText || field.kind == Kind::kInterned);
}

}  // namespace

EventForm EventForm::of(const Event& event) {
  EventForm form;
  FieldWalker walker = event.values();
  while (const std::optional<Value> value = walker.next()) {
    ++form.fields;
    form.texts_are_bytes = form.texts_are_bytes || has_text_with_zero(event, *value);
  }
  form.has_rest = !walker.rest().empty();
  return form;
}

EventForm EventForm::of(const EventType& type) {
  const auto is_sized = [](const Field& field) {
    return field.shape == Shape::kFixed || field.shape == Shape::kArray || field.shape == Shape::kList ||
           count_width(field.shape) > 0;
  };
  EventForm form;
  while (form.fields < type.fields().size() && is_sized(type.fields()[form.fields])) ++form.fields;
  form.has_rest = !type.declared() || form.fields < type.fields().size();
  return form;
}

EventClass::EventClass(const EventType& type, const EventForm& form, std::uint32_t id) : form_(form), id_(id) {
  for (std::size_t i = 0; i < form.fields; ++i) {
    const Field& field = type.fields()[i];
    steps_.push_back(step_of(field));
    const bool is_fixed = steps_.back() == Step::kCopy && field.shape == Shape::kFixed;
    fixed_size_ = is_fixed && fixed_size_ != kVariable ? fixed_size_ + field.width : kVariable;
  }
  if (form.has_rest || form.fields < type.fields().size()) fixed_size_ = kVariable;
  declare(type);
}

EventClass::Step EventClass::step_of(const Field& field) const {
  if (!field.known()) return Step::kCopy;
  switch (field.kind) {
    case Kind::kText:
      if (form_.texts_are_bytes) return Step::kCopy;
      return field.shape == Shape::kList ? Step::kTextList : Step::kText;
    case Kind::kInterned:
      return field.shape == Shape::kArray ? Step::kInternedList : Step::kInterned;
    case Kind::kTicks:
      return Step::kTicks;
    case Kind::kTickDelta:
      return Step::kTickDelta;
    default:
      return Step::kCopy;
  }
}

void EventClass::declare(const EventType& type) {
  TsdlNames names;
  std::vector<std::string> identifiers;
  for (std::size_t i = 0; i < form_.fields; ++i) identifiers.push_back(names.identifier(type.fields()[i].name));
  changed_names_ = names.changed();
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < form_.fields; ++i) {
    fields.push_back(declared(type.fields()[i], identifiers[i], &names));
  }
  if (form_.has_rest) fields.push_back(sequence(names.unused("_rest"), sizeof(std::uint32_t), "byte_t", &names));
  declaration_ = text_from([&](TextBuffer& out) {
    out += "event {\n  name = ";
    append_tsdl_text(out, type.name());
    fmt::format_to(std::back_inserter(out), ";\n  id = {};\n  stream_id = 0;\n  fields := struct {{\n", id_);
    for (const std::string& field : fields) fmt::format_to(std::back_inserter(out), "    {}\n", field);
    out += "  };\n};\n";
  });
}

std::string EventClass::declared(const Field& field, const std::string& name, TsdlNames* names) const {
  const auto counted = [&](std::size_t count_width, std::string_view element) {
    return sequence(name, count_width, element, names);
  };
  const std::string bytes = fmt::format("struct {{ byte_t bytes[{}]; }}", field.width);
  constexpr std::string_view kCountedBytes = "struct { uint16_t length; byte_t bytes[length]; }";
  constexpr std::string_view kWideBytes = "struct { uint32_t length; byte_t bytes[length]; }";
  const bool is_string = is_text_like(field) && !form_.texts_are_bytes;
  if (is_string && field.shape != Shape::kArray && field.shape != Shape::kList) return fmt::format("string {};", name);
  if (field.known() && (field.kind == Kind::kTicks || field.kind == Kind::kTickDelta)) {
    return fmt::format("int64_t {};", name);
  }
  switch (field.shape) {
    case Shape::kFixed:
      if (is_number(field)) return fmt::format("{} {};", number_type(field), name);
      if (is_text_like(field)) return counted(sizeof(std::uint32_t), "byte_t");
      return field.width == 0 ? fmt::format("struct {{ }} {};", name)
                              : fmt::format("byte_t {}[{}];", name, field.width);
    case Shape::kArray:
      if (is_number(field)) return counted(sizeof(std::uint16_t), number_type(field));
      if (is_text_like(field)) return counted(sizeof(std::uint16_t), is_string ? "string" : kWideBytes);
      return counted(sizeof(std::uint16_t), field.width == 0 ? "struct { }" : bytes);
    case Shape::kList:
      return counted(sizeof(std::uint16_t), is_string ? "string" : kCountedBytes);
    default:
      return counted(count_width(field.shape), "byte_t");
  }
}

bool EventClass::append(TextBuffer& out, const Event& event) const {
  const Bytes payload = event.payload();
  if (payload.size() == fixed_size_) {
    append_bytes(out, payload.data(), payload.size());
    return true;
  }
  FieldWalker walker = event.values();
  const auto reached = [&] { return payload.size() - walker.rest().size(); };
  std::size_t copied = 0;
  for (const Step step : steps_) {
    const std::size_t from = reached();
    const std::optional<Value> value = walker.next();
    if (!value) return false;
    if (step == Step::kCopy) continue;
    append_bytes(out, payload.data() + copied, from - copied);
    if (!append_value(out, event, *value, step)) return false;
    copied = reached();
  }
  append_bytes(out, payload.data() + copied, reached() - copied);
  if (!form_.has_rest) return walker.rest().empty();
  append_u32(out, static_cast<std::uint32_t>(walker.rest().size()));
  append_bytes(out, walker.rest().data(), walker.rest().size());
  return true;
}

bool EventClass::append_value(TextBuffer& out, const Event& event, const Value& value, Step step) const {
  if (step == Step::kText) {
    append_string(out, value.as_text());
    return !has_zero(value.as_text());
  }
  if (step == Step::kTicks || step == Step::kTickDelta) {
    const std::int64_t ns =
        step == Step::kTicks ? event.ticks_to_ns(event.ticks_in(value)) : event.delta_to_ns(value.as_signed());
    append_u64(out, static_cast<std::uint64_t>(ns));
    return true;
  }
  if (step == Step::kInterned) return append_interned(out, event, value.as_unsigned());
  append_u16(out, static_cast<std::uint16_t>(value.count()));
  bool fits = true;
  value.for_each([&](const Value& element) {
    if (step == Step::kInternedList) {
      fits = append_interned(out, event, element.as_unsigned()) && fits;
    } else {
      append_string(out, element.as_text());
      fits = fits && !has_zero(element.as_text());
    }
  });
  return fits;
}

bool EventClass::append_interned(TextBuffer& out, const Event& event, std::uint64_t id) const {
  std::string made;
  const std::string_view text = interned_text(event, id, &made);
  if (!form_.texts_are_bytes) {
    append_string(out, text);
    return !has_zero(text);
  }
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  append_bytes(out, text.data(), text.size());
  return true;
}

}  // namespace evt

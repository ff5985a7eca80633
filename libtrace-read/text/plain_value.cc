#include "plain_value.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "enum_names.h"
#include "format_number.h"
#include "text_syntax.h"
#include "utf8.h"

namespace evt {
namespace {

using Text = std::optional<std::string_view>;

Text append_float(TextBuffer& out, const Value& value, TextBuffer& made) {
  const double wide = value.as_double();
  const bool finite = std::isfinite(wide);
  TextBuffer& to = finite ? out : made;
  if (value.bytes().size() == 4) {
    // The shortest digits that mean the same in the field's own width.
    append_float(to, std::bit_cast<float>(static_cast<std::uint32_t>(value.as_unsigned())));
  } else {
    append_float(to, wide);
  }
  return finite ? Text() : made.text();
}

Text append_enumeration(TextBuffer& out, const Value& value) {
  const std::uint64_t number = value.as_unsigned();
  const Field::Label* const label = value.field().label(number);
  if (label != nullptr && !label->text.empty() && !label->shared) return label->text;
  append_number(out, number);
  return {};
}

// READ|WRITE|0x40; a value without any label is a number.
Text append_flags(TextBuffer& out, const Value& value, TextBuffer& made) {
  const std::uint64_t rest = for_each_flag(value.field(), value.as_unsigned(), [&](const std::string& label) {
    if (made.size() > 0) made += '|';
    made += label;
  });
  if (made.size() == 0) return append_enumeration(out, value);
  if (rest != 0) fmt::format_to(std::back_inserter(made), "|{:#x}", rest);
  return made.text();
}

void append_signed(TextBuffer& out, const Value& value) {
  const std::int64_t number = value.as_signed();
  if (value.field().scale == 0) return append_number(out, number);
  const auto bits = static_cast<std::uint64_t>(number);
  append_scaled(out, number < 0 ? 0 - bits : bits, number < 0, value.field().scale);
}

void append_unsigned(TextBuffer& out, const Value& value) {
  if (value.field().scale == 0) return append_number(out, value.as_unsigned());
  append_scaled(out, value.as_unsigned(), false, value.field().scale);
}

// Beyond 16 bits JSON needs two of them, a pair of surrogates as in UTF-16.
void append_json_escape(TextBuffer& out, std::uint32_t code) {
  if (code <= 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    const std::uint32_t above = code - 0x10000;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
  }
}

}  // namespace

Text append_unless_text(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made) {
  made.clear();
  switch (value.kind()) {
    case Kind::kUnsigned:
      append_unsigned(out, value);
      return {};
    case Kind::kSigned:
      append_signed(out, value);
      return {};
    case Kind::kFloat:
      return append_float(out, value, made);
    case Kind::kBool:
      if (value.as_unsigned() > 1) {
        append_number(out, value.as_unsigned());
      } else {
        out += value.as_unsigned() != 0 ? "true" : "false";
      }
      return {};
    case Kind::kEnumeration:
      return value.field().is_flags ? append_flags(out, value, made) : append_enumeration(out, value);
    case Kind::kText:
      return value.as_text();
    case Kind::kInterned: {
      const std::uint64_t id = value.as_unsigned();
      if (const std::string* const known = event.session().text({static_cast<std::uint32_t>(id)})) return *known;
      made += '#';
      append_number(made, id);
      return made.text();
    }
    case Kind::kTicks:
      append_number(out, event.ticks_to_ns(event.ticks_in(value)));
      return {};
    case Kind::kTickDelta:
      append_number(out, event.delta_to_ns(value.as_signed()));
      return {};
    default:
      append_hex(made, value.bytes().data(), value.bytes().size());
      return made.text();
  }
}

void append_json_text(TextBuffer& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    out += take_plain(&text);
    if (text.empty()) break;
    const std::string_view bytes = take_character(&text);
    const Character character = first_character(bytes);
    if (character.size == 0) {
      out += "\\ufffd";
    } else if (bytes == "\"" || bytes == "\\") {
      out += '\\';
      out += bytes;
    } else if (!is_harmless(character.code)) {
      append_json_escape(out, character.code);
    } else {
      out += bytes;
    }
  }
  out += '"';
}

void append_json_value(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made) {
  const auto append = [&](const Value& scalar) {
    if (scalar.is_absent() || !event.is_known(scalar)) {
      out += "null";
      return;
    }
    if (const auto text = append_unless_text(out, event, scalar, made)) append_json_text(out, *text);
  };
  if (!value.is_sequence()) return append(value);
  out += '[';
  const char* between = "";
  value.for_each([&](const Value& element) {
    out += between;
    between = ",";
    append(element);
  });
  out += ']';
}

}  // namespace evt

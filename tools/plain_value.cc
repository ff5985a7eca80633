#include "plain_value.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "characters.h"
#include "text_syntax.h"

namespace evt::tools {
namespace {

Plain number(std::string text) { return {std::move(text), false}; }
Plain text(std::string text) { return {std::move(text), true}; }

Plain plain_float(const Value& value) {
  const double wide = value.as_double();
  if (!std::isfinite(wide)) return text(fmt::format("{}", wide));
  // The shortest digits that mean the same in the field's own width.
  if (value.bytes().size() != 4) return number(fmt::format("{}", wide));
  return number(fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value.as_unsigned()))));
}

Plain plain_enumeration(const Value& value) {
  const std::uint64_t n = value.as_unsigned();
  const Field::Label* const label = value.field().label(n);
  const bool named = label != nullptr && !label->text.empty() && !label->shared;
  return named ? text(label->text) : number(std::to_string(n));
}

// Beyond 16 bits JSON wants two of them, a pair of surrogates as in UTF-16.
void append_json_escape(std::string& out, std::uint32_t code) {
  if (code <= 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    const std::uint32_t above = code - 0x10000;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
  }
}

}  // namespace

Plain plain_scalar(const Event& event, const Value& value) {
  switch (value.kind()) {
    case Kind::kUnsigned:
      return number(std::to_string(value.as_unsigned()));
    case Kind::kSigned:
      return number(std::to_string(value.as_signed()));
    case Kind::kFloat:
      return plain_float(value);
    case Kind::kBool:
      if (value.as_unsigned() > 1) return number(std::to_string(value.as_unsigned()));
      return number(value.as_unsigned() != 0 ? "true" : "false");
    case Kind::kEnumeration:
      return plain_enumeration(value);
    case Kind::kText:
      return text(std::string(value.as_text()));
    case Kind::kInterned: {
      const auto id = static_cast<std::uint32_t>(value.as_unsigned());
      const std::string* const known = event.session().text({id});
      return text(known != nullptr ? *known : fmt::format("#{}", id));
    }
    case Kind::kTicks:
      return number(std::to_string(event.ticks_to_ns(value.as_unsigned())));
    case Kind::kTickDelta:
      return number(std::to_string(event.delta_to_ns(value.as_signed())));
    default: {
      std::string hex;
      append_hex(hex, value.bytes().data(), value.bytes().size());
      return text(std::move(hex));
    }
  }
}

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Character character = first_character(text);
    const char c = text.front();
    if (character.size == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (!is_harmless(character.code)) {
      append_json_escape(out, character.code);
    } else {
      out += text.substr(0, character.size);
    }
    text.remove_prefix(character.size == 0 ? 1 : character.size);
  }
  out += '"';
}

void append_json_value(std::string& out, const Event& event, const Value& value) {
  const auto append = [&](const Value& scalar) {
    const Plain plain = plain_scalar(event, scalar);
    if (plain.is_text) return append_json_text(out, plain.text);
    out += plain.text;
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

}  // namespace evt::tools

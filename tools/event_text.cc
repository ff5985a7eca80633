#include "event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "characters.h"
#include "text_syntax.h"

namespace evt::tools {
namespace {

// Shortest digits that read back as the same bits; a NaN that is not the usual one shows its bits.
template <typename Float, typename Bits>
void append_float(std::string& out, Bits bits) {
  const Float value = std::bit_cast<Float>(bits);
  const bool odd_nan = std::isnan(value) && bits != std::bit_cast<Bits>(std::numeric_limits<Float>::quiet_NaN());
  if (odd_nan) {
    fmt::format_to(std::back_inserter(out), "nan:{:#x}", bits);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

// The size of what was cut, behind it.
void append_size(std::string& out, std::size_t size, const ValueStyle& style) {
  if (size > style.most_bytes()) fmt::format_to(std::back_inserter(out), "... of {} bytes", size);
}

void append_text(std::string& out, std::string_view text, const ValueStyle& style) {
  append_quoted(out, whole_characters(text, style.most_bytes()));
  append_size(out, text.size(), style);
}

void append_bytes(std::string& out, Bytes bytes, const ValueStyle& style) {
  append_hex(out, bytes.data(), std::min(bytes.size(), style.most_bytes()));
  append_size(out, bytes.size(), style);
}

void append_enumeration(std::string& out, const Value& value) {
  const std::uint64_t number = value.as_unsigned();
  const Field::Label* const label = value.field().label(number);
  // Where two values have one label, only the number tells them apart.
  if (label == nullptr || label->text.empty() || label->shared) {
    out += std::to_string(number);
  } else {
    append_word(out, label->text);
  }
}

void append_scalar(std::string& out, const Event& event, const Value& value, ValueStyle& style) {
  switch (value.kind()) {
    case Kind::kUnsigned:
      fmt::format_to(std::back_inserter(out), "{}", value.as_unsigned());
      return;
    case Kind::kSigned:
      fmt::format_to(std::back_inserter(out), "{}", value.as_signed());
      return;
    case Kind::kFloat:
      if (value.bytes().size() == 4) return append_float<float>(out, static_cast<std::uint32_t>(value.as_unsigned()));
      return append_float<double>(out, value.as_unsigned());
    case Kind::kBool:
      if (value.as_unsigned() > 1) {
        out += std::to_string(value.as_unsigned());
      } else {
        out += value.as_unsigned() != 0 ? "true" : "false";
      }
      return;
    case Kind::kEnumeration:
      return append_enumeration(out, value);
    case Kind::kText:
      return append_text(out, value.as_text(), style);
    case Kind::kInterned: {
      const auto id = static_cast<std::uint32_t>(value.as_unsigned());
      if (const std::string* const text = style.name_of(event, id)) return append_text(out, *text, style);
      out += '#';
      out += std::to_string(id);
      return;
    }
    case Kind::kTicks:
      return append_seconds(out, event.ticks_to_ns(value.as_unsigned()));
    case Kind::kTickDelta:
      return append_seconds(out, event.delta_to_ns(value.as_signed()));
    default:
      return append_bytes(out, value.bytes(), style);
  }
}

void append_value(std::string& out, const Event& event, const Value& value, ValueStyle& style) {
  if (!value.is_sequence()) return append_scalar(out, event, value, style);
  out += '[';
  const char* between = "";
  std::size_t shown = 0;
  value.for_each([&](const Value& element) {
    if (shown++ >= style.most_elements()) return;
    out += between;
    between = " ";
    append_scalar(out, event, element, style);
  });
  if (shown > style.most_elements()) fmt::format_to(std::back_inserter(out), " ... of {}", shown);
  out += ']';
}

}  // namespace

void append_fields(std::string& out, const Event& event, ValueStyle& style) {
  FieldWalker walker = event.values();
  while (const std::optional<Value> value = walker.next()) {
    out += ' ';
    append_word(out, value->field().name);
    out += '=';
    append_value(out, event, *value, style);
  }
  if (!walker.rest().empty()) {
    out += " +";
    append_bytes(out, walker.rest(), style);
  }
}

}  // namespace evt::tools

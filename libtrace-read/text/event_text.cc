#include "event_text.h"

#include <evt/text/value_text.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "enum_names.h"
#include "format_number.h"
#include "plain_value.h"
#include "text_syntax.h"
#include "utf8.h"

namespace evt {
namespace {

// Shortest digits that read back as the same bits; an unusual NaN shows its bits.
template <typename Float, typename Bits>
void append_bits(TextBuffer& out, Bits bits) {
  const Float value = std::bit_cast<Float>(bits);
  const bool odd_nan = std::isnan(value) && bits != std::bit_cast<Bits>(std::numeric_limits<Float>::quiet_NaN());
  if (odd_nan) {
    fmt::format_to(std::back_inserter(out), "nan:{:#x}", bits);
  } else {
    append_float(out, value);
  }
}

// True if a value may be shown differently than it is recorded.
bool has_meaning(const Field& field) { return field.absent.has_value() || field.scale != 0; }

// Appends the full size after a cut value.
void append_size(TextBuffer& out, std::size_t size, const ValueStyle& style) {
  if (size > style.most_bytes()) fmt::format_to(std::back_inserter(out), "... of {} bytes", size);
}

void append_text(TextBuffer& out, std::string_view text, const ValueStyle& style) {
  append_quoted(out, whole_characters(text, style.most_bytes()));
  append_size(out, text.size(), style);
}

void append_bytes(TextBuffer& out, Bytes bytes, const ValueStyle& style) {
  append_hex(out, bytes.data(), std::min(bytes.size(), style.most_bytes()));
  append_size(out, bytes.size(), style);
}

void append_label(TextBuffer& out, const Value& value) {
  const std::uint64_t number = value.as_unsigned();
  const Field::Label* const label = value.field().label(number);
  // If two values share a label, only the number distinguishes them.
  if (label == nullptr || label->text.empty() || label->shared) {
    append_number(out, number);
  } else {
    append_word(out, label->text);
  }
}

// READ|WRITE|0x40; a value without any label is a number.
void append_flags(TextBuffer& out, const Value& value) {
  const std::uint64_t number = value.as_unsigned();
  bool any = false;
  const std::uint64_t rest = for_each_flag(value.field(), number, [&](const std::string& label) {
    if (any) out += '|';
    append_word(out, label);
    any = true;
  });
  if (!any) return append_label(out, value);
  if (rest != 0) fmt::format_to(std::back_inserter(out), "|{:#x}", rest);
}

void append_scaled(TextBuffer& out, const Value& value) {
  const bool is_negative = value.kind() == Kind::kSigned && value.as_signed() < 0;
  const std::uint64_t number =
      value.kind() == Kind::kSigned ? static_cast<std::uint64_t>(value.as_signed()) : value.as_unsigned();
  append_scaled(out, is_negative ? 0 - number : number, is_negative, value.field().scale);
}

// The text form has no time before -2^62 ns, so a loss that began earlier begins there.
std::int64_t duration_of(const Event& event, const Value& value) {
  constexpr std::int64_t kBeforeStart = std::int64_t{1} << 62;
  const std::int64_t ns = event.delta_to_ns(value.as_signed());
  return event.is_lost() && event.ns() < INT64_MAX - kBeforeStart
             ? std::min(ns, std::max<std::int64_t>(event.ns() + kBeforeStart, 0))
             : ns;
}

// The text form has no word for an unknown time: its reader reports it.
void append_time(TextBuffer& out, const Event& event, const Value& value, const ValueStyle& style, std::int64_t ns) {
  if (!style.shows_meaning() || event.is_known(value)) return append_seconds(out, ns);
  out += "unknown";
}

void append_scalar(TextBuffer& out, const Event& event, const Value& value, ValueStyle& style) {
  if (has_meaning(value.field()) && style.shows_meaning()) {
    if (value.is_absent()) {
      out += "none";
      return;
    }
    if (value.field().scale != 0) return append_scaled(out, value);
  }
  switch (value.kind()) {
    case Kind::kUnsigned:
      return append_number(out, value.as_unsigned());
    case Kind::kSigned:
      return append_number(out, value.as_signed());
    case Kind::kFloat:
      if (value.bytes().size() == 4) return append_bits<float>(out, static_cast<std::uint32_t>(value.as_unsigned()));
      return append_bits<double>(out, value.as_unsigned());
    case Kind::kBool:
      if (value.as_unsigned() > 1) return append_number(out, value.as_unsigned());
      out += value.as_unsigned() != 0 ? "true" : "false";
      return;
    case Kind::kEnumeration:
      return value.field().is_flags ? append_flags(out, value) : append_label(out, value);
    case Kind::kText:
      return append_text(out, value.as_text(), style);
    case Kind::kInterned: {
      const auto id = static_cast<std::uint32_t>(value.as_unsigned());
      if (const std::string* const text = style.name_of(event, id)) return append_text(out, *text, style);
      out += '#';
      return append_number(out, std::uint64_t{id});
    }
    case Kind::kTicks:
      return append_time(out, event, value, style, event.ticks_to_ns(event.ticks_in(value)));
    case Kind::kTickDelta:
      return append_time(out, event, value, style, duration_of(event, value));
    default:
      return append_bytes(out, value.bytes(), style);
  }
}

// Any text, completely.
class WholeStyle : public ValueStyle {
 public:
  const std::string* name_of(const Event& event, std::uint32_t id) override { return event.session().text({id}); }
};

}  // namespace

void append_value(TextBuffer& out, const Event& event, const Value& value, ValueStyle& style) {
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

std::vector<CachedText> field_names(const EventType& type) {
  std::vector<CachedText> names;
  for (const Field& field : type.fields()) {
    names.emplace_back(text_from([&](TextBuffer& out) {
      out += ' ';
      append_word(out, field.name);
      out += '=';
    }));
  }
  return names;
}

void append_fields(TextBuffer& out, const Event& event, const std::vector<CachedText>& names, ValueStyle& style) {
  FieldWalker walker = event.values();
  const CachedText* name = names.data();
  while (const std::optional<Value> value = walker.next()) {
    out += *name++;
    append_value(out, event, *value, style);
  }
  if (!walker.rest().empty()) {
    out += " +";
    append_bytes(out, walker.rest(), style);
  }
}

std::string value_text(const Event& event, const Value& value) {
  WholeStyle style;
  return text_from([&](TextBuffer& out) { append_value(out, event, value, style); });
}

std::string value_json(const Event& event, const Value& value) {
  TextBuffer made;
  return text_from([&](TextBuffer& out) { append_json_value(out, event, value, made); });
}

}  // namespace evt

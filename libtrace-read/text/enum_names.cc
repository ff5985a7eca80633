#include "enum_names.h"

#include <fmt/core.h>

#include <iterator>
#include <optional>
#include <type_traits>

#include "libtrace-read/core/src/base/read_number.h"

namespace evt {
namespace {

struct Numeric {
  std::string_view prefix;
  Kind kind;
};
constexpr Numeric kNumeric[] = {
    {"u", Kind::kUnsigned}, {"i", Kind::kSigned}, {"f", Kind::kFloat}, {"enum", Kind::kEnumeration}};

// Kinds and shapes have 16 bits in a trace, widths 32.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  using Bits = std::conditional_t<sizeof(Number) < sizeof(std::uint32_t), std::uint16_t, std::uint32_t>;
  const std::optional<Bits> value = read_number<Bits>(text);
  return value ? std::optional(static_cast<Number>(*value)) : std::nullopt;
}

// The word for a kind that always has one shape and width.
std::string_view plain_name(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInterned:
      return "interned";
    case Kind::kTicks:
      return "ticks";
    case Kind::kTickDelta:
      return "tick_delta";
    case Kind::kReference:
      return "reference";
    default:
      return "";
  }
}

bool parse_generic(std::string_view name, Field* field) {
  if (!name.starts_with("kind")) return false;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return false;
  const auto kind = parse_number<Kind>(name.substr(4, colon - 4));
  std::string_view shape = name.substr(colon + 1);
  if (!kind) return false;
  field->kind = *kind;
  field->width = 0;
  const auto with_width = [&](std::string_view prefix, Shape value) {
    if (!shape.starts_with(prefix)) return false;
    const auto width = parse_number<std::uint32_t>(shape.substr(prefix.size()));
    field->shape = value;
    field->width = width.value_or(0);
    return width.has_value();
  };
  if (shape == "counted16" || shape == "counted32" || shape == "list") {
    field->shape = shape == "list" ? Shape::kList : shape == "counted16" ? Shape::kCounted16 : Shape::kCounted32;
    return true;
  }
  if (with_width("fixed", Shape::kFixed) || with_width("array", Shape::kArray)) return true;
  if (!shape.starts_with("shape")) return false;
  shape.remove_prefix(5);
  const std::size_t slash = shape.find('/');
  const auto number = parse_number<Shape>(shape.substr(0, slash));
  const auto width = slash == std::string_view::npos ? 0 : parse_number<std::uint32_t>(shape.substr(slash + 1));
  field->shape = number.value_or(Shape::kFixed);
  field->width = width.value_or(0);
  return number && width;
}

}  // namespace

std::string field_kind_name(const Field& field) {
  const char* const list = field.shape == Shape::kArray || field.shape == Shape::kList ? "[]" : "";
  if (field.known()) {
    for (const Numeric& numeric : kNumeric) {
      if (field.kind == numeric.kind) return fmt::format("{}{}{}", numeric.prefix, field.width * 8, list);
    }
    if (!plain_name(field.kind).empty()) return fmt::format("{}{}", plain_name(field.kind), list);
    if (field.shape == Shape::kFixed) return fmt::format("bytes({})", field.width);
    return fmt::format("{}{}{}", field.kind == Kind::kText ? "text" : "bytes",
                       field.shape == Shape::kCounted32 ? "32" : "", list);
  }
  const bool is_one_or_more = field.shape == Shape::kFixed || field.shape == Shape::kArray;
  if (field.kind == Kind::kReference && is_one_or_more && field.width == 4) {
    return fmt::format("{}{}", plain_name(field.kind), list);
  }
  const auto kind = static_cast<unsigned>(field.kind);
  switch (field.shape) {
    case Shape::kFixed:
      return fmt::format("kind{}:fixed{}", kind, field.width);
    case Shape::kCounted16:
      return fmt::format("kind{}:counted16", kind);
    case Shape::kCounted32:
      return fmt::format("kind{}:counted32", kind);
    case Shape::kArray:
      return fmt::format("kind{}:array{}", kind, field.width);
    case Shape::kList:
      return fmt::format("kind{}:list", kind);
  }
  return fmt::format("kind{}:shape{}/{}", kind, static_cast<unsigned>(field.shape), field.width);
}

bool parse_field_kind(std::string_view name, Field* field) {
  if (parse_generic(name, field)) return true;
  const bool sequence = name.ends_with("[]");
  if (sequence) name.remove_suffix(2);
  field->shape = sequence ? Shape::kArray : Shape::kFixed;
  for (const Kind kind : {Kind::kBool, Kind::kInterned, Kind::kTicks, Kind::kTickDelta, Kind::kReference}) {
    if (name != plain_name(kind)) continue;
    field->kind = kind;
    field->width = kind == Kind::kBool ? 1 : kind == Kind::kInterned || kind == Kind::kReference ? 4 : 8;
    return field->known() || kind == Kind::kReference;
  }
  for (const std::string_view text : {"text", "bytes"}) {
    if (!name.starts_with(text)) continue;
    field->kind = text == "text" ? Kind::kText : Kind::kBytes;
    field->width = 0;
    const std::string_view rest = name.substr(text.size());
    if (rest.starts_with('(') && rest.ends_with(')')) {
      const auto width = parse_number<std::uint32_t>(rest.substr(1, rest.size() - 2));
      field->width = width.value_or(0);
      return width && !sequence && field->known();
    }
    if (!rest.empty() && (rest != "32" || sequence)) return false;
    field->shape = sequence ? Shape::kList : rest.empty() ? Shape::kCounted16 : Shape::kCounted32;
    return true;
  }
  for (const Numeric& numeric : kNumeric) {
    if (!name.starts_with(numeric.prefix)) continue;
    const auto bits = parse_number<std::uint32_t>(name.substr(numeric.prefix.size()));
    if (!bits || *bits % 8 != 0) continue;
    field->kind = numeric.kind;
    field->width = *bits / 8;
    return field->known();
  }
  return false;
}

std::vector<std::string> role_names() {
  std::vector<std::string> names;
  for (const NamedNumber& role : named_numbers(NumberList::kRole)) names.emplace_back(role.name);
  return names;
}

std::string name_of(NumberList list, std::uint16_t number) {
  const NamedNumber* const found = named_number(list, number);
  return found != nullptr ? found->name : std::to_string(number);
}

std::string words_of(NumberList list, std::uint16_t number) {
  const NamedNumber* const found = named_number(list, number);
  return found != nullptr ? found->words : std::to_string(number);
}

}  // namespace evt

#include "names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace evt::tools {
namespace {

// As in metadata.capnp; a test holds them together.
constexpr std::string_view kRoles[] = {
    "none",           "spanBegin",     "spanEnd",    "span",          "counter",       "mark",       "threadCreate",
    "threadRunnable", "threadRun",     "threadStop", "threadWake",    "threadMigrate", "threadExit", "callBegin",
    "callEnd",        "call",          "stopped",    "thread",        "cpu",           "object",     "resource",
    "amount",         "limit",         "duration",   "value",         "message",       "name",       "reason",
    "function",       "threadName",    "objectOpen", "objectName",    "objectClose",   "gcStart",    "gcEnd",
    "gcIdle",         "gcWork",        "gcDone",     "processStart",  "program",       "arguments",  "wallClock",
    "overhead",       "sparkCreate",   "sparkDud",   "sparkOverflow", "sparkRun",      "sparkSteal", "sparkFizzle",
    "sparkCollect",   "sparkCounters", "process",    "parent",        "waker",         "toCpu",      "generation",
    "gcSync",         "gcStatistics"};
static_assert(std::size(kRoles) == EVT_ROLE_COUNT);

constexpr std::string_view kUnits[] = {"none",  "nanoseconds",   "microseconds", "milliseconds", "seconds",
                                       "bytes", "countOfThings", "percent",      "hertz",        "bytesPerSecond"};
static_assert(std::size(kUnits) == EVT_UNIT_COUNT);

struct Numeric {
  std::string_view prefix;
  Kind kind;
};
constexpr Numeric kNumeric[] = {
    {"u", Kind::kUnsigned}, {"i", Kind::kSigned}, {"f", Kind::kFloat}, {"enum", Kind::kEnumeration}};

template <typename Number, std::size_t N>
std::string name_of(const std::string_view (&names)[N], Number number) {
  const auto i = static_cast<std::size_t>(number);
  return i < N ? std::string(names[i]) : std::to_string(i);
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::uint32_t kMost = sizeof(Number) < sizeof value ? 0xFFFF : UINT32_MAX;
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > kMost) return std::nullopt;
  return static_cast<Number>(value);
}

template <typename Number, std::size_t N>
std::optional<Number> number_of(const std::string_view (&names)[N], std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found != std::end(names)) return static_cast<Number>(found - std::begin(names));
  return parse_number<Number>(name);
}

// The word of a kind that is always one shape and width.
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

std::string role_name(Role role) { return name_of(kRoles, role); }
std::optional<Role> role_of(std::string_view name) { return number_of<Role>(kRoles, name); }
std::vector<std::string> role_names() { return {std::begin(kRoles), std::end(kRoles)}; }
std::string unit_name(Unit unit) { return name_of(kUnits, unit); }
std::optional<Unit> unit_of(std::string_view name) { return number_of<Unit>(kUnits, name); }

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
  for (const Kind kind : {Kind::kBool, Kind::kInterned, Kind::kTicks, Kind::kTickDelta}) {
    if (name != plain_name(kind)) continue;
    field->kind = kind;
    field->width = kind == Kind::kBool ? 1 : kind == Kind::kInterned ? 4 : 8;
    return field->known();
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

std::span<const LossCause> loss_causes() {
  static constexpr LossCause kCauses[] = {
      {"ring_full", EVT_LOST_RING_FULL}, {"too_large", EVT_LOST_TOO_LARGE}, {"overwritten", EVT_LOST_OVERWRITTEN},
      {"reentered", EVT_LOST_REENTERED}, {"sink", EVT_LOST_SINK},           {"damage", EVT_LOST_DAMAGE}};
  return kCauses;
}

std::string clock_kind_name(std::uint8_t kind) {
  static constexpr std::string_view kClocks[] = {"unknown", "CLOCK_MONOTONIC", "TSC", "ARM counter", "other"};
  return name_of(kClocks, kind);
}

std::string ring_kind_name(std::uint16_t kind) {
  static constexpr std::string_view kRings[] = {"none", "shared memory", "private memory"};
  return name_of(kRings, kind);
}

std::string alignment_name(std::uint16_t alignment) {
  static constexpr std::string_view kAlignments[] = {"the same time", "the same clock", "the same boot",
                                                     "by UTC",        "by messages",    "by hand"};
  return name_of(kAlignments, alignment);
}

}  // namespace evt::tools

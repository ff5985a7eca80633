// Names of the format's numbers (format-spec/registry.def). All functions may be called from any thread at any time.
#pragma once

#include <evt/schema.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace evt {

struct NamedNumber {
  std::uint16_t number;
  const char* name;   // as in messages and in the text form: threadStop
  const char* words;  // for a sentence; for a role: what has it, and its meaning
};

enum class NumberList : std::uint8_t {
  kKind,
  kShape,
  kRole,
  kUnit,
  kStopReason,
  kLossCause,
  kClock,
  kRing,
  kAlignment,
  kTimeScale,
  kFactScope,
  kScope,
  kSampling,
  kStandardEvent,
};

// The words joined by `_`, like labels of enumerations: ring_full.
std::string label_of(const NamedNumber& number);

// All numbers of a list, in order.
std::span<const NamedNumber> named_numbers(NumberList list);
// One number of a list; null if it has no name.
const NamedNumber* named_number(NumberList list, std::uint16_t number);

// The name, or the number in decimal if it has none.
std::string to_string(Kind kind);
std::string to_string(Shape shape);
std::string to_string(Role role);
std::string to_string(Unit unit);
std::string to_string(Scope scope);

// The number with that name, or a decimal number; nothing for any other text.
std::optional<Role> parse_role(std::string_view text);
std::optional<Unit> parse_unit(std::string_view text);
std::optional<Scope> parse_scope(std::string_view text);

}  // namespace evt
#pragma GCC visibility pop

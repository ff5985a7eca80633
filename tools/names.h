// Names of the format's numbers in text: field kinds, roles, units, causes of loss.
#pragma once

#include <evt/value.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt::tools {

// The numbers with a name; others are written and read as numbers.
std::string role_name(Role role);
std::optional<Role> role_of(std::string_view name);
std::vector<std::string> role_names();
std::string unit_name(Unit unit);
std::optional<Unit> unit_of(std::string_view name);

// Kind, shape and width in one word: u32, f64[], text, bytes(16), kind77:counted16 ...
std::string field_kind_name(const Field& field);
// Fills in the three; false when it is no such word.
bool parse_field_kind(std::string_view name, Field* field);

// Why events were lost: EVT_LOST_*.
struct LossCause {
  std::string_view name;
  std::uint16_t number;
};
std::span<const LossCause> loss_causes();

std::string clock_kind_name(std::uint8_t kind);
std::string ring_kind_name(std::uint16_t kind);
std::string alignment_name(std::uint16_t alignment);

}  // namespace evt::tools

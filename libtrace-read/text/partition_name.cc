#include "partition_name.h"

#include <fmt/core.h>

#include <cstdint>

namespace evt {
namespace {

// 64-bit FNV-1a (by Fowler, Noll and Vo): the same on all machines, for ever.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
  return hash;
}

// Does not split an escape; no other name has this end.
std::string shortened(const std::string& name) {
  constexpr std::size_t kMost = 255;
  constexpr std::size_t kFront = 230;
  if (name.size() <= kMost) return name;
  const std::size_t escape = name.rfind('%', kFront - 1);
  const bool splits = escape != std::string::npos && escape + 3 > kFront;
  return fmt::format("{}~{:016x}", name.substr(0, splits ? escape : kFront), hash_of(name));
}

}  // namespace

std::string partition_name(std::string_view key, std::string_view value) {
  std::string name = fmt::format("{}=", key);
  if (value.empty()) return name + "__HIVE_DEFAULT_PARTITION__";
  for (const char c : value) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
    name += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return shortened(name);
}

}  // namespace evt

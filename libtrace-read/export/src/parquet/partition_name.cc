#include "partition_name.h"

#include <fmt/core.h>

#include "format-spec/src/block/crc32c.h"

namespace evt {
namespace {

// An escape is not split; no other name has what is behind the front.
std::string shortened(const std::string& name) {
  constexpr std::size_t kMost = 255;
  constexpr std::size_t kFront = 240;
  if (name.size() <= kMost) return name;
  const std::size_t escape = name.rfind('%', kFront - 1);
  const bool splits = escape != std::string::npos && escape + 3 > kFront;
  return fmt::format("{}~{:08x}", name.substr(0, splits ? escape : kFront), crc32c(0, name.data(), name.size()));
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

// How much a collector takes.
#pragma once

#include <cstdint>

namespace evt::tools {

struct CollectLimits {
  std::uint64_t session_bytes = std::uint64_t{1} << 30;
  std::uint64_t folder_bytes = std::uint64_t{16} << 30;
};

}  // namespace evt::tools

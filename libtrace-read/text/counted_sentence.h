// Sentences that count what a format cannot hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace evt {

// None for 0. Both texts follow the number.
inline void add_counted(std::uint64_t count, const char* one, const char* several,
                        std::vector<std::string>* sentences) {
  if (count > 0) sentences->push_back(std::to_string(count) + (count == 1 ? one : several));
}

}  // namespace evt

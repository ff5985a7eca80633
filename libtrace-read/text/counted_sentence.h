// Sentences about how many there are of what a format cannot hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace evt {

// None of nothing. Both have the number in front.
inline void add_counted(std::uint64_t count, const char* one, const char* several,
                        std::vector<std::string>* sentences) {
  if (count > 0) sentences->push_back(std::to_string(count) + (count == 1 ? one : several));
}

}  // namespace evt

// The executable memory of a process, from lines of /proc/PID/maps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "process_maps.h"

namespace evt::record {

// What is no such line has none.
std::vector<CodeMapping> code_in_lines(std::string_view lines);
// Empty where the process has ended.
std::vector<CodeMapping> code_of_process(std::uint32_t process);

}  // namespace evt::record

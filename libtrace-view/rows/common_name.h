// One name for several things.
#pragma once

#include <string>
#include <vector>

namespace evt::view {

// Of "thread 3", "thread 17": threads 3 to 17; of "worker 1", "worker 4": worker 1 to 4; of equal names the name, and
// how many there are; of others the first one, and how many more there are.
std::string common_name(const std::vector<std::string>& names);

}  // namespace evt::view

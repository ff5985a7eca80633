// One name for several things.
#pragma once

#include <string>
#include <vector>

namespace evt::view {

// Of "thread 3" to "thread 17", if it is all of these: threads 3 to 17; of some of them: threads 5 of 3 to 17; of a
// few: threads 3, 9, 17. Of equal names the name, and how many there are; of others the first one, and how many more
// there are.
std::string common_name(const std::vector<std::string>& names);

}  // namespace evt::view

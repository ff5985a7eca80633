// What samples of stacks lack.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace evt::tools {

// A sentence for each cause. `number_of`: what a fact with this key states (format.h); 0: there is none.
std::vector<std::string> missing_samples(const std::function<std::uint64_t(const char* key)>& number_of);

}  // namespace evt::tools

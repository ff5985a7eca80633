// Where something is looked for, seen from a time: the last that is not later, the first after it, the last before it.
#pragma once

#include <cstdint>

namespace evt::tools {

enum class FindEvent : std::uint8_t { kAt, kNext, kPrevious };

}  // namespace evt::tools

// Numbers of the fields of a profile of pprof (google/pprof, proto/profile.proto), by message.
#pragma once

#include <cstdint>

namespace evt::pprof_fields {

namespace profile {
enum : std::uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kText = 6,
  kTime = 9,
  kPeriodType = 11,
  kDefaultType = 14,
};
}
namespace value_type {
enum : std::uint32_t { kType = 1, kUnit = 2 };
}
namespace sample {
enum : std::uint32_t { kLocations = 1, kValues = 2, kLabel = 3 };
}
namespace label {
enum : std::uint32_t { kKey = 1, kText = 2, kNumber = 3 };
}
namespace mapping {
enum : std::uint32_t { kId = 1, kStart = 2, kOffset = 4, kFile = 5, kHasFunctions = 7 };
}
namespace location {
enum : std::uint32_t { kId = 1, kMapping = 2, kAddress = 3, kLine = 4 };
}
namespace line {
enum : std::uint32_t { kFunction = 1, kNumber = 2 };
}
namespace function {
enum : std::uint32_t { kId = 1, kName = 2, kSystemName = 3 };
}

}  // namespace evt::pprof_fields

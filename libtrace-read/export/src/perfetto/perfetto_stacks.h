// Stacks of samples as Perfetto's interned data: each name, module, frame and stack once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libtrace-read/export/src/picture/picture_format.h"

namespace evt {

// Memory grows with distinct stacks, as that of the session itself.
class PerfettoStacks {
 public:
  // The number of the sample's stack. Appends to `interned`, an InternedData, what it needs and no earlier one did.
  std::uint64_t number_of(const PictureSample& sample, std::string* interned);

 private:
  using Interned = std::unordered_map<std::string, std::uint64_t>;

  std::uint64_t frame(const StatedStacks::Frame& frame, std::string* interned);
  std::uint64_t mapping(const std::string& module, std::string* interned);
  static std::uint64_t text(std::string_view text, std::uint32_t kind, Interned* known, std::string* interned);

  Interned functions_;
  Interned paths_;
  Interned mappings_;    // by module
  Interned frames_;      // by function and module
  Interned callstacks_;  // by the numbers of their frames
};

}  // namespace evt

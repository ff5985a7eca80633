// The types of a trace in another format, each with a number.
#pragma once

#include <evt/describe.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {

class ImportedTypes {
 public:
  static constexpr std::size_t kMax = 60'000;

  // The number of the type, which is the same for types that are the same. Of several that differ and have one name the
  // later ones are called `name.2` and so on. 0 where there are more than kMax.
  std::uint32_t add(evt_event_type type);
  // Payloads of TYPES blocks.
  void put(const std::function<void(std::span<const std::byte>)>& put) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by the record without its number, and by names
  std::unordered_map<std::string, std::uint32_t> names_;    // how many types have it
  std::vector<std::string> records_;
};

}  // namespace evt

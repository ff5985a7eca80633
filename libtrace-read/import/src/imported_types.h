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
  static constexpr std::size_t kMaxSize = 32 << 20;  // of all records

  // The number of the type, which is the same for types that are the same. Of several that differ and have one name the
  // later ones are called `name.2` and so on. 0 where there are too many.
  std::uint32_t add(evt_event_type type);
  // Payloads of TYPES blocks.
  void put(const std::function<void(std::span<const std::byte>)>& put) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by the record without its number
  std::unordered_map<std::string, std::uint32_t> names_;    // how many types have it
  std::vector<std::string> records_;
  std::size_t size_ = 0;
};

}  // namespace evt

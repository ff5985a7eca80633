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
  static constexpr std::size_t kMaxSize = 32 << 20;  // limit for all records

  // The number of the type; equal types have equal numbers. If several different ones share a name, the later ones are
  // called `name.2` and so on. 0 if there are too many.
  std::uint32_t add(evt_event_type type);
  // Payloads of TYPES blocks.
  void put(const std::function<void(std::span<const std::byte>)>& put) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;  // keys are records without their numbers
  std::unordered_map<std::string, std::uint32_t> names_;    // number of types that have it
  std::vector<std::string> records_;
  std::size_t size_ = 0;
};

}  // namespace evt

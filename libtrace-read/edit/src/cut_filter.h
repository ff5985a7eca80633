// Which events of a session are wanted.
#pragma once

#include <evt/cut.h>

#include <cstdint>
#include <unordered_map>

#include "libtrace-read/core/src/session/session_data.h"

namespace evt {

// Asks the options once for each type. Refers to its arguments while it lives.
class CutFilter {
 public:
  CutFilter(const SessionData& data, const CutOptions& options) : data_(data), options_(options) {}

  // Of a number in a row, declared or not.
  const EventType& type_of(std::uint32_t number);
  bool wants_type(std::uint32_t number);
  // An event with these fields, at these ticks of a clock.
  bool wants(const StreamInfo& stream, std::uint32_t number, Bytes fields, std::uint64_t ticks, std::uint16_t clock);

 private:
  const SessionData& data_;
  const CutOptions& options_;
  std::unordered_map<std::uint32_t, bool> wanted_types_;
  std::unordered_map<std::uint32_t, EventType> undeclared_;
};

}  // namespace evt

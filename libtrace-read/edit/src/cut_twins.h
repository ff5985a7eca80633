// Events that began before a part of a session and go on in it: their twins, which are put at its front.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "cut_rows.h"
#include "cut_state.h"

namespace evt {

// The twin of a type has its name behind `carried.`, its fields, and when the event began. Refers to its arguments
// while it lives.
class CutTwins {
 public:
  CutTwins(UsedMetadata& words, CutRows& rows) : words_(words), rows_(rows) {}

  // At these ticks of the clock by which the event is.
  void put(std::uint32_t stream, const CutState::Open& open, std::uint64_t ticks);
  // What began on the stream before `until` is not known.
  void put_unknown(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint64_t until);

 private:
  std::uint32_t twin_of(const EventType& type);
  std::uint32_t unknown_type();

  UsedMetadata& words_;
  CutRows& rows_;
  // Of a type, or of one of its facets; null: of what is not known.
  std::unordered_map<const EventType*, std::uint32_t> twins_;
};

}  // namespace evt

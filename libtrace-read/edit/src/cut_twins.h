// Events before a part of a session that make the state at its beginning: their twins, which are put there.
#pragma once

#include <evt/event.h>

#include <cstdint>
#include <unordered_map>

#include "cut_rows.h"

namespace evt {

// The twin of a type has its name after `carried.`, its fields, and the time when the event was recorded; a twin of a
// twin is the same twin. Refers to its arguments while it lives.
class CutTwins {
 public:
  CutTwins(UsedMetadata& words, CutRows& rows) : words_(words), rows_(rows) {}

  // Puts the twin of an event at `since`: at these ticks of the same clock.
  void put(std::uint32_t stream, std::uint16_t clock, const EventType& type, Bytes payload, std::uint64_t since,
           std::uint64_t ticks);
  // Rows of the stream were lost before `until`.
  void put_unknown(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint64_t until);

 private:
  std::uint32_t twin_of(const EventType& type);
  std::uint32_t unknown_type();

  UsedMetadata& words_;
  CutRows& rows_;
  // The twin of a type; null: of unknown events.
  std::unordered_map<const EventType*, std::uint32_t> twins_;
};

}  // namespace evt

// Spans and calls that began on a stream before a cut and had not ended there.
#pragma once

#include <evt/event_type.h>

#include <vector>

#include "format-spec/src/row/row_reader.h"

namespace evt {

// Of one stream: takes its rows before the cut, in order. Types live longer than this.
class CutState {
 public:
  struct Open {
    const EventType* type;
    std::uint16_t clock;
    std::uint64_t ticks;
    std::vector<std::byte> fields;
  };

  static bool knows(const EventType& type);

  // An event of a type that it knows.
  void take(const EventType& type, std::uint16_t clock, const RowView& row);
  // Rows before this moment are not known: neither is what they began or ended.
  void forget(std::uint16_t clock, std::uint64_t ticks);

  // In the order in which they began.
  std::vector<Open> open() const;
  bool is_unknown() const { return is_unknown_; }
  std::uint16_t unknown_clock() const { return unknown_clock_; }
  std::uint64_t unknown_until() const { return unknown_until_; }

 private:
  void push(std::vector<Open>* stack, const EventType& type, std::uint16_t clock, const RowView& row);

  std::vector<Open> spans_;
  std::vector<Open> calls_;
  bool is_unknown_ = false;
  std::uint16_t unknown_clock_ = 0;
  std::uint64_t unknown_until_ = 0;
};

}  // namespace evt

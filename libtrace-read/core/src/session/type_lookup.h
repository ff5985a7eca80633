// Type numbers of rows -> event types, including those that a trace does not declare.
#pragma once

#include <evt/session.h>

#include <deque>
#include <memory>
#include <unordered_map>

#include "session_builder.h"

namespace evt {

// Refers to the index while it lives.
class TypeLookup {
 public:
  explicit TypeLookup(const TypeIndex& declared);

  // The reader's own types for losses, intentional steps in time, and ends.
  const EventType* lost() const { return &lost_; }
  const EventType* jump() const { return &jump_; }
  const EventType* end() const { return &end_; }

  const EventType* find(std::uint32_t number) {
    const EventType* const type = declared_.find(number);
    return type != nullptr ? type : unknown(number);
  }
  // Discards types that find() made only for this window.
  void forget_strays() { strays_.clear(); }

 private:
  const EventType* unknown(std::uint32_t number);

  const TypeIndex& declared_;
  EventType lost_{"!lost", 0};
  EventType jump_{"!jump", 0};
  EventType end_{"!end", 0};
  std::unordered_map<std::uint32_t, std::unique_ptr<EventType>> unknown_;
  std::deque<EventType> strays_;
};

}  // namespace evt

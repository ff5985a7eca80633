// Times from events of some types to the next ones of others.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. A pair is an event that begins it and the next one with the same key that
// ends it: several that wait for the same end are a pair each. An event of a type that both begins and ends pairs does
// both, first the end. Memory grows with the events that wait for their end, up to kMostWaiting, and with the range of
// lengths.
class EventPairs {
 public:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

  struct Options {
    std::function<bool(const EventType&)> begins;
    std::function<bool(const EventType&)> ends;
    std::optional<std::string> field;  // whose values are the key; without one as Key has it
    std::size_t longest = 0;           // number of those listed
  };
  // The first that all of these types have: a field of role flow, one of role spanId, or else the event's thread. Ids
  // are compared within their scope (FORMAT.md, section 8.2), values of other fields in the whole session.
  enum class Key : std::uint8_t { kField, kFlow, kSpanId, kThread };
  struct Pair {
    std::uint64_t ns = 0;
    std::int64_t began_ns = 0;
    std::string key;  // the value of the field, as text; empty for kThread
    std::uint32_t from_thread = Actor::kNone;
    std::uint32_t to_thread = Actor::kNone;
    std::uint64_t order = 0;  // in which they ended
  };
  struct Counts {
    Histogram lengths;
    std::uint64_t without_end = 0;    // begun and not ended in the range
    std::uint64_t without_begin = 0;  // ends that none waited for
    std::uint64_t uncertain = 0;      // part of lengths: events were lost meanwhile
    std::uint64_t not_followed = 0;   // part of without_end: more than kMostWaiting waited
  };

  // The session of the actors, and they, must outlive it and its copies.
  EventPairs(Actors& actors, const Options& options);

  static ItemKinds items() { return {ItemKind::kRow, ItemKind::kLost, ItemKind::kFold}; }
  void take(const TimelineItem& item);
  // Counts only pairs that begin from this moment on.
  void restart();
  // Counts anew; a pair that has begun counts when it ends.
  void begin_stretch();

  Counts counts() const;
  // The longest first; of those that are equal the earliest.
  std::vector<Pair> longest() const;
  Key key() const;
  bool has_begins() const;  // the session has such types
  bool has_ends() const;
  // Such types that lack the field: their events are not counted.
  const std::vector<const EventType*>& without_field() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop

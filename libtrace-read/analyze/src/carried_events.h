// Events that a cut carries from before its range: the twins at its first moment, converted to their originals.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "libtrace-read/core/src/event/kept_event.h"

namespace evt {

// For one session. A twin becomes an event of its original type, at the time when that was recorded, if the session
// declares the type; else one of the twin's own type. Those of all streams come in the order in which they were
// recorded. Twins elsewhere are skipped: a trace that was merged from cuts does not state the ranges of its parts.
class CarriedEvents {
 public:
  // A session that is a cut with a first moment may contain some.
  static bool may_be_in(const Session& session);

  // Reads the first moment of a session of the trace, without those that were recorded up to `known_ns`.
  void read(Trace& trace, const Session& session, std::int64_t known_ns);
  // Some are in the session, at its first moment or elsewhere.
  bool are_any() const { return are_any_; }
  // The next; null after the last.
  const Event* first() const { return next_ < events_.size() ? &events_[next_]->event() : nullptr; }
  void pop() { ++next_; }
  // Not an event, but a loss of rows of its stream up to then.
  static bool is_loss(const Event& event) { return event.type().meaning().twin_of == event.type().name(); }
  static MissingRows loss_of(const Event& event);
  // True for an event of the session that is one of them, so that nothing happened at its time.
  bool has(const Event& event) const { return are_any() && !event.type().meaning().twin_of.empty(); }

 private:
  using Kept = std::unique_ptr<KeptEvent>;

  void keep(const Event& twin);
  const EventType& original_of(const EventType& twin);
  void put_in_order();

  const Session* session_ = nullptr;
  bool are_any_ = false;
  std::map<const EventType*, const EventType*> originals_;
  std::map<const StreamInfo*, std::deque<Kept>> streams_;
  std::vector<Kept> events_;
  std::size_t next_ = 0;
};

}  // namespace evt

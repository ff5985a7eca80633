// An event that outlives its block.
#pragma once

#include <evt/event.h>

#include <vector>

namespace evt {

// A copy, with its fields; other data that it refers to lives as long as the trace.
class KeptEvent {
 public:
  explicit KeptEvent(const Event& event) : KeptEvent(event, event.type(), event.ticks()) {}
  // A copy with another type, recorded at another time.
  KeptEvent(const Event& event, const EventType& type, std::uint64_t ticks)
      : fields_(event.payload().begin(), event.payload().end()), row_(*event.row_), piece_(event.piece()) {
    piece_.ordinal = event.ordinal();
    row_.payload = fields_.data();
    row_.type = &type;
    row_.ticks = ticks;
    row_.piece = 0;
    event_.row_ = event_.rows_ = &row_;
    event_.pieces_ = &piece_;
    event_.session_ = event.session_;
    event_.status_ = &status_;
  }
  KeptEvent(const KeptEvent&) = delete;
  KeptEvent& operator=(const KeptEvent&) = delete;

  const Event& event() const { return event_; }
  // The clock that its time is from.
  const ClockMap& clock() const { return *piece_.clock; }

 private:
  std::vector<std::byte> fields_;
  rows::Row row_;
  rows::Piece piece_;
  Status status_;
  Event event_;
};

}  // namespace evt

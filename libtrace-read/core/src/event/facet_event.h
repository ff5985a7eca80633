// An event seen as one of its type's facets.
#pragma once

#include <evt/event.h>

namespace evt {

// Holds everything that the event refers to, except its payload; valid as long as that.
class FacetEvent {
 public:
  // `type`: one of the facet types of the event's type.
  const Event& of(const Event& event, const EventType& type) {
    row_ = *event.row_;
    piece_ = event.piece();
    piece_.ordinal = event.ordinal();
    row_.type = &type;
    row_.piece = 0;
    event_.row_ = event_.rows_ = &row_;
    event_.pieces_ = &piece_;
    event_.session_ = event.session_;
    event_.status_ = event.status_;
    return event_;
  }

 private:
  rows::Row row_;
  rows::Piece piece_;
  Event event_;
};

}  // namespace evt

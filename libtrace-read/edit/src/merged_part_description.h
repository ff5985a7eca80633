// What became of a merged session, as the encoder takes it.
#pragma once

#include <evt/describe.h>
#include <evt/session.h>

#include <algorithm>

namespace evt {

// Refers to its name.
inline evt_merged_part to_message(const MergedPart& part) {
  evt_merged_part message = {};
  std::copy(part.origin.begin(), part.origin.end(), message.origin);
  message.name = part.name.c_str();
  message.first_stream = part.first_stream;
  message.stream_count = part.stream_count;
  message.alignment = part.alignment;
  message.ended = part.ended ? 1 : 0;
  message.offset_ns = part.offset_ns;
  message.drift_ps = part.drift_ps;
  message.pivot_ns = part.pivot_ns;
  message.bound_ns = part.bound_ns;
  return message;
}

}  // namespace evt

// The stream on which a runtime describes its state again when a segment begins: evt_options.on_segment.
#pragma once

#include "recording.h"

namespace evt {

// Used by the flusher's thread.
class StateStream {
 public:
  explicit StateStream(Recording& recording) : recording_(recording) {}

  // Called by open. `writer`: what the function is given.
  void choose(const evt_options& options, evt_writer* writer);
  // The program describes its state by itself in the segments that have begun so far.
  void begin(std::uint64_t segments) { segments_ = segments; }
  // Lets the program describe its state, if another segment has begun and the session's lock is free.
  void record(std::uint64_t segments);
  bool is_of(const StreamState& stream) const { return &stream == stream_; }

 private:
  bool open();

  Recording& recording_;
  void (*on_segment_)(void* context, evt_writer* writer, evt_stream* stream) = nullptr;
  void* context_ = nullptr;
  evt_writer* writer_ = nullptr;
  StreamState* stream_ = nullptr;
  std::uint64_t segments_ = 0;  // in which the state is described
};

}  // namespace evt

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
  // A segment has begun.
  void begin_segment() { is_due_ = on_segment_ != nullptr; }
  // Lets the program describe its state, if that is due and the session's lock is free.
  void record();
  bool is_of(const StreamState& stream) const { return &stream == stream_; }

 private:
  bool open();

  Recording& recording_;
  void (*on_segment_)(void* context, evt_writer* writer, evt_stream* stream) = nullptr;
  void* context_ = nullptr;
  evt_writer* writer_ = nullptr;
  StreamState* stream_ = nullptr;
  bool is_due_ = false;
};

}  // namespace evt

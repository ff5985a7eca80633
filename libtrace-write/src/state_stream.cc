#include "state_stream.h"

#include "backend.h"

namespace evt {

void StateStream::choose(const evt_options& options, evt_writer* writer) {
  writer_ = writer;
  on_segment_ = options.on_segment;
  context_ = options.on_segment_context;
}

void StateStream::record(std::uint64_t segments) {
  if (segments == segments_ || on_segment_ == nullptr || recording_.is_closing() || !open()) return;
  segments_ = segments;
  on_segment_(context_, writer_, &stream_->hot);
  const Busy busy(*stream_);
  if (!busy.nested() && !is_off(*stream_)) recording_.backend().begin_block(*stream_);
}

bool StateStream::open() {
  if (stream_ != nullptr) return true;
  const Lock lock = Lock::try_to(recording_);
  if (!lock.held()) return false;
  evt_stream_info info = {};
  info.name = "state at a segment's start";
  evt_error ignored;
  stream_ = open_stream(recording_, info, false, &ignored);
  if (stream_ == nullptr) on_segment_ = nullptr;  // no memory
  return stream_ != nullptr;
}

}  // namespace evt

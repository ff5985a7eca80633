#include "open_stream.h"

#include <stdlib.h>
#include <string.h>

#include "backend.h"

namespace evt {
namespace {

bool make_known(Recording& recording, const evt_stream_info& info, evt_error* error) {
  Buffer& records = recording.metadata().streams();
  const std::size_t before = records.size();
  append_stream_record(records, info);
  if (!records.ok()) records.truncate(before);
  if (records.ok() && recording.backend().publish_metadata()) return true;
  set_error(error, EVT_CODE_MEMORY, "no memory for the description of stream %u", info.id);
  return false;
}

// False when there is no memory.
bool begin(Recording& recording, StreamState& stream, const evt_stream_info& info, bool of_thread) {
  char* const name = info.name != nullptr ? strdup(info.name) : nullptr;
  if (name == nullptr && info.name != nullptr) return false;
  stream.id = info.id;
  stream.thread = info.thread;
  stream.process = info.process;
  stream.of_thread = of_thread;
  stream.users = 1;
  stream.hot.clock = recording.clock().kind();
  stream.clock_id = recording.epochs().place();
  if (!recording.backend().begin_stream(stream)) {
    free(name);
    return false;
  }
  stream.name = name;
  stream.losses->id = info.id;
  stream.losses->in_use = 1;
  stream.losses->lost_clock_id = recording.epochs().current();
  stream.recording = &recording;
  recording.streams().add(stream);
  return true;
}

}  // namespace

StreamState* open_stream(Recording& recording, const evt_stream_info& info, bool of_thread, evt_error* error) {
  if (!recording.usable() || recording.is_closing()) {
    set_error(error, EVT_CODE_CLOSED, "the session has ended");
    return nullptr;
  }
  evt_stream_info named = info;
  if (!recording.streams().take_id(info.id, &named.id, error) || !make_known(recording, named, error)) return nullptr;
  StreamState* const stream = recording.streams().make();
  if (stream != nullptr && begin(recording, *stream, named, of_thread)) return stream;
  set_error(error, EVT_CODE_MEMORY, "no memory for a stream of %u bytes", recording.buffer_size());
  return nullptr;
}

}  // namespace evt

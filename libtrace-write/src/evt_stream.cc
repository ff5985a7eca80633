// Part of <evt/evt.h>: how producers open, flush and seal their streams.
#include <evt/evt_copy.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "evt_writer.h"

using evt::state_of;
using evt::StreamState;

namespace {

// Stands for a stream that could not be opened: records nothing, whichever thread uses it. It is busy, so that no
// thread becomes its producer.
alignas(64) constinit StreamState off_stream = [] {
  StreamState stream = {};
  stream.hot.busy = 1;
  return stream;
}();

evt_stream* open_stream(evt_writer* writer, const evt_stream_info* info, bool of_thread, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (writer == nullptr || info == nullptr || !writer->ours()) return &off_stream.hot;
  StreamState* stream = nullptr;
  {
    const evt::Lock lock(*writer);
    stream = evt::open_stream(*writer, *info, of_thread, error);
  }
  // The program need not check this error: close returns it.
  if (error->code == EVT_CODE_MEMORY) writer->note_lack_of_memory();
  return stream == nullptr ? &off_stream.hot : &stream->hot;
}

bool is_usable(const StreamState& stream) { return stream.recording != nullptr && stream.recording->ours(); }

// False in a signal handler that interrupted the producer in the middle of an event.
bool seal(StreamState& stream) {
  const evt::Busy busy(stream);
  if (!busy.nested()) stream.recording->backend().seal(stream);
  return !busy.nested();
}

}  // namespace

// Other destructors of the thread may still record: its stream is sealed in the last round but one of them.
void evt::seal_thread_stream(void* stream) {
  StreamState& state = *static_cast<StreamState*>(stream);
  constexpr int kRounds = 3;
  if (state.recording != nullptr && ++state.destructor_rounds < kRounds &&
      state.recording->set_stream_of_thread(stream)) {
    return;
  }
  if (!is_usable(state)) return;
  __atomic_store_n(&state.thread_ended, true, __ATOMIC_RELAXED);
  evt_row_abandon(&state.hot);
  if (seal(state)) state.recording->streams().release(state);
}

evt_stream* evt_stream_open_as_1(evt_writer* writer, const evt_stream_info* info, const evt_sizes_* sizes,
                                 evt_error* error) {
  evt::GivenStructs structs(*sizes);
  evt_stream* const stream = open_stream(writer, structs.stream(info), false, error);
  if (structs.lacks_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "no memory for the description of a stream");
    if (writer != nullptr && writer->ours()) writer->note_lack_of_memory();
  }
  if (writer != nullptr && writer->ours()) writer->report(structs);
  return stream;
}

evt_stream* evt_stream_open(evt_writer* writer, const char* name) {
  evt_stream_info info = {};
  info.name = name;
  return open_stream(writer, &info, false, nullptr);
}

uint32_t evt_stream_id(const evt_stream* stream) { return state_of(const_cast<evt_stream*>(stream))->id; }

void evt_stream_flush(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (!busy.nested()) state.recording->backend().flush(state);
}

void evt_stream_jump(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested() || evt::is_off(state) || !state.recording->backend().begin_block(state)) return;
  state.jump_pending = true;
  evt::want_slow_path(state);
}

void evt_stream_lost(evt_stream* stream, uint16_t cause, uint64_t count, uint64_t first_ticks, uint64_t last_ticks) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested() || evt::is_off(state)) return;
  evt::count_lost(state, evt::known_cause(cause), count, first_ticks, last_ticks);
  // Without room it is recorded when there is room again.
  const bool has_room = evt::room_in(state) >= EVT_ROW_ROOM_;
  if (!has_room && !state.recording->backend().get_room(state, EVT_ROW_ROOM_)) return;
  if (cause == evt::known_cause(cause)) {
    evt::record_losses(state);
  } else {
    evt::append_lost_row(state, cause, count, first_ticks, last_ticks);
  }
  // A loss of zero events writes no row, so the next event records the jump.
  if (state.jump_pending) evt::want_slow_path(state);
}

void evt_stream_end(evt_stream* stream, uint64_t ticks) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested() || evt::is_off(state)) return;
  const bool has_room = evt::room_in(state) >= EVT_ROW_ROOM_;
  if (!has_room && !state.recording->backend().get_room(state, EVT_ROW_ROOM_)) return;
  evt::record_losses(state);
  state.recording->backend().record_tracing(state, ticks);
  state.tracing = {};  // without room for it, it is not recorded: nothing follows the end
  evt::append_end_row(state, ticks);
}

void evt_stream_seal(evt_stream* stream) {
  if (is_usable(*state_of(stream))) seal(*state_of(stream));
}

void evt_stream_close(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  evt_row_abandon(stream);
  if (seal(state) && !state.of_thread) state.recording->streams().release(state);
}

evt_stream* evt_this_thread(evt_writer* writer) {
  if (writer == nullptr || !writer->ours()) return &off_stream.hot;
  {
    const evt::Lock lock(*writer);
    // Keys are few, and gone after close.
    if (!writer->usable()) return &off_stream.hot;
    if (!writer->has_thread_key()) {
      writer->note_lack_of_key();
      return &off_stream.hot;
    }
  }
  evt_stream* stream = writer->stream_of_thread();
  if (stream != nullptr) return stream;
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  evt_stream_info info = {};
  info.name = name;
  info.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  info.process = static_cast<std::uint64_t>(getpid());
  stream = open_stream(writer, &info, true, nullptr);
  const evt::Lock lock(*writer);
  if (state_of(stream)->recording != nullptr && writer->has_thread_key()) writer->set_stream_of_thread(stream);
  return stream;
}

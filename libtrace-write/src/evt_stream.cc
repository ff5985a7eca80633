// What producers do with their streams: open, flush, seal them. Their states are in stream_state.cc, where their rows
// go in slots.cc and flush.cc, the slow half of emitting in emit.cc.
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recording.h"

using evt::state_of;
using evt::StreamState;

namespace {

// A stream that cannot be had: records nothing, whoever uses it. It is busy, so that nobody becomes its producer.
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
  StreamState* const stream = evt::add_stream(writer, *info, of_thread, error);
  // Whoever has the stream that records nothing need not ask: close says it.
  if (error->code == EVT_CODE_MEMORY) __atomic_store_n(&writer->lacked_memory, true, __ATOMIC_RELAXED);
  return stream == nullptr ? &off_stream.hot : &stream->hot;
}

bool is_usable(const StreamState& stream) { return stream.writer != nullptr && stream.writer->ours(); }

void seal_inline(StreamState& stream) {
  const evt::Lock lock(*stream.writer);
  if (stream.slot == nullptr) return;
  evt::flush_locked(stream, evt::Row::kNone);
  __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
  evt::free_slot(stream.slot);
  stream.slot = nullptr;
}

// The last slot of a thread tells the flusher that nobody has its stream any more; one that is empty will do.
void seal_ring(StreamState& stream, bool thread_ended) {
  if (stream.sealed || evt::is_off(stream)) return;
  stream.sealed = true;
  __atomic_fetch_sub(&stream.writer->open_streams, 1, __ATOMIC_RELAXED);
  if (stream.slot == nullptr) {
    if (evt::SlotState* const slot = evt::take_slot(stream, 0)) evt::begin_slot(stream, slot);
  }
  if (stream.slot != nullptr) evt::tell_losses(stream);
  __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
  evt::hand_over(stream, thread_ended);
}

void seal(StreamState& stream, bool thread_ended) {
  if (!is_usable(stream)) return;
  const evt::Busy busy(stream);
  if (busy.nested()) return;
  if (stream.writer->has_flusher()) {
    seal_ring(stream, thread_ended);
  } else {
    seal_inline(stream);
  }
}

}  // namespace

// Other destructors of the thread may still record: its stream is sealed in the last round but one of them.
void evt::seal_thread_stream(void* stream) {
  StreamState& state = *static_cast<StreamState*>(stream);
  constexpr int kRounds = 3;
  if (state.writer != nullptr && ++state.destructor_rounds < kRounds &&
      pthread_setspecific(state.writer->thread_stream, stream) == 0) {
    return;
  }
  seal(state, true);
}

evt_stream* evt_stream_open_as(evt_writer* writer, const evt_stream_info* info, evt_error* error) {
  return open_stream(writer, info, false, error);
}

evt_stream* evt_stream_open(evt_writer* writer, const char* name) {
  evt_stream_info info = {};
  info.name = name;
  return open_stream(writer, &info, false, nullptr);
}

void evt_stream_flush(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested()) return;
  if (!state.writer->has_flusher()) {
    evt::flush(state, evt::Row::kNone);
    if (state.jump_pending) evt::want_slow_path(state);
    return;
  }
  if (evt::is_off(state)) return;
  if (state.slot != nullptr) evt::tell_losses(state);
  if (state.slot != nullptr && *state.hot.commit != 0) evt::hand_over(state, false);
  evt::wait_until_written(state);
}

void evt_stream_jump(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested() || evt::is_off(state)) return;
  if (state.writer->has_flusher()) {
    if (state.slot != nullptr) evt::tell_losses(state);
    evt::hand_over(state, false);
  } else if (!evt::flush(state, evt::Row::kNone)) {
    return;
  }
  state.jump_pending = true;
  evt::want_slow_path(state);
}

void evt_stream_lost(evt_stream* stream, uint16_t cause, uint64_t count, uint64_t ticks) {
  StreamState& state = *state_of(stream);
  if (!is_usable(state)) return;
  const evt::Busy busy(state);
  if (busy.nested() || evt::is_off(state)) return;
  __atomic_fetch_add(&state.losses->lost[evt::known_cause(cause)], count, __ATOMIC_RELAXED);
  __atomic_store_n(&state.losses->lost_ticks, ticks, __ATOMIC_RELAXED);
  if (evt::room_in(state) < EVT_ROW_ROOM_) {
    // Without room it is told when there is some.
    if (state.writer->has_flusher() ? !evt::get_slot(state, EVT_ROW_ROOM_, true)
                                    : !evt::flush(state, evt::Row::kNone)) {
      return;
    }
  }
  if (cause == evt::known_cause(cause)) {
    evt::tell_losses(state);
  } else {
    evt::append_lost_row(state, cause, count, ticks);
  }
  // A loss of no event writes no row, so the next event has to say it.
  if (state.jump_pending) evt::want_slow_path(state);
}

void evt_stream_seal(evt_stream* stream) { seal(*state_of(stream), false); }

evt_stream* evt_this_thread(evt_writer* writer) {
  if (writer == nullptr) return &off_stream.hot;
  if (!writer->ours()) return &off_stream.hot;
  {
    const evt::Lock lock(*writer);
    // Keys are few, and gone after close.
    if (!writer->usable() || !writer->has_thread_stream) return &off_stream.hot;
  }
  auto* stream = static_cast<evt_stream*>(pthread_getspecific(writer->thread_stream));
  if (stream != nullptr) return stream;
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  evt_stream_info info = {};
  info.name = name;
  info.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  info.process = static_cast<std::uint64_t>(getpid());
  stream = open_stream(writer, &info, true, nullptr);
  const evt::Lock lock(*writer);
  if (state_of(stream)->writer != nullptr && writer->has_thread_stream) {
    pthread_setspecific(writer->thread_stream, stream);
  }
  return stream;
}

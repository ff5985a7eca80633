// Streams: made, used and sealed by their producers. Where their rows go is in slots.cc and flush.cc, the slow half of
// emitting in emit.cc.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "writer.h"

namespace evt {
namespace {

// A stream that cannot be had: records nothing, whoever uses it. It is busy, so that nobody becomes its producer.
alignas(64) constinit StreamState off_stream = [] {
  StreamState stream = {};
  stream.hot.busy = 1;
  return stream;
}();

// States come from pages that a fork child finds empty, however it was made: there every stream is off, at no cost.
// REQUIRES: the lock held.
StreamState* new_state(evt_writer& writer) {
  constexpr std::size_t kPages = 64 << 10;
  if (writer.states_left == 0) {
    void* const pages = mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    madvise(pages, kPages, MADV_WIPEONFORK);  // where it is not known, getpid() tells in time
    writer.next_state = static_cast<StreamState*>(pages);
    writer.states_left = kPages / sizeof(StreamState);
  }
  --writer.states_left;
  return writer.next_state++;
}

bool thread_is_gone(const StreamState& state) {
  // Its last store to the state; what it did before is seen then.
  if (__atomic_load_n(&state.hot.busy, __ATOMIC_ACQUIRE) != 0) return false;
  return syscall(SYS_tgkill, getpid(), static_cast<pid_t>(state.thread), 0) != 0 && errno == ESRCH;
}

// The state of a stream that was sealed as its thread ended, and whose rows have all been written. The thread may still
// have its last steps before it: only one that is gone cannot use its handle any more. REQUIRES: the lock held.
StreamState* retired_state(evt_writer& writer) {
  for (StreamState* s = __atomic_exchange_n(&writer.retired, nullptr, __ATOMIC_ACQUIRE); s != nullptr;) {
    StreamState* const next = s->next_retired;
    s->next_retired = writer.reusable;
    writer.reusable = s;
    s = next;
  }
  StreamState** place = &writer.reusable;
  constexpr int kMostAsked = 8;
  for (int i = 0; i < kMostAsked && *place != nullptr && !thread_is_gone(**place); ++i) place = &(*place)->next_retired;
  StreamState* const state = *place;
  if (state == nullptr || !thread_is_gone(*state)) return nullptr;
  *place = state->next_retired;
  ring::StreamRecord& losses = *state->losses;
  for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
    writer.lost_with_streams[cause] += losses.lost[cause];
    losses.lost[cause] = losses.told[cause] = 0;
  }
  losses.next_ordinal = losses.lost_ticks = 0;
  writer.texts_cut_with_streams += state->texts_cut;
  free(state->name);
  StreamState fresh = {};
  fresh.next = state->next;
  fresh.losses = state->losses;
  *state = fresh;
  return state;
}

// Without a flusher each stream has one slot, in memory of its own.
SlotState* new_slot(std::uint32_t capacity) {
  const std::size_t front = ring::round_up(sizeof(SlotState), 64);
  const std::size_t size = front + sizeof(ring::Slot) + capacity + EVT_ALIGNMENT;
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, size) != 0) return nullptr;
  memset(memory, 0, size);  // touched now, so that the hot path meets no page fault
  auto* const slot = static_cast<SlotState*>(memory);
  slot->memory = reinterpret_cast<ring::Slot*>(static_cast<std::uint8_t*>(memory) + front);
  slot->rows = reinterpret_cast<std::uint8_t*>(slot->memory + 1);
  slot->capacity = capacity;
  return slot;
}

bool check_id(const evt_writer& writer, const evt_stream_info& info, evt_error* error) {
  bool taken = info.id != 0 && writer.streams_used_again && info.id < writer.next_stream_id;
  for (const StreamState* other = writer.streams; other != nullptr && !taken && info.id != 0; other = other->next) {
    taken = other->id == info.id;
  }
  if (taken) set_error(error, EVT_CODE_INVALID, "stream %u exists already", info.id);
  return !taken;
}

bool make_known(evt_writer& writer, const evt_stream_info& info, evt_error* error) {
  Buffer& records = writer.metadata.streams();
  const std::size_t before = records.size();
  append_stream_record(records, info);
  if (!records.ok()) records.truncate(before);
  if (records.ok() && writer.publish_metadata()) return true;
  set_error(error, EVT_CODE_MEMORY, "no memory for the description of stream %u", info.id);
  return false;
}

}  // namespace

StreamState* add_stream(evt_writer* writer, const evt_stream_info& info, bool of_thread, evt_error* error) {
  const Lock lock(*writer);
  if (!writer->usable() || writer->is_closing()) {
    set_error(error, EVT_CODE_CLOSED, "the session has ended");
    return nullptr;
  }
  evt_stream_info named = info;
  if (!check_id(*writer, info, error)) return nullptr;
  if (named.id == 0) named.id = writer->next_stream_id;
  // Behind the largest, but for the last number of all, behind which there is none. A number is used up even if nothing
  // comes of it: its description may be on its way.
  if (named.id >= writer->next_stream_id && named.id != UINT32_MAX) writer->next_stream_id = named.id + 1;
  if (!make_known(*writer, named, error)) return nullptr;
  StreamState* stream = of_thread ? retired_state(*writer) : nullptr;
  const bool used_again = stream != nullptr;
  if (!used_again) stream = new_state(*writer);
  SlotState* const slot = writer->has_flusher() ? nullptr : new_slot(writer->buffer_size);
  if (stream == nullptr || (slot == nullptr && !writer->has_flusher())) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a stream of %u bytes", writer->buffer_size);
    return nullptr;
  }
  stream->id = named.id;
  stream->name = named.name != nullptr ? strdup(named.name) : nullptr;
  stream->thread = named.thread;
  stream->process = named.process;
  stream->of_thread = of_thread;
  stream->hot.clock = writer->clock.kind();
  if (stream->losses == nullptr && writer->has_flusher()) stream->losses = writer->ring.take_record();
  if (stream->losses == nullptr) stream->losses = &stream->own_losses;
  stream->losses->id = named.id;
  stream->losses->in_use = 1;
  stream->writer = writer;
  __atomic_fetch_add(&writer->open_streams, 1, __ATOMIC_RELAXED);
  if (slot != nullptr) {
    begin_slot(*stream, slot);
  } else {
    stream->hot.limit = stream->hot.cursor = no_slot();  // the first event asks for one
  }
  if (used_again) {
    writer->streams_used_again = true;
  } else {
    stream->next = writer->streams;
    __atomic_store_n(&writer->streams, stream, __ATOMIC_RELEASE);
  }
  return stream;
}

}  // namespace evt

using evt::state_of;
using evt::StreamState;

namespace {

evt_stream* open_stream(evt_writer* writer, const evt_stream_info* info, bool of_thread, evt_error* error) {
  if (error != nullptr) *error = {EVT_OK, ""};
  if (writer == nullptr || info == nullptr || !writer->ours()) return &evt::off_stream.hot;
  StreamState* const stream = evt::add_stream(writer, *info, of_thread, error);
  return stream == nullptr ? &evt::off_stream.hot : &stream->hot;
}

bool is_usable(const StreamState& stream) { return stream.writer != nullptr && stream.writer->ours(); }

void seal_inline(StreamState& stream) {
  const evt::Lock lock(*stream.writer);
  if (stream.slot == nullptr) return;
  evt::flush_locked(stream, evt::Row::kNone);
  __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
  free(stream.slot);
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
  if (cause == evt::known_cause(cause)) return evt::tell_losses(state);
  evt::append_lost_row(state, cause, count, ticks);
}

void evt_stream_seal(evt_stream* stream) { seal(*state_of(stream), false); }

evt_stream* evt_this_thread(evt_writer* writer) {
  if (writer == nullptr) return &evt::off_stream.hot;
  if (!writer->ours()) return &evt::off_stream.hot;
  {
    const evt::Lock lock(*writer);
    // Keys are few, and gone after close.
    if (!writer->usable() || !writer->has_thread_stream) return &evt::off_stream.hot;
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

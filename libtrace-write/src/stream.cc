// Streams: made, used and sealed by their producers. How rows leave them is in flush.cc, the slow half of emitting in
// emit.cc.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "writer.h"

namespace evt {
namespace {

bool append_stream(evt_writer& writer, const evt_stream_info& info) {
  Buffer& records = writer.metadata.streams();
  const std::size_t before = records.size();
  append_stream_record(records, info);
  if (!records.ok()) records.truncate(before);
  return records.ok();
}
bool is_on(const StreamState& stream) { return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) != nullptr; }

// A stream that cannot be had: records nothing, whoever uses it.
alignas(64) StreamState off_stream;

// Keeps the producer's own signal handlers from emitting while it works on its buffer.
class Busy {
 public:
  explicit Busy(StreamState& stream) : busy_(stream.hot.busy) {
    __atomic_store_n(&busy_, 1, __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
  }
  ~Busy() {
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&busy_, 0, __ATOMIC_RELEASE);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::uint8_t& busy_;
};

}  // namespace

void seal_thread_stream(void* stream) { evt_stream_seal(static_cast<evt_stream*>(stream)); }

StreamState* add_stream(evt_writer* writer, const evt_stream_info& info, evt_error* error) {
  const std::uint32_t capacity = writer->buffer_size;
  void* memory = nullptr;
  void* block = nullptr;
  const std::size_t block_size = EVT_EVENTS_HEADER_SIZE + std::size_t{capacity} + EVT_ALIGNMENT;
  if (posix_memalign(&memory, alignof(StreamState), sizeof(StreamState)) != 0 ||
      posix_memalign(&block, alignof(StreamState), block_size) != 0) {
    free(memory);
    set_error(error, EVT_CODE_MEMORY, "no memory for a stream of %u bytes", capacity);
    return nullptr;
  }
  memset(memory, 0, sizeof(StreamState));
  memset(block, 0, block_size);  // touched now, so that the hot path meets no page fault
  auto* const stream = static_cast<StreamState*>(memory);

  const Lock lock(*writer);
  evt_stream_info named = info;
  bool refused = !writer->usable() || writer->closing;
  if (refused) set_error(error, EVT_CODE_CLOSED, "the session has ended");
  for (const StreamState* other = writer->streams; other != nullptr && !refused && info.id != 0; other = other->next) {
    refused = other->id == info.id;
    if (refused) set_error(error, EVT_CODE_INVALID, "stream %u exists already", info.id);
  }
  if (named.id == 0) named.id = writer->next_stream_id;
  if (!refused && !append_stream(*writer, named)) {
    refused = true;
    set_error(error, EVT_CODE_MEMORY, "no memory for the description of stream %u", named.id);
  }
  if (refused) {
    free(block);
    free(memory);
    return nullptr;
  }
  // Behind the largest, but for the last number of all, behind which there is none.
  if (named.id >= writer->next_stream_id && named.id != UINT32_MAX) writer->next_stream_id = named.id + 1;

  stream->writer = writer;
  stream->id = named.id;
  stream->block = static_cast<std::uint8_t*>(block);
  stream->capacity = capacity;
  stream->hot.clock = writer->clock.kind();
  stream->hot.cursor = stream->rows();
  stream->hot.limit = stream->rows() + capacity - kLostRoom;
  stream->next = writer->streams;
  writer->streams = stream;
  return stream;
}

}  // namespace evt

using evt::state_of;
using evt::StreamState;

evt_stream* evt_stream_open_as(evt_writer* writer, const evt_stream_info* info, evt_error* error) {
  if (error != nullptr) *error = {EVT_OK, ""};
  if (writer == nullptr || info == nullptr || !writer->ours()) return &evt::off_stream.hot;
  StreamState* const stream = evt::add_stream(writer, *info, error);
  return stream == nullptr ? &evt::off_stream.hot : &stream->hot;
}

evt_stream* evt_stream_open(evt_writer* writer, const char* name) {
  evt_stream_info info = {};
  info.name = name;
  return evt_stream_open_as(writer, &info, nullptr);
}

void evt_stream_flush(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (state.writer == nullptr) return;
  const evt::Busy busy(state);
  evt::flush(state, evt::Row::kNone);
}

void evt_stream_jump(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (state.writer == nullptr) return;
  const evt::Busy busy(state);
  if (!state.writer->ours() || evt::Lock::held_by_this_thread()) return;
  const evt::Lock lock(*state.writer);
  // The word stands first in its block, so that readers find it without walking rows.
  const bool emptied = evt::flush_locked(state, evt::Row::kNone) && evt::is_on(state);
  if (emptied) evt::put_time_base(state, state.hot.base, EVT_TIME_BASE_JUMP);
}

void evt_stream_lost(evt_stream* stream, uint16_t cause, uint64_t count, uint64_t ticks) {
  StreamState& state = *state_of(stream);
  if (state.writer == nullptr) return;
  if (!state.writer->ours()) return;
  const evt::Busy busy(state);
  const evt::Lock lock(*state.writer);
  if (!evt::is_on(state)) return;
  const bool full = state.rows() + state.capacity - state.hot.cursor < EVT_ROW_ROOM_ + static_cast<int>(evt::kLostRoom);
  if (full && !evt::flush_locked(state, evt::Row::kNone)) return;
  evt::append_lost_row(state, cause, count, ticks);
}

void evt_stream_seal(evt_stream* stream) {
  StreamState& state = *state_of(stream);
  if (state.writer == nullptr) return;
  if (!state.writer->ours()) return;
  const evt::Busy busy(state);
  const evt::Lock lock(*state.writer);
  if (state.block == nullptr) return;
  evt::flush_locked(state, evt::Row::kNone);
  __atomic_store_n(&state.hot.limit, nullptr, __ATOMIC_RELAXED);
  free(state.block);
  state.block = nullptr;
}

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
  pthread_getname_np(pthread_self(), name, sizeof name);
  evt_stream_info info = {};
  info.name = name;
  info.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  info.process = static_cast<std::uint64_t>(getpid());
  stream = evt_stream_open_as(writer, &info, nullptr);
  if (state_of(stream)->writer != nullptr) pthread_setspecific(writer->thread_stream, stream);
  return stream;
}

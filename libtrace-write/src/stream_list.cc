// The states of streams: made, used again, added to their session.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recording.h"
#include "stream_state.h"

namespace evt {
namespace {

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

// A larger one is mapped: what a stream gives back would be cut up by what is small and stays for ever.
constexpr std::size_t kMostAllocated = 16 << 10;

// Zeros, touched now, so that the hot path meets no page fault.
void* slot_memory(std::size_t size) {
  if (size > kMostAllocated) {
    void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
  }
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, size) != 0) return nullptr;
  return memset(memory, 0, size);
}

// Without a flusher each stream has one slot, in memory of its own.
SlotState* new_slot(std::uint32_t capacity) {
  const std::size_t front = ring::round_up(sizeof(SlotState), 64);
  const std::size_t size = front + sizeof(ring::Slot) + capacity + EVT_ALIGNMENT;
  void* const memory = slot_memory(size);
  if (memory == nullptr) return nullptr;
  auto* const slot = static_cast<SlotState*>(memory);
  slot->memory = reinterpret_cast<ring::Slot*>(static_cast<std::uint8_t*>(memory) + front);
  slot->rows = reinterpret_cast<std::uint8_t*>(slot->memory + 1);
  slot->capacity = capacity;
  slot->mapped = size > kMostAllocated ? size : 0;
  return slot;
}

bool check_id(const evt_writer& writer, const evt_stream_info& info, evt_error* error) {
  if (info.id >= writer.next_stream_id && info.id != UINT32_MAX) return true;  // behind all of them
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

void free_slot(SlotState* slot) {
  if (slot != nullptr && slot->mapped != 0) {
    munmap(slot, slot->mapped);
  } else {
    free(slot);
  }
}

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
  char* const name = named.name != nullptr ? strdup(named.name) : nullptr;
  const bool has_name = name != nullptr || named.name == nullptr;
  if (stream == nullptr || !has_name || (slot == nullptr && !writer->has_flusher())) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a stream of %u bytes", writer->buffer_size);
    free_slot(slot);
    free(name);
    return nullptr;
  }
  stream->id = named.id;
  stream->name = name;
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

#include "inline_backend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "producers.h"
#include "row_in_progress.h"

namespace evt {
namespace {

// Larger buffers are mapped: on the heap, small long-lived allocations would fragment what streams release.
constexpr std::size_t kMaxAllocated = 16 << 10;

constexpr std::size_t kMaxWaitingFacts = 256 << 10;  // bytes

// Zeroed now, so that the hot path meets no page fault.
void* slot_memory(std::size_t size) {
  if (size > kMaxAllocated) {
    void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
  }
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, size) != 0) return nullptr;
  return memset(memory, 0, size);
}

SlotState* new_slot(std::uint32_t capacity) {
  const std::size_t front = ring::round_up(sizeof(SlotState), 64);
  const std::size_t size = front + sizeof(ring::Slot) + capacity + EVT_ALIGNMENT;
  void* const memory = slot_memory(size);
  if (memory == nullptr) return nullptr;
  auto* const slot = static_cast<SlotState*>(memory);
  slot->memory = reinterpret_cast<ring::Slot*>(static_cast<std::uint8_t*>(memory) + front);
  slot->rows = reinterpret_cast<std::uint8_t*>(slot->memory + 1);
  slot->capacity = capacity;
  slot->mapped = size > kMaxAllocated ? size : 0;
  return slot;
}

void free_slot(SlotState* slot) {
  if (slot->mapped != 0) {
    munmap(slot, slot->mapped);
  } else {
    free(slot);
  }
}

// Reports a write that failed under the lock after the lock is released. Made before the lock.
class ErrorReport {
 public:
  explicit ErrorReport(Recording& recording) : recording_(recording) {}
  ~ErrorReport() { recording_.report_error(); }
  ErrorReport(const ErrorReport&) = delete;
  ErrorReport& operator=(const ErrorReport&) = delete;

 private:
  Recording& recording_;
};

}  // namespace

bool InlineBackend::begin_stream(StreamState& stream) {
  SlotState* const slot = new_slot(recording_.buffer_size());
  if (slot == nullptr) return false;
  if (stream.losses == nullptr) stream.losses = &stream.own_losses;
  begin_slot(stream, slot);
  return true;
}

// Types and texts stay in memory anyway. Replaced facts do not, and a program may state them for ever without an event.
bool InlineBackend::publish_metadata() {
  if (!recording_.usable() || recording_.metadata().facts().size() < kMaxWaitingFacts) return true;
  return recording_.metadata().write_pending(recording_.output());
}

bool InlineBackend::repeat_metadata() {
  Buffer all;
  recording_.gather_metadata(all);
  return recording_.write_metadata(all);
}

bool InlineBackend::prepare_block() {
  BlockOutput& output = recording_.output();
  ClockEpochs& epochs = recording_.epochs();
  if (epochs.has_stepped()) {
    if (!recording_.add_next_clock()) return output.no_memory(EVT_CLOCK_FIXED_SIZE);
    epochs.start_next();
  }
  if (output.repeat_is_due() && !repeat_metadata()) return false;
  return recording_.metadata().write_pending(output) && recording_.write_sync_if_due();
}

bool InlineBackend::write_rows(SlotState& slot) {
  const std::uint64_t commit = slot.committed();
  if (commit == slot.flushed()) return true;
  if (!prepare_block()) return false;
  const ClockEpochs& epochs = recording_.epochs();
  if (epochs.is_past(slot)) {  // rows from before a step of the clock, then the rest
    const std::uint64_t end = epochs.end_of_past(slot, commit);
    if (end != slot.flushed() && !recording_.rows().write(slot, end)) return false;
    slot.set_clock_id(epochs.current());
  }
  return commit == slot.flushed() || recording_.rows().write(slot, commit);
}

bool InlineBackend::write_slot_locked(StreamState& stream, Row row) {
  if (stream.slot == nullptr) return false;
  SlotState& slot = *stream.slot;
  const bool usable = recording_.usable();
  if (usable && row == Row::kNone) record_losses(stream);
  if (!usable || !write_rows(slot)) {
    switch_off(stream);
    if (recording_.output().failed()) RowOutput::give_up(slot);
    return false;
  }
  stream.next_ordinal += ring::rows_of(slot.committed());
  begin_slot(stream, &slot);
  return !is_off(stream);
}

bool InlineBackend::write_slot(StreamState& stream, Row row) {
  if (!recording_.ours()) {
    switch_off(stream);
    return false;
  }
  if (Lock::held_by_this_thread()) {
    count_lost(stream, EVT_LOST_REENTERED, evt_now(&stream.hot));
    return false;
  }
  const ErrorReport report(recording_);
  WriterEvents& events = recording_.writer_events();
  const std::uint64_t begin = monotonic_ns();
  const Lock lock(recording_);
  if (events.are_wanted()) declare_writer_events(recording_);
  const bool written = write_slot_locked(stream, row);
  events.add(stream, monotonic_ns() - begin);
  return written;
}

bool InlineBackend::make_room(StreamState& stream, std::size_t, std::uint64_t ticks) {
  if (write_slot(stream, Row::kNone)) {
    recording_.writer_events().record(stream, WriterEvents::kWriting, ticks);
    return true;
  }
  if (recording_.output().failed()) count_lost(stream, EVT_LOST_SINK, ticks);
  return false;
}

bool InlineBackend::get_room(StreamState& stream, std::size_t) { return write_slot(stream, Row::kNone); }

void InlineBackend::flush(StreamState& stream) {
  write_slot(stream, Row::kNone);
  if (stream.jump_pending) want_slow_path(stream);
}

bool InlineBackend::begin_block(StreamState& stream) { return write_slot(stream, Row::kNone); }

// Earlier rows are written, and the row moves to the front of the slot.
Moved InlineBackend::move_row(StreamState& stream, evt_row* row, std::size_t payload, std::size_t room,
                              std::uint64_t ticks) {
  if (room > stream.slot->capacity - kLostRoom) return Moved::kNoRoom;
  if (!write_slot(stream, Row::kInProgress)) {
    if (recording_.output().failed()) count_lost(stream, EVT_LOST_SINK, ticks);
    return Moved::kNo;
  }
  put_at_front(stream, row, payload, ticks);
  return row->end != nullptr ? Moved::kYes : Moved::kNo;
}

// Losses are recorded after the row: they came after it had begun.
void InlineBackend::write_overflow(StreamState& stream, evt_row row, std::size_t payload, std::uint64_t ticks) {
  if (Lock::held_by_this_thread()) return count_lost(stream, EVT_LOST_REENTERED, ticks);
  const ErrorReport report(recording_);
  const Lock lock(recording_);
  take_back_jump(stream);
  if (write_slot_locked(stream, Row::kInProgress)) {
    const bool written = write_rows(slot_of_overflow(stream, row, payload, ticks));
    empty_slot(stream, *stream.slot);
    if (written) {
      write_slot_locked(stream, Row::kNone);
      return;
    }
  }
  if (recording_.output().failed()) count_lost(stream, EVT_LOST_SINK, ticks);
}

void InlineBackend::seal(StreamState& stream) {
  const ErrorReport report(recording_);
  const Lock lock(recording_);
  if (stream.slot == nullptr) return;
  const bool written = write_slot_locked(stream, Row::kNone);
  // Signal handlers came meanwhile.
  if (written && has_unrecorded_losses(stream)) write_slot_locked(stream, Row::kNone);
  free_slot(stream.slot);
  stream.slot = nullptr;
  switch_off(stream);  // until then they are counted
  recording_.take_losses(stream);
}

void InlineBackend::close_stream(StreamState& stream) {
  const bool idle = wait_until_idle(stream, kWaitForInline);
  const ErrorReport report(recording_);
  const Lock lock(recording_);
  if (stream.slot == nullptr) return;
  write_slot_locked(stream, idle ? Row::kNone : Row::kInProgress);
  if (idle) {
    free_slot(stream.slot);
    stream.slot = nullptr;
  } else {  // its producer may still write there
    write_losses_beside(stream);
    stream.slot->next = left_behind_;
    left_behind_ = stream.slot;
  }
}

// For a stream with an unfinished event that will never be finished.
void InlineBackend::write_losses_beside(StreamState& stream) {
  recording_.note_unfinished(stream, blame_unfinished_event(stream));
  if (!has_unrecorded_losses(stream) || !recording_.usable()) return;
  SlotState* const slot = new_slot(Ring::kSmallestSlot);
  if (slot == nullptr) return;
  record_losses_beside(stream, *slot);
  write_rows(*slot);
  free_slot(slot);
}

void InlineBackend::close(bool with_end) {
  const StreamList& streams = recording_.streams();
  // Twice, for producers that were about to get an empty buffer.
  switch_off_producers(recording_);
  for (const StreamState* s = streams.first(); s != nullptr; s = s->next) wait_until_idle(*s, kWaitForRing);
  switch_off_producers(recording_);
  for (StreamState* s = streams.first(); s != nullptr; s = s->next) close_stream(*s);
  const ErrorReport report(recording_);
  const Lock lock(recording_);
  if (recording_.usable()) {
    recording_.write_last_words(
        with_end, [this] { return prepare_block(); }, [this] { return repeat_metadata(); });
  }
  recording_.note_closed();  // a producer that stopped in the middle of an event must write nothing after the end
}

}  // namespace evt

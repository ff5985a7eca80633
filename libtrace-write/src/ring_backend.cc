#include "ring_backend.h"

#include <errno.h>
#include <time.h>

#include "producers.h"
#include "quiet_signals.h"
#include "row_in_progress.h"

namespace evt {
namespace {

constexpr int kPublishTries = 1000;  // a millisecond each
// The flusher gets this much time to make room, or to enlarge the ring, before a producer enlarges it.
constexpr std::uint64_t kFlusherFirstMs = 10;
// How long one producer waits while another one makes the ring larger: for a few MiB of memory, on a busy machine.
constexpr std::uint64_t kMaxForGrowthMs = 1'000;
// A thread may fill eight slots while one is compressed, and twenty while the flusher waits for its turn.
constexpr std::uint32_t kKeptWhenCompacting = 4;

// Longer each time: a thousand waiting threads must leave the flusher some time to work.
void pause_briefly(int times_before) {
  const timespec pause = {0, 50'000L << (times_before < 6 ? times_before : 6)};
  nanosleep(&pause, nullptr);
}

unsigned class_for(std::size_t room) {
  unsigned size_class = 0;
  while (size_class + 1 < Ring::kClasses && (Ring::kSmallestSlot << size_class) - sizeof(ring::Slot) < room) {
    ++size_class;
  }
  return size_class;
}

}  // namespace

// --- Slots.

SlotState* RingBackend::take_slot(StreamState& stream, std::size_t room) {
  const std::size_t wanted = room + kLostRoom;
  const unsigned needed = class_for(wanted);
  SlotState* const slot = ring_.take(stream.size_class > needed ? stream.size_class : needed);
  if (slot == nullptr || slot->capacity >= wanted) return slot;
  ring_.give(slot);  // all remaining ones are too small
  return nullptr;
}

// Not while the flusher itself waits: for space, or for the caller.
bool RingBackend::may_wait() const {
  const BlockOutput& output = recording_.output();
  const bool is_written = !output.failed() && !output.stalled() && !flusher_.has_ended();
  return is_written && !recording_.is_closing() && !flusher_.is_this_thread();
}

// Waits at most so long for `done()`; false if it has not become true.
template <typename Done>
bool RingBackend::wait_for(std::uint64_t max_ms, Done done) {
  const std::uint64_t begin = monotonic_ns();
  for (int i = 0; !done(); ++i) {
    if (!may_wait() || (monotonic_ns() - begin) / 1'000'000 >= max_ms) return false;
    if (i % 4 == 0) flusher_.wake(true);
    pause_briefly(i);
  }
  return true;
}

// Gets a slot of memory that is added to the ring; null if it may not grow any more. The flusher adds some in advance,
// if it is scheduled and does not wait for its sink. Any signal handler: signals are blocked meanwhile, so that no
// handler waits for the thread that it interrupted.
SlotState* RingBackend::slot_of_growth(StreamState& stream, std::size_t room) {
  const unsigned least = class_for(room + kLostRoom);
  const unsigned size_class = stream.size_class > least ? stream.size_class : least;
  const int saved = errno;
  const std::uint64_t begin = monotonic_ns();
  SlotState* slot = nullptr;
  bool had_turn = false;
  for (int i = 0; !had_turn && !recording_.is_closing() && !recording_.output().failed(); ++i) {
    // Signal handlers may have used all that time before the first attempt, which is made nevertheless.
    if (i > 0 && (monotonic_ns() - begin) / 1'000'000 >= kMaxForGrowthMs) break;
    if (i > 0 && flusher_.is_this_thread()) break;
    if (i > 0) pause_briefly(i);
    const Uninterrupted uninterrupted;
    if (!ring_.try_begin_growth()) continue;
    had_turn = true;
    // Others may have made room, or take it, meanwhile.
    do slot = take_slot(stream, room);
    while (slot == nullptr && ring_.grow_for(size_class, least));
    ring_.end_growth();
  }
  errno = saved;
  return slot;
}

// Slots on their way to the file come back soon, and are warm: the ring grows only if there are none, or after waiting
// for them in vain. If it cannot grow, it takes the slots of idle streams.
SlotState* RingBackend::wait_for_slot(StreamState& stream, std::size_t room) {
  if (recording_.drops()) ring_.call_for_idle_slots();
  if (recording_.drops() || stream.has_waited) return nullptr;
  SlotState* slot = nullptr;
  const auto has_slot = [&] { return (slot = take_slot(stream, room)) != nullptr; };
  const auto has_idle_slot = [&] {
    ring_.call_for_idle_slots();
    return has_slot();
  };
  const std::uint64_t wait_ms = recording_.wait_ms();
  const std::uint64_t first = wait_ms < kFlusherFirstMs ? wait_ms : kFlusherFirstMs;
  const std::uint64_t begin = monotonic_ns();
  const bool flusher_first = ring_.has_in_flight();
  if (!flusher_first || !wait_for(first, has_slot)) slot = slot_of_growth(stream, room);
  if (slot == nullptr) wait_for(flusher_first ? wait_ms - first : wait_ms, has_idle_slot);
  recording_.writer_events().add(stream, monotonic_ns() - begin);
  return slot;
}

// The stream's next slot is larger, if the ring has room for it. With ten thousand threads, or a small ring, a slot is
// never so large that there are too few for all.
void RingBackend::grow_next_slot(StreamState& stream) {
  const std::uint64_t next = std::uint64_t{Ring::kSmallestSlot} << (stream.size_class + 1);
  const std::uint64_t streams = recording_.streams().open_count();
  if (stream.size_class + 1u < Ring::kClasses && next * streams * 2 <= ring_.capacity()) ++stream.size_class;
  if (!recording_.drops() && ring_.lacks(stream.size_class)) add_lacking_slots(stream.size_class);
}

// Else the stream would go on with small slots as long as they come back in time: a block, and a write, for each.
void RingBackend::add_lacking_slots(unsigned size_class) {
  const int saved = errno;
  const Uninterrupted uninterrupted;
  if (ring_.try_begin_growth()) {
    ring_.add_lacking(size_class);
    ring_.end_growth();
  }
  errno = saved;
}

void RingBackend::hand_over(SlotState* slot) {
  ring_.hand_over(slot);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // the flusher looks for slots after it has noted that it sleeps
  flusher_.wake(false);
}

// Hands the current slot to the flusher.
void RingBackend::hand_over(StreamState& stream) {
  SlotState* const slot = detach_slot(stream);
  if (slot == nullptr) return;
  want_slow_path(stream);
  hand_over(slot);
}

bool RingBackend::wait_for_own_blocks(const StreamState& stream) {
  return wait_for(recording_.drops() ? 0 : recording_.wait_ms(),
                  [&] { return __atomic_load_n(&stream.own_blocks_in_flight, __ATOMIC_ACQUIRE) == 0; });
}

// --- Of producers.

bool RingBackend::begin_stream(StreamState& stream) {
  if (stream.losses == nullptr) stream.losses = ring_.take_record();
  if (stream.losses == nullptr) stream.losses = &stream.own_losses;
  stream.hot.limit = stream.hot.cursor = no_slot();  // the first event asks for one
  return true;
}

bool RingBackend::get_room(StreamState& stream, std::size_t room) {
  if (stream.slot != nullptr) {
    record_losses(stream);
    grow_next_slot(stream);
    hand_over(stream);
  }
  SlotState* slot = take_slot(stream, room);
  if (slot == nullptr) slot = wait_for_slot(stream, room);
  if (slot == nullptr) return false;
  begin_slot(stream, slot);
  // A jump is the first row of its slot: losses before it are recorded at the end.
  if (!stream.jump_pending) record_losses(stream);
  return !is_off(stream);
}

bool RingBackend::make_room(StreamState& stream, std::size_t room, std::uint64_t ticks) {
  if (get_room(stream, room)) {
    recording_.writer_events().record(stream, WriterEvents::kWaiting, ticks);
    return true;
  }
  stream.has_waited = true;
  if (!recording_.is_closing()) {
    count_lost(stream, recording_.output().failed() ? EVT_LOST_SINK : EVT_LOST_RING_FULL, ticks);
  }
  return false;
}

// The slot with the earlier rows is handed over.
Moved RingBackend::move_row(StreamState& stream, evt_row* row, std::size_t payload, std::size_t room,
                            std::uint64_t ticks) {
  SlotState* const slot = take_slot(stream, room);
  if (slot == nullptr) return Moved::kNoRoom;
  SlotState* const full = stream.slot;
  take_back_jump(stream);
  grow_next_slot(stream);
  __atomic_store_n(&stream.next_ordinal, full->memory->first_ordinal + ring::rows_of(full->committed()),
                   __ATOMIC_RELAXED);
  begin_slot(stream, slot);
  record_losses_before(stream, ticks);
  put_at_front(stream, row, payload, ticks);
  hand_over(full);
  return row->end != nullptr ? Moved::kYes : Moved::kNo;
}

// For an event that found no large enough slot when it grew, and may find one now.
bool RingBackend::put_into_slot(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks) {
  const std::size_t room = slot_room(payload);
  if (room == 0) return false;
  SlotState* const slot = take_slot(stream, room);
  if (slot == nullptr) return false;
  take_back_jump(stream);
  record_losses_before(stream, ticks);
  hand_over(stream);
  begin_slot(stream, slot);
  put_at_front(stream, row, payload, ticks);
  finish_row(stream, *row);
  return true;
}

// Hands the overflow over as a slot, and waits until it is in the file: until then a kill would lose it.
void RingBackend::write_overflow(StreamState& stream, evt_row row, std::size_t payload, std::uint64_t ticks) {
  if (put_into_slot(stream, &row, payload, ticks)) return;
  if (!wait_for_own_blocks(stream)) return count_lost(stream, EVT_LOST_RING_FULL, ticks);
  take_back_jump(stream);
  record_losses_before(stream, ticks);
  hand_over(stream);
  SlotState& slot = slot_of_overflow(stream, row, payload, ticks);
  stream.overflow = nullptr;  // the flusher's
  stream.overflow_size = 0;
  hand_over(&slot);
  wait_for_own_blocks(stream);
}

void RingBackend::flush(StreamState& stream) {
  if (is_off(stream)) return;
  if (stream.slot != nullptr) record_losses(stream);
  if (stream.slot != nullptr && *stream.hot.commit != 0) hand_over(stream);
  if (flusher_.has_ended()) return write_all();
  wait_for(UINT64_MAX, [&] { return __atomic_load_n(&stream.users, __ATOMIC_ACQUIRE) == 1; });
}

bool RingBackend::begin_block(StreamState& stream) {
  if (stream.slot != nullptr) record_losses(stream);
  hand_over(stream);
  return true;
}

void RingBackend::record_tracing(StreamState& stream, std::uint64_t ticks) {
  recording_.writer_events().record(stream, WriterEvents::kWaiting, ticks, true);
}

void RingBackend::seal(StreamState& stream) {
  if (stream.sealed || is_off(stream)) return;
  stream.sealed = true;
  recording_.streams().count_sealed();
  record_last(stream);
  switch_off(stream);
  recording_.take_losses(stream);
  hand_over(stream);
}

// --- Session.

bool RingBackend::open(const char* folder, const char* name, std::uint64_t max_size, bool compacts) {
  if (compacts) ring_.keep_more_free(kKeptWhenCompacting);
  const BlockOutput& output = recording_.output();
  Buffer front;
  recording_.metadata().append_front(front, output.session_id());
  errno = ENOMEM;
  return front.ok() && ring_.open(folder, name, front, output.session_id(), max_size);
}

bool RingBackend::publish_metadata() {
  if (recording_.is_closed()) return true;
  MetadataLog& metadata = recording_.metadata();
  const BlockOutput& output = recording_.output();
  const int tries = flusher_.is_this_thread() ? 0 : kPublishTries;
  for (int i = 0; !metadata.publish(ring_, output.session_id()); ++i) {
    if (i == tries || output.failed() || metadata.lacks_memory()) return false;
    flusher_.wake(true);
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

bool RingBackend::make_thread() {
  prepare_barriers();
  return flusher_.make_thread();
}

void RingBackend::start() {
  recording_.output().try_again(true);
  flusher_.start();
}

void RingBackend::set_output() {
  const Sink& sink = recording_.output().sink();
  if (!sink.is_regular()) return;
  ring_.set_output(sink.path(), sink.id(), 0, 0);
  if (flusher_.rotation() != nullptr) ring_.set_budget(flusher_.rotation()->budget(sink.path()));
}

// Acts in place of the flusher.
void RingBackend::write_all() {
  const Lock lock(recording_);
  if (recording_.usable() && flusher_.drain()) flusher_.sweep(0);
  flusher_.snapshots().note_events();
}

void RingBackend::flush_all() {
  if (flusher_.has_ended()) return write_all();
  const std::uint64_t request = flusher_.request_all();
  wait_for(UINT64_MAX, [&] { return flusher_.has_written(request); });
}

bool RingBackend::begin_segment(const char* path) {
  SegmentChange& change = flusher_.next_file().change();
  const std::uint64_t answered = change.answered();
  const std::uint64_t changed = change.changed();
  if (!recording_.output().sink().is_regular() || !change.request(path)) return false;
  flusher_.wake(true);
  return wait_for(UINT64_MAX, [&] { return change.answered() != answered; }) && change.changed() != changed;
}

// Records what follows the stream's last event. Losses that fit no slot yet get one; false if there is none.
bool RingBackend::record_last(StreamState& stream) {
  if (stream.slot == nullptr && (has_unrecorded_losses(stream) || WriterEvents::is_due(stream))) {
    SlotState* const slot = take_slot(stream, 0);
    if (slot == nullptr) return false;
    begin_slot(stream, slot);
  }
  if (stream.slot == nullptr) return true;
  record_losses(stream);
  recording_.writer_events().record(stream, WriterEvents::kWaiting, kNow);
  return true;
}

// True if no producer is in the middle of an event, so that none will touch the ring again.
bool RingBackend::close_streams() {
  const StreamList& streams = recording_.streams();
  // Once for producers that begin an event now, once more for those that were about to get a slot.
  bool all_idle = true;
  for (int i = 0; i < 2; ++i) {
    switch_off_producers(recording_);
    all_idle = true;
    for (StreamState* s = streams.first(); s != nullptr; s = s->next) all_idle &= wait_until_idle(*s, kWaitForRing);
  }
  if (recording_.writer_events().are_wanted()) {
    const Lock lock(recording_);
    declare_writer_events(recording_);
  }
  flusher_.stop();
  recording_.output().try_again(false);             // this is the last time
  if (!flusher_.change_segment()) return all_idle;  // no rows may be written
  flusher_.next_file().change().give_up();
  flusher_.follow_clock();
  flusher_.drain();
  // Acts in place of producers: first of those that have slots, because the others need one for what they lost.
  for (int round = 0; round < 2; ++round) {
    for (StreamState* s = streams.first(); s != nullptr; s = s->next) {
      if (!wait_until_idle(*s, 0) || (s->slot != nullptr) != (round == 0)) continue;
      if (!record_last(*s) && flusher_.drain()) record_last(*s);
      hand_over(*s);
    }
    flusher_.drain();
  }
  if (!all_idle) close_busy_streams();
  return all_idle;
}

// Their producers still own their slots. An abandoned event is never finished.
void RingBackend::close_busy_streams() {
  const StreamList& streams = recording_.streams();
  flusher_.sweep(0);
  for (StreamState* s = streams.first(); s != nullptr; s = s->next) {
    if (wait_until_idle(*s, 0)) continue;
    recording_.note_unfinished(*s, blame_unfinished_event(*s));
    if (!has_unrecorded_losses(*s)) continue;
    SlotState* slot = ring_.take(0);
    if (slot == nullptr && flusher_.drain()) slot = ring_.take(0);
    if (slot == nullptr) continue;
    record_losses_beside(*s, *slot);
    ring_.hand_over(slot);
  }
  flusher_.drain();
}

// Only this thread uses the output by then, and a sink may take its time: the lock is not held.
void RingBackend::close(bool with_end) {
  all_idle_ = close_streams();
  recording_.report_error();
  if (!recording_.usable()) return;
  recording_.write_last_words(
      with_end, [this] { return flusher_.prepare_block(); }, [this] { return flusher_.repeat_metadata(true); });
  recording_.report_error();
}

// A producer may be adding slots, which takes some milliseconds, or much longer if other threads have the processor.
bool RingBackend::wait_for_growth() {
  constexpr std::uint64_t kMaxNs = 1'000'000'000;
  const std::uint64_t deadline = monotonic_ns() + kMaxNs;
  while (!ring_.try_begin_growth()) {
    if (monotonic_ns() > deadline) return false;
    const timespec pause = {0, 100'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

// Removes the ring's name, unless it stays for the rows that the trace lacks, and its memory when no thread can touch
// it any more. The same for the flusher's memory.
std::uint64_t RingBackend::release() {
  const bool keeps = recording_.output().failed() && flusher_.keeps_ring() && ring_.memory().has_name();
  const std::uint64_t rows_left = keeps ? ring_.unwritten_rows() : 0;
  flusher_.release();
  const bool grows = !wait_for_growth();  // else it never will again
  if (rows_left == 0) ring_.memory().remove();
  if (!grows) ring_.memory().detach();
  if (all_idle_ && !grows) unmap_ring();
  return rows_left;
}

void RingBackend::unmap_ring() {
  for (StreamState* s = recording_.streams().first(); s != nullptr; s = s->next) {
    if (s->losses != &s->own_losses) s->own_losses = *s->losses;
    s->losses = &s->own_losses;
  }
  ring_.unmap();
}

}  // namespace evt

// How a stream's producer gets room for its rows and gives away what it has filled. Nothing here takes the writer's
// lock or uses the heap where there is a ring, so that signal handlers may record.
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "format-spec/src/row/row_writer.h"
#include "quiet_signals.h"
#include "recording.h"

namespace evt {
namespace {

// The flusher gets this time to make room, or the ring larger, before a producer makes it larger itself.
constexpr std::uint64_t kFlusherFirstMs = 10;
// How long one producer waits while another one makes it larger: for a few MiB of memory, on a machine that is busy.
constexpr std::uint64_t kMostForGrowthMs = 1'000;

// What the cursor of a stream without a slot points to: the next event finds no room and asks for a slot.
std::uint8_t no_room[1];

// Longer each time: a thousand threads that wait must leave the flusher some time to work.
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

// Not for a flusher that waits itself: for space, for the caller.
bool may_wait(const evt_writer& writer) {
  return !writer.is_closing() && !writer.output.failed() && !writer.output.stalled() &&
         !writer.flusher.is_this_thread();
}

// Waits for `done()` as long as the session's options say; false when it has not come true.
template <typename Done>
bool wait_for(evt_writer& writer, std::uint64_t most_ms, Done done) {
  const std::uint64_t begin = monotonic_ns();
  for (int i = 0; !done(); ++i) {
    if (!may_wait(writer) || (monotonic_ns() - begin) / 1'000'000 >= most_ms) return false;
    if (i % 4 == 0) writer.flusher.wake(true);
    pause_briefly(i);
  }
  return true;
}

// A slot of memory that is added to the ring; null when it may not grow any more. The flusher adds some ahead of need,
// if it gets its turn and does not wait for its sink. Any signal handler: signals are held back meanwhile, so that none
// waits for the thread that it interrupted.
SlotState* slot_of_growth(StreamState& stream, std::size_t room) {
  const evt_writer& writer = *stream.writer;
  Ring& ring = stream.writer->ring;
  const unsigned least = class_for(room + kLostRoom);
  const unsigned size_class = stream.size_class > least ? stream.size_class : least;
  const int saved = errno;
  const std::uint64_t begin = monotonic_ns();
  SlotState* slot = nullptr;
  bool had_turn = false;
  for (int i = 0; !had_turn && !writer.is_closing() && !writer.output.failed(); ++i) {
    if (i > 0) pause_briefly(i);
    if ((monotonic_ns() - begin) / 1'000'000 >= kMostForGrowthMs) break;
    const Uninterrupted uninterrupted;
    if (!ring.try_begin_growth()) continue;
    had_turn = true;
    // Others may have made room, or take it, meanwhile.
    do slot = take_slot(stream, room);
    while (slot == nullptr && ring.grow_for(size_class, least));
    ring.end_growth();
  }
  errno = saved;
  return slot;
}

SlotState* wait_for_slot(StreamState& stream, std::size_t room) {
  evt_writer& writer = *stream.writer;
  if (writer.drops || stream.has_waited) return nullptr;
  SlotState* slot = nullptr;
  const auto has_slot = [&] { return (slot = take_slot(stream, room)) != nullptr; };
  const std::uint64_t first = writer.wait_ms < kFlusherFirstMs ? writer.wait_ms : kFlusherFirstMs;
  if (wait_for(writer, first, has_slot)) return slot;
  if ((slot = slot_of_growth(stream, room)) == nullptr && first < writer.wait_ms) {
    wait_for(writer, writer.wait_ms - first, has_slot);
  }
  return slot;
}

}  // namespace

SlotState* take_slot(StreamState& stream, std::size_t room) {
  Ring& ring = stream.writer->ring;
  const std::size_t wanted = room + kLostRoom;
  const unsigned needed = class_for(wanted);
  SlotState* const slot = ring.take(stream.size_class > needed ? stream.size_class : needed);
  if (slot == nullptr || slot->capacity >= wanted) return slot;
  ring.give(slot);  // all that is left is too small
  return nullptr;
}

void begin_slot(StreamState& stream, SlotState* slot) {
  stream.slot = slot;
  stream.has_waited = false;
  slot->stream = &stream;
  prepare_slot(*slot, stream.id, stream.next_ordinal, stream.hot.base, stream.losses->told);
  stream.hot.commit = &slot->memory->commit;
  __atomic_store_n(&stream.hot.cursor, slot->rows, __ATOMIC_RELAXED);
  // Close fills the last slots itself: not for a moment may their producers see room in them.
  const bool closing = stream.writer->is_closing();
  std::uint8_t* const limit = closing ? nullptr : slot->rows + slot->capacity - kLostRoom;
  __atomic_store_n(&stream.hot.limit, limit, __ATOMIC_RELAXED);
  // Close, and a write that fails, switch streams off after they have said so: who has not seen it here is seen there.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (stream.writer->is_closing() || stream.writer->output.failed()) {
    __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
  }
}

std::uint8_t* no_slot() { return no_room; }

void want_slow_path(StreamState& stream) {
  if (!is_off(stream)) __atomic_store_n(&stream.hot.limit, stream.hot.cursor, __ATOMIC_RELAXED);
}

void hand_over(StreamState& stream, SlotState* slot) {
  __atomic_fetch_add(&stream.in_flight, 1, __ATOMIC_RELAXED);
  if (slot->mapped != 0) __atomic_fetch_add(&stream.own_blocks_in_flight, 1, __ATOMIC_RELAXED);
  stream.next_ordinal = slot->memory->first_ordinal + ring::rows_of(slot->committed());
  __atomic_store_n(&stream.losses->next_ordinal, stream.next_ordinal, __ATOMIC_RELAXED);
  evt_writer& writer = *stream.writer;  // once the last slot is pushed, the stream may be somebody else's
  writer.ring.push_full(slot);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // the flusher looks for slots after it has said that it sleeps
  writer.flusher.wake(false);
}

void hand_over(StreamState& stream, bool last) {
  SlotState* const slot = stream.slot;
  if (slot == nullptr) return;
  slot->last = last;
  stream.slot = nullptr;
  __atomic_store_n(&stream.hot.cursor, no_slot(), __ATOMIC_RELAXED);
  want_slow_path(stream);
  hand_over(stream, slot);
}

// Ten thousand threads, or a small ring: a slot is never so large that there are not enough for all.
void grow_next_slot(StreamState& stream) {
  const evt_writer& writer = *stream.writer;
  const std::uint64_t next = std::uint64_t{Ring::kSmallestSlot} << (stream.size_class + 1);
  const std::uint64_t streams = __atomic_load_n(&writer.open_streams, __ATOMIC_RELAXED);
  if (stream.size_class + 1u < Ring::kClasses && next * streams * 2 <= writer.ring.capacity()) ++stream.size_class;
}

bool get_slot(StreamState& stream, std::size_t room, bool may_wait_for_it) {
  if (stream.slot != nullptr) {
    tell_losses(stream);
    grow_next_slot(stream);
    hand_over(stream, false);
  }
  SlotState* slot = take_slot(stream, room);
  if (slot == nullptr && may_wait_for_it) slot = wait_for_slot(stream, room);
  if (slot == nullptr) return false;
  begin_slot(stream, slot);
  // A jump stands first in its slot: losses before it are told at the end.
  if (!stream.jump_pending) tell_losses(stream);
  return !is_off(stream);
}

bool make_room(StreamState& stream, std::size_t room, std::uint64_t ticks) {
  const evt_writer& writer = *stream.writer;
  if (!writer.has_flusher()) {
    if (flush(stream, Row::kNone)) return true;
    if (writer.output.failed()) count_lost(stream, EVT_LOST_SINK, ticks);
    return false;
  }
  if (get_slot(stream, room, true)) return true;
  stream.has_waited = true;
  if (!writer.is_closing()) {
    count_lost(stream, writer.output.failed() ? EVT_LOST_SINK : EVT_LOST_RING_FULL, ticks);
  }
  return false;
}

bool wait_until_written(StreamState& stream) {
  return wait_for(*stream.writer, UINT64_MAX,
                  [&] { return __atomic_load_n(&stream.in_flight, __ATOMIC_ACQUIRE) == 0; });
}

bool wait_until_written(evt_writer& writer, std::uint64_t wish) {
  return wait_for(writer, UINT64_MAX, [&] { return writer.flusher.has_written(wish); });
}

bool wait_for_own_blocks(StreamState& stream) {
  const evt_writer& writer = *stream.writer;
  return wait_for(*stream.writer, writer.drops ? 0 : writer.wait_ms,
                  [&] { return __atomic_load_n(&stream.own_blocks_in_flight, __ATOMIC_ACQUIRE) == 0; });
}

void commit_row(StreamState& stream, std::size_t size) {
  evt_stream& hot = stream.hot;
  __atomic_store_n(hot.commit, *hot.commit + ((std::uint64_t{1} << 32) + size), __ATOMIC_RELEASE);
  __atomic_store_n(&hot.cursor, hot.cursor + size, __ATOMIC_RELAXED);
}

void set_base(StreamState& stream, std::uint64_t ticks) {
  evt_stream& hot = stream.hot;
  const bool empty = *hot.commit == 0;
  if (empty) {
    stream.slot->memory->base_ticks = ticks;
  } else if ((ticks - hot.base) >> 32 != 0) {
    RowWriter(hot.cursor).time_base(ticks, 0);
    commit_row(stream, RowWriter::kTimeBaseSize);
  } else {
    return;
  }
  hot.base = ticks;
  if (!empty || !stream.jump_pending) return;
  // The word stands first in its block, so that readers find it without walking rows.
  stream.jump_pending = false;
  RowWriter(hot.cursor).time_base(ticks, EVT_TIME_BASE_JUMP);
  commit_row(stream, RowWriter::kTimeBaseSize);
}

void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t ticks) {
  set_base(stream, ticks);
  RowWriter(stream.hot.cursor).lost(static_cast<std::uint32_t>(ticks - stream.hot.base), cause, count);
  commit_row(stream, RowWriter::kLostSize);
  stream.lost_total += count;
  __atomic_fetch_add(&stream.losses->told[known_cause(cause)], count, __ATOMIC_RELAXED);
}

void tell_losses(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    const std::uint64_t count = __atomic_load_n(&losses.lost[cause], __ATOMIC_RELAXED) - losses.told[cause];
    if (count > 0) append_lost_row(stream, cause, count, __atomic_load_n(&losses.lost_ticks, __ATOMIC_RELAXED));
  }
}

void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks) {
  if (ticks == kNow) ticks = evt_now(&stream.hot);
  __atomic_store_n(&stream.losses->lost_ticks, ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&stream.losses->lost[cause], 1, __ATOMIC_RELAXED);
}

}  // namespace evt

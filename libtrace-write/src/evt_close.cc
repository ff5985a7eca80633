// The end of a session: producers are kept out, what streams still hold goes out, and the last words.
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recording.h"

namespace evt {

namespace {

// A producer may be adding slots, which takes some milliseconds, or much longer where other threads have the processor.
bool wait_for_growth(Ring& ring) {
  constexpr std::uint64_t kMostNs = 1'000'000'000;
  const std::uint64_t deadline = monotonic_ns() + kMostNs;
  while (!ring.try_begin_growth()) {
    if (monotonic_ns() > deadline) return false;
    const timespec pause = {0, 100'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace

void release_ring(evt_writer& writer, bool unmap, bool stays) {
  writer.flusher.release();
  const bool grows = !wait_for_growth(writer.ring);  // else it never will again
  if (!stays) writer.ring.memory().remove();
  if (!grows) writer.ring.memory().let_go();
  if (!unmap || grows) return;  // somebody may still write there
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
    if (s->losses != &s->own_losses) s->own_losses = *s->losses;
    s->losses = &s->own_losses;
  }
  writer.ring.unmap();
}

void end_session(evt_writer& writer, evt_error* error) {
  writer.closed = true;
  if (writer.has_thread_stream) pthread_key_delete(writer.thread_stream);
  writer.has_thread_stream = false;
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
    free(s->name);  // nothing is repeated any more
    s->name = nullptr;
  }
  writer.output.close(error);
  // A program may have many sessions, one after another: little more stays of each than what handles refer to.
  writer.metadata.give_back();
  writer.strings.give_back();
  writer.types.give_back();
  writer.sync_payload.give_back();
}
namespace {

// After this, a producer that is not seen busy will see that its stream is off.
void wait_until_seen_everywhere() {
  const bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (!registered || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// A producer may be writing its buffer out; or be stopped, or be the caller's own thread, and never come back.
constexpr std::uint64_t kWaitForInline = 100'000'000;
constexpr std::uint64_t kWaitForRing = 1'000'000;

// Waits for a producer in the middle of an emit.
bool wait_until_idle(const StreamState& stream, std::uint64_t most_ns) {
  const std::uint64_t deadline = monotonic_ns() + most_ns;
  while (__atomic_load_n(&stream.hot.busy, __ATOMIC_ACQUIRE) != 0) {
    if (monotonic_ns() > deadline) return false;
    const timespec pause = {0, 20'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

void switch_off(evt_writer& writer) {
  writer.switch_off_streams();
  wait_until_seen_everywhere();
}

void close_inline(evt_writer& writer) {
  // Once more for producers that were about to get an empty buffer.
  switch_off(writer);
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) wait_until_idle(*s, kWaitForRing);
  switch_off(writer);
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
    const bool idle = wait_until_idle(*s, kWaitForInline);
    const Lock lock(writer);
    if (s->slot == nullptr) continue;
    flush_locked(*s, idle ? Row::kNone : Row::kInProgress);
    if (!idle) {  // somebody may still write there
      s->slot->next = writer.left_behind;
      writer.left_behind = s->slot;
      continue;
    }
    free_slot(s->slot);
    s->slot = nullptr;
  }
}

// Gives what a stream holds to the flusher, in the place of its producer. Losses that no slot could take yet get one.
void hand_over_last(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  bool untold = false;
  for (int cause = 1; cause < EVT_LOST_CAUSES; ++cause) untold |= losses.lost[cause] != losses.told[cause];
  if (stream.slot == nullptr && untold) {
    if (SlotState* const slot = take_slot(stream, 0)) begin_slot(stream, slot);
  }
  if (stream.slot == nullptr) return;
  tell_losses(stream);
  hand_over(stream, false);
}

// True when no producer is in the middle of an event, and so none will touch the ring again.
bool close_ring(evt_writer& writer) {
  // Once for producers that begin an event now, once more for those that were about to get a slot.
  bool all_idle = true;
  for (int i = 0; i < 2; ++i) {
    switch_off(writer);
    all_idle = true;
    for (StreamState* s = writer.streams; s != nullptr; s = s->next) all_idle &= wait_until_idle(*s, kWaitForRing);
  }
  writer.flusher.stop();
  writer.output.try_again(false);  // this is the last time
  writer.flusher.drain();          // so that there are free slots
  // Once for what streams hold, once more for losses that found no slot before.
  for (int i = 0; i < 2; ++i) {
    for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
      if (wait_until_idle(*s, 0)) hand_over_last(*s);
    }
    writer.flusher.drain();
  }
  if (!all_idle) writer.flusher.sweep(0);
  return all_idle;
}

// Tables are for streams that a person could look at; beyond these, blocks say all that a table would.
constexpr std::uint32_t kMostIndexedStreams = 100'000;

// Sets `count`. Without memory there is no table.
void append_stream_table(const evt_writer& writer, Buffer& table, std::uint32_t* count) {
  *count = 0;
  for (const StreamState* s = writer.streams; s != nullptr && *count < kMostIndexedStreams; s = s->next) {
    IndexedStream stream;
    stream.id = s->id;
    stream.rows = s->rows_written;
    stream.first_ticks = s->first_ticks;
    stream.last_ticks = s->last_ticks;
    for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      stream.lost[cause] = __atomic_load_n(&s->losses->lost[cause], __ATOMIC_RELAXED);
    }
    table.append(&stream, sizeof stream);
    ++*count;
  }
}

void write_end(evt_writer& writer) {
  // Once more in full, so that no single block of a session is a point of failure; tiny ones are spared it.
  const bool repeat = writer.output.last_repeat_is_due();
  if (!writer.write_housekeeping() || (repeat && !writer.repeat_metadata(true)) || !writer.write_sync()) return;
  Buffer streams;
  std::uint32_t count = 0;
  append_stream_table(writer, streams, &count);
  writer.output.end(streams.ok() ? reinterpret_cast<const IndexedStream*>(streams.data()) : nullptr, count,
                    writer.rows_written, writer.lost_written);
}

// That the trace lacks, and that whoever looks for them finds.
std::uint64_t rows_left_in_ring(const evt_writer& writer) {
  const bool kept = writer.output.failed() && writer.keeps_ring() && writer.ring.memory().has_name();
  return kept ? writer.ring.unwritten_rows() : 0;
}

void add_rows_left(evt_error* error, std::uint64_t rows) {
  const std::size_t length = strlen(error->message);
  snprintf(error->message + length, sizeof error->message - length,
           "; %llu row%s in its ring: `evt check --recover` puts %s into the file",
           static_cast<unsigned long long>(rows), rows == 1 ? " is still" : "s are still", rows == 1 ? "it" : "them");
}

// From now on no type is declared. A pattern without one is no failure of the session: it has what was asked for.
void say_unmatched(evt_writer& writer, evt_error* notice) {
  if (writer.says_unmatched == nullptr) return;
  char patterns[100];
  std::uint32_t types = 0;
  {
    const Lock lock(writer);
    if (!writer.types.unmatched(patterns, sizeof patterns)) return;
    types = writer.types.size();
  }
  set_error(notice, EVT_OK, "EVTRACE: types=%s: none of the %u event types that were declared has such a name",
            patterns, types);
  writer.says_unmatched(notice->message);
}

void write_last_words(evt_writer& writer, bool with_end) {
  if (with_end) {
    write_end(writer);
  } else {
    writer.write_housekeeping();
  }
}

}  // namespace
}  // namespace evt

static int close_session(evt_writer* writer, bool with_end, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (writer == nullptr) {
    evt::set_error(error, EVT_CODE_CLOSED, "the session was never opened");
    return error->code;
  }
  if (evt::Sink::calls_function()) {
    evt::set_error(error, EVT_CODE_INVALID, "a sink cannot close a session: its error ends it");
    return error->code;
  }
  if (!writer->ours()) {
    evt::set_error(error, EVT_CODE_CLOSED, "the session belongs to the process that opened it");
    return error->code;
  }
  {
    const evt::Lock lock(*writer);
    if (writer->is_closing()) {
      evt::set_error(error, EVT_CODE_CLOSED, "the session is closed already");
      return error->code;
    }
    __atomic_store_n(&writer->closing, true, __ATOMIC_RELEASE);  // from here on no stream is added
  }
  const bool with_ring = writer->has_flusher();
  bool all_idle = true;
  if (with_ring) {
    all_idle = evt::close_ring(*writer);
  } else {
    evt::close_inline(*writer);
  }
  writer->tell_error();
  // With a ring the output is ours alone by now, and a sink may take its time.
  if (with_ring && writer->usable()) {
    evt::write_last_words(*writer, with_end);
    writer->tell_error();
  }
  evt::say_unmatched(*writer, error);
  const evt::Lock lock(*writer);
  if (!with_ring && writer->usable()) evt::write_last_words(*writer, with_end);
  evt_error closing = {EVT_OK, ""};
  evt::end_session(*writer, &closing);
  if (closing.code != EVT_OK) writer->output.fail(closing);
  const std::uint64_t left = with_ring ? evt::rows_left_in_ring(*writer) : 0;
  if (with_ring) evt::release_ring(*writer, all_idle, left > 0);
  if (writer->output.failed()) {
    *error = writer->output.first_error();
    if (left > 0) evt::add_rows_left(error, left);
  } else if (__atomic_load_n(&writer->lacked_memory, __ATOMIC_RELAXED)) {
    evt::set_error(error, EVT_CODE_MEMORY, "there was no memory for a stream: its events are not in the trace");
  }
  return error->code;
}

int evt_close(evt_writer* writer, evt_error* error) { return close_session(writer, true, error); }

int evt_close_cut(evt_writer* writer, evt_error* error) { return close_session(writer, false, error); }

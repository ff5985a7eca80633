// The end of a session: producers are kept out, what streams still hold goes out, and the last words.
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "writer.h"

namespace evt {
void end_session(evt_writer& writer, evt_error* error) {
  writer.closed = true;
  if (writer.has_thread_stream) pthread_key_delete(writer.thread_stream);
  writer.has_thread_stream = false;
  writer.output.sink().close(error);
}
namespace {

// After this, a producer that is not seen busy will see that its stream is off.
void wait_until_seen_everywhere() {
  const bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (!registered || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// Waits for a producer in the middle of an emit, 100 ms at most: it may be writing its buffer out; or it may be
// stopped, or be the caller's own thread, and never come back.
bool wait_until_idle(const StreamState& stream) {
  const std::uint64_t deadline = monotonic_ns() + 100'000'000;
  while (__atomic_load_n(&stream.hot.busy, __ATOMIC_ACQUIRE) != 0) {
    if (monotonic_ns() > deadline) return false;
    const timespec pause = {0, 20'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

void close_streams(evt_writer& writer) {
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
    __atomic_store_n(&s->hot.limit, nullptr, __ATOMIC_RELAXED);
  }
  wait_until_seen_everywhere();
  for (StreamState* s = writer.streams; s != nullptr; s = s->next) {
    const bool idle = wait_until_idle(*s);
    const Lock lock(writer);
    if (s->block == nullptr) continue;
    flush_locked(*s, idle ? Row::kNone : Row::kInProgress);
    if (!idle) continue;  // somebody may still write there
    free(s->block);
    s->block = nullptr;
  }
}

void write_end(evt_writer& writer) {
  // Once more in full, so that no single block of a session is a point of failure; tiny ones are spared it.
  const bool repeat = writer.output.bytes_written() - writer.repeated_at_bytes >= EVT_REPEAT_METADATA_AT_END;
  if (!writer.write_housekeeping() || (repeat && !writer.metadata.write_all(writer.output))) return;
  if (!writer.write_sync()) return;
  Buffer payload;
  TrailerFacts trailer;
  trailer.session_size = writer.output.bytes_written() + EVT_BLOCK_HEADER_SIZE + EVT_TRAILER_FIXED_SIZE;
  trailer.rows = writer.rows_written;
  trailer.lost = writer.lost_written;
  append_trailer(payload, trailer);
  writer.output.write(EVT_BLOCK_TRAILER, payload.data(), payload.size());
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
  if (!writer->ours()) {
    evt::set_error(error, EVT_CODE_CLOSED, "the session belongs to the process that opened it");
    return error->code;
  }
  {
    const evt::Lock lock(*writer);
    if (writer->closing) {
      evt::set_error(error, EVT_CODE_CLOSED, "the session is closed already");
      return error->code;
    }
    writer->closing = true;  // from here on no stream is added
  }
  evt::close_streams(*writer);
  const evt::Lock lock(*writer);
  if (writer->usable() && with_end) evt::write_end(*writer);
  if (writer->usable() && !with_end) writer->write_housekeeping();
  evt_error closing = {EVT_OK, ""};
  evt::end_session(*writer, &closing);
  if (closing.code != EVT_OK) writer->output.fail(closing);
  *error = writer->output.first_error();
  return error->code;
}

int evt_close(evt_writer* writer, evt_error* error) { return close_session(writer, true, error); }

int evt_close_cut(evt_writer* writer, evt_error* error) { return close_session(writer, false, error); }

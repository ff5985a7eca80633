// Part of <evt/evt.h>: the end of a session. Keeps producers out, writes what streams still hold, then the trailer.
#include <evt/evt_copy.h>
#include <stdio.h>
#include <string.h>

#include "default_writer.h"
#include "evt_writer.h"
#include "take_snapshot.h"

namespace {

void add_rows_left(evt_error* error, std::uint64_t rows) {
  const std::size_t length = strlen(error->message);
  snprintf(error->message + length, sizeof error->message - length,
           "; %llu row%s in its ring: `evt check --recover` puts %s into the file",
           static_cast<unsigned long long>(rows), rows == 1 ? " is still" : "s are still", rows == 1 ? "it" : "them");
}

bool may_close(evt_writer* writer, evt_error* error) {
  if (writer == nullptr) {
    evt::set_error(error, EVT_CODE_CLOSED, "the session was never opened");
  } else if (evt::Sink::calls_function()) {
    evt::set_error(error, EVT_CODE_INVALID, "a sink cannot close a session: its error ends it");
  } else if (writer->ours()) {
    evt::end_default(writer);
    writer->limit_waiting();
    if (!writer->output().failed()) writer->unplaced_losses().record(writer);
    const evt::Lock lock(*writer);
    if (writer->begin_closing()) {
      evt::end_default(writer);  // a thread may have made it the default again
      return true;
    }
    evt::set_error(error, EVT_CODE_CLOSED, "the session is closed already");
  }
  return false;
}

// Returns the number of rows that stay in the ring.
std::uint64_t end_session(evt_writer* writer) {
  const evt::Lock lock(*writer);
  evt_error closing = {EVT_OK, ""};
  writer->end(&closing);
  if (closing.code != EVT_OK) writer->output().fail(closing);
  evt::Rotation* const rotation = writer->rotation();
  evt_error joining = {EVT_OK, ""};
  if (rotation != nullptr && rotation->is_beside_ring() && !writer->output().failed() &&
      !rotation->join(writer->output().sink().path(), &joining)) {
    writer->output().fail(joining);
  }
  writer->end_rotation();
  return writer->backend().release();
}

int close_session(evt_writer* writer, bool with_end, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  const bool is_open = writer != nullptr && writer->ours() && !writer->is_closing() && !evt::Sink::calls_function();
  if (is_open && !writer->snapshots().finish()) {
    evt::set_error(error, EVT_CODE_CLOSED, "the session is closed already");
    return error->code;
  }
  if (!may_close(writer, error)) return error->code;
  evt::wait_for_snapshot(writer);
  writer->backend().close(with_end);
  evt_error unmatched = {EVT_OK, ""};
  writer->describe_unmatched_types(&unmatched);
  writer->notices().add(EVT_NOTICE_TYPES, unmatched.message);
  if (writer->rotation() != nullptr) writer->notices().add(EVT_NOTICE_PATH, writer->rotation()->notice());
  const std::uint64_t left = end_session(writer);
  writer->snapshots().release();
  writer->report_error();
  writer->notices().deliver();
  if (writer->output().failed()) {
    *error = writer->output().first_error();
    if (left > 0) add_rows_left(error, left);
  } else if (writer->lacked_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "there was no memory for a stream: its events are not in the trace");
  } else if (writer->lacked_key()) {
    evt::set_error(error, EVT_CODE_MEMORY,
                   "there was no key for thread data (pthread_key_create), and so no stream for evt_this_thread: its "
                   "events are not in the trace");
  } else {
    writer->describe_unfinished(error);
  }
  return error->code;
}

}  // namespace

int evt_close(evt_writer* writer, evt_error* error) { return close_session(writer, true, error); }

int evt_close_truncated(evt_writer* writer, evt_error* error) { return close_session(writer, false, error); }

// Part of <evt/trace_site.h>: the first time that a place or a thread records in the default session.
#include <evt/trace_site.h>
#include <string.h>

#include "evt_writer.h"
#include "signal_frame.h"

__thread evt_thread_cache_ evt_thread_ __attribute__((tls_model("initial-exec")));

namespace {

// This thread is in evt_first_at_site_1: a signal handler, or a heap that records, must not enter it again.
__thread bool is_at_first __attribute__((tls_model("initial-exec")));

std::uintptr_t thread_count = 0;

const char* name_of_file(const char* path) {
  const char* const slash = path == nullptr ? nullptr : strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

void note_failure(evt_writer* writer, const evt_event_type& type, const evt_error& error) {
  // A session that has ended meanwhile needs no notice.
  if (error.code == EVT_OK || error.code == EVT_CODE_CLOSED) return;
  evt_error notice = {EVT_OK, ""};
  evt::add_notice(&notice, "nothing is recorded in %.60s:%u: %s", name_of_file(type.source_file), type.source_line,
                  error.message);
  writer->notices().add(EVT_NOTICE_SITE, notice.message);
  writer->notices().deliver();
}

const evt_site_handle_* handle_of(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes) {
  evt_error error = {EVT_OK, ""};
  evt_site_handle_ handle = {};
  handle.writer = writer;
  if (type->role == EVT_ROLE_SPAN_BEGIN) {
    handle.span_end = evt_declare_standard(writer, EVT_EVENT_SPAN_END, &error);
    handle.span_name = evt_intern(writer, type->name, strlen(type->name));
  }
  // A span that could not end does not begin.
  handle.type = error.code == EVT_OK ? evt_declare_1(writer, type, sizes, &error) : handle.span_end;
  note_failure(writer, *type, error);
  const evt::Lock lock(*writer);
  return writer->site_handles().find_or_add(handle);
}

void count_reentered(evt_writer* writer) {
  if (evt_thread_.writer != writer) return writer->unplaced_losses().count(writer->clock().now());
  // One that is off counts nothing by itself.
  if (!evt::is_off(*evt::state_of(evt_thread_.stream))) return evt_reentered_(evt_thread_.stream);
  evt::count_if_late(*evt::state_of(evt_thread_.stream));
}

}  // namespace

evt_at_site_ evt_first_at_site_1(evt_writer* writer, evt_site_* site, const evt_event_type* type,
                                 const evt_sizes_* sizes) {
  evt_at_site_ at = {nullptr, nullptr};
  if (!writer->ours()) return at;
  if (is_at_first || evt::Lock::held_by_this_thread() || evt::is_in_signal_handler()) {
    count_reentered(writer);
    return at;
  }
  is_at_first = true;
  EVT_SIGNAL_FENCE_();
  if (evt_thread_.thread == 0) evt_thread_.thread = __atomic_add_fetch(&thread_count, 1, __ATOMIC_RELAXED);
  if (evt_thread_.writer != writer) {
    // In this order, because a signal handler may come after each.
    __atomic_store_n(&evt_thread_.writer, nullptr, __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&evt_thread_.stream, evt_this_thread(writer), __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&evt_thread_.writer, writer, __ATOMIC_RELAXED);
  }
  at.stream = evt_thread_.stream;
  at.handle = __atomic_load_n(&site->handle, __ATOMIC_ACQUIRE);
  if (at.handle == nullptr || at.handle->writer != writer) {
    at.handle = handle_of(writer, type, sizes);
    if (at.handle != nullptr) __atomic_store_n(&site->handle, at.handle, __ATOMIC_RELEASE);
  }
  EVT_SIGNAL_FENCE_();
  is_at_first = false;
  return at;
}

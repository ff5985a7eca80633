// Part of <evt/evt.h>: the session that all code of a process shares.
#include <evt/trace_site.h>
#include <pthread.h>

#include "evt_writer.h"

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Guarded by the mutex.
struct Shared {
  evt_writer* writer;  // null: none
  std::uint64_t holders;
  bool was_opened_here;
} shared = {nullptr, 0, false};

class Locked {
 public:
  Locked() { pthread_mutex_lock(&mutex); }
  ~Locked() { pthread_mutex_unlock(&mutex); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

bool handles_forks = false;  // guarded by the mutex

bool is_open(const evt_writer* writer) { return writer != nullptr && writer->ours() && !writer->is_closing(); }

// In a fork child: the child does not own the parent's session. It has one thread, so the lock's holder no longer
// matters.
void forget_the_parents() {
  pthread_mutex_init(&mutex, nullptr);
  if (!is_open(shared.writer)) shared = {nullptr, 0, false};
}

}  // namespace

evt_writer* evt_session_1(const evt_options* options, const evt_sizes_* sizes, evt_error* error) {
  const Locked locked;
  if (error != nullptr) *error = {EVT_OK, ""};
  if (!handles_forks) handles_forks = pthread_atfork(nullptr, nullptr, forget_the_parents) == 0;
  if (!is_open(shared.writer)) {
    evt_writer* const already = evt_default();
    const bool is_there = is_open(already);
    shared = {is_there ? already : evt_open_from_env_1(options, sizes, error), 0, !is_there};
  }
  if (shared.writer != nullptr) ++shared.holders;
  return shared.writer;
}

int evt_session_release(evt_writer* writer, evt_error* error) {
  if (error != nullptr) *error = {EVT_OK, ""};
  if (writer == nullptr) return EVT_OK;
  const Locked locked;
  if (writer != shared.writer || shared.holders == 0) {
    if (!writer->ours()) return EVT_OK;  // in a fork child
    if (error != nullptr) evt::set_error(error, EVT_CODE_INVALID, "the session was released as often as it was had");
    return EVT_CODE_INVALID;
  }
  if (--shared.holders > 0) return EVT_OK;
  const bool closes = shared.was_opened_here && is_open(writer);
  shared = {nullptr, 0, false};
  return closes ? evt_close(writer, error) : EVT_OK;
}

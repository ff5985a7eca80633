#define _GNU_SOURCE
#include "thread_stream.h"

#include <evt/emit_events.h>
#include <evt/evt_copy.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "aside.h"
#include "entry.h"

struct run_session run_session;
__thread struct run_thread run_thread __attribute__((tls_model("initial-exec")));

unsigned run_recorded_threads;

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static int has_end_key;

static void end_aside(void* nothing) {
  (void)nothing;
  run_end_thread();
}

/* Other destructors of the thread may still call wrappers: it ends in the last round but one of them. */
static void end_in_last_round(void* thread) {
  enum { kRounds = 3 };
  if (++run_thread.last_rounds < kRounds && pthread_setspecific(end_key, thread) == 0) return;
  if (!run_enter()) return;
  run_aside(end_aside, NULL);
  run_leave();
}

static void make_end_key(void) { has_end_key = pthread_key_create(&end_key, end_in_last_round) == 0; }

void run_begin_thread(int is_new) {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  evt_stream_info info = {0};
  const uint64_t thread = (uint64_t)syscall(SYS_gettid);
  const uint64_t process = (uint64_t)getpid();
  info.name = name;
  if (run_session.has_system_numbers) {
    info.thread = thread;
    info.process = process;
  }
  run_thread.system_number = (unsigned long)thread;
  run_thread.last_rounds = 0;
  pthread_once(&end_key_once, make_end_key);
  /* The main thread's ends with the process. */
  const int is_main = thread == process;
  if (!is_main && (!has_end_key || pthread_setspecific(end_key, &run_thread) != 0)) return;
  run_thread.session = run_session.number;
  run_thread.stream = evt_stream_open_as(run_session.writer, &info, NULL);
  __atomic_add_fetch(&run_recorded_threads, 1, __ATOMIC_RELAXED);
  if (is_new) evt_emit_thread_create(run_thread.stream, run_session.thread_create, info.thread);
}

void run_end_thread(void) {
  evt_stream* const stream = run_stream();
  run_thread.stream = NULL;
  if (stream == NULL) return;
  __atomic_sub_fetch(&run_recorded_threads, 1, __ATOMIC_RELAXED);
  evt_emit_thread_exit(stream, run_session.thread_exit, run_thread.system_number);
  evt_stream_end(stream, evt_now(stream));
  evt_stream_seal(stream);
}

void run_name_thread(const char* name) {
  evt_stream* const stream = run_stream();
  if (stream != NULL) evt_emit_thread_name(stream, run_session.thread_name, run_thread.system_number, name);
}

/* A parent has its own memory again when its child is gone, and then knows itself by its number. */
int run_is_in_vfork_child(void) {
  if (run_thread.after_vfork == RUN_NO_VFORK) return 0;
  if (run_thread.after_vfork == RUN_RESTRICTED_CHILD) return 1;
  if (!run_enter()) return 1;
  const unsigned long number = (unsigned long)syscall(SYS_gettid);
  run_leave();
  if (number != run_thread.system_number) return 1;
  run_thread.after_vfork = RUN_NO_VFORK;
  return 0;
}

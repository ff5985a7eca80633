/* Each thread's stream: opened where the thread starts, never inside a wrapper, as a program's allocator may hold its
 * locks there. A thread that was not seen to start, by clone alone, records nothing. */
#ifndef EVT_RECORD_THREAD_STREAM_H_
#define EVT_RECORD_THREAD_STREAM_H_

#include "recording.h"

/* Whether this may be a child that runs in its parent's memory, or is one that must not ask the system. */
enum run_vfork { RUN_NO_VFORK, RUN_AFTER_VFORK, RUN_RESTRICTED_CHILD };

struct run_thread {
  evt_stream* stream;        /* NULL: the thread records nothing */
  unsigned session;          /* that it is in */
  unsigned char after_vfork; /* enum run_vfork */
  unsigned char last_rounds; /* of destructors of the thread's values */
  unsigned long system_number;
};

extern __thread struct run_thread run_thread __attribute__((tls_model("initial-exec")));

/* How many threads have a stream of this session. */
extern unsigned run_recorded_threads;

/* Opens the calling thread's stream. `is_new`: the thread begins now. */
void run_begin_thread(int is_new);
/* Ends it: the thread records nothing from now on. */
void run_end_thread(void);
/* The calling thread's name has changed, or that of another thread of this process that its caller knows. */
void run_name_thread(const char* name);

/* The child of vfork records nothing, as all that it writes is its parent's. */
int run_is_in_vfork_child(void);

/* The stream of the calling thread; NULL: nothing is recorded. */
static inline evt_stream* run_stream(void) {
  if (__builtin_expect(run_thread.session != run_session.number, 0)) return NULL;
  if (__builtin_expect(run_thread.after_vfork, 0) && run_is_in_vfork_child()) return NULL;
  return run_thread.stream;
}

#endif /* EVT_RECORD_THREAD_STREAM_H_ */

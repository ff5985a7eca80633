/* Each thread's stream: opened when the thread starts, never inside a wrapper, because a program's allocator may hold
 * its locks there. A thread that was not seen to start, such as one made by clone, records nothing. */
#ifndef EVT_RECORD_THREAD_STREAM_H_
#define EVT_RECORD_THREAD_STREAM_H_

#include "recording.h"

/* Tells whether this may be a child that runs in its parent's memory, or one that must not call the system. */
enum run_vfork { RUN_NO_VFORK, RUN_AFTER_VFORK, RUN_RESTRICTED_CHILD };

struct run_thread {
  evt_stream* stream;        /* NULL: the thread records nothing */
  unsigned session;          /* in which it records */
  unsigned char after_vfork; /* enum run_vfork */
  unsigned char last_rounds; /* rounds of destructors of the thread's values */
  unsigned long system_number;
};

extern __thread struct run_thread run_thread __attribute__((tls_model("initial-exec")));

/* Number of threads that have a stream in this session. */
extern unsigned run_recorded_threads;

/* Opens the calling thread's stream. `is_new`: the thread begins now. */
void run_begin_thread(int is_new);
/* Ends it: the thread records nothing from now on. */
void run_end_thread(void);
/* The name of the calling thread has changed, or of another thread of this process that its caller knows. */
void run_name_thread(const char* name);

/* The child of vfork records nothing, because all its writes go to its parent's memory. */
int run_is_in_vfork_child(void);

/* The stream of the calling thread; NULL: nothing is recorded. */
static inline evt_stream* run_stream(void) {
  if (__builtin_expect(run_thread.session != run_session.number, 0)) return NULL;
  if (__builtin_expect(run_thread.after_vfork, 0) && run_is_in_vfork_child()) return NULL;
  return run_thread.stream;
}

#endif /* EVT_RECORD_THREAD_STREAM_H_ */

/* Tells whether this library may call the system. It must not once a program has restricted its system calls: its own
 * calls could end the program. So recording ends before that, and waits until other threads have finished their
 * calls. */
#ifndef EVT_RECORD_ENTRY_H_
#define EVT_RECORD_ENTRY_H_

/* Nothing may be asked for any more. */
extern int run_is_shut;
/* Threads between enter and leave. */
extern unsigned run_inside;

static inline void run_leave(void) { __atomic_sub_fetch(&run_inside, 1, __ATOMIC_RELEASE); }

/* Surrounds system calls of this library. Those of the writer in the middle of an event do not need this: evt_close
 * waits for them. 0: no call is allowed, and run_leave() must not follow. */
static inline int run_enter(void) {
  __atomic_add_fetch(&run_inside, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(!__atomic_load_n(&run_is_shut, __ATOMIC_SEQ_CST), 1)) return 1;
  run_leave();
  return 0;
}

/* No thread enters from now on. */
void run_shut(void);
/* Those that had entered have left: all of them, or those that do within a second. */
void run_await_others(void);
/* Threads enter again. */
void run_open(void);
/* In the child of a fork, which has one thread. */
void run_entry_of_child(void);

#endif /* EVT_RECORD_ENTRY_H_ */

/* Whether this library may ask the system for anything. It must not once a program has restricted its system calls:
 * what it asks for may end the program. So recording ends before that, and waits for what other threads are in the
 * middle of. */
#ifndef EVT_RECORD_ENTRY_H_
#define EVT_RECORD_ENTRY_H_

/* Nothing may be asked for any more. */
extern int run_is_shut;
/* Threads between enter and leave. */
extern unsigned run_inside;

static inline void run_leave(void) { __atomic_sub_fetch(&run_inside, 1, __ATOMIC_RELEASE); }

/* Around system calls of this library's own. Those that the writer makes in the middle of an event need none: evt_close
 * waits for them. 0: none may be made, and nothing is to be left. */
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

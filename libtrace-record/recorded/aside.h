/* Runs work of this library on its own stacks: threads with small stacks and coroutines call wrappers, which need less
 * than a KiB of theirs. */
#ifndef EVT_RECORD_ASIDE_H_
#define EVT_RECORD_ASIDE_H_

/* Calls it on a stack of 256 KiB, with the thread held (held.h). errno does not change. If too many threads are aside,
 * or there is no memory for a stack, it is called on the thread's own. */
void run_aside(void (*function)(void* argument), void* argument);

/* In the child of a fork: no other thread is aside. */
void run_aside_of_child(void);

/* Its parts for hooks, which may use only general registers: the end of a stack; NULL: there is none. Signals are held
 * in between. Once the library is shut (entry.h), neither calls the system: there is no stack, and signals do not
 * change. */
struct run_place {
  unsigned long signals; /* held before */
  int number;            /* the stack's; below 0: none */
  int is_held;
};
void* run_take_place(struct run_place* place);
void run_give_place(const struct run_place* place);

/* In switch.S, for some machines. Calls the function there, and returns here. */
#if defined(__x86_64__) || defined(__aarch64__)
#define RUN_HAS_STACKS 1
void run_on_stack(void (*function)(void* argument), void* argument, void* stack_end);
#else
#define RUN_HAS_STACKS 0
static inline void run_on_stack(void (*function)(void* argument), void* argument, void* stack_end) {
  (void)stack_end;
  function(argument);
}
#endif

#endif /* EVT_RECORD_ASIDE_H_ */

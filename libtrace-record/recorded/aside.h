/* Work of this library on stacks of its own: threads with small stacks and coroutines call wrappers, which need less
 * than a KiB of theirs. */
#ifndef EVT_RECORD_ASIDE_H_
#define EVT_RECORD_ASIDE_H_

/* Calls it on a stack of 256 KiB, with the thread held (held.h). errno is as it was. Where so many threads are aside
 * that there is no stack, or no memory for one, it is called on the thread's own. */
void run_aside(void (*function)(void* argument), void* argument);

/* In the child of a fork: no other thread is aside. */
void run_aside_of_child(void);

/* The parts of it for hooks, which may use general registers alone: the end of a stack; NULL: there is none. Signals
 * are held in between. Once the library is shut (entry.h), neither asks the system for anything: there is no stack, and
 * signals stay as they are. */
struct run_place {
  unsigned long signals; /* that were held before */
  int number;            /* of the stack; below 0: none */
  int is_held;
};
void* run_take_place(struct run_place* place);
void run_give_place(const struct run_place* place);

/* In switch.S, of the machines that it has. Calls the function there, and returns here. */
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

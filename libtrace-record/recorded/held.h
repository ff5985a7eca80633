/* A thread that is kept from everything but what it is in the middle of. */
#ifndef EVT_RECORD_HELD_H_
#define EVT_RECORD_HELD_H_

struct run_held {
  unsigned long before; /* signals */
  int cancel_state;
  int error; /* errno */
};

/* No handler of a signal runs in the thread until it is let go, nor is it cancelled. What it brings about itself is
 * delivered as ever: a write to memory that the program watches, a system call that a filter traps. */
void run_hold(struct run_held* held);
/* errno is as it was before. */
void run_let_go(const struct run_held* held);

/* The first half of it: only signals; those that were held before. By general registers alone. */
unsigned long run_hold_signals(void);
void run_let_signals_go(unsigned long before);

#endif /* EVT_RECORD_HELD_H_ */

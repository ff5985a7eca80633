/* A thread that must not be interrupted in its current work. */
#ifndef EVT_RECORD_HELD_H_
#define EVT_RECORD_HELD_H_

struct run_held {
  unsigned long before; /* signals */
  int cancel_state;
  int error; /* errno */
};

/* Until the thread is let go, no signal handler runs in it, and it is not cancelled. Signals that it causes itself are
 * still delivered: a write to memory that the program watches, a system call that a filter traps. */
void run_hold(struct run_held* held);
/* errno does not change. */
void run_let_go(const struct run_held* held);

/* The first half of run_hold(): only signals. Returns those that were held before. Uses only general registers. */
unsigned long run_hold_signals(void);
void run_let_signals_go(unsigned long before);

#endif /* EVT_RECORD_HELD_H_ */

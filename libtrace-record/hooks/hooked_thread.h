/* What threads need to have their calls seen: entries, and cells to count in. Memory of threads that have ended is used
 * again, so that there is as much of it as threads at a time, and some. */
#ifndef EVT_RECORD_HOOKED_THREAD_H_
#define EVT_RECORD_HOOKED_THREAD_H_

#include "../recorded/held.h"
#include "call_stack.h"

struct run_thread_memory {
  struct run_thread_memory* next; /* that ended after it */
  struct run_thread_memory* made; /* before it */
  struct run_open_call* calls;    /* RUN_DEPTH and the one before them, then RUN_ELSEWHERE */
  struct run_open_call** left;    /* RUN_LEFT */
  struct run_cell** cells;        /* RUN_IMPORTS of them; NULL: calls are traced */
  uint32_t number;                /* of the thread, in the table of counted calls */
};

/* The calling thread's calls are seen until it ends; 0: there is no memory. `kept_ended`: how many threads that have
 * ended keep their cells. `is_start`: nothing of the program has run in it; of others the stack is not looked for,
 * which allocates. */
int run_begin_hooked_thread(int is_start, int has_cells, unsigned kept_ended);
/* The calling thread's; NULL: it has none. */
struct run_thread_memory* run_memory_of_thread(void);

/* No thread counts from now on, but in cells that it asks for. */
void run_forget_cells(void);
/* The end of those that have not returned is not recorded, nor counted. */
void run_forget_begun_calls(void);
/* In the child of a fork: no other thread is left, and calls that have not returned began in the parent. */
void run_hooked_thread_of_child(void);

/* The thread is held, and no other one is between them. */
void run_lock_hooks(struct run_held* held);
void run_unlock_hooks(const struct run_held* held);

#endif /* EVT_RECORD_HOOKED_THREAD_H_ */

/* What a thread needs to have its calls seen: entries, and cells to count in. Memory of ended threads is reused, so
 * that there is about as much as for the threads that live at a time. */
#ifndef EVT_RECORD_HOOKED_THREAD_H_
#define EVT_RECORD_HOOKED_THREAD_H_

#include "../recorded/held.h"
#include "call_stack.h"

struct run_thread_memory {
  struct run_thread_memory* next; /* ended after it */
  struct run_thread_memory* made; /* before it */
  struct run_open_call* calls;    /* RUN_DEPTH and the one before them, then RUN_ELSEWHERE */
  struct run_open_call** left;    /* RUN_LEFT */
  struct run_cell** cells;        /* RUN_IMPORTS of them; NULL: calls are traced */
  uint32_t number;                /* the thread's, in the table of counted calls */
};

/* Makes the calling thread's calls seen until it ends; 0: there is no memory. `kept_ended`: how many ended threads keep
 * their cells. `is_start`: no code of the program has run in it; in other threads the stack is not looked up, because
 * that allocates. */
int run_begin_hooked_thread(int is_start, int has_cells, unsigned kept_ended);
/* The calling thread's memory; NULL: none. */
struct run_thread_memory* run_memory_of_thread(void);

/* Stops all threads from counting, except in cells that they request later. */
void run_forget_cells(void);
/* The ends of calls that have not returned are neither recorded nor counted. */
void run_forget_begun_calls(void);
/* In the child of a fork: no other thread is left, and calls that have not returned began in the parent. */
void run_hooked_thread_of_child(void);

/* The thread is held, and no other one is between them. */
void run_lock_hooks(struct run_held* held);
void run_unlock_hooks(const struct run_held* held);

#endif /* EVT_RECORD_HOOKED_THREAD_H_ */

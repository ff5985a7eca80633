/* The table of counted calls of this process. */
#ifndef EVT_RECORD_COUNT_TABLE_H_
#define EVT_RECORD_COUNT_TABLE_H_

#include "call_stack.h"

/* Sets the destination: a file in that folder, made at the first call. */
void run_counts_start(const char* folder, int is_timed);
/* Makes cells for the calling thread; 0: there is no memory. */
int run_counts_begin_thread(int is_start);
void run_counts_name_thread(const char* name);
/* In the child of a fork: its table has nothing yet. `is_kept`: in a file again. */
void run_counts_of_child(int is_kept);
/* Notes the time, by which ticks are understood. */
void run_counts_note_time(void);
/* Nothing is counted from now on, or it is again. */
void run_counts_stop(void);
void run_counts_go_on(void);

#endif /* EVT_RECORD_COUNT_TABLE_H_ */

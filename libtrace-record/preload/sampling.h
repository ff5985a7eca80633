/* Samples of the running code where evt run asks this library for them (RUN_SAMPLES_VARIABLE), because the kernel
 * refuses it perf events: each thread has a timer of its cpu time in user mode, whose signal, SIGPROF, copies registers
 * and the top of the stack. It comes only while the thread runs code of its own, so it interrupts no system call. */
#ifndef EVT_RECORD_SAMPLING_H_
#define EVT_RECORD_SAMPLING_H_

#include "../recorded/sample_spool.h"

/* In the constructor. NULL: there are none. A program that has SIGPROF already keeps it. */
void run_start_sampling(struct run_spool* spool);
/* In the child of a fork. `is_followed`: it is sampled, too. */
void run_start_sampling_in_child(int is_followed);
/* The calling thread begins, with the signals that it blocks itself. */
void run_sample_thread(void);

/* No sample is taken in between. */
void run_pause_sampling(void);
void run_resume_sampling(void);

/* The program takes SIGPROF for itself, which has its default action from here on. */
void run_give_profile_signal(void);

/* 1: this library handles SIGPROF in this process. */
int run_has_profile_signal(void);
/* The calling thread is about to block SIGPROF, or has unblocked it. */
void run_note_profile_signal(int is_blocked);
/* The process ends. */
void run_end_sampling(void);

#endif /* EVT_RECORD_SAMPLING_H_ */

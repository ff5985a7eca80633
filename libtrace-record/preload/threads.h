/* What the library keeps of threads that begin. */
#ifndef EVT_RECORD_THREADS_H_
#define EVT_RECORD_THREADS_H_

/* In the child of a fork: threads that had not begun will not, so what they were to do is kept for none. */
void run_forget_starts(void);

#endif /* EVT_RECORD_THREADS_H_ */

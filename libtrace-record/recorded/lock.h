/* A lock that uses only the system: waiters sleep, so that its holder runs, whatever their priorities. */
#ifndef EVT_RECORD_LOCK_H_
#define EVT_RECORD_LOCK_H_

/* 0: free. A fork child frees those of its parent's threads. */
typedef int run_lock;

void run_take(run_lock* lock);
void run_give(run_lock* lock);

#endif /* EVT_RECORD_LOCK_H_ */

/* The session of this process: opened by the constructor, by the child of a fork again, closed by the destructor. */
#ifndef EVT_RECORD_SESSION_H_
#define EVT_RECORD_SESSION_H_

/* In the child of a fork, which has no session yet: its parent's is not its own. */
void run_session_of_child(void);

/* As above for threads.c: threads that had not begun will not, so their start arguments are discarded. */
void run_forget_starts(void);

/* Ends it, and with it the writer's thread, for a call that is refused to a process with threads. REQUIRES: no other
 * thread of the process records. */
void run_pause_session(void);
/* Continues in another one. */
void run_resume_session(void);

/* Called before the program restricts its system calls: nothing is recorded from now on, and this library no longer
 * runs in the process or calls the system. 0: this is a child in the process's memory; or it was done before. */
int run_end_recording(void);
/* The system refused the restriction: records in another session, except for other threads that already exist. */
void run_record_again(void);

#endif /* EVT_RECORD_SESSION_H_ */

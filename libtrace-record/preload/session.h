/* The session of this process: opened by the constructor, by the child of a fork again, closed by the destructor. */
#ifndef EVT_RECORD_SESSION_H_
#define EVT_RECORD_SESSION_H_

/* In the child of a fork, which has no session yet: its parent's is not its own. */
void run_session_of_child(void);

/* The same, of what threads.c keeps: threads that had not begun will not, so what they were to do is kept for none. */
void run_forget_starts(void);

/* Ends it, and with it the writer's thread, for a call that is refused to a process with threads. REQUIRES: no other
 * thread of the process records. */
void run_pause_session(void);
/* Goes on in another one. */
void run_resume_session(void);

/* The program is about to restrict its system calls: nothing is recorded from now on, and nothing of this library runs
 * in the process or asks the system for anything. 0: it is not this process, but one in its memory; or it was done. */
int run_end_recording(void);
/* The system has refused that: records in another session, but for what other threads do that there are. */
void run_record_again(void);

#endif /* EVT_RECORD_SESSION_H_ */

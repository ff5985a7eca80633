/* The session of this process: opened by the constructor, by the child of a fork again, closed by the destructor. */
#ifndef EVT_RECORD_SESSION_H_
#define EVT_RECORD_SESSION_H_

/* What evt run hands to the programs that it starts, by their environment. */
#define RUN_FOLDER_VARIABLE "EVTRACE_RUN"        /* where sessions go */
#define RUN_CALLS_VARIABLE "EVTRACE_RUN_CALLS"   /* groups, with commas between */
#define RUN_HOOKS_VARIABLE "EVTRACE_RUN_HOOKS"   /* trace, time, count; is not set: imports are not hooked */
#define RUN_GLOBS_VARIABLE "EVTRACE_RUN_GLOBS"   /* of imports, with commas between */
#define RUN_NOW_VARIABLE "EVTRACE_RUN_NOW"       /* is set: LD_BIND_NOW was not */
#define RUN_SCHED_VARIABLE "EVTRACE_RUN_SCHED"   /* is set: evt run records when threads end */
#define RUN_STOPS_VARIABLE "EVTRACE_RUN_STOPS"   /* the process whose stops evt run records */
#define RUN_ALONE_VARIABLE "EVTRACE_RUN_ALONE"   /* is set: children are not followed */
#define RUN_BEFORE_VARIABLE "EVTRACE_RUN_BEFORE" /* LD_PRELOAD as it was; is not set where that was not */
#define RUN_RATE_VARIABLE "EVTRACE_COUNTER_HZ"   /* the writer's own: <evt/evt.h> */

/* In the child of a fork, which has no session yet: its parent's is not its own. */
void run_session_of_child(void);

/* Ends it, and with it the writer's thread, for a call that is refused to a process with threads. REQUIRES: no other
 * thread of the process records. */
void run_pause_session(void);
/* Goes on in another one. */
void run_resume_session(void);

#endif /* EVT_RECORD_SESSION_H_ */

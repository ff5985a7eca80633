/* Events about how recording continues when a program restricts its system calls. C, and C++ to read them. */
#ifndef EVT_RECORD_RESTRICTION_EVENTS_H_
#define EVT_RECORD_RESTRICTION_EVENTS_H_

/* Recording of the process ends. */
#define RUN_RESTRICTED "run.restricted"
/* The system refused the restriction: recording continues, except for `threads` existing threads. */
#define RUN_UNRESTRICTED "run.unrestricted"
#define RUN_UNRESTRICTED_THREADS "threads"

#endif /* EVT_RECORD_RESTRICTION_EVENTS_H_ */

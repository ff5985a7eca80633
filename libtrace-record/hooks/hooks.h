/* Every imported function: calls of objects' imports are traced, or counted, through their global offset tables.
 */
#ifndef EVT_RECORD_HOOKS_H_
#define EVT_RECORD_HOOKS_H_

/* Called by the constructor, before the session is opened. `mode`: trace, time, sample or count; NULL: nothing is
 * hooked. */
void run_hooks_prepare(const char* mode);
/* A table of counted calls takes the place of a session. */
int run_hooks_count(void);
/* Called by the constructor, at its end. `globs`: selection.h. `folder`: of sessions. */
void run_hooks_start(const char* globs, const char* folder, int follows_children);
/* The process has a session, or a new one, whose texts have other numbers. */
void run_hooks_session_opened(void);

/* True if the beginning of threads must be seen, even without a session. */
int run_has_hooks(void);
/* The calling thread begins, or has another name. `is_start`: hooked_thread.h. */
int run_hooks_begin_thread(int is_start);
void run_hooks_name_thread(const char* name);
void run_hooks_end(void);
/* The program restricts its system calls: nothing is counted from now on, or it is again. */
void run_hooks_stop(void);
void run_hooks_go_on(void);

#endif /* EVT_RECORD_HOOKS_H_ */

/* Libraries that the program loads while it runs: their imports are hooked when dlopen returns. */
#ifndef EVT_RECORD_LOADING_H_
#define EVT_RECORD_LOADING_H_

/* Returns 0 if the loader's functions are not found. `folder`: of sessions; a file `unhooked.*` there tells what stayed
 * unhooked.
 */
int run_watch_loading(const char* folder);
/* Hooks what was loaded since the last call. Any thread. */
void run_hook_new_objects(void);
/* In the child of a fork. */
void run_watch_loading_in_child(void);

#endif /* EVT_RECORD_LOADING_H_ */

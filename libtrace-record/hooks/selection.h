/* Selects imported functions to hook: those that a user asked for, except those that must not be hooked. */
#ifndef EVT_RECORD_SELECTION_H_
#define EVT_RECORD_SELECTION_H_

/* `globs`: LIBRARY:FUNCTION or FUNCTION, separated by commas; empty: all. A file `glob.N` in the folder tells that
 * pattern N, from 0, has matched. Not for several threads at a time. */
void run_select_imports(const char* globs, const char* folder);
int run_is_selected(const char* library, const char* function);

/* It looks at its caller, returns twice, never, or elsewhere, or is part of how exceptions find their way. */
int run_is_never_hooked(const char* function);

#endif /* EVT_RECORD_SELECTION_H_ */

/* Which imported functions are hooked: those that a user asked for, and no others that must not be. */
#ifndef EVT_RECORD_SELECTION_H_
#define EVT_RECORD_SELECTION_H_

/* `globs`: LIBRARY:FUNCTION or FUNCTION, with commas between; empty: all. A file `glob.N` in the folder has that the
 * one of that number, from 0, has matched. Not of several threads at a time. */
void run_select_imports(const char* globs, const char* folder);
int run_is_selected(const char* library, const char* function);

/* It looks at its caller, returns twice, never, or elsewhere, or is part of how exceptions find their way. */
int run_is_never_hooked(const char* function);

#endif /* EVT_RECORD_SELECTION_H_ */

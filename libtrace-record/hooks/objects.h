/* The objects that a process has loaded: slots of their global offset tables, for functions that they import, are
 * redirected to stubs. */
#ifndef EVT_RECORD_OBJECTS_H_
#define EVT_RECORD_OBJECTS_H_

#include "../recorded/real.h"

/* The replacement of a function that must see its caller, possibly the function itself; NULL: it is hooked like
 * others. */
typedef run_function (*run_instead)(const char* name, run_function function);

/* Hooks the selected imports of objects that were loaded since the last call. One thread at a time. Returns bits: what
 * stayed unhooked. */
enum { RUN_TOO_MANY_IMPORTS = 1, RUN_NO_CODE_MEMORY = 2 };
unsigned run_hook_imports(run_instead instead_of);

#endif /* EVT_RECORD_OBJECTS_H_ */

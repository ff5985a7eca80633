/* The objects that a process has loaded: slots of their global offset tables are led to stubs, as they import
 * functions. */
#ifndef EVT_RECORD_OBJECTS_H_
#define EVT_RECORD_OBJECTS_H_

#include "../recorded/real.h"

/* What takes the place of a function that must see its caller, perhaps itself; NULL: it is hooked as others are. */
typedef run_function (*run_instead)(const char* name, run_function function);

/* Hooks what objects import that were loaded since the last time, if the selection has it. One thread at a time. Bits:
 * what stayed unhooked. */
enum { RUN_TOO_MANY_IMPORTS = 1, RUN_NO_CODE_MEMORY = 2 };
unsigned run_hook_imports(run_instead instead_of);

#endif /* EVT_RECORD_OBJECTS_H_ */

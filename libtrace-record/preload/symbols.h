/* Names of locks and of what else threads wait for: of a variable that the program or a library has, its symbol. */
#ifndef EVT_RECORD_SYMBOLS_H_
#define EVT_RECORD_SYMBOLS_H_

#include "../recorded/recording.h"

/* Records which variable is at the address, when it is met first in this session: as mt.3811:log_mutex, with the
 * process that has it. What is on the heap or a stack has no name, nor has what comes after the first hundreds, or
 * after millions of symbols that were looked at. */
void run_name_variable(const void* address);

/* Its name, if it was recorded in this session; else an empty one. */
const char* run_name_of_variable(const void* address);

/* A session begins, in which nothing has a name. */
void run_forget_variables(void);

#endif /* EVT_RECORD_SYMBOLS_H_ */

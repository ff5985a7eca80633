/* Stacks of calls that took long: whoever called is still there when the call has returned. */
#ifndef EVT_RECORD_WAITS_H_
#define EVT_RECORD_WAITS_H_

#include <stdint.h>

#include "../recorded/recording.h"
#include "../recorded/sample_spool.h"
#include "descriptors.h"

/* Ticks; a call that takes longer leaves its stack. Calls that take shorter cost nothing. */
extern uint64_t run_long_wait;

/* In the constructor. NULL: no call leaves a stack. */
void run_start_waits(struct run_spool* spool);

/* A recorded call took so long. `function`: interned in this session. */
void run_note_wait(uint32_t function, struct run_object object, uint64_t ticks);

#endif /* EVT_RECORD_WAITS_H_ */

/* What this library calls. */
#ifndef EVT_RECORD_OWN_CALLS_H_
#define EVT_RECORD_OWN_CALLS_H_

/* From now on this library calls the C library itself, whatever the program and other libraries define under the same
 * names: a library that counts calls, or states another time, has the program's alone. The allocator is the program's.
 * Of the constructor. */
void run_bind_own_calls(void);

#endif /* EVT_RECORD_OWN_CALLS_H_ */

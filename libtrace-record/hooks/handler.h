/* Called when a hooked function is called, and when it returns. */
#ifndef EVT_RECORD_HANDLER_H_
#define EVT_RECORD_HANDLER_H_

#include "call_stack.h"
#include "import_table.h"

struct run_entered {
  struct run_open_call* call; /* NULL: its return does not matter */
  run_function function;
};

/* Called by trampolines. `returns`: where the return address is. */
struct run_entered run_entered_trace(uint32_t import, uintptr_t* returns, struct run_open_call* rbx);
struct run_entered run_entered_time(uint32_t import, uintptr_t* returns, struct run_open_call* rbx);
struct run_entered run_entered_count(uint32_t import, uintptr_t* returns, struct run_open_call* rbx);
void run_left_trace(struct run_open_call* call);
void run_left_time(struct run_open_call* call);
void run_left_count(struct run_open_call* call);

/* The trampolines, and where functions return to them. */
void run_enter_trace(void);
void run_enter_time(void);
void run_enter_count(void);
extern char run_back_trace[] __attribute__((visibility("hidden")));
extern char run_back_time[] __attribute__((visibility("hidden")));

/* Functions that need vector registers, with those of the caller saved. */
struct run_cell* run_saving_cell(uint32_t import);
int run_saving_thread(void);
int run_saving_vfork(void);
uint64_t run_saving_now(void);

/* True if the time stamp counter is the clock, and if some calls are not timed; set by the constructor. */
extern int run_has_tsc __attribute__((visibility("hidden")));
extern int run_is_sampling __attribute__((visibility("hidden")));

#endif /* EVT_RECORD_HANDLER_H_ */

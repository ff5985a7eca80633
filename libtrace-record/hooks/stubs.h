/* The code that hooked slots lead to: a few instructions for each import, made when it is hooked. */
#ifndef EVT_RECORD_STUBS_H_
#define EVT_RECORD_STUBS_H_

#include <stddef.h>
#include <stdint.h>

/* How calls are handled. */
enum run_hook_mode {
  RUN_HOOKS_OFF,
  RUN_HOOKS_TRACE,
  RUN_HOOKS_TIME,   /* each is counted and timed */
  RUN_HOOKS_SAMPLE, /* each is counted, and timed unless it is one of many that are short */
  RUN_HOOKS_COUNT,
};

struct run_stubs {
  uint8_t* code;
  size_t size;
};

/* Before the first is made. */
void run_choose_stubs(enum run_hook_mode mode);
/* Stubs of `count` imports from number `from`; code NULL: there is no memory. */
struct run_stubs run_make_stubs(uint32_t from, size_t count);
/* Makes them callable; 0: the system refuses, and there are none. */
int run_finish_stubs(const struct run_stubs* stubs);
void* run_stub(const struct run_stubs* stubs, size_t index);
/* True if that address is in a stub. */
int run_is_stub(const void* address);

#endif /* EVT_RECORD_STUBS_H_ */

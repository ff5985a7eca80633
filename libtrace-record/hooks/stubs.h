/* The code that hooked slots lead to: a few instructions for each import, made when it is hooked. */
#ifndef EVT_RECORD_STUBS_H_
#define EVT_RECORD_STUBS_H_

#include <stddef.h>
#include <stdint.h>

/* What is done with calls. */
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
/* Those of `count` imports, the first of which is `from`; code NULL: there is no memory. */
struct run_stubs run_make_stubs(uint32_t from, size_t count);
/* They can be called from now on; 0: the system refuses. Then there are none. */
int run_finish_stubs(const struct run_stubs* stubs);
void* run_stub(const struct run_stubs* stubs, size_t index);
/* Whether that address is one of a stub. */
int run_is_stub(const void* address);

#endif /* EVT_RECORD_STUBS_H_ */

/* The calls of a thread that go through trampolines and have not returned. Their return addresses are kept here,
 * because the stack has the trampoline's address in their place. */
#ifndef EVT_RECORD_CALL_STACK_H_
#define EVT_RECORD_CALL_STACK_H_

/* Offsets in struct run_open_call, for the trampoline and for unwinders. */
#define RUN_CALL_RETURNS 0
#define RUN_CALL_UNWINDS 8
#define RUN_CALL_RBX 16

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct run_cell;

struct run_open_call {
  uintptr_t returns;
  uintptr_t unwinds; /* one less: to unwinders the trampoline is a signal frame, whose address is used unchanged */
  uintptr_t rbx;     /* saved from the caller; the trampoline keeps the address of this entry there */
  uintptr_t depth;   /* the complement of where the return address was; 0: the entry is free */
  uint64_t began;
  struct run_cell* cell;
  uint32_t import;
  uint32_t is_recorded; /* its begin is in the trace */
  uint64_t weight;      /* for its time, if calls are counted */
  struct run_open_call* below;
};

_Static_assert(offsetof(struct run_open_call, returns) == RUN_CALL_RETURNS, "the trampoline has it");
_Static_assert(offsetof(struct run_open_call, unwinds) == RUN_CALL_UNWINDS, "the trampoline has it");
_Static_assert(offsetof(struct run_open_call, rbx) == RUN_CALL_RBX, "the trampoline has it");

/* The deeper on the stack, the larger. */
#define RUN_DEPTH_OF(returns) (~(uintptr_t)(returns))

enum { RUN_DEPTH = 16384, RUN_LEFT = 4096, RUN_ELSEWHERE = 1024, RUN_PROBES = 8 };

/* Calls on the thread's own stack return in order, and are a list, the deepest first. A call that is deeper than the
 * next one was left, by an exception or a jump; or a coroutine has its stack within the thread's, and the call will
 * return: its entry is kept outside the list until its place on the stack is reused. Calls on other stacks, of
 * coroutines and signals, return in any order; their entries are found by the place of the return address. */
struct run_hooked {
  struct run_cell** cells;         /* by import; NULL: none */
  struct run_open_call* top;       /* the deepest; NULL: none */
  struct run_open_call* free;      /* those that were used; a list */
  struct run_open_call* unused;    /* the entries from here on were never used */
  struct run_open_call* first;     /* RUN_DEPTH of them, after one that is never dropped */
  struct run_open_call** left;     /* RUN_LEFT; by the place of the return address */
  struct run_open_call* elsewhere; /* RUN_ELSEWHERE of them */
  uintptr_t stack_low;
  uintptr_t stack_size;
  unsigned inside; /* recording itself calls functions that may be hooked */
};

extern __thread struct run_hooked run_hooked __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif /* __ASSEMBLER__ */
#endif /* EVT_RECORD_CALL_STACK_H_ */

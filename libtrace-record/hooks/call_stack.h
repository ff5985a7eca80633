/* The calls of a thread that go through trampolines and have not returned: where each returns to is kept here, as the
 * trampoline's own address is in its place on the stack. */
#ifndef EVT_RECORD_CALL_STACK_H_
#define EVT_RECORD_CALL_STACK_H_

/* Of struct run_open_call, for the trampoline and what unwinders read of it. */
#define RUN_CALL_RETURNS 0
#define RUN_CALL_UNWINDS 8
#define RUN_CALL_RBX 16

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct run_cell;

struct run_open_call {
  uintptr_t returns;
  uintptr_t unwinds; /* one less: the trampoline is a frame of a signal to unwinders, whose address is taken as it is */
  uintptr_t rbx;     /* of the caller; the trampoline has the address of this entry there */
  uintptr_t depth;   /* the complement of where the return address was; 0: the entry is free */
  uint64_t began;
  struct run_cell* cell;
  uint32_t import;
  uint32_t is_recorded; /* its begin is in the trace */
  uint64_t weight;      /* of its time, where calls are counted */
  struct run_open_call* below;
};

_Static_assert(offsetof(struct run_open_call, returns) == RUN_CALL_RETURNS, "the trampoline has it");
_Static_assert(offsetof(struct run_open_call, unwinds) == RUN_CALL_UNWINDS, "the trampoline has it");
_Static_assert(offsetof(struct run_open_call, rbx) == RUN_CALL_RBX, "the trampoline has it");

/* The deeper on the stack, the larger. */
#define RUN_DEPTH_OF(returns) (~(uintptr_t)(returns))

enum { RUN_DEPTH = 16384, RUN_LEFT = 4096, RUN_ELSEWHERE = 1024, RUN_PROBES = 8 };

/* Calls on the thread's own stack return in order, and are a list, the deepest first. One that is deeper than the next
 * call was left, by an exception or a jump; or a coroutine has its stack within the thread's, and the call will return:
 * until its place on the stack is used again its entry is kept, apart from the list. Calls on other stacks, of
 * coroutines and signals, return in any order, and have their entries by the place of the return address. */
struct run_hooked {
  struct run_cell** cells;         /* by import; NULL: the thread has none */
  struct run_open_call* top;       /* the deepest; NULL: the thread has none */
  struct run_open_call* free;      /* those that were used; a list */
  struct run_open_call* unused;    /* those behind it were not */
  struct run_open_call* first;     /* RUN_DEPTH of them, behind one that is never dropped */
  struct run_open_call** left;     /* RUN_LEFT; by the place of the return address */
  struct run_open_call* elsewhere; /* RUN_ELSEWHERE of them */
  uintptr_t stack_low;
  uintptr_t stack_size;
  unsigned inside; /* recording itself calls what may be hooked */
};

extern __thread struct run_hooked run_hooked __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif /* __ASSEMBLER__ */
#endif /* EVT_RECORD_CALL_STACK_H_ */

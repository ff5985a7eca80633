/* Where programs leave copies of their stacks for evt run: memory that evt run makes and empties, and that all of them
 * share. C, and C++ to read it. */
#ifndef EVT_RECORD_SAMPLE_SPOOL_H_
#define EVT_RECORD_SAMPLE_SPOOL_H_

#include <stddef.h>
#include <stdint.h>

enum { RUN_SPOOL_VERSION = 3, RUN_SLOT_BYTES = 8192, RUN_SLOT_NAME = 128 };

/* x86-64: rax, rdx, rcx, rbx, rsi, rdi, r8 to r15, which is the order of their numbers in tables of frames. */
enum { RUN_SLOT_RBX = 3, RUN_SLOT_R12 = 10, RUN_SLOT_REGISTERS = 14 };

enum run_slot_state { RUN_SLOT_FREE, RUN_SLOT_TAKEN, RUN_SLOT_FULL };

/* In the order in which those of one moment are read. */
enum run_slot_kind {
  RUN_SLOT_CODE,      /* lines of /proc/self/maps of executable memory, in place of what the process had before */
  RUN_SLOT_MORE_CODE, /* further ones */
  RUN_SLOT_SAMPLE,    /* the top of a stack */
  RUN_SLOT_WAIT,      /* the same after a call that took long: this library's own frames are the innermost */
};

struct run_slot {
  uint32_t state;
  uint32_t kind;
  uint32_t process;
  uint32_t thread;
  uint32_t cpu;
  uint32_t size;      /* bytes in use */
  uint64_t ns;        /* CLOCK_MONOTONIC */
  uint64_t length_ns; /* a sample: the time in user mode that it stands for; a wait: how long the call took */
  uint64_t pc;
  uint64_t stack;
  uint64_t frame;
  uint64_t link;
  uint64_t others[RUN_SLOT_REGISTERS]; /* a wait: only those that a call keeps */
  char function[RUN_SLOT_NAME];        /* a wait: which one was called */
  char object[RUN_SLOT_NAME];          /* the name of what it waited for; empty: it has none */
  char bytes[RUN_SLOT_BYTES];
};

/* Its slots follow. */
struct run_spool {
  uint32_t version;
  uint32_t slots;      /* how many */
  uint32_t is_closed;  /* nobody reads it any more */
  uint32_t next;       /* slot, modulo their number */
  uint32_t wants_code; /* evt run does not know otherwise which code a process has where */
  uint64_t period_ns;  /* cpu time in user mode between samples; 0: there are none */
  uint64_t wait_ns;    /* a call that takes longer leaves its stack; 0: none does */
  uint64_t lost;       /* samples for which no slot was free */
  /* Sampling is left to the program there. */
  uint32_t processes_with_handler; /* they handle SIGPROF */
  uint32_t threads_that_block;     /* they run while they block SIGPROF, at times or always */
  uint32_t threads_without_timer;  /* the system has none for them */
  uint32_t samples_without_stack;  /* the system refuses copies of it */
  uint64_t waits_without_stack;    /* more than a thread may send in a second */
  uint64_t blocked_ns;             /* cpu time of those threads meanwhile */
};

static inline struct run_slot* run_slot_at(struct run_spool* spool, uint32_t index) {
  return (struct run_slot*)(void*)(spool + 1) + index;
}

static inline size_t run_spool_size(uint32_t slots) {
  return sizeof(struct run_spool) + slots * sizeof(struct run_slot);
}

#endif /* EVT_RECORD_SAMPLE_SPOOL_H_ */

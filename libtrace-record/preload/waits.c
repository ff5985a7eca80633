#define _GNU_SOURCE
#include "waits.h"

#include <evt/evt.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "../recorded/entry.h"
#include "../recorded/thread_stream.h"
#include "spool.h"
#include "symbols.h"

uint64_t run_long_wait = UINT64_MAX;

static struct run_spool* spool;
static double ns_per_tick;

/* What the calling thread has sent in a second. */
static __thread struct {
  uint64_t since_ns;
  unsigned sent;
} second __attribute__((tls_model("initial-exec")));

void run_start_waits(struct run_spool* given) {
  const uint64_t hz = evt_counter_hz();
  if (given == NULL || given->wait_ns == 0 || hz == 0) return;
  spool = given;
  ns_per_tick = 1e9 / (double)hz;
  run_long_wait = (uint64_t)((double)given->wait_ns / ns_per_tick);
}

static const char* name_of(uint32_t function) {
  for (int call = 0; call < RUN_CALLS; ++call) {
    if (run_session.functions[call] == function) return run_session.names[call];
  }
  return "";
}

static int may_send(uint64_t ns) {
  enum { kMost = 100 };
  if (ns - second.since_ns > 1000000000) {
    second.since_ns = ns;
    second.sent = 0;
  }
  return second.sent++ < kMost;
}

/* This function's own: the caller's are found by its tables. */
#if defined(__x86_64__)
_Static_assert(RUN_SLOT_RBX == 3 && RUN_SLOT_R12 == 10, "they are stored there");
#define READ_REGISTERS(slot)                                                         \
  __asm__ volatile(                                                                  \
      "mov %%rbx, 24(%0)\n\tmov %%r12, 80(%0)\n\tmov %%r13, 88(%0)\n\t"              \
      "mov %%r14, 96(%0)\n\tmov %%r15, 104(%0)"                                      \
      :                                                                              \
      : "r"((slot)->others)                                                          \
      : "memory");                                                                   \
  __asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"              \
                   : "=&r"((slot)->pc), "=&r"((slot)->stack), "=&r"((slot)->frame)); \
  (slot)->link = 0
#elif defined(__aarch64__)
#define READ_REGISTERS(slot)                                               \
  __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30" \
                   : "=&r"((slot)->pc), "=&r"((slot)->stack), "=&r"((slot)->frame), "=&r"((slot)->link))
#else
#define READ_REGISTERS(slot) (slot)->pc = (slot)->stack = (slot)->frame = (slot)->link = 0
#endif

/* Inlined into wrappers it would make their frames large. */
__attribute__((noinline)) void run_note_wait(uint32_t function, struct run_object object, uint64_t ticks) {
  if (!run_enter()) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  if (spool->is_closed) {
    run_long_wait = UINT64_MAX;
  } else if (!may_send(ns)) {
    __atomic_add_fetch(&spool->waits_without_stack, 1, __ATOMIC_RELAXED);
  } else {
    run_send_new_code(spool, ns);
    struct run_slot* const slot = run_take_slot(spool, RUN_SLOT_WAIT, ns);
    if (slot == NULL) {
      __atomic_add_fetch(&spool->lost, 1, __ATOMIC_RELAXED);
    } else {
      slot->thread = (uint32_t)run_thread.system_number;
      slot->cpu = (uint32_t)sched_getcpu();
      slot->length_ns = (uint64_t)((double)ticks * ns_per_tick);
      run_copy_text(slot->function, name_of(function));
      run_copy_text(slot->object, run_name_of_variable((const void*)(uintptr_t)object.number));
      READ_REGISTERS(slot);
      run_give_slot(slot, run_copy_stack(spool, slot));
    }
  }
  run_leave();
}

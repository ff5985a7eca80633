#define _GNU_SOURCE
#include "sampling.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../recorded/entry.h"
#include "../recorded/real.h"
#include "spool.h"

enum state { FREE, IDLE, RUNNING };

/* The timers of threads. The system's numbers of them are valid in all threads. */
enum { kTimers = 4096, kNoTimer = -1 };
#define kUnknown UINT64_MAX
static struct {
  int state; /* enum state */
  int number;
  int thread;
  int is_blocked;          /* the thread blocks the signal */
  int is_counted;          /* among those that do */
  uint64_t blocked_cpu_ns; /* its cpu time when it began to, or was asked last */
  uint64_t user_ns;        /* its time in user mode at its last sample; kUnknown: another thread started the timer */
} timers[kTimers];

static struct run_spool* spool; /* what it had once stays mapped */
static int is_on;               /* this library handles the signal */
static long period_ns;
static long process;
static pthread_key_t end_key;
static int has_end_key;
static __thread int own_timer __attribute__((tls_model("initial-exec"))); /* 1 + its index; 0: none */

static void count(uint32_t* number) { __atomic_add_fetch(number, 1, __ATOMIC_RELAXED); }

static void read_registers(const ucontext_t* context, struct run_slot* slot) {
#if defined(__x86_64__)
  slot->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  slot->stack = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
  slot->frame = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
  slot->link = 0;
  static const int others[RUN_SLOT_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_R8,
                                                 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (int i = 0; i < RUN_SLOT_REGISTERS; ++i) slot->others[i] = (uint64_t)context->uc_mcontext.gregs[others[i]];
#elif defined(__aarch64__)
  slot->pc = context->uc_mcontext.pc;
  slot->stack = context->uc_mcontext.sp;
  slot->frame = context->uc_mcontext.regs[29];
  slot->link = context->uc_mcontext.regs[30];
#else
  (void)context;
  (void)slot;
#endif
}

/* Time of a thread that is not sampled, as it blocks the signal. */
static void add_blocked(int index, uint64_t ns) {
  __atomic_add_fetch(&spool->blocked_ns, ns, __ATOMIC_RELAXED);
  if (!timers[index].is_counted) count(&spool->threads_that_block);
  timers[index].is_counted = 1;
}

/* The calling thread's: by the scheduler, divided as the ticks were that found it in user mode and in the system. */
static uint64_t own_user_ns(void) {
  struct rusage used;
  if (syscall(SYS_getrusage, RUSAGE_THREAD, &used) != 0) return kUnknown;
  return ((uint64_t)used.ru_utime.tv_sec * 1000000 + (uint64_t)used.ru_utime.tv_usec) * 1000;
}

/* What it ran in user mode since its last sample: `ticks_ns` is of the ticks that found it, and among threads that
 * share a cpu they may miss nearly all. */
static uint64_t take_user_time(uint64_t ticks_ns) {
  if (own_timer == 0) return ticks_ns;
  uint64_t* const last_ns = &timers[own_timer - 1].user_ns;
  const uint64_t before_ns = *last_ns;
  *last_ns = own_user_ns();
  const int is_known = before_ns != kUnknown && *last_ns != kUnknown && *last_ns > before_ns;
  return is_known ? *last_ns - before_ns : ticks_ns;
}

static void sample(const ucontext_t* context, int overrun) {
  /* After more the signal had to wait, for a handler that blocks it: the time was spent elsewhere. */
  enum { kMostWaitedNs = 40000000 };
  const uint64_t ticks_ns = (uint64_t)period_ns * (1 + (uint64_t)overrun);
  const uint64_t length_ns = take_user_time(ticks_ns);
  if (own_timer != 0 && ticks_ns > kMostWaitedNs) {
    add_blocked(own_timer - 1, length_ns);
    return;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  run_send_new_code(spool, ns);
  struct run_slot* const slot = run_take_slot(spool, RUN_SLOT_SAMPLE, ns);
  if (slot == NULL) {
    __atomic_add_fetch(&spool->lost, 1, __ATOMIC_RELAXED);
    return;
  }
  slot->thread = (uint32_t)syscall(SYS_gettid);
  slot->cpu = (uint32_t)sched_getcpu();
  slot->length_ns = length_ns;
  read_registers(context, slot);
  run_give_slot(slot, run_copy_stack(spool, slot));
}

static void set_action(void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  OWN(sigaction)(SIGPROF, &action, NULL);
}

/* The first time is at random: threads that live for a tick of the kernel's would have whole periods only. */
static long first_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t mixed = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u;
  return 1 + (long)((mixed >> 32) % (uint64_t)period_ns);
}

static void set_timer(int index, int is_running) {
  if (timers[index].state == FREE) return;
  struct itimerspec time;
  memset(&time, 0, sizeof time);
  if (is_running) {
    time.it_interval.tv_nsec = period_ns;
    time.it_value.tv_nsec = first_ns();
  }
  timers[index].user_ns = kUnknown;
  __atomic_store_n(&timers[index].state, is_running ? RUNNING : IDLE, __ATOMIC_RELAXED);
  syscall(SYS_timer_settime, timers[index].number, 0, &time, NULL);
}

static void on_signal(int number, siginfo_t* info, void* context) {
  const int error = errno;
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != (void*)&timers) {
    /* Another process sent it, or a timer of the program's: it does what it would. */
    set_action(SIG_DFL);
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), number);
  } else if (run_enter()) {
    if (spool->is_closed && own_timer != 0) {
      set_timer(own_timer - 1, 0);
    } else if (run_has_profile_signal()) {
      sample(context, info->si_overrun);
    }
    run_leave();
  }
  errno = error;
}

/* What the system stores on the stack for a handler may have some KiB: as much as small stacks have. A stack that the
 * program has for handlers stays. On this one all handlers run that ask for one: it has their room, and a page below it
 * that stops what needs more. */
enum { kGuard = 4096 };
static void give_stack(void) {
  enum { kSize = 256 << 10 };
  stack_t now;
  if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  char* const all = mmap(NULL, kGuard + kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_size = kSize;
  stack.ss_sp = all + kGuard;
  const int is_given =
      mprotect(stack.ss_sp, stack.ss_size, PROT_READ | PROT_WRITE) == 0 && sigaltstack(&stack, NULL) == 0;
  if (is_given) {
    pthread_setspecific(end_key, stack.ss_sp);
  } else {
    munmap(all, kGuard + kSize);
  }
}

static void take_stack(void* given) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || stack.ss_sp != given || (stack.ss_flags & SS_ONSTACK) != 0) return;
  const size_t size = stack.ss_size;
  stack.ss_flags = SS_DISABLE;
  if (sigaltstack(&stack, NULL) == 0) munmap((char*)given - kGuard, kGuard + size);
}

/* A thread's cpu time in user mode, as the system numbers that clock (CPUCLOCK_VIRT of a thread). */
static int user_clock_of(long thread) { return (int)(~(unsigned)thread << 3 | 5); }
/* All of its cpu time (CPUCLOCK_SCHED of a thread). */
static int cpu_clock_of(long thread) { return (int)(~(unsigned)thread << 3 | 6); }

static uint64_t cpu_ns(int index) {
  struct timespec now = {0, 0};
  syscall(SYS_clock_gettime, cpu_clock_of(timers[index].thread), &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What its thread ran since it blocked the signal, if it blocks it. */
static void count_blocked(int index) {
  if (timers[index].state == FREE || !timers[index].is_blocked) return;
  const uint64_t now = cpu_ns(index);
  if (now <= timers[index].blocked_cpu_ns) return;
  add_blocked(index, now - timers[index].blocked_cpu_ns);
  timers[index].blocked_cpu_ns = now;
}

/* Once, whoever is first: the thread itself, or another that gives the signal away. */
static void end_timer(int index) {
  const int number = timers[index].number;
  if (__atomic_exchange_n(&timers[index].state, FREE, __ATOMIC_ACQ_REL) != FREE) syscall(SYS_timer_delete, number);
}

static void end_thread(void* stack) {
  if (!run_enter()) return;
  if (own_timer != 0) {
    count_blocked(own_timer - 1);
    end_timer(own_timer - 1);
  }
  own_timer = 0;
  take_stack(stack);
  run_leave();
}

static int make_timer(void) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_ptr = &timers;
  const long thread = syscall(SYS_gettid);
  event._sigev_un._tid = (pid_t)thread;
  int number = kNoTimer;
  return syscall(SYS_timer_create, user_clock_of(thread), &event, &number) == 0 ? number : kNoTimer;
}

static int take_timer(void) {
  for (int i = 0; i < kTimers; ++i) {
    int state = FREE;
    if (__atomic_load_n(&timers[i].state, __ATOMIC_RELAXED) != FREE) continue;
    if (__atomic_compare_exchange_n(&timers[i].state, &state, IDLE, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return i;
  }
  return kNoTimer;
}

/* Some runtimes call the system to handle signals. */
static int is_handler_here(void) {
  struct sigaction action;
  return OWN(sigaction)(SIGPROF, NULL, &action) == 0 && action.sa_sigaction == on_signal;
}

void run_sample_thread(void) {
  if (!run_has_profile_signal()) return;
  if (!is_handler_here()) {
    run_give_profile_signal();
    return;
  }
  const int index = take_timer();
  const int has_end = has_end_key && pthread_setspecific(end_key, &timers) == 0;
  const int number = index >= 0 && has_end ? make_timer() : kNoTimer;
  if (number < 0) {
    if (index >= 0) __atomic_store_n(&timers[index].state, FREE, __ATOMIC_RELEASE);
    count(&spool->threads_without_timer);
    return;
  }
  timers[index].number = number;
  timers[index].thread = (int)syscall(SYS_gettid);
  timers[index].is_blocked = timers[index].is_counted = 0;
  own_timer = index + 1;
  give_stack();
  sigset_t blocked;
  OWN(pthread_sigmask)(SIG_BLOCK, NULL, &blocked);
  if (sigismember(&blocked, SIGPROF)) {
    run_note_profile_signal(1);
  } else {
    set_timer(index, 1);
    timers[index].user_ns = own_user_ns();
  }
  if (!__atomic_load_n(&is_on, __ATOMIC_SEQ_CST)) end_timer(index); /* another thread gave the signal away meanwhile */
}

void run_start_sampling(struct run_spool* found) {
  struct sigaction action;
  if (found == NULL || found->period_ns == 0) return;
  process = syscall(SYS_getpid);
  if (OWN(sigaction)(SIGPROF, NULL, &action) != 0) return;
  if (action.sa_handler != SIG_DFL) {
    count(&found->processes_with_handler);
    return;
  }
  has_end_key = pthread_key_create(&end_key, end_thread) == 0;
  spool = found;
  period_ns = (long)found->period_ns;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  memset(&action.sa_mask, 0xff, sizeof action.sa_mask); /* the program's handlers and cancellation come after it */
  is_on = OWN(sigaction)(SIGPROF, &action, NULL) == 0;
  run_sample_thread();
}

void run_start_sampling_in_child(int is_followed) {
  if (!is_on) return;
  process = syscall(SYS_getpid);
  memset(timers, 0, sizeof timers); /* the parent's */
  own_timer = 0;
  is_on = is_followed;
  if (is_followed) {
    run_sample_thread();
  } else {
    set_action(SIG_DFL);
  }
}

static void set_timers(enum state from, int is_running) {
  for (int i = 0; is_on && i < kTimers; ++i) {
    const int is_it = __atomic_load_n(&timers[i].state, __ATOMIC_ACQUIRE) == (int)from;
    if (is_it && !timers[i].is_blocked) set_timer(i, is_running);
  }
}

void run_pause_sampling(void) { set_timers(RUNNING, 0); }
void run_resume_sampling(void) { set_timers(IDLE, 1); }

void run_give_profile_signal(void) {
  if (!__atomic_exchange_n(&is_on, 0, __ATOMIC_SEQ_CST)) return;
  count(&spool->processes_with_handler);
  for (int i = 0; i < kTimers; ++i) end_timer(i);
  if (!is_handler_here()) return;
  /* Signals that wait for threads are discarded by the first. */
  set_action(SIG_IGN);
  set_action(SIG_DFL);
}

/* Another process in this one's memory has handlers of its own. */
int run_has_profile_signal(void) {
  return __atomic_load_n(&is_on, __ATOMIC_SEQ_CST) && !run_is_shut && syscall(SYS_getpid) == process;
}

void run_note_profile_signal(int is_blocked) {
  if (own_timer == 0) return;
  const int index = own_timer - 1;
  if (timers[index].is_blocked == is_blocked || !run_has_profile_signal()) return;
  const int error = errno;
  if (is_blocked) {
    timers[index].blocked_cpu_ns = cpu_ns(index);
  } else {
    count_blocked(index);
  }
  timers[index].is_blocked = is_blocked;
  set_timer(index, !is_blocked);
  timers[index].user_ns = own_user_ns();
  errno = error;
}

void run_end_sampling(void) {
  if (!run_has_profile_signal()) return;
  for (int i = 0; i < kTimers; ++i) count_blocked(i);
}

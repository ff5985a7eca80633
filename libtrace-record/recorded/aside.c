/* Compiled with only general registers: when hooks take a stack, the others hold arguments of the hooked function.
 */
#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "entry.h"
#include "held.h"

enum { kStacks = 64, kSize = 256 << 10, kGuard = 64 << 10 };

/* Taken and made without a lock: a process may fork at any moment. */
static unsigned char is_taken[kStacks];
static char* stacks[kStacks];

static char* stack_of(int number) {
  if (stacks[number] != NULL) return stacks[number];
  const int error = errno;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  const long made = syscall(SYS_mmap, NULL, (size_t)(kGuard + kSize), PROT_NONE, flags, -1, 0);
  if (made != -1 && syscall(SYS_mprotect, made + kGuard, (size_t)kSize, PROT_READ | PROT_WRITE) == 0) {
    stacks[number] = (char*)made;
  } else if (made != -1) {
    syscall(SYS_munmap, made, (size_t)(kGuard + kSize));
  }
  errno = error;
  return stacks[number];
}

static void* take(int* number) {
  for (*number = 0; RUN_HAS_STACKS && *number < kStacks; ++*number) {
    if (__atomic_exchange_n(&is_taken[*number], 1, __ATOMIC_ACQUIRE)) continue;
    char* const stack = stack_of(*number);
    if (stack != NULL) return stack + kGuard + kSize;
    __atomic_store_n(&is_taken[*number], 0, __ATOMIC_RELEASE);
    break;
  }
  *number = -1;
  return NULL;
}

static void give(int number) {
  if (number >= 0) __atomic_store_n(&is_taken[number], 0, __ATOMIC_RELEASE);
}

void* run_take_place(struct run_place* place) {
  place->is_held = run_enter();
  place->number = -1;
  if (!place->is_held) return NULL;
  place->signals = run_hold_signals();
  return take(&place->number);
}

void run_give_place(const struct run_place* place) {
  if (!place->is_held) return;
  give(place->number);
  run_let_signals_go(place->signals);
  run_leave();
}

void run_aside_of_child(void) {
  for (int i = 0; i < kStacks; ++i) is_taken[i] = 0;
}

void run_aside(void (*function)(void* argument), void* argument) {
  struct run_held held;
  int number = 0;
  run_hold(&held);
  void* const stack_end = take(&number);
  if (stack_end != NULL) {
    run_on_stack(function, argument, stack_end);
  } else {
    function(argument);
  }
  give(number);
  run_let_go(&held);
}

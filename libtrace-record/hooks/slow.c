/* Functions that handlers call with the caller's vector registers saved. errno does not change. */
#include <errno.h>
#include <evt/emit.h>
#include <time.h>

#include "../recorded/entry.h"
#include "../recorded/thread_stream.h"
#include "call_stack.h"
#include "handler.h"
#include "hooks.h"

int run_has_xsave;

/* Functions that the writer calls, such as an allocator of the program, may be hooked. */
#define INSIDE(type, call)  \
  const int error = errno;  \
  ++run_hooked.inside;      \
  type const result = call; \
  --run_hooked.inside;      \
  errno = error;            \
  return result

#define INSIDE_VOID(call)  \
  const int error = errno; \
  ++run_hooked.inside;     \
  call;                    \
  --run_hooked.inside;     \
  errno = error

evt_begun_ run_slow_begin(evt_stream* stream, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks);
evt_begun_ run_slow_begin(evt_stream* stream, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  INSIDE(evt_begun_, evt_begin_slow_(stream, type, stamp, ticks));
}

void run_slow_room(evt_row* row, size_t size);
void run_slow_room(evt_row* row, size_t size) { INSIDE_VOID(evt_room_slow_(row, size)); }

void run_slow_commit(const evt_row* row);
void run_slow_commit(const evt_row* row) { INSIDE_VOID(evt_commit_slow_(row)); }

void run_slow_reentered(evt_stream* stream);
void run_slow_reentered(evt_stream* stream) { INSIDE_VOID(evt_reentered_(stream)); }

uint64_t run_slow_clock(const evt_stream* stream);
uint64_t run_slow_clock(const evt_stream* stream) { INSIDE(uint64_t, evt_clock_slow_(stream)); }

uint64_t run_slow_now(void);
uint64_t run_slow_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int run_slow_vfork(void);
int run_slow_vfork(void) { INSIDE(int, run_is_in_vfork_child()); }

/* One that was not seen to begin: it may be any, on any stack. */
int run_slow_thread(void);
int run_slow_thread(void) {
  if (!run_enter()) return 0;
  const int error = errno;
  const int begun = run_hooks_begin_thread(0);
  errno = error;
  run_leave();
  return begun;
}

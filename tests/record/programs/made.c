/* Makes code while it runs, and tells in /tmp/perf-PID.map what that is called, as runtimes do. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"

static volatile uint64_t sink;

#ifdef __x86_64__
static uint64_t own_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Each begins a frame, and 40 bytes follow that do nothing. */
enum { FRAME = 4, NOTHING = 40, ROOM = 128 };
static const uint8_t frame[FRAME] = {0x55, 0x48, 0x89, 0xe5};
static const uint8_t counts_down[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
static const uint8_t calls[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd0, 0x5d, 0xc3};

static uint8_t* make(uint8_t* at, const uint8_t* body, size_t size) {
  memcpy(at, frame, FRAME);
  memset(at + FRAME, 0x90, NOTHING);
  memcpy(at + FRAME + NOTHING, body, size);
  return at;
}

KEPT static void run_made(void (*code)(uint64_t), uint64_t ns) {
  const uint64_t until = own_ns() + ns;
  while (own_ns() < until) code(1000000);
  sink += 1;
}

int main(int argc, char** argv) {
  const uint64_t ns = (argc > 1 ? strtoull(argv[1], NULL, 10) : 500) * 1000000u;
  uint8_t* const room = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t* const inner = make(room, counts_down, sizeof counts_down);
  uint8_t* const outer = make(room + ROOM, calls, sizeof calls);
  memcpy(outer + FRAME + NOTHING + 2, &inner, sizeof inner);
  mprotect(room, 4096, PROT_READ | PROT_EXEC);
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  FILE* const map = fopen(path, "w");
  if (map == NULL) return 1;
  fprintf(map, "%lx %x made_inner:1\n%lx %x made_outer\n", (unsigned long)inner, ROOM, (unsigned long)outer, ROOM);
  fclose(map);
  union {
    uint8_t* bytes;
    void (*call)(uint64_t);
  } code = {outer};
  run_made(code.call, ns);
  unlink(path);
  return 0;
}
#else
int main(void) { return 77; }
#endif

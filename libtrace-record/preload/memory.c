/* Wrappers of functions that allocate memory. The amount is the requested size; the size of freed memory is unknown. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "calls.h"

static const struct run_object kMemory = {0, RUN_ALLOCATION};

/* Allocations while the functions themselves are looked up get their memory here, for good. */
enum { kEarlyBytes = 1 << 16, kAlignment = 16 };
static _Alignas(kAlignment) char early_memory[kEarlyBytes];
static size_t early_used;
static __thread int is_looking __attribute__((tls_model("initial-exec")));

static void* take_early(size_t size) {
  const size_t room = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (room < size || room > kEarlyBytes) return NULL;
  const size_t at = __atomic_fetch_add(&early_used, room, __ATOMIC_RELAXED);
  return at <= kEarlyBytes - room ? early_memory + at : NULL;
}

static int is_early(const void* block) { return (uintptr_t)block - (uintptr_t)early_memory < kEarlyBytes; }

static int is_found(enum run_real which) {
  if (__builtin_expect(__atomic_load_n(&run_reals[which], __ATOMIC_RELAXED) != 0, 1)) return 1;
  if (is_looking) return 0;
  is_looking = 1;
  run_find_real(which);
  is_looking = 0;
  return 1;
}

/* Skips allocations by the writer itself, in the middle of an event. */
static struct run_recorded begin(enum run_call call, size_t asked) {
  static const struct run_recorded none = {NULL, 0, {0, RUN_NO_RESOURCE}, 0, 0};
  const evt_stream* const stream = run_stream();
  if (stream == NULL || __atomic_load_n(&stream->busy, __ATOMIC_RELAXED)) return none;
  return asked >> 32 == 0 ? run_begin_buffered(call, kMemory, asked) : run_begin(call, kMemory, asked);
}

/* The product of both; SIZE_MAX if it overflows. */
static size_t times(size_t count, size_t size) {
  size_t all = 0;
  return __builtin_mul_overflow(count, size, &all) ? SIZE_MAX : all;
}

#define WRAP_BLOCK(name, parameters, arguments, asked)         \
  RUN_EXPORT void* name parameters {                           \
    if (!is_found(RUN_REAL_##name)) return take_early(asked);  \
    const struct run_recorded call = begin(RUN_##name, asked); \
    void* const block = REAL(name) arguments;                  \
    run_end(&call, block != NULL ? asked : 0);                 \
    return block;                                              \
  }

WRAP_BLOCK(malloc, (size_t size), (size), size)
WRAP_BLOCK(calloc, (size_t count, size_t size), (count, size), times(count, size))
WRAP_BLOCK(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
WRAP_BLOCK(memalign, (size_t alignment, size_t size), (alignment, size), size)

/* The size of an early block is unknown: copies as much as it may have. */
static void* move_early(const void* block, size_t size) {
  char* const moved = malloc(size);
  const size_t most = (size_t)(early_memory + kEarlyBytes - (const char*)block);
  if (moved != NULL) memcpy(moved, block, size < most ? size : most);
  return moved;
}

#define WRAP_MOVED(name, parameters, arguments, asked)         \
  RUN_EXPORT void* name parameters {                           \
    if (is_early(block)) return move_early(block, asked);      \
    if (!is_found(RUN_REAL_##name)) return take_early(asked);  \
    const struct run_recorded call = begin(RUN_##name, asked); \
    void* const moved = REAL(name) arguments;                  \
    run_end(&call, moved != NULL ? asked : 0);                 \
    return moved;                                              \
  }

WRAP_MOVED(realloc, (void* block, size_t size), (block, size), size)
WRAP_MOVED(reallocarray, (void* block, size_t count, size_t size), (block, count, size), times(count, size))

RUN_EXPORT void free(void* block) {
  if (is_early(block) || !is_found(RUN_REAL_free)) return;
  const struct run_recorded call = begin(RUN_free, 0);
  REAL(free)(block);
  run_end(&call, 0);
}

RUN_EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
  const struct run_recorded call = begin(RUN_posix_memalign, size);
  const int result = REAL(posix_memalign)(block, alignment, size);
  run_end(&call, result == 0 ? size : 0);
  return result;
}

#define WRAP_MAP(name, offset)                                                                 \
  RUN_EXPORT void* name(void* at, size_t size, int rights, int flags, int file, offset from) { \
    const struct run_recorded call = begin(RUN_mmap, size);                                    \
    void* const memory = REAL(name)(at, size, rights, flags, file, from);                      \
    run_end(&call, memory != MAP_FAILED ? size : 0);                                           \
    return memory;                                                                             \
  }

WRAP_MAP(mmap, off_t)
WRAP_MAP(mmap64, off64_t)

RUN_EXPORT int munmap(void* memory, size_t size) {
  const struct run_recorded call = begin(RUN_munmap, size);
  const int result = REAL(munmap)(memory, size);
  run_end(&call, result == 0 ? size : 0);
  return result;
}

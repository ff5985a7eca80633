#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct run_spool* run_map_spool(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat facts;
  struct run_spool* spool = MAP_FAILED;
  if (file < 0) return NULL;
  const int is_file = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  const size_t size = is_file ? (size_t)facts.st_size : 0;
  if (size >= sizeof *spool) spool = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (spool == MAP_FAILED) return NULL;
  if (spool->version == RUN_SPOOL_VERSION && spool->slots > 0 && run_spool_size(spool->slots) == size) return spool;
  munmap(spool, size);
  return NULL;
}

struct run_slot* run_take_slot(struct run_spool* spool, enum run_slot_kind kind, uint64_t ns) {
  enum { kTries = 16 };
  for (int i = 0; i < kTries; ++i) {
    const uint32_t next = __atomic_fetch_add(&spool->next, 1, __ATOMIC_RELAXED) % spool->slots;
    struct run_slot* const slot = run_slot_at(spool, next);
    uint32_t state = RUN_SLOT_FREE;
    if (!__atomic_compare_exchange_n(&slot->state, &state, RUN_SLOT_TAKEN, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    slot->kind = kind;
    slot->process = (uint32_t)syscall(SYS_getpid);
    slot->ns = ns;
    return slot;
  }
  return NULL;
}

void run_give_slot(struct run_slot* slot, uint32_t size) {
  slot->size = size;
  __atomic_store_n(&slot->state, RUN_SLOT_FULL, __ATOMIC_RELEASE);
}

/* The system reads the set of signals before it looks at what to do with it, which is nothing. */
static int is_readable(uint64_t at) {
  return syscall(SYS_rt_sigprocmask, -1, at, NULL, (size_t)8) != 0 && errno != EFAULT;
}

/* Up to where the stack ends. */
uint32_t run_copy_stack(struct run_slot* slot) {
  const uint32_t page = 4096;
  uint32_t size = 0;
  while (size < RUN_SLOT_BYTES) {
    const uint64_t at = slot->stack + size;
    const uint32_t to_page = page - (uint32_t)(at % page);
    if (!is_readable(at & ~(uint64_t)(page - 1))) break;
    const uint32_t left = RUN_SLOT_BYTES - size;
    const uint32_t more = to_page < left ? to_page : left;
    memcpy(slot->bytes + size, (const void*)(uintptr_t)at, more);
    size += more;
  }
  return size;
}

void run_copy_text(char to[RUN_SLOT_NAME], const char* from) {
  const size_t size = strnlen(from, RUN_SLOT_NAME - 1);
  memcpy(to, from, size);
  to[size] = '\0';
}

/* BEGIN-END r-xp ... */
static int is_of_code(const char* line, const char* end) {
  const char* const rights = memchr(line, ' ', (size_t)(end - line));
  return rights != NULL && end - rights > 4 && rights[3] == 'x';
}

/* Drops the whole lines of no code from `from` on. Returns where the rest of a line begins, which ends at *size. */
static uint32_t keep_code(char* bytes, uint32_t from, uint32_t* size) {
  uint32_t kept = from;
  uint32_t line = from;
  for (const char* end; (end = memchr(bytes + line, '\n', *size - line)) != NULL;) {
    const uint32_t next = (uint32_t)(end + 1 - bytes);
    if (is_of_code(bytes + line, end)) {
      memmove(bytes + kept, bytes + line, next - line);
      kept += next - line;
    }
    line = next;
  }
  memmove(bytes + kept, bytes + line, *size - line);
  *size = kept + (*size - line);
  return kept;
}

/* 0: there was no room. */
static int send_code(struct run_spool* spool, uint64_t ns) {
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 1; /* no later attempt would do better */
  struct run_slot* slot = run_take_slot(spool, RUN_SLOT_CODE, ns);
  uint32_t kept = 0;
  uint32_t size = 0;
  while (slot != NULL) {
    const long more = syscall(SYS_read, file, slot->bytes + size, (size_t)(RUN_SLOT_BYTES - size));
    if (more <= 0) break;
    size += (uint32_t)more;
    kept = keep_code(slot->bytes, kept, &size);
    if (size < RUN_SLOT_BYTES) continue;
    /* The line that begins here has the next slot. No line has as much as one. */
    struct run_slot* const next = run_take_slot(spool, RUN_SLOT_MORE_CODE, ns);
    size -= kept;
    if (size == RUN_SLOT_BYTES) size = 0;
    if (next != NULL) memcpy(next->bytes, slot->bytes + kept, size);
    run_give_slot(slot, kept);
    slot = next;
    kept = 0;
  }
  syscall(SYS_close, file);
  if (slot == NULL) return 0;
  run_give_slot(slot, kept);
  return 1;
}

static int is_sent;

void run_send_new_code(struct run_spool* spool, uint64_t ns) {
  if (!spool->wants_code || __atomic_exchange_n(&is_sent, 1, __ATOMIC_RELAXED)) return;
  if (!send_code(spool, ns)) __atomic_store_n(&is_sent, 0, __ATOMIC_RELAXED);
}

void run_forget_sent_code(void) { __atomic_store_n(&is_sent, 0, __ATOMIC_RELAXED); }

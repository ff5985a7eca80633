#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

static __thread struct {
  uint64_t from;
  uint64_t to;
} own_stack __attribute__((tls_model("initial-exec")));

void run_note_stack(const void* to, size_t size) {
  own_stack.to = (uint64_t)(uintptr_t)to;
  own_stack.from = own_stack.to - size;
}

/* Only where nobody else can change the memory meanwhile. */
static uint32_t copy_own(struct run_slot* slot) {
  if (slot->stack < own_stack.from || slot->stack >= own_stack.to) return 0;
  const uint64_t left = own_stack.to - slot->stack;
  const uint32_t size = left < RUN_SLOT_BYTES ? (uint32_t)left : RUN_SLOT_BYTES;
  memcpy(slot->bytes, (const void*)(uintptr_t)slot->stack, size);
  return size;
}

/* Fails where the stack ends, and not by a fault. */
uint32_t run_copy_stack(struct run_spool* spool, struct run_slot* slot) {
  const uint64_t from = slot->stack;
  const size_t page = 4096;
  const size_t first = page - from % page;
  const struct iovec here = {slot->bytes, RUN_SLOT_BYTES};
  struct iovec there[3];
  for (int i = 0; i < 3; ++i) {
    there[i].iov_base = (void*)(uintptr_t)(from + (i > 0 ? first + (size_t)(i - 1) * page : 0));
    there[i].iov_len = i == 0 ? first : i == 1 ? page : RUN_SLOT_BYTES - page - first;
  }
  const long copied = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &here, 1ul, there, 3ul, 0ul);
  if (copied > 0) return (uint32_t)copied;
  if (errno == EFAULT) return 0;
  const uint32_t size = copy_own(slot);
  if (size == 0) __atomic_add_fetch(&spool->samples_without_stack, 1, __ATOMIC_RELAXED);
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

#define _GNU_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <evt/emit_events.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../recorded/aside.h"
#include "../recorded/entry.h"
#include "../recorded/thread_stream.h"
#include "connections.h"

/* An entry: number, kind, and whether other descriptors may refer to the same object. 0: unknown. Later descriptors
 * have no object. */
enum { kMaxDescriptors = 1 << 16, kKindAt = 48 };
static const uint64_t kNumber = ((uint64_t)1 << kKindAt) - 1;
static const uint64_t kShared = (uint64_t)1 << 63;

static uint64_t entries[kMaxDescriptors];
static int first_unused; /* above all that were used */
/* Which end of which connection it is, for what socketpair() made. Children of a fork have the same descriptors. */
static uint64_t ends[kMaxDescriptors];
static uint64_t last_number;

static uint64_t* entry_of(int fd) {
  if (fd < 0 || fd >= kMaxDescriptors) return NULL;
  int unused = __atomic_load_n(&first_unused, __ATOMIC_RELAXED);
  while (fd >= unused &&
         !__atomic_compare_exchange_n(&first_unused, &unused, fd + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return &entries[fd];
}

static struct run_object object_in(uint64_t entry) {
  const struct run_object object = {entry & kNumber, (enum run_resource)(entry >> kKindAt & 0x7F)};
  return object;
}

static enum run_resource kind_of(int fd) {
  struct stat facts;
  if (fstat(fd, &facts) != 0) return RUN_NO_RESOURCE; /* not a descriptor */
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode) || S_ISBLK(facts.st_mode)) return RUN_FILE;
  if (S_ISSOCK(facts.st_mode)) return RUN_SOCKET;
  if (S_ISFIFO(facts.st_mode)) return RUN_PIPE;
  if (S_ISCHR(facts.st_mode)) return isatty(fd) ? RUN_TERMINAL : RUN_DEVICE;
  return RUN_OTHER;
}

static uint64_t new_entry(enum run_resource kind) {
  const uint64_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  return number | (uint64_t)kind << kKindAt;
}

static int is_wanted(void) { return run_session.functions[RUN_read] != 0 || run_session.functions[RUN_recv] != 0; }

static uint64_t end_of(int fd) { return __atomic_load_n(&ends[fd], __ATOMIC_RELAXED); }
static void set_end(int fd, uint64_t end) { __atomic_store_n(&ends[fd], end, __ATOMIC_RELAXED); }

/* Describes a descriptor that is used for the first time, and was not seen to be opened. */
static struct run_object describe(evt_stream* stream, uint64_t* entry, int fd) {
  static const struct run_object none = {0, RUN_NO_RESOURCE};
  const enum run_resource kind = kind_of(fd);
  if (kind == RUN_NO_RESOURCE) return none;
  const uint64_t made = new_entry(kind);
  uint64_t known = 0;
  if (!__atomic_compare_exchange_n(entry, &known, made, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return object_in(known);
  struct run_unnamed unnamed = {stream, made & kNumber, fd, kind, NULL, end_of(fd)};
  run_aside(run_find_name, &unnamed);
  return object_in(made);
}

struct run_object run_object_of(int fd) {
  static const struct run_object none = {0, RUN_NO_RESOURCE};
  evt_stream* const stream = run_stream();
  uint64_t* const entry = stream != NULL && is_wanted() ? entry_of(fd) : NULL;
  if (entry == NULL) return none;
  const uint64_t known = __atomic_load_n(entry, __ATOMIC_RELAXED);
  if (known != 0) return object_in(known);
  if (!run_enter()) return none;
  const int error = errno;
  const struct run_object described = describe(stream, entry, fd);
  errno = error;
  run_leave();
  return described;
}

/* The object is gone, unless another descriptor refers to it. */
void run_closed(uint64_t taken) {
  evt_stream* const stream = run_stream();
  if (taken == 0 || stream == NULL) return;
  if ((taken & kShared) != 0) {
    const int unused = __atomic_load_n(&first_unused, __ATOMIC_RELAXED);
    for (int fd = 0; fd < unused; ++fd) {
      if ((__atomic_load_n(&entries[fd], __ATOMIC_RELAXED) & kNumber) == (taken & kNumber)) return;
    }
  }
  const int error = errno;
  evt_emit_object_close(stream, run_session.object_close, taken & kNumber);
  errno = error;
}

uint64_t run_take_descriptor(int fd) {
  uint64_t* const entry = run_stream() != NULL ? entry_of(fd) : NULL;
  if (entry == NULL) return 0;
  set_end(fd, 0);
  return __atomic_exchange_n(entry, 0, __ATOMIC_RELAXED);
}

void run_closed_range(unsigned first, unsigned last) {
  const unsigned unused = (unsigned)__atomic_load_n(&first_unused, __ATOMIC_RELAXED);
  for (unsigned fd = first; fd < unused && fd <= last; ++fd) run_closed(run_take_descriptor((int)fd));
}

static void opened(int fd, const char* name, uint64_t end) {
  evt_stream* const stream = run_stream();
  uint64_t* const entry = fd >= 0 && stream != NULL && is_wanted() ? entry_of(fd) : NULL;
  if (entry == NULL || !run_enter()) return;
  const int error = errno;
  const enum run_resource kind = kind_of(fd);
  const uint64_t made = new_entry(kind);
  struct run_unnamed unnamed = {stream, made & kNumber, fd, kind, NULL, end};
  set_end(fd, end);
  run_closed(__atomic_exchange_n(entry, made, __ATOMIC_RELAXED)); /* it was closed in a way that is not seen */
  evt_emit_object_open(stream, run_session.object_open, made & kNumber, run_session.resources[kind]);
  if (name != NULL) {
    evt_emit_object_name(stream, run_session.object_name, made & kNumber, name);
  } else {
    run_aside(run_find_name, &unnamed);
  }
  errno = error;
  run_leave();
}

void run_opened(int fd, const char* name) { opened(fd, name, 0); }

void run_opened_pair(const int fds[2]) {
  const uint64_t end = run_new_connection();
  opened(fds[0], NULL, end);
  opened(fds[1], NULL, run_other_end(end));
}

void run_connected(int fd, const struct run_peer* to) {
  evt_stream* const stream = run_stream();
  const struct run_object object = run_object_of(fd);
  if (object.number == 0 || !run_enter()) return;
  struct run_unnamed unnamed = {stream, object.number, fd, RUN_SOCKET, to, end_of(fd)};
  run_aside(run_find_name, &unnamed);
  run_leave();
}

void run_copied(int from, int to) {
  if (from == to || run_object_of(from).number == 0) return;
  uint64_t* const entry = entry_of(to);
  if (entry == NULL) return;
  set_end(to, end_of(from));
  const uint64_t shared = __atomic_or_fetch(&entries[from], kShared, __ATOMIC_RELAXED);
  run_closed(__atomic_exchange_n(entry, shared, __ATOMIC_RELAXED));
}

void run_forget_descriptors(void) { memset(entries, 0, (size_t)first_unused * sizeof *entries); }

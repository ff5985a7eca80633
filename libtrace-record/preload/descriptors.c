#define _GNU_SOURCE
#include "descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <evt/emit_events.h>
#include <limits.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../recorded/thread_stream.h"

/* An entry: number, kind, and whether other descriptors may be the same object. 0: not known. Descriptors beyond have
 * no object. */
enum { kMaxDescriptors = 1 << 16, kKindAt = 48 };
static const uint64_t kNumber = ((uint64_t)1 << kKindAt) - 1;
static const uint64_t kShared = (uint64_t)1 << 63;

static uint64_t entries[kMaxDescriptors];
static int first_unused; /* above all that were used */
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
  if (fstat(fd, &facts) != 0) return RUN_NO_RESOURCE; /* it is no descriptor */
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode) || S_ISBLK(facts.st_mode)) return RUN_FILE;
  if (S_ISSOCK(facts.st_mode)) return RUN_SOCKET;
  if (S_ISFIFO(facts.st_mode)) return RUN_PIPE;
  if (S_ISCHR(facts.st_mode)) return isatty(fd) ? RUN_TERMINAL : RUN_DEVICE;
  return RUN_OTHER;
}

union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un local;
  struct sockaddr_storage storage;
};

/* HOST:PORT, a path, or nothing of a socket without a peer. `to`: what it is being connected to; NULL: it is. */
static void name_peer(int fd, const struct run_peer* to, char* out, size_t size) {
  union address peer;
  socklen_t length = sizeof peer;
  char host[INET6_ADDRSTRLEN];
  snprintf(out, size, "(no peer)");
  memset(&peer, 0, sizeof peer);
  if (to != NULL) {
    length = to->length < sizeof peer ? to->length : sizeof peer;
    memcpy(&peer, to->address, length);
  } else if (getpeername(fd, &peer.any, &length) != 0) {
    return;
  }
  if (peer.any.sa_family == AF_INET && inet_ntop(AF_INET, &peer.v4.sin_addr, host, sizeof host) != NULL) {
    snprintf(out, size, "%s:%u", host, ntohs(peer.v4.sin_port));
  } else if (peer.any.sa_family == AF_INET6 && inet_ntop(AF_INET6, &peer.v6.sin6_addr, host, sizeof host) != NULL) {
    snprintf(out, size, "[%s]:%u", host, ntohs(peer.v6.sin6_port));
  } else if (peer.any.sa_family == AF_UNIX) {
    const size_t front = offsetof(struct sockaddr_un, sun_path);
    const size_t path = length > front ? length - front : 0;
    if (path == 0) {
      snprintf(out, size, "(unnamed local socket)");
    } else if (peer.local.sun_path[0] == '\0') {
      snprintf(out, size, "@%.*s", (int)path - 1, peer.local.sun_path + 1);
    } else {
      snprintf(out, size, "%.*s", (int)path, peer.local.sun_path);
    }
  }
}

static void name_as_system_does(int fd, enum run_resource kind, char* out, size_t size) {
  if (kind == RUN_SOCKET) {
    name_peer(fd, NULL, out, size);
    return;
  }
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, out, size - 1);
  out[length > 0 ? length : 0] = '\0';
}

static void emit_name(evt_stream* stream, uint64_t number, int fd, enum run_resource kind, const char* name) {
  char text[PATH_MAX];
  if (name == NULL) {
    name_as_system_does(fd, kind, text, sizeof text);
    name = text;
  }
  evt_emit_object_name(stream, run_session.object_name, number, name);
}

static uint64_t new_entry(enum run_resource kind) {
  const uint64_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  return number | (uint64_t)kind << kKindAt;
}

static int is_wanted(void) { return run_session.functions[RUN_read] != 0 || run_session.functions[RUN_recv] != 0; }

struct run_object run_object_of(int fd) {
  static const struct run_object none = {0, RUN_NO_RESOURCE};
  evt_stream* const stream = run_stream();
  uint64_t* const entry = stream != NULL && is_wanted() ? entry_of(fd) : NULL;
  if (entry == NULL) return none;
  uint64_t known = __atomic_load_n(entry, __ATOMIC_RELAXED);
  if (known != 0) return object_in(known);
  const int error = errno;
  const enum run_resource kind = kind_of(fd);
  if (kind == RUN_NO_RESOURCE) {
    errno = error;
    return none;
  }
  const uint64_t made = new_entry(kind);
  if (__atomic_compare_exchange_n(entry, &known, made, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    known = made;
    emit_name(stream, made & kNumber, fd, kind, NULL);
  }
  errno = error;
  return object_in(known);
}

/* The object is no more, unless another descriptor is the same. */
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
  return entry == NULL ? 0 : __atomic_exchange_n(entry, 0, __ATOMIC_RELAXED);
}

void run_closed_range(unsigned first, unsigned last) {
  const unsigned unused = (unsigned)__atomic_load_n(&first_unused, __ATOMIC_RELAXED);
  for (unsigned fd = first; fd < unused && fd <= last; ++fd) run_closed(run_take_descriptor((int)fd));
}

void run_opened(int fd, const char* name) {
  evt_stream* const stream = run_stream();
  uint64_t* const entry = fd >= 0 && stream != NULL && is_wanted() ? entry_of(fd) : NULL;
  if (entry == NULL) return;
  const int error = errno;
  const enum run_resource kind = kind_of(fd);
  const uint64_t made = new_entry(kind);
  run_closed(__atomic_exchange_n(entry, made, __ATOMIC_RELAXED)); /* it was closed in a way that is not seen */
  evt_emit_object_open(stream, run_session.object_open, made & kNumber, run_session.resources[kind]);
  emit_name(stream, made & kNumber, fd, kind, name);
  errno = error;
}

void run_connected(int fd, const struct run_peer* to) {
  evt_stream* const stream = run_stream();
  const struct run_object object = run_object_of(fd);
  if (object.number == 0) return;
  const int error = errno;
  char name[PATH_MAX];
  name_peer(fd, to, name, sizeof name);
  emit_name(stream, object.number, fd, RUN_SOCKET, name);
  errno = error;
}

void run_copied(int from, int to) {
  if (from == to || run_object_of(from).number == 0) return;
  uint64_t* const entry = entry_of(to);
  if (entry == NULL) return;
  const uint64_t shared = __atomic_or_fetch(&entries[from], kShared, __ATOMIC_RELAXED);
  run_closed(__atomic_exchange_n(entry, shared, __ATOMIC_RELAXED));
}

void run_forget_descriptors(void) {
  memset(entries, 0, (size_t)first_unused * sizeof *entries);
  first_unused = 0;
}

/* Calls by this library, mostly by the writer in it, go to the C library's functions: the linker redirects them
 * here. */
#define _GNU_SOURCE
#include <evt/emit.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../recorded/real.h"
#include "own_descriptors.h"
#include "own_reads.h"

#define FOR_WRITER(type, name, parameters, arguments) \
  type __wrap_##name parameters;                      \
  type __wrap_##name parameters { return OWN(name) arguments; }

/* The system counts reads in a process as the program's. */
static uint64_t read_bytes;
static uint64_t stated_bytes;

static ssize_t counted(ssize_t size) {
  if (size > 0) __atomic_add_fetch(&read_bytes, (uint64_t)size, __ATOMIC_RELAXED);
  return size;
}

uint64_t run_take_own_reads(void) {
  const uint64_t all = __atomic_load_n(&read_bytes, __ATOMIC_RELAXED);
  return all - __atomic_exchange_n(&stated_bytes, all, __ATOMIC_RELAXED);
}

ssize_t __wrap_read(int fd, void* to, size_t size);
ssize_t __wrap_read(int fd, void* to, size_t size) { return counted(OWN(read)(fd, to, size)); }
ssize_t __wrap_pread64(int fd, void* to, size_t size, off64_t at);
ssize_t __wrap_pread64(int fd, void* to, size_t size, off64_t at) { return counted(OWN(pread64)(fd, to, size, at)); }
FOR_WRITER(ssize_t, write, (int fd, const void* from, size_t size), (fd, from, size))
FOR_WRITER(ssize_t, writev, (int fd, const struct iovec* parts, int count), (fd, parts, count))
FOR_WRITER(ssize_t, pwrite64, (int fd, const void* from, size_t size, off64_t at), (fd, from, size, at))
FOR_WRITER(int, poll, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
FOR_WRITER(int, nanosleep, (const struct timespec* time, struct timespec* left), (time, left))
FOR_WRITER(int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
FOR_WRITER(int, pthread_mutex_unlock, (pthread_mutex_t * lock), (lock))
FOR_WRITER(int, pthread_join, (pthread_t thread, void** result), (thread, result))
FOR_WRITER(int, pthread_create,
           (pthread_t * thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument),
           (thread, attributes, function, argument))

int __wrap_close(int fd);
int __wrap_close(int fd) {
  run_disown_descriptor(fd);
  return OWN(close)(fd);
}

/* Those that it keeps have high numbers, by which it duplicates them. */
int __real_fcntl64(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const long argument = va_arg(rest, long);
  va_end(rest);
  const int result = __real_fcntl64(fd, command, argument);
  if (command == F_DUPFD_CLOEXEC && result > 0) run_own_descriptor(result);
  return result;
}

#define OPEN_FOR_WRITER(name)                                                \
  int __wrap_##name(const char* path, int flags, ...);                       \
  int __wrap_##name(const char* path, int flags, ...) {                      \
    va_list rest;                                                            \
    va_start(rest, flags);                                                   \
    const mode_t mode = __OPEN_NEEDS_MODE(flags) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                            \
    return OWN(name)(path, flags, mode);                                     \
  }

OPEN_FOR_WRITER(open)
OPEN_FOR_WRITER(open64)

int __wrap_fprintf(FILE* file, const char* format, ...);
int __wrap_fprintf(FILE* file, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = OWN(vfprintf)(file, format, values);
  va_end(values);
  return result;
}

/* The writer may sleep if it has no room for an event: a call that is not a cancellation point must not become one.
 */
#define UNCANCELLED(call)                                  \
  int before = 0;                                          \
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); \
  call;                                                    \
  pthread_setcancelstate(before, NULL)

evt_begun_ __real_evt_begin_slow_(evt_stream* stream, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks);
evt_begun_ __wrap_evt_begin_slow_(evt_stream* stream, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks);
evt_begun_ __wrap_evt_begin_slow_(evt_stream* stream, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  UNCANCELLED(const evt_begun_ begun = __real_evt_begin_slow_(stream, type, stamp, ticks));
  return begun;
}

void __real_evt_room_slow_(evt_row* row, size_t size);
void __wrap_evt_room_slow_(evt_row* row, size_t size);
void __wrap_evt_room_slow_(evt_row* row, size_t size) { UNCANCELLED(__real_evt_room_slow_(row, size)); }

void __real_evt_commit_slow_(const evt_row* row);
void __wrap_evt_commit_slow_(const evt_row* row);
void __wrap_evt_commit_slow_(const evt_row* row) { UNCANCELLED(__real_evt_commit_slow_(row)); }

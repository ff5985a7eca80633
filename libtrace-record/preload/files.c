/* Wrappers of calls for descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "calls.h"
#include "own_descriptors.h"

/* Called by programs that were compiled with _FORTIFY_SOURCE. */
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
ssize_t __read_chk(int fd, void* to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void* to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void* to, size_t size, off64_t at, size_t room);

static const struct run_object kNewFile = {0, RUN_FILE};
static const struct run_object kNewPipe = {0, RUN_PIPE};
static const struct run_object kDescriptors = {0, RUN_DESCRIPTORS};

static mode_t mode_of(int flags, va_list* rest) { return __OPEN_NEEDS_MODE(flags) ? va_arg(*rest, mode_t) : 0; }

static int opened(const struct run_recorded* call, int fd, const char* path) {
  run_end(call, 0);
  run_opened(fd, path);
  return fd;
}

#define WRAP_OPEN(name)                                                \
  RUN_EXPORT int name(const char* path, int flags, ...) {              \
    va_list rest;                                                      \
    va_start(rest, flags);                                             \
    const mode_t mode = mode_of(flags, &rest);                         \
    va_end(rest);                                                      \
    const struct run_recorded call = run_begin(RUN_open, kNewFile, 0); \
    return opened(&call, REAL(name)(path, flags, mode), path);         \
  }
#define WRAP_OPENAT(name)                                                \
  RUN_EXPORT int name(int folder, const char* path, int flags, ...) {    \
    va_list rest;                                                        \
    va_start(rest, flags);                                               \
    const mode_t mode = mode_of(flags, &rest);                           \
    va_end(rest);                                                        \
    const struct run_recorded call = run_begin(RUN_openat, kNewFile, 0); \
    return opened(&call, REAL(name)(folder, path, flags, mode), path);   \
  }
#define WRAP_OPEN_OTHERWISE(name, which, parameters, arguments)           \
  RUN_EXPORT int name parameters {                                        \
    const struct run_recorded call = run_begin(RUN_##which, kNewFile, 0); \
    return opened(&call, REAL(name) arguments, path);                     \
  }

WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
WRAP_OPEN_OTHERWISE(creat, creat, (const char* path, mode_t mode), (path, mode))
WRAP_OPEN_OTHERWISE(creat64, creat, (const char* path, mode_t mode), (path, mode))
WRAP_OPEN_OTHERWISE(__open_2, open, (const char* path, int flags), (path, flags))
WRAP_OPEN_OTHERWISE(__open64_2, open, (const char* path, int flags), (path, flags))
WRAP_OPEN_OTHERWISE(__openat_2, openat, (int folder, const char* path, int flags), (folder, path, flags))
WRAP_OPEN_OTHERWISE(__openat64_2, openat, (int folder, const char* path, int flags), (folder, path, flags))

#define WRAP_BYTES(name, which, parameters, arguments, size) \
  RUN_WRAP(ssize_t, name, which, parameters, arguments, run_object_of(fd), size, run_had(result))

WRAP_BYTES(read, read, (int fd, void* to, size_t size), (fd, to, size), size)
WRAP_BYTES(__read_chk, read, (int fd, void* to, size_t size, size_t room), (fd, to, size, room), size)
WRAP_BYTES(write, write, (int fd, const void* from, size_t size), (fd, from, size), size)
WRAP_BYTES(pread, pread, (int fd, void* to, size_t size, off_t at), (fd, to, size, at), size)
WRAP_BYTES(pread64, pread, (int fd, void* to, size_t size, off64_t at), (fd, to, size, at), size)
WRAP_BYTES(__pread_chk, pread, (int fd, void* to, size_t size, off_t at, size_t room), (fd, to, size, at, room), size)
WRAP_BYTES(__pread64_chk, pread, (int fd, void* to, size_t size, off64_t at, size_t room), (fd, to, size, at, room),
           size)
WRAP_BYTES(pwrite, pwrite, (int fd, const void* from, size_t size, off_t at), (fd, from, size, at), size)
WRAP_BYTES(pwrite64, pwrite, (int fd, const void* from, size_t size, off64_t at), (fd, from, size, at), size)
WRAP_BYTES(readv, readv, (int fd, const struct iovec* parts, int count), (fd, parts, count), 0)
WRAP_BYTES(writev, writev, (int fd, const struct iovec* parts, int count), (fd, parts, count), 0)
WRAP_BYTES(preadv, preadv, (int fd, const struct iovec* parts, int count, off_t at), (fd, parts, count, at), 0)
WRAP_BYTES(preadv64, preadv, (int fd, const struct iovec* parts, int count, off64_t at), (fd, parts, count, at), 0)
WRAP_BYTES(pwritev, pwritev, (int fd, const struct iovec* parts, int count, off_t at), (fd, parts, count, at), 0)
WRAP_BYTES(pwritev64, pwritev, (int fd, const struct iovec* parts, int count, off64_t at), (fd, parts, count, at), 0)
WRAP_BYTES(sendfile, sendfile, (int fd, int from, off_t* at, size_t size), (fd, from, at, size), size)
WRAP_BYTES(sendfile64, sendfile, (int fd, int from, off64_t* at, size_t size), (fd, from, at, size), size)
WRAP_BYTES(copy_file_range, copy_file_range,
           (int from, off64_t* from_at, int fd, off64_t* at, size_t size, unsigned flags),
           (from, from_at, fd, at, size, flags), size)

RUN_WRAP(int, fsync, fsync, (int fd), (fd), run_object_of(fd), 0, 0)
RUN_WRAP(int, fdatasync, fdatasync, (int fd), (fd), run_object_of(fd), 0, 0)

RUN_EXPORT int close(int fd) {
  if (run_owns_descriptor(fd)) {
    errno = EBADF; /* as the program would see */
    return -1;
  }
  const struct run_recorded call = run_begin(RUN_close, run_object_of(fd), 0);
  const uint64_t taken = run_take_descriptor(fd);
  const int result = REAL(close)(fd);
  run_end(&call, 0);
  run_closed(taken);
  return result;
}

#if defined(CLOSE_RANGE_CLOEXEC)
/* In as many parts as this library's own descriptors split the range into. */
RUN_EXPORT int close_range(unsigned first, unsigned last, int flags) {
  if (flags != 0) return REAL(close_range)(first, last, flags);
  const struct run_recorded call = run_begin(RUN_close_range, kDescriptors, 0);
  int result = 0;
  unsigned from = first;
  for (int own = first <= INT_MAX ? run_next_own_descriptor((int)first) : -1; own >= 0 && (unsigned)own <= last;
       own = run_next_own_descriptor(own + 1)) {
    if ((unsigned)own > from && REAL(close_range)(from, (unsigned)own - 1, 0) != 0) result = -1;
    from = (unsigned)own + 1;
  }
  if ((from == first || from <= last) && REAL(close_range)(from, last, 0) != 0) result = -1;
  run_end(&call, 0);
  if (result == 0) run_closed_range(first, last);
  return result;
}

RUN_EXPORT void closefrom(int first) {
  const struct run_recorded call = run_begin(RUN_closefrom, kDescriptors, 0);
  unsigned from = first > 0 ? (unsigned)first : 0;
  for (int own = run_next_own_descriptor((int)from); own >= 0; own = run_next_own_descriptor(own + 1)) {
    if ((unsigned)own > from) REAL(close_range)(from, (unsigned)own - 1, 0);
    from = (unsigned)own + 1;
  }
  REAL(closefrom)((int)from);
  run_end(&call, 0);
  run_closed_range(first > 0 ? (unsigned)first : 0, INT_MAX);
}
#endif

static int opened_both(const struct run_recorded* call, int result, const int* fds) {
  run_end(call, 0);
  if (result != 0) return result;
  run_opened(fds[0], NULL);
  run_opened(fds[1], NULL);
  return result;
}

RUN_EXPORT int pipe(int fds[2]) {
  const struct run_recorded call = run_begin(RUN_pipe, kNewPipe, 0);
  return opened_both(&call, REAL(pipe)(fds), fds);
}

RUN_EXPORT int pipe2(int fds[2], int flags) {
  const struct run_recorded call = run_begin(RUN_pipe2, kNewPipe, 0);
  return opened_both(&call, REAL(pipe2)(fds, flags), fds);
}

static int copied(const struct run_recorded* call, int from, int to) {
  run_end(call, 0);
  if (to >= 0) run_copied(from, to);
  return to;
}

RUN_EXPORT int dup(int fd) {
  const struct run_recorded call = run_begin(RUN_dup, run_object_of(fd), 0);
  return copied(&call, fd, REAL(dup)(fd));
}

/* Over one of this library's own: to the program a number that it cannot have. */
static int is_refused(int to) {
  if (!run_owns_descriptor(to)) return 0;
  errno = EBADF;
  return 1;
}

RUN_EXPORT int dup2(int fd, int to) {
  if (is_refused(to)) return -1;
  const struct run_recorded call = run_begin(RUN_dup2, run_object_of(fd), 0);
  return copied(&call, fd, REAL(dup2)(fd, to));
}

RUN_EXPORT int dup3(int fd, int to, int flags) {
  if (is_refused(to)) return -1;
  const struct run_recorded call = run_begin(RUN_dup3, run_object_of(fd), 0);
  return copied(&call, fd, REAL(dup3)(fd, to, flags));
}

/* Wrappers of calls that wait. A lock that is free is taken without an event. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "lock_words.h"
#include "releases.h"
#include "symbols.h"

/* Called by programs that were compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd* fds, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd* fds, nfds_t count, const struct timespec* timeout, const sigset_t* mask, size_t room);

static const struct run_object kDescriptors = {0, RUN_DESCRIPTORS};
static const struct run_object kSleep = {0, RUN_SLEEP};

/* What a thread is about to wait for. */
static struct run_object named(enum run_resource resource, const void* address) {
  const struct run_object object = {(uint64_t)(uintptr_t)address, resource};
  if (run_stream() != NULL && run_session.functions[RUN_sem_wait] != 0) run_name_variable(address);
  return object;
}

#define WRAP_READY(name, which, parameters, arguments) \
  RUN_WRAP(int, name, which, parameters, arguments, kDescriptors, 0, run_had(result))

WRAP_READY(poll, poll, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
WRAP_READY(__poll_chk, poll, (struct pollfd * fds, nfds_t count, int timeout, size_t room), (fds, count, timeout, room))
WRAP_READY(ppoll, ppoll, (struct pollfd * fds, nfds_t count, const struct timespec* timeout, const sigset_t* mask),
           (fds, count, timeout, mask))
WRAP_READY(__ppoll_chk, ppoll,
           (struct pollfd * fds, nfds_t count, const struct timespec* timeout, const sigset_t* mask, size_t room),
           (fds, count, timeout, mask, room))
WRAP_READY(select, select, (int count, fd_set* in, fd_set* out, fd_set* except, struct timeval* timeout),
           (count, in, out, except, timeout))
WRAP_READY(pselect, pselect,
           (int count, fd_set* in, fd_set* out, fd_set* except, const struct timespec* timeout, const sigset_t* mask),
           (count, in, out, except, timeout, mask))

RUN_WRAP(int, epoll_wait, epoll_wait, (int fd, struct epoll_event* events, int most, int timeout),
         (fd, events, most, timeout), kDescriptors, 0, run_had(result))
RUN_WRAP(int, epoll_pwait, epoll_pwait,
         (int fd, struct epoll_event* events, int most, int timeout, const sigset_t* mask),
         (fd, events, most, timeout, mask), kDescriptors, 0, run_had(result))

RUN_WRAP(int, nanosleep, nanosleep, (const struct timespec* time, struct timespec* left), (time, left), kSleep, 0, 0)
RUN_WRAP(int, clock_nanosleep, clock_nanosleep,
         (clockid_t clock, int flags, const struct timespec* time, struct timespec* left), (clock, flags, time, left),
         kSleep, 0, 0)
RUN_WRAP(int, usleep, usleep, (useconds_t time), (time), kSleep, 0, 0)
RUN_WRAP(unsigned, sleep, sleep, (unsigned seconds), (seconds), kSleep, 0, 0)

/* `attempt` takes the lock, or returns an error, which is passed to the caller, except `is_taken`: then it waits. A
 * library that has its own function of this name expects each call. */
#define WRAP_LOCK(name, parameters, arguments, attempt, is_taken, begun)                             \
  RUN_EXPORT int name parameters {                                                                   \
    if (run_stream() == NULL || run_session.functions[RUN_##name] == 0) return REAL(name) arguments; \
    if (!run_is_between(RUN_REAL_##name)) {                                                          \
      const int error = errno;                                                                       \
      const int tried = attempt;                                                                     \
      if (!(is_taken)) return tried;                                                                 \
      errno = error;                                                                                 \
    }                                                                                                \
    const struct run_recorded call = begun;                                                          \
    const int result = REAL(name) arguments;                                                         \
    run_end(&call, 0);                                                                               \
    return result;                                                                                   \
  }

#define WRAP_MUTEX(name, parameters, arguments)                                             \
  WRAP_LOCK(name, parameters, arguments, REAL(pthread_mutex_trylock)(lock), tried == EBUSY, \
            run_begin_wait(RUN_##name, named(RUN_LOCK, lock), run_mutex_holder(lock)))
#define WRAP_RWLOCK(name, parameters, arguments, attempt)                     \
  WRAP_LOCK(name, parameters, arguments, REAL(attempt)(lock), tried == EBUSY, \
            run_begin_wait(RUN_##name, named(RUN_LOCK, lock), run_rwlock_holder(lock)))
/* The only cancellation points among these, even if they do not wait. */
#define WRAP_SEMAPHORE(name, parameters, arguments)                                       \
  WRAP_LOCK(name, parameters, arguments, (pthread_testcancel(), REAL(sem_trywait)(lock)), \
            tried != 0 && errno == EAGAIN, run_begin(RUN_##name, named(RUN_SEMAPHORE, lock), 0))

WRAP_MUTEX(pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
WRAP_MUTEX(pthread_mutex_timedlock, (pthread_mutex_t * lock, const struct timespec* until), (lock, until))
WRAP_MUTEX(pthread_mutex_clocklock, (pthread_mutex_t * lock, clockid_t clock, const struct timespec* until),
           (lock, clock, until))
WRAP_RWLOCK(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_tryrdlock)
WRAP_RWLOCK(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec* until), (lock, until),
            pthread_rwlock_tryrdlock)
WRAP_RWLOCK(pthread_rwlock_clockrdlock, (pthread_rwlock_t * lock, clockid_t clock, const struct timespec* until),
            (lock, clock, until), pthread_rwlock_tryrdlock)
WRAP_RWLOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_trywrlock)
WRAP_RWLOCK(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec* until), (lock, until),
            pthread_rwlock_trywrlock)
WRAP_RWLOCK(pthread_rwlock_clockwrlock, (pthread_rwlock_t * lock, clockid_t clock, const struct timespec* until),
            (lock, clock, until), pthread_rwlock_trywrlock)
WRAP_SEMAPHORE(sem_wait, (sem_t * lock), (lock))
WRAP_SEMAPHORE(sem_timedwait, (sem_t * lock, const struct timespec* until), (lock, until))
WRAP_SEMAPHORE(sem_clockwait, (sem_t * lock, clockid_t clock, const struct timespec* until), (lock, clock, until))

RUN_EXPORT int pthread_mutex_trylock(pthread_mutex_t* lock) { return REAL(pthread_mutex_trylock)(lock); }
RUN_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return REAL(pthread_rwlock_tryrdlock)(lock); }
RUN_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return REAL(pthread_rwlock_trywrlock)(lock); }
RUN_EXPORT int sem_trywait(sem_t* semaphore) { return REAL(sem_trywait)(semaphore); }

/* The mutex is free while the thread waits. */
static struct run_object condition_without(const pthread_mutex_t* lock, const void* condition) {
  run_release_mutex(lock);
  return named(RUN_CONDITION, condition);
}

RUN_WRAP_BOTH(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t* lock), (condition, lock),
              condition_without(lock, condition))
RUN_WRAP_BOTH(int, pthread_cond_timedwait,
              (pthread_cond_t * condition, pthread_mutex_t* lock, const struct timespec* until),
              (condition, lock, until), condition_without(lock, condition))
RUN_WRAP(int, pthread_cond_clockwait, pthread_cond_clockwait,
         (pthread_cond_t * condition, pthread_mutex_t* lock, clockid_t clock, const struct timespec* until),
         (condition, lock, clock, until), condition_without(lock, condition), 0, 0)

static struct run_object arrived(const pthread_barrier_t* barrier) {
  run_release_barrier(barrier);
  return named(RUN_BARRIER, barrier);
}

RUN_WRAP(int, pthread_barrier_wait, pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier), arrived(barrier), 0,
         0)

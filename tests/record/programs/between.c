/* A library that is loaded before the C library, as profilers of locks and those are that state another time: each of
 * its functions counts its calls and calls the next of its name. The counts are printed at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { kMutex, kRead, kWrite, kSemaphore, kCondition, kPrintf, kFprintf, kPuts, kClock, kMap, kStatus, kFunctions };
static int counts[kFunctions];

static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) _exit(99);
  return found;
}

#define COUNTED(type, which, name, parameters, arguments)          \
  type name parameters;                                            \
  type name parameters {                                           \
    __atomic_add_fetch(&counts[which], 1, __ATOMIC_RELAXED);       \
    return ((__typeof__(&(name)))(uintptr_t)next(#name))arguments; \
  }

COUNTED(int, kMutex, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
COUNTED(int, kRead, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
COUNTED(int, kWrite, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
COUNTED(int, kSemaphore, sem_wait, (sem_t * semaphore), (semaphore))
COUNTED(int, kCondition, pthread_cond_timedwait,
        (pthread_cond_t * condition, pthread_mutex_t* lock, const struct timespec* until), (condition, lock, until))
COUNTED(int, kClock, clock_gettime, (clockid_t clock, struct timespec* now), (clock, now))
COUNTED(void*, kMap, mmap, (void* at, size_t size, int rights, int flags, int file, off_t from),
        (at, size, rights, flags, file, from))
COUNTED(int, kStatus, fstat, (int file, struct stat* facts), (file, facts))
COUNTED(int, kPuts, puts, (const char* text), (text))

#define COUNTED_LIST(which, name, parameters, file)          \
  int name parameters;                                       \
  int name parameters {                                      \
    va_list values;                                          \
    __atomic_add_fetch(&counts[which], 1, __ATOMIC_RELAXED); \
    va_start(values, format);                                \
    const int result = vfprintf(file, format, values);       \
    va_end(values);                                          \
    return result;                                           \
  }

COUNTED_LIST(kPrintf, printf, (const char* format, ...), stdout)
COUNTED_LIST(kFprintf, fprintf, (FILE * file, const char* format, ...), file)
COUNTED_LIST(kPrintf, __printf_chk, (int flag __attribute__((unused)), const char* format, ...), stdout)
COUNTED_LIST(kFprintf, __fprintf_chk, (FILE * file, int flag __attribute__((unused)), const char* format, ...), file)

__attribute__((destructor)) static void print(void) {
  static const char* const kNames[kFunctions] = {"mutex",   "read", "write",         "semaphore", "condition", "printf",
                                                 "fprintf", "puts", "clock_gettime", "mmap",      "fstat"};
  for (int i = 0; i < kFunctions; ++i) dprintf(STDOUT_FILENO, "%s %d\n", kNames[i], counts[i]);
}

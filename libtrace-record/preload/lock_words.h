/* The contents of the GNU C library's locks: who holds one, and whether others wait. A thread that holds a lock may
 * read it, and must not once it has released it: the lock may be gone. */
#ifndef EVT_RECORD_LOCK_WORDS_H_
#define EVT_RECORD_LOCK_WORDS_H_

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define RUN_WORD(field) ((unsigned)__atomic_load_n(&(field), __ATOMIC_RELAXED))

/* In __kind, beside the type. */
enum { RUN_MUTEX_TYPE = 3, RUN_MUTEX_ROBUST = 16, RUN_MUTEX_INHERITS = 32, RUN_MUTEX_PROTECTS = 64 };
/* In __lock above the word: the priority of a mutex that protects. */
#define RUN_MUTEX_WORD 0x7FFFFu
/* In __readers, and in __writers: a flag for the next writer. */
enum { RUN_WRITER = 2, RUN_READERS_WAIT = 4, RUN_READER = 8 };
#define RUN_WRITERS 0x7FFFFFFFu

/* False for most that no other thread wants; one that it is true for may be such a lock, too. */
static inline int run_mutex_may_be_awaited(const pthread_mutex_t* lock) { return RUN_WORD(lock->__data.__lock) > 1; }

static inline int run_mutex_is_awaited(const pthread_mutex_t* lock) {
  const unsigned word = RUN_WORD(lock->__data.__lock);
  const unsigned kind = RUN_WORD(lock->__data.__kind);
  if ((kind & (RUN_MUTEX_ROBUST | RUN_MUTEX_INHERITS)) != 0) return (word & FUTEX_WAITERS) != 0;
  return ((kind & RUN_MUTEX_PROTECTS) != 0 ? word & RUN_MUTEX_WORD : word) > 1;
}

/* True if an unlock by this thread makes the mutex free: it is not an inner one, nor an error. */
static inline int run_mutex_is_left(const pthread_mutex_t* lock, unsigned thread) {
  const unsigned kind = RUN_WORD(lock->__data.__kind);
  const unsigned type = kind & RUN_MUTEX_TYPE;
  const int checks_owner = type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK ||
                           (kind & (RUN_MUTEX_ROBUST | RUN_MUTEX_INHERITS)) != 0;
  if (!checks_owner) return 1;
  const int is_inner = type == PTHREAD_MUTEX_RECURSIVE && lock->__data.__count > 1;
  return !is_inner && RUN_WORD(lock->__data.__owner) == thread;
}

/* By the system's number; 0: unknown, or nobody. */
static inline unsigned run_mutex_holder(const pthread_mutex_t* lock) {
  const unsigned owner = RUN_WORD(lock->__data.__owner);
  return owner <= FUTEX_TID_MASK ? owner : 0; /* a robust mutex whose owner has died */
}

static inline unsigned run_rwlock_holder(const pthread_rwlock_t* lock) {
  return RUN_WORD(lock->__data.__cur_writer); /* readers leave no number */
}

/* For a writer: readers or other writers wait. For a reader: a writer waits, until the last reader has left. */
static inline int run_rwlock_is_awaited(const pthread_rwlock_t* lock, unsigned thread) {
  const unsigned readers = RUN_WORD(lock->__data.__readers);
  if ((readers & RUN_WRITER) == 0) return 0;
  if (RUN_WORD(lock->__data.__cur_writer) != thread) return 1;
  return readers >= RUN_READER || (readers & RUN_READERS_WAIT) != 0 ||
         (RUN_WORD(lock->__data.__writers) & RUN_WRITERS) != 0;
}

/* Beside its value it counts those that wait. */
static inline int run_semaphore_is_awaited(const sem_t* semaphore) {
  return (uint64_t)__atomic_load_n(&semaphore->__align, __ATOMIC_RELAXED) >> 32 != 0;
}

#endif /* EVT_RECORD_LOCK_WORDS_H_ */

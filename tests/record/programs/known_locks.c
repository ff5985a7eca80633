/* Threads that wait for each other, and it is known for whom. */
#define _GNU_SOURCE
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>

#include "known.h"

static pthread_mutex_t orders = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t prices = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t places;
static pthread_barrier_t lap;
static int waiters[3]; /* threads that are about to wait */

static void sleep_ms(int ms) {
  const struct timespec time = {0, ms * 1000000L};
  nanosleep(&time, NULL);
}
static void say_that_it_waits(int number) {
  __atomic_store_n(&waiters[number], (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
}
static void await_that_it_waits(int number) {
  for (;;) {
    const int thread = __atomic_load_n(&waiters[number], __ATOMIC_ACQUIRE);
    if (thread != 0 && known_sleeps(thread)) break;
    sched_yield();
  }
  __atomic_store_n(&waiters[number], 0, __ATOMIC_RELEASE);
}
static pthread_t begin(void* (*function)(void*), void* argument) {
  pthread_t thread;
  require(pthread_create(&thread, NULL, function, argument) == 0, "thread");
  return thread;
}

static void* place_order(void* number) {
  say_that_it_waits((int)(intptr_t)number);
  pthread_mutex_lock(&orders);
  sleep_ms(10);
  pthread_mutex_unlock(&orders);
  return NULL;
}

/* The writer holds a lock for at least 60 ms for which three wait, of which each holds it for 10 ms. */
int known_convoy(void) {
  pthread_t all[3];
  pthread_mutex_lock(&orders);
  for (int i = 0; i < 3; ++i) {
    all[i] = begin(place_order, (void*)(intptr_t)i);
    await_that_it_waits(i);
  }
  pthread_setname_np(pthread_self(), "writer");
  sleep_ms(60);
  pthread_mutex_unlock(&orders);
  for (int i = 0; i < 3; ++i) pthread_join(all[i], NULL);
  return 0;
}

/* What the main thread waits for, one after the other. */
static void* make(void* nothing) {
  pthread_setname_np(pthread_self(), "maker");
  await_that_it_waits(0);
  sleep_ms(20);
  sem_post(&places);
  await_that_it_waits(0);
  sleep_ms(20);
  pthread_mutex_lock(&guard);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  pthread_rwlock_rdlock(&prices);
  sem_post(&places);
  await_that_it_waits(0);
  sleep_ms(20);
  pthread_rwlock_unlock(&prices);
  await_that_it_waits(0);
  sleep_ms(20);
  return nothing;
}

int known_waits(void) {
  sem_init(&places, 0, 0);
  const pthread_t maker = begin(make, NULL);
  say_that_it_waits(0);
  sem_wait(&places);
  pthread_mutex_lock(&guard);
  say_that_it_waits(0);
  pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  sem_wait(&places);
  say_that_it_waits(0);
  pthread_rwlock_wrlock(&prices);
  pthread_rwlock_unlock(&prices);
  say_that_it_waits(0);
  pthread_join(maker, NULL);
  return 0;
}

static void* wait_for_the_last(void* number) {
  say_that_it_waits((int)(intptr_t)number);
  pthread_barrier_wait(&lap);
  return NULL;
}

/* Two wait for the writer, who comes last to each of two rounds. */
int known_barrier(void) {
  pthread_barrier_init(&lap, NULL, 3);
  pthread_setname_np(pthread_self(), "writer");
  for (int round = 0; round < 2; ++round) {
    pthread_t all[2];
    for (int i = 0; i < 2; ++i) {
      all[i] = begin(wait_for_the_last, (void*)(intptr_t)i);
      await_that_it_waits(i);
    }
    sleep_ms(20);
    pthread_barrier_wait(&lap);
    for (int i = 0; i < 2; ++i) pthread_join(all[i], NULL);
  }
  return 0;
}

/* The parent reads what its child writes when the parent sleeps, and 20 ms later. */
int known_slow_writer(void) {
  int ends[2];
  char byte;
  require(pipe(ends) == 0, "pipe");
  const int parent = (int)getpid();
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) {
    while (!known_sleeps(parent)) sched_yield();
    sleep_ms(20);
    write_all(ends[1], "x", 1);
    _exit(0);
  }
  require(read(ends[0], &byte, 1) == 1, "read");
  require(waitpid(child, NULL, 0) == child, "waitpid");
  return 0;
}

/* Once that process waits. */
static void send_late(int fd, int to) {
  while (!known_sleeps(to)) sched_yield();
  sleep_ms(20);
  require(send(fd, "x", 1, 0) == 1, "send");
}

/* A server of both versions of IP, if the system has them: its client's address is then a version 4 in a version 6. */
static int listening(struct sockaddr_in* client_to) {
  const struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
  const struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr_in6 at;
  socklen_t length = sizeof at;
  int server = socket(AF_INET6, SOCK_STREAM, 0);
  if (server < 0 || bind(server, (const struct sockaddr*)&v6, sizeof v6) != 0) {
    server = socket(AF_INET, SOCK_STREAM, 0);
    require(bind(server, (const struct sockaddr*)&v4, sizeof v4) == 0, "bind");
  }
  require(listen(server, 1) == 0 && getsockname(server, (struct sockaddr*)&at, &length) == 0, "listen");
  *client_to = v4;
  client_to->sin_port = at.sin6_port; /* at the same place for both */
  return server;
}

static int receive_late(int is_polled) {
  struct sockaddr_in to;
  char byte;
  const int server = listening(&to);
  const int client = (int)getpid();
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) {
    send_late(accept(server, NULL, NULL), client);
    _exit(0);
  }
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  require(connect(fd, (const struct sockaddr*)&to, sizeof to) == 0, "connect");
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  if (is_polled) require(poll(&ready, 1, -1) == 1, "poll");
  require(recv(fd, &byte, 1, 0) == 1, "recv");
  require(waitpid(child, NULL, 0) == child, "waitpid");
  return 0;
}

int known_slow_server(void) { return receive_late(0); }
int known_slow_polled_server(void) { return receive_late(1); }

int known_slow_pair(void) {
  int ends[2];
  char byte;
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  const int parent = (int)getpid();
  const pid_t other = vfork();
  if (other == 0) { /* its descriptors are its own, its memory is not */
    close(ends[0]);
    close(ends[1]);
    _exit(0);
  }
  require(waitpid(other, NULL, 0) == other, "vfork");
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) {
    send_late(ends[1], parent);
    _exit(0);
  }
  const int all = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN};
  require(epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &wanted) == 0, "epoll_ctl");
  require(epoll_wait(all, &wanted, 1, -1) == 1, "epoll_wait");
  require(read(ends[0], &byte, 1) == 1, "read");
  require(waitpid(child, NULL, 0) == child, "waitpid");
  return 0;
}

static void* hold(void* nothing) {
  pthread_setname_np(pthread_self(), "writer");
  pthread_mutex_lock(&orders);
  pthread_rwlock_wrlock(&prices);
  say_that_it_waits(0);
  await_that_it_waits(1);
  pthread_rwlock_unlock(&prices);
  pthread_mutex_unlock(&orders);
  return nothing;
}

/* All while the writer holds the locks, and nobody posts the semaphore. */
int known_timed_locks(void) {
  struct timespec soon, since_boot;
  sem_init(&places, 0, 0);
  const pthread_t writer = begin(hold, NULL);
  while (__atomic_load_n(&waiters[0], __ATOMIC_ACQUIRE) == 0) sched_yield();
  clock_gettime(CLOCK_REALTIME, &soon);
  clock_gettime(CLOCK_MONOTONIC, &since_boot);
  soon.tv_sec += 1;
  since_boot.tv_sec += 1;
  require(pthread_mutex_timedlock(&orders, &soon) == ETIMEDOUT, "pthread_mutex_timedlock");
  require(pthread_mutex_clocklock(&orders, CLOCK_MONOTONIC, &since_boot) == ETIMEDOUT, "pthread_mutex_clocklock");
  require(pthread_rwlock_timedrdlock(&prices, &soon) == ETIMEDOUT, "pthread_rwlock_timedrdlock");
  require(pthread_rwlock_timedwrlock(&prices, &soon) == ETIMEDOUT, "pthread_rwlock_timedwrlock");
  require(pthread_rwlock_clockrdlock(&prices, CLOCK_MONOTONIC, &since_boot) == ETIMEDOUT, "pthread_rwlock_clockrdlock");
  require(pthread_rwlock_clockwrlock(&prices, CLOCK_MONOTONIC, &since_boot) == ETIMEDOUT, "pthread_rwlock_clockwrlock");
  require(sem_timedwait(&places, &soon) != 0 && errno == ETIMEDOUT, "sem_timedwait");
  require(sem_clockwait(&places, CLOCK_MONOTONIC, &since_boot) != 0 && errno == ETIMEDOUT, "sem_clockwait");
  say_that_it_waits(1);
  pthread_join(writer, NULL);
  require(pthread_mutex_timedlock(&orders, &soon) == 0, "a free lock");
  return 0;
}

static void* take(void* lock) {
  say_that_it_waits(0);
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

static pthread_mutex_t plain, inner, checked, inherits, robust;

/* A waiter is there while an inner lock of each, where it has them, is unlocked, and then the lock. */
static void release_one(pthread_mutex_t* lock, int type, int protocol, int is_robust) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, type);
  pthread_mutexattr_setprotocol(&kind, protocol);
  pthread_mutexattr_setrobust(&kind, is_robust);
  pthread_mutex_init(lock, &kind);
  require(pthread_mutex_lock(lock) == 0, "lock");
  if (type == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_lock(lock);
  const pthread_t other = begin(take, lock);
  await_that_it_waits(0);
  if (type == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(lock);
  pthread_mutex_unlock(lock);
  pthread_join(other, NULL);
}

int known_kinds_of_locks(void) {
  release_one(&plain, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  release_one(&inner, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  release_one(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  release_one(&inherits, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
  release_one(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
  return 0;
}

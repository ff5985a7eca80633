/* Two threads that take two locks in opposite order, and wait for each other for ever: mutexes or, with an argument,
 * read-write locks for writing. Prints the numbers of its threads, first and second, when both hold their first
 * lock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

pthread_mutex_t orders = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t prices = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t names = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static int numbers[2];
static int writes;

static void become(int which) {
  pthread_setname_np(pthread_self(), which == 0 ? "seller" : "packer");
  numbers[which] = gettid();
}

static void* take(pthread_mutex_t* mine, pthread_mutex_t* other) {
  pthread_mutex_lock(mine);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(other);
  return NULL;
}

static void* write_both(pthread_rwlock_t* mine, pthread_rwlock_t* other) {
  pthread_rwlock_wrlock(mine);
  pthread_barrier_wait(&both);
  pthread_rwlock_wrlock(other);
  return NULL;
}

__attribute__((noinline)) static void* sell(void* none) {
  (void)none;
  become(0);
  return writes ? write_both(&prices, &names) : take(&orders, &stock);
}

__attribute__((noinline)) static void* pack(void* none) {
  (void)none;
  become(1);
  return writes ? write_both(&names, &prices) : take(&stock, &orders);
}

int main(int count, char** words) {
  (void)words;
  writes = count > 1;
  pthread_barrier_init(&both, NULL, 3);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sell, NULL);
  pthread_create(&threads[1], NULL, pack, NULL);
  pthread_barrier_wait(&both);
  printf("%d %d %d\n", getpid(), numbers[0], numbers[1]);
  fflush(stdout);
  pthread_join(threads[0], NULL);
  return 0;
}

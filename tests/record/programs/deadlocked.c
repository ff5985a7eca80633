/* Two threads that take two locks in opposite order, and wait for each other for ever. Prints the numbers of its
 * threads, first and second, when both hold their first lock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

pthread_mutex_t orders = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int numbers[2];

static void* take(int which, pthread_mutex_t* mine, pthread_mutex_t* other) {
  pthread_setname_np(pthread_self(), which == 0 ? "seller" : "packer");
  numbers[which] = gettid();
  pthread_mutex_lock(mine);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(other);
  return NULL;
}

__attribute__((noinline)) static void* sell(void* none) {
  (void)none;
  return take(0, &orders, &stock);
}

__attribute__((noinline)) static void* pack(void* none) {
  (void)none;
  return take(1, &stock, &orders);
}

int main(void) {
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

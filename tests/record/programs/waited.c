/* Waits for known times, by known functions: for a lock through two, for a pipe through a third. Prints how long it
 * waited in each, in ms. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"

pthread_mutex_t orders = PTHREAD_MUTEX_INITIALIZER;

static volatile int after;
static sem_t is_held;
static int ends[2];
static double waited[3];

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void sleep_ms(int ms) {
  const struct timespec time = {0, ms * 1000000L};
  nanosleep(&time, NULL);
}

KEPT static void append(double* sum) {
  const double began = now_ms();
  pthread_mutex_lock(&orders);
  *sum += now_ms() - began;
  pthread_mutex_unlock(&orders);
  ++after;
}
KEPT static void place_order(void) {
  append(&waited[0]);
  ++after;
}
KEPT static void cancel_order(void) {
  append(&waited[1]);
  ++after;
}
KEPT static void read_reply(void) {
  char byte;
  const double began = now_ms();
  if (read(ends[0], &byte, 1) == 1) waited[2] += now_ms() - began;
  ++after;
}

static void* hold(void* ms) {
  pthread_mutex_lock(&orders);
  sem_post(&is_held);
  sleep_ms(*(const int*)ms);
  pthread_mutex_unlock(&orders);
  return NULL;
}
static void* reply(void* ms) {
  sleep_ms(*(const int*)ms);
  return write(ends[1], "r", 1) == 1 ? ms : NULL;
}

static void while_other(void* (*other)(void*), int ms, void (*waits)(void)) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, &ms);
  if (other == hold) sem_wait(&is_held);
  waits();
  pthread_join(thread, NULL);
}

/* 150 waits in a second; 0: this machine is too slow for that now. */
static int wait_often(void) {
  for (int round = 0; round < 20; ++round) {
    const double began = now_ms();
    for (int i = 0; i < 150; ++i) sleep_ms(1);
    if (now_ms() - began < 900) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "often") == 0) return wait_often() ? 0 : 77;
  sem_init(&is_held, 0, 0);
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < 5; ++i) {
    while_other(hold, 40, place_order);
    while_other(hold, 20, cancel_order);
    while_other(reply, 10, read_reply);
  }
  printf("%.3f %.3f %.3f\n", waited[0], waited[1], waited[2]);
  return 0;
}

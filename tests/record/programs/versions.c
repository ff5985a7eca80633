/* A program that was linked long ago: of names that the C library has twice it calls the first version. The first
 * pthread_cond_t is one pointer wide, and the first posix_spawn() runs scripts without a first line that names a shell.
 */
#define _GNU_SOURCE
#include "known.h"

#if defined(__x86_64__)
#define FIRST(name) __asm__(".symver first_" #name ", " #name "@GLIBC_2.2.5")
FIRST(pthread_cond_init);
FIRST(pthread_cond_signal);
FIRST(pthread_cond_timedwait);
FIRST(pthread_cond_wait);
FIRST(posix_spawn);
FIRST(posix_spawnp);

struct first_condition {
  void* condition;
};
int first_pthread_cond_init(struct first_condition* condition, const pthread_condattr_t* attributes);
int first_pthread_cond_signal(struct first_condition* condition);
int first_pthread_cond_timedwait(struct first_condition* condition, pthread_mutex_t* guard,
                                 const struct timespec* until);
int first_pthread_cond_wait(struct first_condition* condition, pthread_mutex_t* guard);
__typeof__(posix_spawn) first_posix_spawn;
__typeof__(posix_spawnp) first_posix_spawnp;

static struct {
  struct first_condition condition;
  unsigned long behind[8];
} first;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int is_ready;

static void* make_ready(void* nothing) {
  pthread_mutex_lock(&guard);
  is_ready = 1;
  first_pthread_cond_signal(&first.condition);
  pthread_mutex_unlock(&guard);
  return nothing;
}

/* How many words behind the condition have changed, and what waiting for a time that is over returns. */
static int wait_for_condition(void) {
  const struct timespec over = {1, 0};
  pthread_t thread;
  int changed = 0;
  memset(first.behind, 0xFF, sizeof first.behind);
  require(first_pthread_cond_init(&first.condition, NULL) == 0, "pthread_cond_init");
  pthread_mutex_lock(&guard);
  const int waited = first_pthread_cond_timedwait(&first.condition, &guard, &over);
  require(pthread_create(&thread, NULL, make_ready, NULL) == 0, "pthread_create");
  while (!is_ready) first_pthread_cond_wait(&first.condition, &guard);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, NULL);
  for (int i = 0; i < 8; ++i) changed += first.behind[i] != ~0ul;
  printf("%s, %d\n", waited == ETIMEDOUT ? "timed out" : strerror(waited), changed);
  return 0;
}

static int status_of(pid_t child) {
  int status = 0;
  require(waitpid(child, &status, 0) == child, "waitpid");
  return WEXITSTATUS(status);
}

/* Runs `script`, which is in this folder, by both functions of both versions. */
static int spawn(void) {
  char* const words[] = {(char*)(uintptr_t) "script", NULL};
  pid_t child = 0;
  require(setenv("PATH", ".", 1) == 0, "setenv");
  require(first_posix_spawn(&child, "./script", NULL, NULL, words, environ) == 0, "posix_spawn");
  printf("%d", status_of(child));
  require(first_posix_spawnp(&child, "script", NULL, NULL, words, environ) == 0, "posix_spawnp");
  printf(" %d", status_of(child));
  const int plain = posix_spawn(&child, "./script", NULL, NULL, words, environ);
  const int found = posix_spawnp(&child, "script", NULL, NULL, words, environ);
  printf(" %d %d\n", plain == ENOEXEC, found == ENOEXEC);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "condition") == 0) return wait_for_condition();
  return argc == 2 && strcmp(argv[1], "spawn") == 0 ? spawn() : 98;
}
#else
int main(void) { return 77; }
#endif

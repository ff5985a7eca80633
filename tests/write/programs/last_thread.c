/* Ends in a way in which threads may end, after it has recorded:
 *
 *   last_thread TRACE HOW
 *
 * exit_thread: main() ends by pthread_exit, and its other thread later; alone: without another thread; system_call: by
 * the system call exit, with 5; Its exit handler needs a large stack, records one more event and closes the session. */
#include <evt/emit.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static evt_writer* writer;
static const evt_type* tick;

static void emit(uint32_t n) {
  evt_row row = evt_begin(evt_this_thread(writer), tick);
  evt_u32(&row, n);
  evt_commit(&row);
}

static void at_exit(void) {
  volatile char large[256 << 10];
  evt_error error;
  sigset_t blocked;
  memset((char*)large, 1, sizeof large);
  emit(2);
  evt_flush(writer);
  const int closed = evt_close(writer, &error);
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  printf("closed %d%s, SIGUSR1 is %sblocked, SIGUSR2 is %sblocked\n", closed, error.message,
         sigismember(&blocked, SIGUSR1) ? "" : "not ", sigismember(&blocked, SIGUSR2) ? "" : "not ");
}

static void* work(void* unused) {
  usleep(100000);
  emit(1);
  puts("thread done");
  return unused;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const evt_field fields[] = {EVT_FIELD_U32("n")};
  const evt_event_type type = {.name = "tick", .field_count = 1, .fields = fields};
  evt_error error;
  sigset_t usr2;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &usr2, NULL);
  writer = evt_open(arguments[1], NULL, &error);
  if (writer == NULL) return 3;
  tick = evt_declare(writer, &type, NULL);
  atexit(at_exit);
  emit(0);
  pthread_t thread;
  if (strcmp(arguments[2], "exit_thread") == 0 && pthread_create(&thread, NULL, work, NULL) != 0) return 4;
  if (strcmp(arguments[2], "system_call") == 0) {
    puts("main done");
    fflush(stdout);
    syscall(SYS_exit, 5);
  }
  pthread_exit(NULL);
}

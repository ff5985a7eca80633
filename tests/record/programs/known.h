/* Stories of the program `known`: each returns its exit status. */
#ifndef EVT_TESTS_KNOWN_H_
#define EVT_TESTS_KNOWN_H_

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KNOWN_SELF "/proc/self/exe"

static inline void require(int is_so, const char* what) {
  if (is_so) return;
  fprintf(stderr, "known: %s: %s\n", what, strerror(errno));
  _exit(99);
}

static inline void write_all(int fd, const char* bytes, size_t size) {
  require(write(fd, bytes, size) == (ssize_t)size, "write");
}

int known_arguments(void);
int known_asleep(void);
int known_c_daemon(void);
int known_busy(void);
int known_cancelled(void);
int known_children(void);
int known_close_all(void);
int known_connections(void);
int known_convoy(void);
int known_barrier(void);
int known_slow_writer(void);
int known_slow_server(void);
int known_slow_polled_server(void);
int known_slow_pair(void);
int known_timed_locks(void);
int known_copy_over_all(void);
int known_crowd(void);
int known_daemon_process(void);
int known_destructor(void);
int known_early(void);
int known_endless(void);
int known_enters_namespace(void);
int known_exec_chain(void);
int known_exec_end(void);
int known_exec_late(void);
int known_files(void);
int known_first_descriptor(void);
int known_free_semaphore(void);
int known_interrupted(void);
int known_jump(void);
int known_kinds_of_locks(void);
int known_locks(void);
int known_locks_and_lines(void);
int known_named_locks(void);
int known_many_children(void);
int known_namespaces(void);
int known_nap(void);
int known_outlier(void);
int known_outside(void);
int known_partial_line(void);
int known_phases(void);
int known_read_byte(void);
int known_small_threads(void);
int known_sockets(void);
int known_spawn(void);
int known_spin(void);
int known_storm(void);
int known_terminal(void);
int known_threads(void);
int known_unbegun(void);
int known_unread(void);
int known_wait_for_signal(void);
int known_waits(void);
int known_die(int number);

/* Whether a thread sleeps. */
int known_sleeps(int thread);

#endif /* EVT_TESTS_KNOWN_H_ */

/* Processes and what becomes of them. */
#define _GNU_SOURCE
#include <pty.h>

#include "known.h"

/* Becomes itself twice, 5 bytes before and 7 after. */
int known_exec_chain(void) {
  const int fd = open("e", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  write_all(fd, "12345", 5);
  execl("/no/such/program", "none", (char*)NULL);
  execl(KNOWN_SELF, KNOWN_SELF, "exec-end", (char*)NULL);
  return 99;
}

int known_exec_end(void) {
  const int fd = open("e", O_WRONLY | O_CREAT | O_APPEND, 0600);
  write_all(fd, "1234567", 7);
  return 6;
}

/* A child that ends by _exit after 3 bytes, one that vfork made, and the parent's 4. */
int known_children(void) {
  const int fd = open("f", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    write_all(fd, "123", 3);
    _exit(2);
  }
  require(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 2, "fork");
  const pid_t other = vfork();
  if (other == 0) {
    close(fd);
    execl(KNOWN_SELF, KNOWN_SELF, "exec-end", (char*)NULL);
    _exit(99);
  }
  require(waitpid(other, &status, 0) == other && WEXITSTATUS(status) == 6, "vfork");
  write_all(fd, "1234", 4);
  return 0;
}

/* Writes, then is ended by a signal. */
int known_die(int number) {
  const int fd = open("k", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 500; ++i) write_all(fd, "k", 1);
  raise(number);
  return 99;
}

/* Sixty children that write a byte each. */
int known_many_children(void) {
  const int fd = open("y", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  for (int i = 0; i < 60; ++i) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
      write_all(fd, "c", 1);
      _exit(0);
    }
    require(waitpid(child, &status, 0) == child && status == 0, "child");
  }
  return 0;
}

static void end_in_handler(int number) {
  (void)number;
  exit(7);
}

/* Waits for a signal that ends it with status 7. */
__attribute__((noreturn)) int known_wait_for_signal(void) {
  signal(SIGTERM, end_in_handler);
  puts("ready");
  fflush(stdout);
  for (;;) pause();
}

/* A namespace of users, which only a process of one thread may have; 2 bytes before, 3 after. */
int known_namespaces(void) {
  const int fd = open("u", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  write_all(fd, "12", 2);
  const int result = unshare(CLONE_NEWUSER);
  write_all(fd, "123", 3);
  puts(result == 0 ? "unshared" : "refused");
  return 0;
}

/* A process that its parents leave as soon as it is there: writes its number into a pipe that the test reads, then 3
 * bytes. */
int known_daemon_process(void) {
  int status = 0;
  int there[2];
  char byte = 0;
  require(pipe(there) == 0, "pipe");
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(read(there[0], &byte, 1) == 1 ? 0 : 1);
    syscall(SYS_write, there[1], &byte, 1);
    char number[16];
    const int pipe_of_test = open("f", O_WRONLY);
    const int fd = open("w", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    write_all(fd, "123", 3);
    write_all(pipe_of_test, number, (size_t)snprintf(number, sizeof number, "%d\n", (int)getpid()));
    return 0;
  }
  require(waitpid(child, &status, 0) == child && status == 0, "child");
  return 0;
}

/* A child by posix_spawn, and one by system(): 7 bytes each. */
int known_spawn(void) {
  char* const words[] = {(char*)(uintptr_t) "known", (char*)(uintptr_t) "exec-end", NULL};
  int status = 0;
  pid_t child = 0;
  require(posix_spawn(&child, KNOWN_SELF, NULL, NULL, words, environ) == 0, "posix_spawn");
  require(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 6, "spawned");
  require(WEXITSTATUS(system("known exec-end")) == 6, "system");
  return 0;
}

/* A child with a terminal of its own, which writes 3 bytes elsewhere. */
int known_terminal(void) {
  int status = 0;
  int terminal = 0;
  const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child == 0) {
    write_all(open("v", O_WRONLY | O_CREAT | O_TRUNC, 0600), "123", 3);
    _exit(5);
  }
  require(child > 0 && waitpid(child, &status, 0) == child, "forkpty");
  return WEXITSTATUS(status);
}

/* By the C library's function: 3 bytes, then its number for the test. */
int known_c_daemon(void) {
  char number[16];
  require(daemon(1, 1) == 0, "daemon");
  write_all(open("v", O_WRONLY | O_CREAT | O_TRUNC, 0600), "123", 3);
  write_all(open("f", O_WRONLY), number, (size_t)snprintf(number, sizeof number, "%d\n", (int)getpid()));
  return 0;
}

/* A hundred thousand writes, and then another program: who opens its session reads what this one left in its ring. */
int known_exec_late(void) {
  char* const words[] = {(char*)(uintptr_t) "known", (char*)(uintptr_t) "exit", (char*)(uintptr_t) "4", NULL};
  const int fd = open("/dev/null", O_WRONLY);
  for (int i = 0; i < 100000; ++i) write_all(fd, "x", 1);
  execv(KNOWN_SELF, words);
  return 99;
}

/* Enters the namespace of users of a child, if it can have one: 2 bytes before, and 3 after. */
int known_enters_namespace(void) {
  int ready[2];
  char path[64];
  char byte = 0;
  const int fd = open("u", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(pipe(ready) == 0, "pipe");
  write_all(fd, "12", 2);
  const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    if (syscall(SYS_unshare, CLONE_NEWUSER) == 0) syscall(SYS_write, ready[1], "y", 1);
    syscall(SYS_close, ready[1]);
    for (;;) syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
  }
  close(ready[1]);
  snprintf(path, sizeof path, "/proc/%d/ns/user", (int)child);
  const int has_namespace = read(ready[0], &byte, 1) == 1;
  const int entered = setns(open(path, O_RDONLY), CLONE_NEWUSER);
  printf("%s\n", !has_namespace ? "none" : entered == 0 ? "entered" : strerror(errno));
  kill(child, SIGKILL);
  write_all(fd, "345", 3);
  return 0;
}

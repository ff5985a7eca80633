/* What a recorded program does is known: each word of its command line is a story, of which the tests know the numbers.
 */
#define _GNU_SOURCE
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

static const char* self;

static void require(int is_so, const char* what) {
  if (is_so) return;
  fprintf(stderr, "known: %s: %s\n", what, strerror(errno));
  _exit(99);
}

static void write_all(int fd, const char* bytes, size_t size) {
  require(write(fd, bytes, size) == (ssize_t)size, "write");
}

/* Three open at a time; 100 x 10 bytes written to a, 10 x 7 to b; 400 read of a, then its lines by stdio. */
static int files(void) {
  const int a = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const int b = open("b", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int c = openat(AT_FDCWD, "c", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(a >= 0 && b >= 0 && c >= 0, "open");
  for (int i = 0; i < 100; ++i) write_all(a, "123456789\n", 10);
  for (int i = 0; i < 10; ++i) require(pwrite(b, "1234567", 7, i) == 7, "pwrite");
  char bytes[100];
  for (int i = 0; i < 4; ++i) require(pread(a, bytes, sizeof bytes, 0) == sizeof bytes, "pread");
  close(c);
  close(b);
  close(a);
  require(open("nonesuch", O_RDONLY) < 0 && errno == ENOENT, "errno of open");
  FILE* const lines = fopen("a", "r");
  require(lines != NULL, "fopen");
  while (fgets(bytes, sizeof bytes, lines) != NULL) {
  }
  rewind(lines);
  require(fread(bytes, 10, 5, lines) == 5, "fread");
  fclose(lines);
  puts("done");
  return 0;
}

static void* write_many(void* fd) {
  for (int i = 0; i < 1000; ++i) write_all(*(int*)fd, "x", 1);
  return NULL;
}

/* Eight threads of a thousand writes each. */
static int threads(void) {
  int fd = open("t", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  pthread_t all[8];
  for (int i = 0; i < 8; ++i) require(pthread_create(&all[i], NULL, write_many, &fd) == 0, "thread");
  for (int i = 0; i < 8; ++i) pthread_join(all[i], NULL);
  return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locker;

static void* take_lock(void* nothing) {
  __atomic_store_n(&locker, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return nothing;
}

/* By the system's word for its state: S. By system calls, which are not recorded. */
static int sleeps(int thread) {
  char path[64];
  char text[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return 0;
  syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  const char* const end = strrchr(text, ')');
  return end != NULL && end[2] == 'S';
}

/* A thousand locks of a free one, and one that is waited for. */
static int locks(void) {
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  pthread_t thread;
  require(pthread_create(&thread, NULL, take_lock, NULL) == 0, "thread");
  while (__atomic_load_n(&locker, __ATOMIC_ACQUIRE) == 0 || !sleeps(locker)) sched_yield();
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}

__attribute__((noreturn)) static void* wait_for_ever(void* started) {
  __atomic_store_n((int*)started, 1, __ATOMIC_RELEASE);
  for (;;) pause();
}

/* The program ends before one of its threads. */
static int endless(void) {
  static int started;
  pthread_t thread;
  require(pthread_create(&thread, NULL, wait_for_ever, &started) == 0, "thread");
  while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) sched_yield();
  puts("ends");
  return 4;
}

static pthread_key_t key;

static void write_at_end(void* fd) { write_all(*(int*)fd, "end", 3); }

static void* set_value(void* fd) {
  pthread_setspecific(key, fd);
  return NULL;
}

/* Three bytes by a destructor of a thread's value. */
static int destructor(void) {
  int fd = open("d", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pthread_key_create(&key, write_at_end);
  pthread_t thread;
  require(pthread_create(&thread, NULL, set_value, &fd) == 0, "thread");
  pthread_join(thread, NULL);
  return 0;
}

static int null_device = -1;
static int handled;

static void write_in_handler(int number) {
  (void)number;
  const int error = errno;
  write_all(null_device, "s", 1);
  __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED);
  errno = error;
}

/* 8000 writes by threads while a timer interrupts them; prints how many there were more. */
static int storm(void) {
  null_device = open("/dev/null", O_WRONLY);
  signal(SIGALRM, write_in_handler);
  const struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  threads();
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}

/* Becomes itself twice, 5 bytes before and 7 after. */
static int exec_chain(void) {
  const int fd = open("e", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  write_all(fd, "12345", 5);
  execl("/no/such/program", "none", (char*)NULL);
  execl(self, self, "exec-end", (char*)NULL);
  return 99;
}

static int exec_end(void) {
  const int fd = open("e", O_WRONLY | O_CREAT | O_APPEND, 0600);
  write_all(fd, "1234567", 7);
  return 6;
}

/* A child that ends by _exit after 3 bytes, one that vfork made, and the parent's 4. */
static int children(void) {
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
    execl(self, self, "exec-end", (char*)NULL);
    _exit(99);
  }
  require(waitpid(other, &status, 0) == other && WEXITSTATUS(status) == 6, "vfork");
  write_all(fd, "1234", 4);
  return 0;
}

/* Writes, then is ended by a signal. */
static int die(int number) {
  const int fd = open("k", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 500; ++i) write_all(fd, "k", 1);
  raise(number);
  return 99;
}

/* Sixty children that write a byte each. */
static int many_children(void) {
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
__attribute__((noreturn)) static int wait_for_signal(void) {
  signal(SIGTERM, end_in_handler);
  puts("ready");
  fflush(stdout);
  for (;;) pause();
}

/* The mode of a new file, and a read that another thread cancels. */
static int arguments(void) {
  umask(0);
  const int fd = open("m", O_WRONLY | O_CREAT | O_TRUNC, 0640);
  struct stat facts;
  require(fstat(fd, &facts) == 0, "fstat");
  printf("%o\n", facts.st_mode & 0777);
  return 0;
}

static void* read_for_ever(void* fd) {
  char byte;
  __atomic_store_n(&locker, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  return read(*(int*)fd, &byte, 1) == 1 ? fd : NULL;
}

static int cancelled(void) {
  int fds[2];
  require(pipe(fds) == 0, "pipe");
  pthread_t thread;
  void* result = NULL;
  require(pthread_create(&thread, NULL, read_for_ever, &fds[0]) == 0, "thread");
  while (__atomic_load_n(&locker, __ATOMIC_ACQUIRE) == 0 || !sleeps(locker)) sched_yield();
  pthread_cancel(thread);
  pthread_join(thread, &result);
  puts(result == PTHREAD_CANCELED ? "cancelled" : "returned");
  return 0;
}

static void* kill_when_it_sleeps(void* thread) {
  while (!sleeps(*(int*)thread)) sched_yield();
  raise(SIGKILL);
  return NULL;
}

/* Reads a line by stdio, and is killed while it waits for the rest of another. */
static int partial_line(void) {
  int fds[2];
  int self_number = (int)syscall(SYS_gettid);
  char line[100];
  pthread_t thread;
  require(pipe(fds) == 0, "pipe");
  FILE* const lines = fdopen(fds[0], "r");
  write_all(fds[1], "one\ntwo", 7);
  require(lines != NULL && fgets(line, sizeof line, lines) != NULL, "fgets");
  require(pthread_create(&thread, NULL, kill_when_it_sleeps, &self_number) == 0, "thread");
  return fgets(line, sizeof line, lines) != NULL;
}

/* 6 bytes there, 4 back, to a server on this machine. */
static int sockets(void) {
  const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr_in at = any;
  socklen_t length = sizeof at;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  require(bind(server, (const struct sockaddr*)&at, sizeof at) == 0 && listen(server, 1) == 0, "listen");
  require(getsockname(server, (struct sockaddr*)&at, &length) == 0, "getsockname");
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  require(connect(client, (const struct sockaddr*)&at, sizeof at) == 0, "connect");
  const int accepted = accept(server, NULL, NULL);
  char bytes[8];
  require(send(client, "123456", 6, 0) == 6 && recv(accepted, bytes, sizeof bytes, 0) == 6, "send");
  require(write(accepted, "1234", 4) == 4 && read(client, bytes, sizeof bytes) == 4, "answer");
  printf("%u\n", ntohs(at.sin_port));
  close(accepted);
  close(client);
  close(server);
  return 0;
}

/* A namespace of users, which only a process of one thread may have; 2 bytes before, 3 after. */
static int namespaces(void) {
  const int fd = open("u", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  write_all(fd, "12", 2);
  const int result = unshare(CLONE_NEWUSER);
  write_all(fd, "123", 3);
  puts(result == 0 ? "unshared" : "refused");
  return 0;
}

static volatile unsigned long sum;

static void* compute(void* nothing) {
  struct timespec now;
  do {
    for (int i = 0; i < 100000; ++i) sum = sum + 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec == 0 && now.tv_nsec < 200000000);
  return nothing;
}

/* 200 ms of cpu in each of two threads. */
static int busy(void) {
  pthread_t thread;
  require(pthread_create(&thread, NULL, compute, NULL) == 0, "thread");
  pthread_setname_np(thread, "worker");
  compute(NULL);
  pthread_join(thread, NULL);
  return 0;
}

/* Its number, by which a test stops it. */
static void print_process(void) {
  printf("%ld\n", (long)getpid());
  fflush(stdout);
}

/* 200 ms of cpu. */
static int spin(void) {
  print_process();
  compute(NULL);
  return 0;
}

/* In one call. */
static int nap(void) {
  print_process();
  const struct timespec time = {2, 0};
  require(nanosleep(&time, NULL) == 0, "nanosleep");
  return 0;
}

/* Waits for a byte from standard input. */
static int read_byte(void) {
  char byte;
  print_process();
  require(read(0, &byte, 1) == 1, "read");
  return 0;
}

/* 200 ms of cpu in each of twice as many threads as there are cpus. */
static int crowd(void) {
  enum { kMost = 256 };
  pthread_t all[kMost];
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  const long count = cpus < kMost / 2 ? 2 * cpus : kMost;
  for (long i = 0; i < count; ++i) require(pthread_create(&all[i], NULL, compute, NULL) == 0, "thread");
  for (long i = 0; i < count; ++i) pthread_join(all[i], NULL);
  return 0;
}

/* A process that its parents leave as soon as it is there: writes its number into a pipe that the test reads, then 3
 * bytes. */
static int daemon_process(void) {
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

static sigjmp_buf back;

static void jump_back(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static pthread_t main_thread;

static void* interrupt_when_it_sleeps(void* thread) {
  while (!sleeps(*(int*)thread)) sched_yield();
  pthread_kill(main_thread, SIGUSR1);
  return NULL;
}

/* A handler leaves a read that waits, for good; then 3 bytes are written. */
static int jump(void) {
  int fds[2];
  char byte = 0;
  pthread_t thread;
  int number = (int)syscall(SYS_gettid);
  const int fd = open("j", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  main_thread = pthread_self();
  signal(SIGUSR1, jump_back);
  require(pipe(fds) == 0, "pipe");
  if (sigsetjmp(back, 1) == 0) {
    require(pthread_create(&thread, NULL, interrupt_when_it_sleeps, &number) == 0, "thread");
    require(read(fds[0], &byte, 1) != 1, "read");
    return 97;
  }
  write_all(fd, "123", 3);
  puts("back");
  return 0;
}

/* Closes all that it did not open, also what is none of its own, then writes 9 bytes. */
static int close_all(void) {
  for (int fd = 3; fd < 70000; ++fd) close(fd);
  const int fd = open("l", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(fd == 3, "the first free number");
  write_all(fd, "123456789", 9);
  return 0;
}

/* Before any constructor, that of the preload library too: 5 bytes. Then 3 by main(). */
static void write_early(int count, char** words) {
  if (count != 2 || strcmp(words[1], "early") != 0) return;
  free(malloc(10));
  const int fd = open("i", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  write_all(fd, "12345", 5);
  close(fd);
}
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(int, char**) = write_early;

static int early(void) {
  const int fd = open("i", O_WRONLY | O_APPEND);
  write_all(fd, "123", 3);
  return 0;
}

/* A child by posix_spawn, and one by system(): 7 bytes each. */
static int spawn(void) {
  char* const words[] = {(char*)(uintptr_t) "known", (char*)(uintptr_t) "exec-end", NULL};
  int status = 0;
  pid_t child = 0;
  require(posix_spawn(&child, self, NULL, NULL, words, environ) == 0, "posix_spawn");
  require(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 6, "spawned");
  require(WEXITSTATUS(system("known exec-end")) == 6, "system");
  return 0;
}

static pthread_barrier_t all_there;

static void* sleep_together(void* nothing) {
  pthread_barrier_wait(&all_there);
  usleep(60000);
  pthread_barrier_wait(&all_there);
  return nothing;
}

/* Sleeps: three times alone, then together with three others, each alone in its call. */
static int phases(void) {
  pthread_t all[3];
  for (int i = 0; i < 3; ++i) usleep(20000);
  pthread_barrier_init(&all_there, NULL, 4);
  for (int i = 0; i < 3; ++i) require(pthread_create(&all[i], NULL, sleep_together, NULL) == 0, "thread");
  sleep_together(NULL);
  for (int i = 0; i < 3; ++i) pthread_join(all[i], NULL);
  return 0;
}

/* Sleeps forty times for a millisecond, and once for half a second. */
static int outlier(void) {
  for (int i = 0; i < 40; ++i) usleep(1000);
  usleep(500000);
  return 0;
}

/* Five connections to a server of this process, three at a time at most; 100 bytes there and 40 back on each. */
static int connections(void) {
  const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr_in at = any;
  socklen_t length = sizeof at;
  char bytes[100] = "";
  int clients[5];
  int accepted[5];
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  require(bind(server, (const struct sockaddr*)&at, sizeof at) == 0 && listen(server, 5) == 0, "listen");
  require(getsockname(server, (struct sockaddr*)&at, &length) == 0, "getsockname");
  for (int i = 0; i < 5; ++i) {
    clients[i] = socket(AF_INET, SOCK_STREAM, 0);
    require(connect(clients[i], (const struct sockaddr*)&at, sizeof at) == 0, "connect");
    accepted[i] = accept(server, NULL, NULL);
    require(send(clients[i], bytes, 100, 0) == 100 && recv(accepted[i], bytes, 100, MSG_WAITALL) == 100, "send");
    require(write(accepted[i], bytes, 40) == 40 && recv(clients[i], bytes, 40, MSG_WAITALL) == 40, "answer");
    if (i < 2) continue;
    close(clients[i - 2]);
    close(accepted[i - 2]);
  }
  for (int i = 3; i < 5; ++i) {
    close(clients[i]);
    close(accepted[i]);
  }
  close(server);
  return 0;
}

static const struct {
  const char* name;
  int (*tell)(void);
} stories[] = {{"files", files},
               {"threads", threads},
               {"locks", locks},
               {"endless", endless},
               {"destructor", destructor},
               {"storm", storm},
               {"exec", exec_chain},
               {"exec-end", exec_end},
               {"children", children},
               {"many-children", many_children},
               {"wait", wait_for_signal},
               {"arguments", arguments},
               {"cancelled", cancelled},
               {"sockets", sockets},
               {"namespaces", namespaces},
               {"busy", busy},
               {"partial-line", partial_line},
               {"spin", spin},
               {"nap", nap},
               {"read", read_byte},
               {"crowd", crowd},
               {"phases", phases},
               {"daemon", daemon_process},
               {"jump", jump},
               {"close-all", close_all},
               {"early", early},
               {"spawn", spawn},
               {"outlier", outlier},
               {"connections", connections}};

int main(int argc, char** argv) {
  self = "/proc/self/exe";
  if (argc == 3 && strcmp(argv[1], "die") == 0) return die(atoi(argv[2]));
  if (argc == 3 && strcmp(argv[1], "exit") == 0) return atoi(argv[2]);
  for (size_t i = 0; argc == 2 && i < sizeof stories / sizeof *stories; ++i) {
    if (strcmp(argv[1], stories[i].name) == 0) return stories[i].tell();
  }
  return 98;
}

/* How much of its stack a program's calls take: each function that evt run wraps is called on a stack that is painted,
 * and the deepest byte that has another colour afterwards is where it reached. Prints FUNCTION BYTES for each, into the
 * file of its first word. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Optimised, these are macros. */
#undef fread_unlocked
#undef fwrite_unlocked

enum { kSize = 256 << 10, kPaint = 0xA5, kOften = 400 };

static unsigned char* stack;
static int* shared; /* with children: how deep they were */

static int depth(void) {
  int at = 0;
  while (at < kSize && stack[at] == kPaint) ++at;
  return kSize - at;
}

static void check(int is_so, const char* what) {
  if (is_so) return;
  perror(what);
  _exit(99);
}

static int zero; /* /dev/zero */
static int null; /* /dev/null */
static int file;
static int ends[2]; /* of a pair of sockets */
static FILE* in;
static FILE* out;
static char bytes[64];
static const struct iovec parts = {bytes, sizeof bytes};
static const struct timespec no_time = {0, 0};
static const struct timespec over = {1, 0};
static pthread_mutex_t lock;
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t of_condition = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

/* One that nothing knows yet. */
static int fresh(int fd) { return (int)syscall(SYS_dup, fd); }
static void drop(int fd) { syscall(SYS_close, fd); }
static int dropped(int fd) {
  drop(fd);
  return fd;
}
#define WITH_FRESH(of, call)   \
  do {                         \
    const int fd = fresh(of);  \
    check((call) >= 0, #call); \
    drop(fd);                  \
  } while (0)
#define OPENED(call)       \
  do {                     \
    const int fd = (call); \
    check(fd >= 0, #call); \
    drop(fd);              \
  } while (0)

static void end_child(pid_t child) {
  int status = 0;
  if (child == 0) {
    *shared = depth();
    _exit(0);
  }
  check(child > 0 && (int)syscall(SYS_wait4, child, &status, 0, NULL) == child && status == 0, "child");
}
static void make_child(void) {
  if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
}

static void* nothing_to_do(void* argument) { return argument; }
static char* const kWords[] = {(char*)(uintptr_t) "true", NULL};

static struct sock_fprog filter_of_all(void) {
  static struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {1, &all};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return filter;
}

/* What fortified programs call, and what has no declaration. */
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
ssize_t __read_chk(int fd, void* to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void* to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void* to, size_t size, off64_t at, size_t room);
size_t __fread_chk(void* to, size_t room, size_t size, size_t count, FILE* from);
size_t __fread_unlocked_chk(void* to, size_t room, size_t size, size_t count, FILE* from);
char* __fgets_chk(char* to, size_t room, int size, FILE* from);
char* __fgets_unlocked_chk(char* to, size_t room, int size, FILE* from);
int __printf_chk(int flag, const char* format, ...);
int __fprintf_chk(FILE* to, int flag, const char* format, ...);
int __vprintf_chk(int flag, const char* format, va_list values);
int __vfprintf_chk(FILE* to, int flag, const char* format, va_list values);
ssize_t __getdelim(char** line, size_t* room, int end, FILE* from);
ssize_t __recv_chk(int fd, void* to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void* to, size_t size, size_t room, int flags, struct sockaddr* from, socklen_t* length);
int __poll_chk(struct pollfd* fds, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd* fds, nfds_t count, const struct timespec* timeout, const sigset_t* mask, size_t room);
#if defined(__x86_64__)
#define OLDER(name, newer)                                   \
  __asm__(".symver older_" #name ", " #name "@GLIBC_2.2.5"); \
  __typeof__(name) older_##name;
#include "libtrace-record/recorded/calls.def"
#endif

static void list(int which, FILE* to, ...) {
  va_list values;
  va_start(values, to);
  if (which == 0) vprintf("%d\n", values);
  if (which == 1) vfprintf(to, "%d\n", values);
  if (which == 2) __vprintf_chk(0, "%d\n", values);
  if (which == 3) __vfprintf_chk(to, 0, "%d\n", values);
  va_end(values);
}

static char* line;
static size_t room;
static struct sockaddr_in address;
static socklen_t length;
static struct pollfd one;
static struct epoll_event event;
static int epoll;

static void arrive(void) { check(send(ends[1], bytes, 8, 0) == 8, "send"); }
static struct msghdr message(void) {
  struct msghdr made = {0};
  made.msg_iov = (struct iovec*)(uintptr_t)&parts;
  made.msg_iovlen = 1;
  return made;
}
static int listener(void) {
  const int made = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in any = {0};
  socklen_t size = sizeof address;
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(bind(made, (struct sockaddr*)&any, sizeof any) == 0 && listen(made, 8) == 0, "listen");
  getsockname(made, (struct sockaddr*)&address, &size);
  return made;
}
static int listening;
static void call_in(void) {
  const int made = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
  check(syscall(SYS_connect, made, &address, sizeof address) == 0, "connect");
  drop(made);
}

#define CASE(name, ...) \
  static void call_##name(void) { __VA_ARGS__; }

CASE(open, OPENED(open("/dev/null", O_RDONLY)))
CASE(openat, OPENED(openat(AT_FDCWD, "/dev/null", O_RDONLY)))
CASE(creat, OPENED(creat("made", 0600)))
CASE(open64, OPENED(open64("/dev/null", O_RDONLY)))
CASE(openat64, OPENED(openat64(AT_FDCWD, "/dev/null", O_RDONLY)))
CASE(creat64, OPENED(creat64("made", 0600)))
CASE(__open_2, OPENED(__open_2("/dev/null", O_RDONLY)))
CASE(__open64_2, OPENED(__open64_2("/dev/null", O_RDONLY)))
CASE(__openat_2, OPENED(__openat_2(AT_FDCWD, "/dev/null", O_RDONLY)))
CASE(__openat64_2, OPENED(__openat64_2(AT_FDCWD, "/dev/null", O_RDONLY)))
CASE(close, check(close(fresh(null)) == 0, "close"))
CASE(close_range, check(close_range(1000, 1010, 0) == 0, "close_range"))
CASE(closefrom, closefrom(1000))
CASE(read, WITH_FRESH(zero, read(fd, bytes, 8)))
CASE(write, WITH_FRESH(null, write(fd, bytes, 8)))
CASE(pread, WITH_FRESH(file, pread(fd, bytes, 8, 0)))
CASE(pwrite, WITH_FRESH(file, pwrite(fd, bytes, 8, 0)))
CASE(readv, WITH_FRESH(zero, readv(fd, &parts, 1)))
CASE(writev, WITH_FRESH(null, writev(fd, &parts, 1)))
CASE(preadv, WITH_FRESH(file, preadv(fd, &parts, 1, 0)))
CASE(pwritev, WITH_FRESH(file, pwritev(fd, &parts, 1, 0)))
CASE(pread64, WITH_FRESH(file, pread64(fd, bytes, 8, 0)))
CASE(pwrite64, WITH_FRESH(file, pwrite64(fd, bytes, 8, 0)))
CASE(preadv64, WITH_FRESH(file, preadv64(fd, &parts, 1, 0)))
CASE(pwritev64, WITH_FRESH(file, pwritev64(fd, &parts, 1, 0)))
CASE(__read_chk, WITH_FRESH(zero, __read_chk(fd, bytes, 8, sizeof bytes)))
CASE(__pread_chk, WITH_FRESH(file, __pread_chk(fd, bytes, 8, 0, sizeof bytes)))
CASE(__pread64_chk, WITH_FRESH(file, __pread64_chk(fd, bytes, 8, 0, sizeof bytes)))
CASE(sendfile, off_t at = 0; WITH_FRESH(null, sendfile(fd, file, &at, 8)))
CASE(sendfile64, off64_t at = 0; WITH_FRESH(null, sendfile64(fd, file, &at, 8)))
CASE(copy_file_range, off64_t from = 0; off64_t to = 64; WITH_FRESH(file, copy_file_range(fd, &from, file, &to, 8, 0)))
CASE(fsync, WITH_FRESH(file, fsync(fd)))
CASE(fdatasync, WITH_FRESH(file, fdatasync(fd)))
CASE(pipe, int both[2]; check(pipe(both) == 0, "pipe"); drop(both[0]); drop(both[1]))
CASE(pipe2, int both[2]; check(pipe2(both, 0) == 0, "pipe2"); drop(both[0]); drop(both[1]))
CASE(dup, WITH_FRESH(null, dropped(dup(fd))))
CASE(dup2, WITH_FRESH(null, dup2(fd, 900)))
CASE(dup3, WITH_FRESH(null, dup3(fd, 901, 0)))
CASE(fopen, fclose(fopen("/dev/null", "r")))
CASE(fopen64, fclose(fopen64("/dev/null", "r")))
CASE(fdopen, fclose(fdopen(fresh(null), "w")))
CASE(fclose, fclose(fopen("/dev/null", "r")))
CASE(fflush, fputs("x", out); fflush(out))
CASE(fflush_unlocked, fputs("x", out); fflush_unlocked(out))
CASE(fread, check(fread(bytes, 1, 8, in) == 8, "fread"))
CASE(fwrite, check(fwrite(bytes, 1, 8, out) == 8, "fwrite"))
CASE(fgets, check(fgets(bytes, 9, in) != NULL, "fgets"))
CASE(fread_unlocked, check(fread_unlocked(bytes, 1, 8, in) == 8, "fread"))
CASE(fwrite_unlocked, check(fwrite_unlocked(bytes, 1, 8, out) == 8, "fwrite"))
CASE(fgets_unlocked, check(fgets_unlocked(bytes, 9, in) != NULL, "fgets"))
CASE(__fread_chk, check(__fread_chk(bytes, sizeof bytes, 1, 8, in) == 8, "fread"))
CASE(__fread_unlocked_chk, check(__fread_unlocked_chk(bytes, sizeof bytes, 1, 8, in) == 8, "fread"))
CASE(__fgets_chk, check(__fgets_chk(bytes, sizeof bytes, 9, in) != NULL, "fgets"))
CASE(__fgets_unlocked_chk, check(__fgets_unlocked_chk(bytes, sizeof bytes, 9, in) != NULL, "fgets"))
CASE(getline, fseek(in, 0, SEEK_SET); getline(&line, &room, in))
CASE(getdelim, fseek(in, 0, SEEK_SET); getdelim(&line, &room, 'x', in))
CASE(__getdelim, fseek(in, 0, SEEK_SET); __getdelim(&line, &room, 'x', in))
CASE(fputs, fputs("text", out))
CASE(fputs_unlocked, fputs_unlocked("text", out))
CASE(puts, puts("text"))
CASE(printf, printf("%d\n", 7))
CASE(fprintf, fprintf(out, "%d\n", 7))
CASE(vprintf, list(0, NULL, 7))
CASE(vfprintf, list(1, out, 7))
CASE(__printf_chk, __printf_chk(0, "%d\n", 7))
CASE(__fprintf_chk, __fprintf_chk(out, 0, "%d\n", 7))
CASE(__vprintf_chk, list(2, NULL, 7))
CASE(__vfprintf_chk, list(3, out, 7))
CASE(socket, OPENED(socket(AF_UNIX, SOCK_STREAM, 0)))
CASE(socketpair, int both[2]; check(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0, "pair"); drop(both[0]);
     drop(both[1]))
CASE(connect, const int made = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
     connect(made, (struct sockaddr*)&address, sizeof address); drop(made);
     drop((int)syscall(SYS_accept, listening, 0, 0)))
CASE(accept, call_in(); OPENED(accept(fresh(listening), NULL, NULL)))
CASE(accept4, call_in(); OPENED(accept4(listening, NULL, NULL, 0)))
CASE(send, WITH_FRESH(ends[1], send(fd, bytes, 8, 0)); recv(ends[0], bytes, 8, 0))
CASE(sendto, WITH_FRESH(ends[1], sendto(fd, bytes, 8, 0, NULL, 0)); recv(ends[0], bytes, 8, 0))
CASE(sendmsg, const struct msghdr made = message(); WITH_FRESH(ends[1], sendmsg(fd, &made, 0));
     recv(ends[0], bytes, 64, 0))
CASE(recv, arrive(); WITH_FRESH(ends[0], recv(fd, bytes, 8, 0)))
CASE(recvfrom, arrive(); WITH_FRESH(ends[0], recvfrom(fd, bytes, 8, 0, NULL, NULL)))
CASE(recvmsg, arrive(); struct msghdr made = message(); WITH_FRESH(ends[0], recvmsg(fd, &made, 0)))
CASE(__recv_chk, arrive(); WITH_FRESH(ends[0], __recv_chk(fd, bytes, 8, sizeof bytes, 0)))
CASE(__recvfrom_chk, arrive(); WITH_FRESH(ends[0], __recvfrom_chk(fd, bytes, 8, sizeof bytes, 0, NULL, &length)))
CASE(shutdown, int both[2]; syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, both); shutdown(both[0], SHUT_RDWR);
     drop(both[0]); drop(both[1]))
CASE(poll, poll(&one, 1, 0))
CASE(__poll_chk, __poll_chk(&one, 1, 0, sizeof one))
CASE(ppoll, ppoll(&one, 1, &no_time, NULL))
CASE(__ppoll_chk, __ppoll_chk(&one, 1, &no_time, NULL, sizeof one))
CASE(select, struct timeval none = {0, 0}; select(0, NULL, NULL, NULL, &none))
CASE(pselect, pselect(0, NULL, NULL, NULL, &no_time, NULL))
CASE(epoll_wait, epoll_wait(epoll, &event, 1, 0))
CASE(epoll_pwait, epoll_pwait(epoll, &event, 1, 0, NULL))
CASE(nanosleep, nanosleep(&no_time, NULL))
CASE(clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &no_time, NULL))
CASE(usleep, usleep(0))
CASE(sleep, sleep(0))
CASE(pthread_mutex_lock, check(pthread_mutex_lock(&lock) == EDEADLK, "lock"))
CASE(pthread_mutex_timedlock, check(pthread_mutex_timedlock(&lock, &over) == EDEADLK, "lock"))
CASE(pthread_mutex_clocklock, check(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &over) == EDEADLK, "lock"))
CASE(pthread_mutex_trylock, check(pthread_mutex_trylock(&lock) == EBUSY, "lock"))
CASE(pthread_mutex_unlock, check(pthread_mutex_unlock(&lock) == 0 && pthread_mutex_lock(&lock) == 0, "lock"))
CASE(pthread_rwlock_rdlock, check(pthread_rwlock_rdlock(&shared_lock) == EDEADLK, "lock"))
CASE(pthread_rwlock_wrlock, check(pthread_rwlock_wrlock(&shared_lock) == EDEADLK, "lock"))
CASE(pthread_rwlock_timedrdlock, check(pthread_rwlock_timedrdlock(&shared_lock, &over) == EDEADLK, "lock"))
CASE(pthread_rwlock_timedwrlock, check(pthread_rwlock_timedwrlock(&shared_lock, &over) == EDEADLK, "lock"))
CASE(pthread_rwlock_clockrdlock,
     check(pthread_rwlock_clockrdlock(&shared_lock, CLOCK_MONOTONIC, &over) == EDEADLK, "lock"))
CASE(pthread_rwlock_clockwrlock,
     check(pthread_rwlock_clockwrlock(&shared_lock, CLOCK_MONOTONIC, &over) == EDEADLK, "lock"))
CASE(pthread_rwlock_unlock, pthread_rwlock_unlock(&shared_lock);
     check(pthread_rwlock_wrlock(&shared_lock) == 0, "lock"))
CASE(pthread_rwlock_tryrdlock, check(pthread_rwlock_tryrdlock(&shared_lock) == EBUSY, "lock"))
CASE(pthread_rwlock_trywrlock, check(pthread_rwlock_trywrlock(&shared_lock) == EBUSY, "lock"))
CASE(pthread_cond_wait, pthread_cond_wait(&condition, &of_condition))
CASE(pthread_cond_timedwait, pthread_cond_timedwait(&condition, &of_condition, &over))
CASE(pthread_cond_clockwait, pthread_cond_clockwait(&condition, &of_condition, CLOCK_MONOTONIC, &no_time))
CASE(sem_wait, sem_wait(&semaphore))
CASE(sem_timedwait, sem_timedwait(&semaphore, &over))
CASE(sem_clockwait, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &over))
CASE(sem_trywait, sem_trywait(&semaphore))
CASE(sem_post, sem_post(&semaphore); sem_trywait(&semaphore))
CASE(pthread_cond_signal, pthread_cond_signal(&condition))
CASE(pthread_cond_broadcast, pthread_cond_broadcast(&condition))
CASE(pthread_barrier_wait, pthread_barrier_wait(&barrier))
CASE(pthread_create, pthread_t made; check(pthread_create(&made, NULL, nothing_to_do, NULL) == 0, "thread");
     pthread_join(made, NULL))
CASE(pthread_join, pthread_t made; check(pthread_create(&made, NULL, nothing_to_do, NULL) == 0, "thread");
     pthread_join(made, NULL))
CASE(pthread_setname_np, pthread_setname_np(pthread_self(), "stacks"))
CASE(prctl, prctl(PR_GET_NAME, bytes, 0, 0, 0))
CASE(syscall, syscall(SYS_getppid))
CASE(fork, end_child(fork()))
CASE(vfork, const pid_t child = vfork(); if (child == 0) _exit(0); waitpid(child, NULL, 0))
CASE(forkpty, int terminal = 0; end_child(forkpty(&terminal, NULL, NULL, NULL)); drop(terminal))
CASE(posix_spawn, pid_t child = 0; check(posix_spawn(&child, "/bin/true", NULL, NULL, kWords, environ) == 0, "spawn");
     waitpid(child, NULL, 0))
CASE(posix_spawnp, pid_t child = 0; check(posix_spawnp(&child, "true", NULL, NULL, kWords, environ) == 0, "spawn");
     waitpid(child, NULL, 0))
CASE(system, check(system("true") == 0, "system"))
CASE(wait, make_child(); check(wait(NULL) > 0, "wait"))
CASE(waitpid, make_child(); check(waitpid(-1, NULL, 0) > 0, "wait"))
CASE(wait4, make_child(); check(wait4(-1, NULL, 0, NULL) > 0, "wait"))
CASE(waitid, make_child(); siginfo_t info; check(waitid(P_ALL, 0, &info, WEXITED) == 0, "wait"))
CASE(malloc, free(malloc(100)))
CASE(calloc, free(calloc(2, 100)))
CASE(realloc, free(realloc(NULL, 100)))
CASE(reallocarray, free(reallocarray(NULL, 2, 100)))
CASE(free, free(malloc(100)))
CASE(posix_memalign, void* made; check(posix_memalign(&made, 64, 64) == 0, "memory"); free(made))
CASE(aligned_alloc, free(aligned_alloc(64, 64)))
CASE(memalign, free(memalign(64, 64)))
CASE(mmap, munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096))
CASE(munmap, munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096))
CASE(mmap64, munmap(mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096))
static struct sigaction last_action;
CASE(sigaction, sigaction(SIGPROF, NULL, &last_action))
CASE(signal, signal(SIGUSR2, SIG_DFL))
__sighandler_t __sysv_signal(int number, __sighandler_t handler);
CASE(__sysv_signal, __sysv_signal(SIGUSR2, SIG_DFL))
__sighandler_t bsd_signal(int number, __sighandler_t handler);
CASE(bsd_signal, bsd_signal(SIGUSR2, SIG_DFL))
CASE(ssignal, ssignal(SIGUSR2, SIG_DFL))
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
CASE(sigset, sigset(SIGUSR2, SIG_DFL))
CASE(sigignore, sigignore(SIGUSR2))
static const sigset_t no_signals;
CASE(pthread_sigmask, pthread_sigmask(SIG_BLOCK, &no_signals, NULL))
CASE(sigprocmask, sigprocmask(SIG_BLOCK, &no_signals, NULL))
void __monstartup(unsigned long low, unsigned long high);
CASE(__monstartup, __monstartup(0, 64))
static unsigned short* volatile no_counts; /* profiling, which the last has begun, ends */
CASE(profil, profil(no_counts, 0, 0, 0))
CASE(dlclose, dlclose(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)))
/* In children, which they leave for good: each is a process with one thread. */
CASE(daemon, check(daemon(1, 1) == 0, "daemon"))
CASE(unshare, unshare(CLONE_NEWUSER))
CASE(setns, setns(null, 0))
static void restrict_by_prctl(void) {
  struct sock_fprog filter = filter_of_all();
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
static void restrict_by_syscall(void) {
  struct sock_fprog filter = filter_of_all();
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}
#if defined(__x86_64__)
/* The first condition is a pointer. */
static void* first_condition;
CASE(older_pthread_cond_wait, older_pthread_cond_wait((pthread_cond_t*)&first_condition, &of_condition))
CASE(older_pthread_cond_timedwait,
     older_pthread_cond_timedwait((pthread_cond_t*)&first_condition, &of_condition, &over))
CASE(older_pthread_cond_signal, older_pthread_cond_signal((pthread_cond_t*)&first_condition))
CASE(older_pthread_cond_broadcast, older_pthread_cond_broadcast((pthread_cond_t*)&first_condition))
CASE(older_posix_spawn, pid_t child = 0;
     check(older_posix_spawn(&child, "/bin/true", NULL, NULL, kWords, environ) == 0, "spawn"); waitpid(child, NULL, 0))
CASE(older_posix_spawnp, pid_t child = 0;
     check(older_posix_spawnp(&child, "true", NULL, NULL, kWords, environ) == 0, "spawn"); waitpid(child, NULL, 0))
#endif

static const struct {
  const char* name;
  void (*call)(void);
} kCalls[] = {
#define RUN_HAS_MEMORY
#define CALL(group, name, bytes) {#name, call_##name},
#define VARIANT(name, of) {#name, call_##name},
#define PASSED(name) {#name, call_##name},
#define OLDER(name, newer) {"older_" #name, call_older_##name},
#include "libtrace-record/recorded/calls.def"
};

/* Wakes whoever waits. */
static volatile int is_over;
static void* wake(void* nothing) {
  while (!is_over) {
    int value = 0;
    pthread_cond_broadcast(&condition);
#if defined(__x86_64__)
    older_pthread_cond_broadcast((pthread_cond_t*)&first_condition);
#endif
    if (sem_getvalue(&semaphore, &value) == 0 && value < 10) sem_post(&semaphore);
    sched_yield();
  }
  return nothing;
}

static ucontext_t here;
static ucontext_t there;
static void (*wanted)(void);
static int times;

static void call_wanted(void) {
  for (int i = 0; i < times; ++i) wanted();
}

static int measure(void (*call)(void), int often) {
  memset(stack, kPaint, kSize);
  wanted = call;
  times = often;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = kSize;
  there.uc_link = &here;
  makecontext(&there, call_wanted, 0);
  swapcontext(&here, &there);
  return depth();
}

/* In a child, whose own child it may be in the end. */
static int measure_in_child(void (*call)(void)) {
  *shared = -1;
  const pid_t child = fork();
  if (child == 0) {
    const int reached = measure(call, 1);
    __atomic_store_n(shared, reached, __ATOMIC_RELEASE);
    _exit(0);
  }
  check(child > 0 && waitpid(child, NULL, 0) == child, "child");
  while (__atomic_load_n(shared, __ATOMIC_ACQUIRE) < 0) sched_yield();
  return *shared;
}

static int is_heavy(const char* name) {
  return strstr(name, "fork") != NULL || strstr(name, "spawn") != NULL || strstr(name, "wait") == name ||
         strcmp(name, "system") == 0;
}

static void prepare(void) {
  pthread_mutexattr_t checks;
  stack = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  zero = open("/dev/zero", O_RDONLY);
  null = open("/dev/null", O_WRONLY);
  file = open("bytes", O_RDWR | O_CREAT | O_TRUNC, 0600);
  memset(bytes, 'x', sizeof bytes);
  for (int i = 0; i < 1000; ++i) check(write(file, bytes, sizeof bytes) == sizeof bytes, "write");
  in = fopen("bytes", "r");
  out = fopen("/dev/null", "w");
  check(freopen("/dev/null", "w", stdout) != NULL && in != NULL && out != NULL, "files");
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  listening = listener();
  epoll = epoll_create1(0);
  one.fd = zero;
  pthread_mutexattr_init(&checks);
  pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &checks);
  pthread_mutex_lock(&lock);
  pthread_rwlock_wrlock(&shared_lock);
  pthread_mutex_lock(&of_condition);
  pthread_barrier_init(&barrier, NULL, 1);
  sem_init(&semaphore, 0, 0);
}

int main(int argc, char** argv) {
  pthread_t waker;
  if (argc != 2) return 98;
  FILE* const report = fopen(argv[1], "w");
  prepare();
  check(report != NULL && pthread_create(&waker, NULL, wake, NULL) == 0, "start");
  for (size_t i = 0; i < sizeof kCalls / sizeof *kCalls; ++i) {
    const char* const name = kCalls[i].name;
    if (strcmp(name, "daemon") == 0 || strcmp(name, "unshare") == 0 || strcmp(name, "setns") == 0) continue;
    *shared = 0;
    const int reached = measure(kCalls[i].call, is_heavy(name) ? 2 : kOften);
    fprintf(report, "%s %d\n", name, reached > *shared ? reached : *shared);
  }
  is_over = 1;
  pthread_join(waker, NULL);
  fprintf(report, "daemon %d\n", measure_in_child(call_daemon));
  fprintf(report, "unshare %d\n", measure_in_child(call_unshare));
  fprintf(report, "setns %d\n", measure_in_child(call_setns));
  fprintf(report, "prctl-filter %d\n", measure_in_child(restrict_by_prctl));
  fprintf(report, "syscall-filter %d\n", measure_in_child(restrict_by_syscall));
  return fclose(report);
}

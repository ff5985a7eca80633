/* Files and sockets. */
#define _GNU_SOURCE
#include "known.h"

/* Three open at a time; 100 x 10 bytes written to a, 10 x 7 to b; 400 read of a, then its lines by stdio. */
int known_files(void) {
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

/* The mode of a new file, and a read that another thread cancels. */
int known_arguments(void) {
  umask(0);
  const int fd = open("m", O_WRONLY | O_CREAT | O_TRUNC, 0640);
  struct stat facts;
  require(fstat(fd, &facts) == 0, "fstat");
  printf("%o\n", facts.st_mode & 0777);
  return 0;
}

/* 6 bytes there, 4 back, to a server on this machine. */
int known_sockets(void) {
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

/* Closes all that it did not open, also what is none of its own, then writes 9 bytes. */
int known_close_all(void) {
  for (int fd = 3; fd < 70000; ++fd) close(fd);
  const int fd = open("l", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(fd == 3, "the first free number");
  write_all(fd, "123456789", 9);
  return 0;
}

/* The lowest that it gets: another thread may have one for a moment. */
int known_first_descriptor(void) {
  int lowest = 1 << 20;
  for (int i = 0; i < 100; ++i) {
    const int fd = open("/dev/null", O_RDONLY);
    if (fd >= 0 && fd < lowest) lowest = fd;
    close(fd);
  }
  printf("%d\n", lowest);
  return 0;
}

/* As some do that close all: in the place of each that is open comes the same file. Then 9 bytes. */
int known_copy_over_all(void) {
  const int fd = open("l", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int each = 0; each < 4096; ++each) {
    if (fcntl(each, F_GETFD) >= 0) dup2(fd, each);
  }
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

int known_early(void) {
  const int fd = open("i", O_WRONLY | O_APPEND);
  write_all(fd, "123", 3);
  return 0;
}

/* Five connections to a server of this process, three at a time at most; 100 bytes there and 40 back on each. */
int known_connections(void) {
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

/* A mebibyte by system calls of its own, which are not recorded. */
int known_outside(void) {
  static char bytes[1 << 10];
  const int fd = open("/dev/zero", O_RDONLY);
  for (int i = 0; i < 1 << 10; ++i) require(syscall(SYS_read, fd, bytes, sizeof bytes) == sizeof bytes, "read");
  return 0;
}

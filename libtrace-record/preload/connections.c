#define _GNU_SOURCE
#include "connections.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t of_run;

/* A TCP address, with those of version 4 as version 6 has them: either may be the other's peer. */
struct place {
  uint8_t host[16];
  uint8_t port[2];
};

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t from, const void* bytes, size_t size) {
  const unsigned char* const all = bytes;
  for (size_t i = 0; i < size; ++i) from = (from ^ all[i]) * 0x100000001B3u;
  return from;
}

/* The first end; none has the number 0. */
static uint64_t end_from(uint64_t connection) { return ((connection ^ connection >> 32) | 2) & ~(uint64_t)1; }

static int has_place(const void* address, socklen_t size, struct place* out) {
  static const uint8_t kMapped[12] = {[10] = 0xFF, [11] = 0xFF};
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  memset(out, 0, sizeof *out);
  if (size < sizeof v4) return 0;
  memcpy(&v4, address, sizeof v4);
  if (v4.sin_family == AF_INET) {
    memcpy(out->host, kMapped, sizeof kMapped);
    memcpy(out->host + sizeof kMapped, &v4.sin_addr, 4);
    memcpy(out->port, &v4.sin_port, 2);
    return 1;
  }
  if (v4.sin_family != AF_INET6 || size < sizeof v6) return 0;
  memcpy(&v6, address, sizeof v6);
  memcpy(out->host, &v6.sin6_addr, 16);
  memcpy(out->port, &v6.sin6_port, 2);
  return 1;
}

void run_prepare_connections(const char* folder) { of_run = hash(0xCBF29CE484222325u, folder, strlen(folder)); }

uint64_t run_end_of(int fd, const struct run_peer* to) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  struct place own;
  struct place peer;
  if (getsockname(fd, (struct sockaddr*)&address, &size) != 0 || !has_place(&address, size, &own)) return 0;
  size = sizeof address;
  if (to == NULL && getpeername(fd, (struct sockaddr*)&address, &size) != 0) return 0;
  if (!has_place(to != NULL ? to->address : &address, to != NULL ? to->length : size, &peer)) return 0;
  const int order = memcmp(&own, &peer, sizeof own);
  if (order == 0) return 0; /* it is its own peer */
  const uint64_t first = hash(of_run, order < 0 ? &own : &peer, sizeof own);
  const uint64_t end = end_from(hash(first, order < 0 ? &peer : &own, sizeof own));
  return order < 0 ? end : run_other_end(end);
}

uint64_t run_new_connection(void) {
  static uint64_t count;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t made[] = {(uint64_t)getpid(), __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED), (uint64_t)now.tv_sec,
                           (uint64_t)now.tv_nsec};
  return end_from(hash(of_run, made, sizeof made));
}

uint64_t run_other_end(uint64_t end) { return end ^ 1; }

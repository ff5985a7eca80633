#define _GNU_SOURCE
#include "object_names.h"

#include <arpa/inet.h>
#include <evt/emit_events.h>
#include <limits.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un local;
  struct sockaddr_storage storage;
};

/* HOST:PORT, a path, or nothing for a socket without a peer. `to`: the peer of a connection in progress; NULL: it is
 * connected. */
static void name_peer(int fd, const struct run_peer* to, char* out, size_t size) {
  union address peer;
  socklen_t length = sizeof peer;
  char host[INET6_ADDRSTRLEN];
  snprintf(out, size, "(no peer)");
  memset(&peer, 0, sizeof peer);
  if (to != NULL) {
    length = to->length < sizeof peer ? to->length : sizeof peer;
    memcpy(&peer, to->address, length);
  } else if (getpeername(fd, &peer.any, &length) != 0) {
    return;
  }
  if (peer.any.sa_family == AF_INET && inet_ntop(AF_INET, &peer.v4.sin_addr, host, sizeof host) != NULL) {
    snprintf(out, size, "%s:%u", host, ntohs(peer.v4.sin_port));
  } else if (peer.any.sa_family == AF_INET6 && inet_ntop(AF_INET6, &peer.v6.sin6_addr, host, sizeof host) != NULL) {
    snprintf(out, size, "[%s]:%u", host, ntohs(peer.v6.sin6_port));
  } else if (peer.any.sa_family == AF_UNIX) {
    const size_t front = offsetof(struct sockaddr_un, sun_path);
    const size_t path = length > front ? length - front : 0;
    if (path == 0) {
      snprintf(out, size, "(unnamed local socket)");
    } else if (peer.local.sun_path[0] == '\0') {
      snprintf(out, size, "@%.*s", (int)path - 1, peer.local.sun_path + 1);
    } else {
      snprintf(out, size, "%.*s", (int)path, peer.local.sun_path);
    }
  }
}

static void name_as_system_does(int fd, enum run_resource kind, char* out, size_t size) {
  if (kind == RUN_SOCKET) {
    name_peer(fd, NULL, out, size);
    return;
  }
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, out, size - 1);
  out[length > 0 ? length : 0] = '\0';
}

void run_find_name(void* given) {
  const struct run_unnamed* const of = given;
  char name[PATH_MAX];
  if (of->to != NULL) {
    name_peer(of->fd, of->to, name, sizeof name);
  } else {
    name_as_system_does(of->fd, of->kind, name, sizeof name);
  }
  uint64_t end = of->end;
  if (end == 0 && of->kind == RUN_SOCKET) end = run_end_of(of->fd, of->to);
  if (end == 0) {
    evt_emit_object_name(of->stream, run_session.object_name, of->number, name);
    return;
  }
  evt_row row = evt_begin(of->stream, run_session.socket_name);
  if (row.p == NULL) return;
  evt_u64(&row, of->number);
  evt_text_z(&row, name);
  evt_u64(&row, end);
  evt_commit(&row);
}

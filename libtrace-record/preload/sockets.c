/* Wrappers of calls for sockets. */
#define _GNU_SOURCE
#include <sys/socket.h>

#include "calls.h"

/* Called by programs that were compiled with _FORTIFY_SOURCE. */
ssize_t __recv_chk(int fd, void* to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void* to, size_t size, size_t room, int flags, __SOCKADDR_ARG from, socklen_t* length);

static const struct run_object kNewSocket = {0, RUN_SOCKET};

RUN_EXPORT int socket(int domain, int type, int protocol) {
  const struct run_recorded call = run_begin(RUN_socket, kNewSocket, 0);
  const int fd = REAL(socket)(domain, type, protocol);
  run_end(&call, 0);
  run_opened(fd, NULL);
  return fd;
}

RUN_EXPORT int socketpair(int domain, int type, int protocol, int fds[2]) {
  const struct run_recorded call = run_begin(RUN_socketpair, kNewSocket, 0);
  const int result = REAL(socketpair)(domain, type, protocol, fds);
  run_end(&call, 0);
  if (result == 0) run_opened_pair(fds);
  return result;
}

RUN_EXPORT int connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t length) {
  const struct run_recorded call = run_begin(RUN_connect, run_object_of(fd), 0);
  const int result = REAL(connect)(fd, to, length);
  run_end(&call, 0);
  const struct run_peer peer = {to.__sockaddr__, length};
  if (result == 0 || errno == EINPROGRESS) run_connected(fd, result != 0 ? &peer : NULL);
  return result;
}

RUN_EXPORT int accept(int fd, __SOCKADDR_ARG from, socklen_t* length) {
  const struct run_recorded call = run_begin(RUN_accept, run_object_of(fd), 0);
  const int made = REAL(accept)(fd, from, length);
  run_end(&call, 0);
  run_opened(made, NULL);
  return made;
}

RUN_EXPORT int accept4(int fd, __SOCKADDR_ARG from, socklen_t* length, int flags) {
  const struct run_recorded call = run_begin(RUN_accept4, run_object_of(fd), 0);
  const int made = REAL(accept4)(fd, from, length, flags);
  run_end(&call, 0);
  run_opened(made, NULL);
  return made;
}

#define WRAP_BYTES(name, which, parameters, arguments, size) \
  RUN_WRAP(ssize_t, name, which, parameters, arguments, run_object_of(fd), size, run_had(result))

WRAP_BYTES(send, send, (int fd, const void* from, size_t size, int flags), (fd, from, size, flags), size)
WRAP_BYTES(sendto, sendto,
           (int fd, const void* from, size_t size, int flags, __CONST_SOCKADDR_ARG to, socklen_t length),
           (fd, from, size, flags, to, length), size)
WRAP_BYTES(sendmsg, sendmsg, (int fd, const struct msghdr* message, int flags), (fd, message, flags), 0)
WRAP_BYTES(recv, recv, (int fd, void* to, size_t size, int flags), (fd, to, size, flags), size)
WRAP_BYTES(__recv_chk, recv, (int fd, void* to, size_t size, size_t room, int flags), (fd, to, size, room, flags), size)
WRAP_BYTES(recvfrom, recvfrom, (int fd, void* to, size_t size, int flags, __SOCKADDR_ARG from, socklen_t* length),
           (fd, to, size, flags, from, length), size)
WRAP_BYTES(__recvfrom_chk, recvfrom,
           (int fd, void* to, size_t size, size_t room, int flags, __SOCKADDR_ARG from, socklen_t* length),
           (fd, to, size, room, flags, from, length), size)
WRAP_BYTES(recvmsg, recvmsg, (int fd, struct msghdr* message, int flags), (fd, message, flags), 0)

RUN_WRAP(int, shutdown, shutdown, (int fd, int how), (fd, how), run_object_of(fd), 0, 0)

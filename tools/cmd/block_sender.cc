#include "cmd/block_sender.h"

#include <errno.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/output.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

constexpr std::chrono::milliseconds kBetweenTries(200);
// To a collector that ends the connection each time, and takes nothing.
constexpr int kMostTries = 50;
constexpr std::size_t kAnswer = 16;

// Nothing, with errno set, if nobody listens there.
int connected_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::ranges::copy(path, address.sun_path);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

}  // namespace

bool BlockSender::write(const void* bytes, std::size_t size) {
  const int error = write_all(descriptor_, bytes, size);
  if (error == 0) return true;
  has_reader_ = error != EPIPE && error != ECONNRESET;
  if (has_reader_) status_ = {Code::kIo, fmt::format("cannot write: {}", ::strerror(error))};
  return false;
}

// The collector tells which block it lacks first.
bool BlockSender::begin_session(const BlockStream::Block& block) {
  std::array<std::uint8_t, kAnswer> answer;
  const ssize_t got = ::recv(descriptor_, answer.data(), answer.size(), MSG_WAITALL);
  has_reader_ = got == static_cast<ssize_t>(answer.size());
  if (!has_reader_) return false;
  if (evt_load_u64(answer.data()) != block.header.session_id) {
    status_ = {Code::kInvalid, "the listener is not evt collect"};
    return false;
  }
  lacks_ = evt_load_u64(answer.data() + 8);
  return true;
}

bool BlockSender::send(const BlockStream::Block& block) {
  static constexpr std::array<std::byte, EVT_ALIGNMENT> kPadding{};
  const BlockHeader& header = block.header;
  if (session_ != 0 && header.session_id != session_) return true;
  const bool is_first = header.session_id != begun_;
  const bool is_there = is_answered_ && header.block_no != EVT_BLOCK_NO_RECOVERED && header.block_no < lacks_;
  if (!is_first && is_there) return true;
  begun_ = header.session_id;
  if (!write(block.bytes.data(), block.bytes.size()) || !write(kPadding.data(), padding_after(header.payload_size))) {
    return false;
  }
  return !is_first || !is_answered_ || begin_session(block);
}

bool BlockSender::take(Bytes bytes) {
  while (!bytes.empty()) {
    const std::span<std::byte> room = stream_.room();
    const std::size_t size = std::min(room.size(), bytes.size());
    std::ranges::copy(bytes.first(size), room.begin());
    stream_.received(size);
    bytes = bytes.subspan(size);
    while (const BlockStream::Block* const block = stream_.front()) {
      if (!send(*block)) return false;
      stream_.pop();
    }
    if (!stream_.status().ok()) {
      status_ = stream_.status();
      return false;
    }
  }
  return true;
}

// A pipe, or a socket, that nobody reads any more is known without writing.
bool BlockSender::has_reader() const {
  pollfd output = {descriptor_, 0, 0};
  return has_reader_ && (::poll(&output, 1, 0) == 0 || (output.revents & (POLLERR | POLLHUP)) == 0);
}

BlockSender::End BlockSender::send_all() {
  stream_ = {};
  begun_ = lacks_ = 0;
  has_reader_ = true;
  FollowOptions options;
  options.blocks = [this](Bytes bytes) { return take(bytes); };
  auto followed = follow(input_, options);
  if (!followed) {
    status_ = followed.status();
    return End::kProblem;
  }
  while (followed->wait() && has_reader()) continue;
  if (!has_reader()) return End::kNobodyReads;
  if (status_.ok()) status_ = followed->status();
  return status_.ok() ? End::kAll : End::kProblem;
}

int BlockSender::send_to_pipe(int descriptor) {
  ::signal(SIGPIPE, SIG_IGN);
  descriptor_ = descriptor;
  const End end = send_all();
  return end == End::kProblem ? report_.no_answer(status_) : int{kExitOk};
}

bool BlockSender::is_taken() const {
  char more;
  return ::shutdown(descriptor_, SHUT_WR) == 0 && ::recv(descriptor_, &more, 1, 0) == 0;
}

int BlockSender::send_to_socket(const std::string& path) {
  ::signal(SIGPIPE, SIG_IGN);
  is_answered_ = true;
  bool is_waiting = false;  // as the user was told
  for (int tries = 0; tries < kMostTries;) {
    descriptor_ = connected_to(path);
    // A socket that refuses is that of a collector which was killed.
    if (descriptor_ < 0 && errno != ECONNREFUSED && !is_waiting && tries == 0) {
      return report_.no_answer({Code::kIo, fmt::format("cannot connect to {}: {}", shown(path), ::strerror(errno))});
    }
    if (descriptor_ >= 0) {
      const End end = send_all();
      const bool is_all = end == End::kAll && is_taken();
      ::close(descriptor_);
      if (is_all) return kExitOk;
      if (end == End::kProblem) return report_.no_answer(status_);
      tries = lacks_ > reached_ ? 1 : tries + 1;
      reached_ = std::max(reached_, lacks_);
    }
    if (!std::exchange(is_waiting, true))
      report_.say(fmt::format("{}: the collector went away; waiting for it", shown(path)));
    std::this_thread::sleep_for(kBetweenTries);
  }
  return report_.no_answer({Code::kIo, fmt::format("{}: the collector refuses blocks; it says why", shown(path))});
}

}  // namespace evt::tools

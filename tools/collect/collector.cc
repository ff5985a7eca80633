#include "collect/collector.h"

#include <errno.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/terminal.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostSenders = 1024;
constexpr int kBacklog = 64;
// Of all blocks in progress; beyond it only those that have one go on.
constexpr std::uint64_t kMostMemory = 128 << 20;
constexpr std::chrono::seconds kMostStall(30);  // in a block, while memory is short
constexpr int kBetweenTriesMs = 200;
constexpr std::size_t kAnswer = 16;

volatile sig_atomic_t is_ending = 0;

void end_by_signal(int) { is_ending = 1; }

bool is_no_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

std::string name_of_peer(int descriptor) {
  ucred peer{};
  socklen_t size = sizeof peer;
  const bool is_known = ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return is_known ? fmt::format("process {}", peer.pid) : "a sender";
}

// A socket that no process listens at is left of one that was killed.
bool is_left_over(const sockaddr_un& address) {
  struct stat facts;
  if (::lstat(address.sun_path, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return false;
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool is_refused =
      ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno == ECONNREFUSED;
  ::close(probe);
  return is_refused;
}

// Only this user, and root, may connect.
Result<int> listening_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Status(Code::kInvalid, fmt::format("a socket's path has 1 to {} bytes", sizeof address.sun_path - 1));
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  if (is_left_over(address)) ::unlink(path.c_str());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t before = ::umask(0177);
  const bool is_bound =
      listener >= 0 && ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  ::umask(before);
  if (is_bound && ::listen(listener, kBacklog) == 0) return listener;
  if (listener >= 0) ::close(listener);
  return Status(Code::kIo, fmt::format("cannot listen at {}: {}", path, ::strerror(error)));
}

}  // namespace

std::uint64_t Collector::folder_bytes() const {
  std::uint64_t sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder_, error), none; !error && entry != none;
       entry.increment(error)) {
    struct stat facts;
    if (::lstat(entry->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
      sum += static_cast<std::uint64_t>(facts.st_size);
    }
  }
  return sum;
}

std::uint64_t Collector::memory() const {
  std::uint64_t sum = 0;
  for (const Sender& sender : senders_) sum += sender.stream.memory();
  return sum;
}

void Collector::end(Sender& sender, const std::string& sentence) {
  sender.has_ended = true;
  if (sentence.empty()) return;
  report_.say(fmt::format("{}: {}", sender.name, sentence));
  status_ = std::max<int>(status_, kExitPartly);
}

Status Collector::begin_session(Sender& sender, const BlockStream::Block& block) {
  for (const Sender& other : senders_) {
    if (&other == &sender || !other.file || other.file->session_id() != block.header.session_id) continue;
    return {Code::kInvalid, fmt::format("{} sends this session already", other.name)};
  }
  sender.file.reset();
  auto file = SessionFile::open(folder_, block);
  if (!file) return file.status();
  sender.file.emplace(*std::move(file));
  bytes_ = folder_bytes();
  if (!sender.is_answered) return {};
  std::array<std::uint8_t, kAnswer> answer;
  evt_store_u64(answer.data(), sender.file->session_id());
  evt_store_u64(answer.data() + 8, sender.file->next_block_no());
  const int error = write_all(sender.descriptor, answer.data(), answer.size());
  return error == 0 ? Status() : Status(Code::kIo, fmt::format("cannot answer: {}", ::strerror(error)));
}

void Collector::wait_for_room(Sender& sender, const std::string& reason) {
  sender.is_waiting = true;
  if (!std::exchange(is_full_, true)) report_.say(reason + "; senders wait");
}

bool Collector::write(Sender& sender, const BlockStream::Block& block) {
  if (sender.file->has(block.header)) return true;
  if (sender.file->size() + block.bytes.size() > limits_.session_bytes) {
    end(sender, fmt::format("{} would have more than {} bytes (--session-limit)", shown(sender.file->path()),
                            limits_.session_bytes));
    return false;
  }
  if (bytes_ + block.bytes.size() > limits_.folder_bytes) bytes_ = folder_bytes();
  if (bytes_ + block.bytes.size() > limits_.folder_bytes) {
    wait_for_room(sender,
                  fmt::format("{} would have more than {} bytes (--limit)", shown(folder_), limits_.folder_bytes));
    return false;
  }
  const int error = sender.file->append(block);
  if (is_no_room(error)) {
    wait_for_room(sender, fmt::format("cannot write {}: {}", shown(sender.file->path()), ::strerror(error)));
    return false;
  }
  if (error != 0) {
    end(sender, fmt::format("cannot write {}: {}", shown(sender.file->path()), ::strerror(error)));
    return false;
  }
  bytes_ += block.bytes.size();
  is_full_ = false;
  return true;
}

void Collector::take_blocks(Sender& sender) {
  sender.is_waiting = false;
  while (const BlockStream::Block* const block = sender.stream.front()) {
    const bool is_new = !sender.file || sender.file->session_id() != block->header.session_id;
    if (is_new && block->header.type != EVT_BLOCK_SESSION) {
      return end(sender, "expected a SESSION block before others of its session");
    }
    if (is_new) {
      if (const Status status = begin_session(sender, *block); !status.ok()) return end(sender, status.message());
    }
    if (!write(sender, *block)) return;
    sender.stream.pop();
  }
  if (!sender.stream.status().ok()) end(sender, sender.stream.status().message());
}

void Collector::take(Sender& sender) {
  const std::span<std::byte> room = sender.stream.room();
  const ssize_t got = ::read(sender.descriptor, room.data(), room.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got < 0) return end(sender, fmt::format("cannot read: {}", ::strerror(errno)));
  if (got == 0) return end(sender, sender.stream.is_inside() ? "it ended inside a block" : "");
  sender.active_at = Clock::now();
  sender.stream.received(static_cast<std::size_t>(got));
  take_blocks(sender);
}

int Collector::receive(int descriptor, const std::string& name) {
  Sender& sender = senders_.emplace_back();
  sender.descriptor = descriptor;
  sender.name = name;
  while (!sender.has_ended) {
    if (sender.is_waiting) {
      ::poll(nullptr, 0, kBetweenTriesMs);
      take_blocks(sender);
    } else {
      take(sender);
    }
  }
  return status_;
}

void Collector::accept_from(int listener) {
  const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return;
  Sender& sender = senders_.emplace_back();
  sender.descriptor = descriptor;
  sender.is_answered = true;
  sender.name = name_of_peer(descriptor);
  sender.active_at = Clock::now();
}

void Collector::end_those_that_stall() {
  if (memory() < kMostMemory) return;
  for (Sender& sender : senders_) {
    if (!sender.stream.is_inside() || sender.is_waiting || Clock::now() - sender.active_at < kMostStall) continue;
    end(sender, "it stopped inside a block while memory is short");
  }
}

int Collector::listen(const std::string& path) {
  auto opened = listening_at(path);
  if (!opened) return report_.no_answer(opened.status());
  const int listener = *opened;
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  for (const int number : kEndingSignals) ::sigaction(number, &action, nullptr);
  std::vector<pollfd> polled;
  while (is_ending == 0) {
    const bool is_short = memory() >= kMostMemory;
    polled.assign(1, {senders_.size() < kMostSenders ? listener : -1, POLLIN, 0});
    bool any_waits = false;
    for (const Sender& sender : senders_) {
      any_waits |= sender.is_waiting;
      const bool is_read = !sender.is_waiting && (!is_short || sender.stream.is_inside());
      polled.push_back({is_read ? sender.descriptor : -1, POLLIN, 0});
    }
    ::poll(polled.data(), polled.size(), any_waits ? kBetweenTriesMs : 1000);
    auto at = polled.begin() + 1;
    for (Sender& sender : senders_) {
      if (sender.is_waiting) {
        take_blocks(sender);
      } else if (at->revents != 0) {
        take(sender);
      }
      ++at;
    }
    if (polled.front().revents != 0) accept_from(listener);
    end_those_that_stall();
    senders_.remove_if([](const Sender& sender) {
      if (sender.has_ended) ::close(sender.descriptor);
      return sender.has_ended;
    });
  }
  ::close(listener);
  ::unlink(path.c_str());
  return status_;
}

}  // namespace evt::tools

#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace evt::record {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH};

std::int64_t monotonic() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int signal : kForwarded) sigaddset(&set, signal);
  return set;
}

// A file under /proc that was opened while the process lived; what has ended is root's there.
std::optional<ProcessIo> io_in(int fd) {
  char text[512] = "";
  unsigned long long read = 0;
  unsigned long long written = 0;
  if (fd < 0 || pread(fd, text, sizeof text - 1, 0) <= 0) return std::nullopt;
  const bool is_whole = sscanf(text, "rchar: %llu wchar: %llu", &read, &written) == 2;
  return is_whole ? std::optional(ProcessIo{read, written}) : std::nullopt;
}

void close_if_open(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

ChildProcess::~ChildProcess() {
  close_if_open(&go_);
  close_if_open(&failed_);
  close_if_open(&io_);
  if (pid_ < 0) return;
  // It waits for a byte that does not come, and ends.
  waitpid(pid_, nullptr, 0);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

Status ChildProcess::start(const std::vector<std::string>& words, const Prepare& prepare) {
  int go[2];
  int failed[2];
  if (pipe2(go, O_CLOEXEC) != 0) return {Code::kIo, fmt::format("no pipe for the program: {}", strerror(errno))};
  if (pipe2(failed, O_CLOEXEC) != 0) {
    const int error = errno;
    close(go[0]);
    close(go[1]);
    return {Code::kIo, fmt::format("no pipe for the program: {}", strerror(error))};
  }
  const sigset_t awaited = awaited_signals();
  sigprocmask(SIG_BLOCK, &awaited, &before_);
  pid_ = fork();
  if (pid_ == 0) {
    close(go[1]);
    close(failed[0]);
    go_ = go[0];
    failed_ = failed[1];
    become(words, prepare);
  }
  const int error = errno;
  close(go[0]);
  close(failed[1]);
  go_ = go[1];
  failed_ = failed[0];
  if (pid_ > 0) return {};
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  return {Code::kIo, fmt::format("no process for the program: {}", strerror(error))};
}

void ChildProcess::become(const std::vector<std::string>& words, const Prepare& prepare) const {
  char go = 0;
  if (read(go_, &go, 1) != 1) _exit(1);  // evt run is no more
  prepare(go);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  if (write(failed_, &error, sizeof error) != sizeof error) _exit(1);
  _exit(1);
}

Status ChildProcess::go(char given) {
  began_ns_ = monotonic();
  int error = 0;
  const bool was_asked = write(go_, &given, 1) == 1;
  close_if_open(&go_);
  const ssize_t size = was_asked ? read(failed_, &error, sizeof error) : 0;
  close_if_open(&failed_);
  if (size == 0) {
    io_ = open(fmt::format("/proc/{}/io", pid_).c_str(), O_RDONLY | O_CLOEXEC);
    return {};
  }
  error_number_ = error;
  return {Code::kIo, strerror(error)};
}

ProcessEnd ChildProcess::wait(const std::function<void()>& idle, int every_ms) {
  const sigset_t awaited = awaited_signals();
  const timespec every = {every_ms / 1000, every_ms % 1000 * 1'000'000L};
  siginfo_t ended{};
  for (;;) {
    siginfo_t signal{};
    const int number = sigtimedwait(&awaited, &signal, &every);
    const bool was_sent = number > 0 && number != SIGCHLD && signal.si_code <= 0;
    if (was_sent) kill(pid_, number);
    ended.si_pid = 0;
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) break;
    idle();
  }
  ProcessEnd end;
  end.began_ns = began_ns_;
  end.ended_ns = monotonic();
  idle();
  end.io = io_in(io_);
  close_if_open(&io_);
  int status = 0;
  if (wait4(pid_, &status, 0, &end.usage) == pid_) {
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = end.signal != 0 ? 128 + end.signal : WEXITSTATUS(status);
  }
  pid_ = -1;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  return end;
}

}  // namespace evt::record

#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "libtrace-record/sched/clock_time.h"

namespace evt::record {
namespace {

// The last three stop a program.
constexpr int kForwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU};

std::int64_t monotonic() { return now_of(CLOCK_MONOTONIC); }

bool stops_a_program(int signal) { return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGCONT);
  for (const int signal : kForwarded) sigaddset(&set, signal);
  return set;
}

// The next edge of a process that has one.
ChildStops::Look::Edge next_edge(pid_t pid, siginfo_t* edge) {
  edge->si_pid = 0;
  const auto id = static_cast<id_t>(pid);
  if (waitid(P_PID, id, edge, WSTOPPED | WCONTINUED | WNOHANG) == 0 && edge->si_pid != 0) {
    return edge->si_code == CLD_CONTINUED ? ChildStops::Look::Edge::kContinued : ChildStops::Look::Edge::kStopped;
  }
  const bool has_ended = waitid(P_PID, id, edge, WEXITED | WNOHANG | WNOWAIT) != 0 || edge->si_pid != 0;
  return has_ended ? ChildStops::Look::Edge::kEnded : ChildStops::Look::Edge::kNone;
}

// A file under /proc that was opened while the process lived; after its end, root owns the file.
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
  if (read(go_, &go, 1) != 1) _exit(1);  // evt run has ended
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

// Waits for the first, and takes all that are there.
void ChildProcess::take_signals(int every_ms, Asked* asked) {
  const sigset_t awaited = awaited_signals();
  timespec every = {every_ms / 1000, every_ms % 1000 * 1'000'000L};
  siginfo_t signal{};
  for (bool is_awake = false;; every = {}) {
    const int number = sigtimedwait(&awaited, &signal, &every);
    const bool is_last = is_awake && number < 0 && errno != EINTR;
    // Later time belongs to the next sleep; earlier stops were seen.
    if (!is_awake) stops_.wake(monotonic());
    is_awake = true;
    if (is_last) return;
    if (number < 0) continue;
    if (number == SIGCONT) asked->to_continue = true;
    if (stops_a_program(number)) asked->to_stop = number;
    const bool was_sent = number != SIGCHLD && number != SIGCONT && signal.si_code <= 0;
    if (was_sent) kill(pid_, number);
  }
}

bool ChildProcess::look(Asked* asked, const ChildStops::Take& stopped) {
  using Edge = ChildStops::Look::Edge;
  for (;;) {
    siginfo_t info{};
    const Edge edge = next_edge(pid_, &info);
    const std::int64_t now = monotonic();
    const auto suspended = static_cast<std::uint64_t>(std::max<std::int64_t>(0, now_of(CLOCK_BOOTTIME) - now));
    stops_.look({now, suspended, edge, asked->to_continue}, stopped);
    // Earlier requests belong to another stop.
    const bool is_by_terminal = edge == Edge::kStopped && stops_a_program(info.si_status);
    if (edge == Edge::kContinued || (edge == Edge::kStopped && !is_by_terminal)) asked->to_stop = 0;
    if (edge == Edge::kNone) return true;
    if (edge == Edge::kEnded) return false;
  }
}

// Until this process is continued, or at once where the signal stops nothing.
void ChildProcess::stop_as(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  kill(getpid(), signal);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

ProcessEnd ChildProcess::wait(const std::function<void()>& idle, int every_ms, const ChildStops::Take& stopped) {
  Asked asked;
  for (;;) {
    const std::int64_t now = monotonic();
    stops_.sleep(now, now + every_ms * std::int64_t{1'000'000});
    asked.to_continue = false;
    take_signals(every_ms, &asked);
    if (!look(&asked, stopped)) break;
    idle();
    if (!stops_.is_stopped()) continue;
    if (asked.to_continue) kill(pid_, SIGCONT);
    if (asked.to_stop != 0) stop_as(std::exchange(asked.to_stop, 0));
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

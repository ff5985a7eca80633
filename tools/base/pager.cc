#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <string_view>

#include "terminal.h"

namespace evt::tools {
namespace {

// The status of the child when it has ended.
int end_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// In the child: does not return. `failure` gets the errno if there is no such program.
[[noreturn]] void become_pager(const std::vector<std::string>& words, int input, int failure) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  dup2(input, STDIN_FILENO);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

}  // namespace

std::vector<std::string> pager_words() {
  const char* command = getenv("EVT_PAGER");
  if (command == nullptr) command = getenv("PAGER");
  if (command == nullptr) command = "less";
  if (std::string_view(command).find_first_of("|&;<>()$`\\\"'*?[#~=%\n") != std::string_view::npos) {
    return {"sh", "-c", command};
  }
  std::vector<std::string> words;
  std::istringstream from(command);
  for (std::string word; from >> word;) words.push_back(word);
  const bool is_none = words.size() == 1 && words[0] == "cat";
  return is_none ? std::vector<std::string>() : words;
}

Pager* volatile Pager::running_ = nullptr;

// The pager has been left: what else there is to print has no reader.
void Pager::end_quietly(int) {
  close(STDOUT_FILENO);
  _exit(running_->wait() ? kExitOk : kExitNoAnswer);
}

// Ctrl-C is for the pager, too, which goes on: it has the terminal until it is left.
void Pager::end_behind_pager(int signal) {
  close(STDOUT_FILENO);
  running_->wait();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

Pager::Pager(const Report& report)
    : failure_(report.error_line("the pager cannot be run: EVT_PAGER names another, --no-pager disables it")) {
  const std::vector<std::string> words = pager_words();
  if (words.empty() || !Terminal::wants_pager() || !Terminal::has_output() || !start(words)) return;
  running_ = this;
  signal(SIGPIPE, end_quietly);
  for (const int each : kEndingSignals) signal(each, end_behind_pager);
}

bool Pager::start(const std::vector<std::string>& words) {
  int text[2];
  int failure[2];
  if (pipe2(text, O_CLOEXEC) != 0) return false;
  if (pipe2(failure, O_CLOEXEC) != 0) {
    close(text[0]);
    close(text[1]);
    return false;
  }
  // As git has it: less ends by itself if one screen is enough, shows colours, and leaves the text on the screen.
  setenv("LESS", "FRX", 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) become_pager(words, text[0], failure[1]);
  close(text[0]);
  close(failure[1]);
  int error = 0;
  ssize_t size = 0;
  while (child > 0 && (size = read(failure[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  close(failure[0]);
  if (child < 0 || size > 0) {
    close(text[1]);
    if (child > 0) end_of(child);
    return false;
  }
  process_ = child;
  Terminal::keep();
  output_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  dup2(text[1], STDOUT_FILENO);
  if (Terminal::has_messages()) {
    messages_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    dup2(text[1], STDERR_FILENO);
  }
  close(text[1]);
  return true;
}

bool Pager::wait() {
  if (messages_ >= 0) {
    dup2(messages_, STDERR_FILENO);
    close(messages_);
    messages_ = -1;
  }
  const pid_t process = process_;
  process_ = 0;
  if (process <= 0) return true;
  const int status = end_of(process);
  // The shell found no such program, so what was printed was not seen. Other statuses are the pager's own affair.
  const bool has_run = !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
  [[maybe_unused]] const ssize_t written = has_run ? 0 : write(STDERR_FILENO, failure_.data(), failure_.size());
  return has_run;
}

bool Pager::finish() {
  if (output_ < 0) return true;
  std::fflush(nullptr);
  for (const int each : kEndingSignals) signal(each, SIG_IGN);
  dup2(output_, STDOUT_FILENO);
  close(output_);
  output_ = -1;
  const bool has_run = wait();
  signal(SIGPIPE, SIG_DFL);
  for (const int each : kEndingSignals) signal(each, SIG_DFL);
  return has_run;
}

}  // namespace evt::tools

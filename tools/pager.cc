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

#include "report.h"
#include "terminal.h"

namespace evt::tools {
namespace {

volatile pid_t running_pager = 0;

// Until the user has left it. For signal handlers, too. False: the shell found no such program, so what was printed was
// not seen. Other statuses are the pager's own affair.
bool wait_for_pager() {
  const pid_t pager = running_pager;
  running_pager = 0;
  int status = 0;
  if (pager <= 0) return true;
  while (waitpid(pager, &status, 0) < 0 && errno == EINTR) {
  }
  return !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

// The pager has been left: what else there is to print has no reader.
void end_quietly(int) { _exit(wait_for_pager() ? kExitOk : kExitNoAnswer); }

// Ctrl-C is for the pager, too, which goes on: it has the terminal until it is left.
void end_behind_pager(int signal) {
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  wait_for_pager();
  ::signal(signal, SIG_DFL);
  raise(signal);
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

Pager::Pager() {
  const std::vector<std::string> words = pager_words();
  if (words.empty() || !Terminal::wants_pager() || !Terminal::has_output() || !start(words)) return;
  signal(SIGPIPE, end_quietly);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) signal(each, end_behind_pager);
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
  running_pager = child;
  if (child < 0 || size > 0) {
    close(text[1]);
    wait_for_pager();
    return false;
  }
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

bool Pager::finish() {
  if (output_ < 0) return true;
  std::fflush(nullptr);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) signal(each, SIG_IGN);
  // The pager has all when the last descriptor of the pipe is closed.
  dup2(output_, STDOUT_FILENO);
  close(output_);
  output_ = -1;
  if (messages_ >= 0) {
    dup2(messages_, STDERR_FILENO);
    close(messages_);
  }
  const bool has_worked = wait_for_pager();
  signal(SIGPIPE, SIG_DFL);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) signal(each, SIG_DFL);
  return has_worked;
}

}  // namespace evt::tools

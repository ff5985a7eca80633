#include "sql/input_lines.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <type_traits>
#include <utility>

#include "base/output.h"
#include "base/terminal.h"
#include "base/user_folders.h"

namespace evt::tools {
namespace {

bool write_lines(const std::string& path, int flags, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) return false;
  const int error = write_all(file, text.data(), text.size());
  ::close(file);
  errno = error;
  return error == 0;
}

constexpr const char* kLibrary = "libedit.so.2";
constexpr int kEnding[] = {SIGTERM, SIGHUP};

// The library hands a line to a function without context: what it has since the last one, null at the end of the input.
bool has_typed = false;
char* typed = nullptr;

void take_typed(char* line) {
  has_typed = true;
  typed = line;
}

// A descriptor that becomes readable with an interrupt.
int interrupting = -1;

// The next character of the terminal, none with an interrupt: the library reads on by itself behind the first key of a
// sequence, such as Esc.
int next_character(FILE*) {
  mbstate_t state = {};
  while (!InputLines::is_interrupted(interrupting)) {
    char byte = 0;
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    wchar_t character = 0;
    const std::size_t size = mbrtowc(&character, &byte, 1, &state);
    if (size <= 1) return static_cast<int>(character);
    if (size == static_cast<std::size_t>(-1)) state = {};  // no character: it is dropped
  }
  return -1;
}

// While a line is typed the terminal has no echo and no lines of its own; the program may end then.
termios before_typing = {};
struct sigaction on_ending[std::size(kEnding)];

void end_with_terminal(int signal) {
  tcsetattr(STDIN_FILENO, TCSANOW, &before_typing);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// While it lives.
class TerminalKept {
 public:
  TerminalKept() {
    tcgetattr(STDIN_FILENO, &before_typing);
    struct sigaction action = {};
    action.sa_handler = &end_with_terminal;
    for (std::size_t i = 0; i < std::size(kEnding); ++i) {
      sigaction(kEnding[i], &action, &on_ending[i]);
      if (on_ending[i].sa_handler == SIG_IGN) sigaction(kEnding[i], &on_ending[i], nullptr);
    }
  }
  TerminalKept(const TerminalKept&) = delete;
  TerminalKept& operator=(const TerminalKept&) = delete;
  ~TerminalKept() {
    for (std::size_t i = 0; i < std::size(kEnding); ++i) sigaction(kEnding[i], &on_ending[i], nullptr);
  }
};

// The terminal is gone, and not only out of keys.
bool is_hung_up() {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace

InputLines::Found InputLines::next(std::string* line) {
  while (true) {
    if (const std::size_t end = buffer_.find('\n'); end != buffer_.npos) {
      line->assign(buffer_, 0, end + 1);
      buffer_.erase(0, end + 1);
      return Found::kLine;
    }
    if (interrupts_ >= 0 && is_interrupted(interrupts_)) return Found::kInterrupt;
    char bytes[4096];
    const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Found::kError;
    if (n == 0) {
      *line = std::exchange(buffer_, "");
      return line->empty() ? Found::kEnd : Found::kLine;
    }
    buffer_.append(bytes, static_cast<std::size_t>(n));
  }
}

bool InputLines::is_interrupted(int interrupts) {
  pollfd either[] = {{interrupts, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (poll(either, 2, -1) < 0 && errno == EINTR) {
  }
  return (either[0].revents & POLLIN) != 0;
}

std::vector<std::string> LineHistory::lines() const {
  std::vector<std::string> lines;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.size() <= kMaxLines) return lines;
  const bool has_many_more = lines.size() > 2 * kMaxLines;
  lines.erase(lines.begin(), lines.end() - kMaxLines);
  // Without it, the file only stays longer.
  const std::string anew = fmt::format("{}.{}", path_, getpid());
  if (has_many_more && write_lines(anew, O_EXCL, lines)) std::rename(anew.c_str(), path_.c_str());
  return lines;
}

void LineHistory::add(const std::string& line) {
  if (path_.empty()) return;
  make_private_folder(std::filesystem::path(path_).parent_path().string());
  if (write_lines(path_, O_APPEND, {line}) || !status_.ok()) return;
  status_ = {Code::kIo, fmt::format("cannot keep the lines that were typed in {}: {}", path_, strerror(errno))};
}

// Its names for what GNU's readline has, too.
struct LineEditor::Library {
  int* rl_catch_signals = nullptr;
  int* rl_inhibit_completion = nullptr;
  int (**rl_getc_function)(FILE*) = nullptr;
  void (*rl_callback_handler_install)(const char* prompt, void (*take)(char*)) = nullptr;
  void (*rl_callback_read_char)() = nullptr;
  void (*rl_callback_handler_remove)() = nullptr;
  int (*add_history)(const char* line) = nullptr;
  void (*stifle_history)(int lines) = nullptr;

  bool find_all(void* library) {
    const auto find = [library](const char* name, auto* symbol) {
      *symbol = reinterpret_cast<std::remove_pointer_t<decltype(symbol)>>(dlsym(library, name));
      return *symbol != nullptr;
    };
    return find("rl_catch_signals", &rl_catch_signals) && find("rl_inhibit_completion", &rl_inhibit_completion) &&
           find("rl_getc_function", &rl_getc_function) &&
           find("rl_callback_handler_install", &rl_callback_handler_install) &&
           find("rl_callback_read_char", &rl_callback_read_char) &&
           find("rl_callback_handler_remove", &rl_callback_handler_remove) && find("add_history", &add_history) &&
           find("stifle_history", &stifle_history);
  }
};

std::unique_ptr<LineEditor> LineEditor::load(const std::string& history) {
  if (!Terminal::has_output() || !Terminal::has_cursor()) return nullptr;
  static Library library;
  void* const loaded = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr || !library.find_all(loaded)) return nullptr;
  return std::unique_ptr<LineEditor>(new LineEditor(library, history));
}

LineEditor::LineEditor(const Library& library, std::string history) : library_(library), history_(std::move(history)) {
  // By which the library knows characters. It drops those that a locale does not have.
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  *library_.rl_catch_signals = 0;
  *library_.rl_getc_function = &next_character;
  *library_.rl_inhibit_completion = 1;  // of names of files: what is pasted has tabs
  library_.stifle_history(LineHistory::kMaxLines);
  for (const std::string& line : history_.lines()) library_.add_history(line.c_str());
}

InputLines::Found LineEditor::next(const char* prompt, int interrupts, std::string* line) {
  const TerminalKept kept;
  has_typed = false;
  interrupting = interrupts;
  library_.rl_callback_handler_install(prompt, &take_typed);
  auto found = InputLines::Found::kLine;
  while (!has_typed && found == InputLines::Found::kLine) {
    if (InputLines::is_interrupted(interrupts)) {
      found = InputLines::Found::kInterrupt;
    } else if (is_hung_up()) {
      found = InputLines::Found::kEnd;
    } else {
      library_.rl_callback_read_char();
    }
  }
  library_.rl_callback_handler_remove();
  if (found != InputLines::Found::kLine) return found;
  if (typed == nullptr) return InputLines::Found::kEnd;
  *line = typed;
  free(std::exchange(typed, nullptr));
  if (!line->empty() && *line != last_) {
    library_.add_history(line->c_str());
    history_.add(*line);
  }
  last_ = *line;
  *line += '\n';
  return found;
}

}  // namespace evt::tools

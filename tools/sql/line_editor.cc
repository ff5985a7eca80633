#include "sql/line_editor.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <type_traits>
#include <utility>

#include "cache_folder.h"
#include "terminal.h"

namespace evt::tools {
namespace {

constexpr const char* kLibrary = "libedit.so.2";
constexpr int kMaxLines = 1000;

// The library hands a line to a function without context: what it has since the last one, null at the end of the input.
bool has_typed = false;
char* typed = nullptr;

void take_typed(char* line) {
  has_typed = true;
  typed = line;
}

// The terminal is gone, and not only out of keys.
bool is_hung_up() {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace

// Its names for what GNU's readline has, too.
struct LineEditor::Library {
  int* rl_catch_signals = nullptr;
  void (*rl_callback_handler_install)(const char* prompt, void (*take)(char*)) = nullptr;
  void (*rl_callback_read_char)() = nullptr;
  void (*rl_callback_handler_remove)() = nullptr;
  int (*add_history)(const char* line) = nullptr;
  void (*stifle_history)(int lines) = nullptr;
  int (*read_history)(const char* path) = nullptr;
  int (*write_history)(const char* path) = nullptr;

  bool find_all(void* library) {
    const auto find = [library](const char* name, auto* symbol) {
      *symbol = reinterpret_cast<std::remove_pointer_t<decltype(symbol)>>(dlsym(library, name));
      return *symbol != nullptr;
    };
    return find("rl_catch_signals", &rl_catch_signals) &&
           find("rl_callback_handler_install", &rl_callback_handler_install) &&
           find("rl_callback_read_char", &rl_callback_read_char) &&
           find("rl_callback_handler_remove", &rl_callback_handler_remove) && find("add_history", &add_history) &&
           find("stifle_history", &stifle_history) && find("read_history", &read_history) &&
           find("write_history", &write_history);
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
  setlocale(LC_CTYPE, "");  // by which the library knows characters
  *library_.rl_catch_signals = 0;
  library_.stifle_history(kMaxLines);
  if (!history_.empty()) library_.read_history(history_.c_str());
}

InputLines::Found LineEditor::next(const char* prompt, int interrupts, std::string* line) {
  has_typed = false;
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
  if (!line->empty() && *line != last_) library_.add_history(line->c_str());
  last_ = *line;
  *line += '\n';
  return found;
}

Status LineEditor::keep_history() const {
  if (history_.empty()) return {};
  make_private_folder(std::filesystem::path(history_).parent_path());
  const int error = library_.write_history(history_.c_str());
  if (error == 0) return {};
  return {Code::kIo, fmt::format("cannot keep the lines that were typed in {}: {}", history_, strerror(error))};
}

}  // namespace evt::tools

#include "sql/shell.h"

#include <errno.h>
#include <fmt/core.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/user_folders.h"
#include "sql/database.h"
#include "sql/input_lines.h"

namespace evt::tools {
namespace {

sem_t signalled;
std::atomic<int> wake_up{-1};
std::atomic<bool> has_ended{false};
// How many signals came, and for how many of them DuckDB was interrupted.
std::atomic<unsigned> came{0};
std::atomic<unsigned> handled{0};
struct sigaction before_shell = {};

void on_interrupt(int) {
  const int error = errno;
  ++came;
  eventfd_write(wake_up, 1);
  sem_post(&signalled);
  errno = error;
}

// Ctrl-C while a shell is there: it ends what is computed, and not the program. One at a time in a program.
class Interrupts {
 public:
  // Refers to the database.
  explicit Interrupts(const Database& database) : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    wake_up = event_;
    has_ended = false;
    sem_init(&signalled, 0, 0);
    waiting_ = std::thread([&database] {
      while (true) {
        while (sem_wait(&signalled) != 0) {
        }
        if (has_ended) return;
        database.interrupt();
        ++handled;
        handled.notify_all();
      }
    });
    struct sigaction action = {};
    action.sa_handler = &on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before_shell);
  }

  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // What the signal did before, it does again.
  ~Interrupts() {
    sigaction(SIGINT, &before_shell, nullptr);
    has_ended = true;
    sem_post(&signalled);
    waiting_.join();
    close(event_);
  }

  // Becomes readable with one.
  int descriptor() const { return event_; }
  // Whether there was one since the last call.
  bool take() {
    eventfd_t count = 0;
    if (eventfd_read(event_, &count) != 0) return false;
    // Else one that the other thread is late for would end the next query.
    for (unsigned so_far = handled; so_far != came; so_far = handled) handled.wait(so_far);
    return true;
  }

 private:
  int event_;
  std::thread waiting_;  // DuckDB's function is not for handlers of signals
};

constexpr const char* kPrompt = "evt> ";
constexpr const char* kPromptWithin = "...> ";
constexpr const char* kHistory = "/sql_history";
constexpr std::string_view kShellHelp =
    "Statements end with a semicolon.\n"
    ".tables        the tables, and views over them\n"
    ".schema NAME   the columns of one\n"
    ".quit          leave; so does Ctrl-D. Ctrl-C ends what runs\n";

Status cannot_read() { return {Code::kIo, fmt::format("cannot read standard input: {}", strerror(errno))}; }

std::string_view without_space_around(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n;");
  const std::size_t to = text.find_last_not_of(" \t\r\n;");
  return from == text.npos ? std::string_view() : text.substr(from, to + 1 - from);
}

std::string kind_in_words(const Column& column) {
  static constexpr const char* kWords[] = {"bool", "int64", "uint64", "double", "time", "text", "bytes"};
  return fmt::format("{}{}", column.is_list ? "list of " : "", kWords[static_cast<std::size_t>(column.kind)]);
}

SqlCell cell_of(std::string text) { return {false, std::move(text)}; }

}  // namespace

Status SqlShell::run() { return isatty(STDIN_FILENO) != 0 ? talk() : read_all(); }

Status SqlShell::read_all() {
  InputLines lines;
  std::string line;
  while (!has_quit_) {
    const auto found = lines.next(&line);
    if (found == InputLines::Found::kError) return cannot_read();
    if (found == InputLines::Found::kEnd) break;
    if (Status status = take_line(line); !status.ok()) return status;
  }
  const auto rest = statements_.rest();
  return rest && !has_quit_ ? output_.run(*rest) : Status();
}

Status SqlShell::talk() {
  Interrupts interrupts(output_.database());
  const std::string folder = state_folder();
  const auto editor = LineEditor::load(folder.empty() ? "" : folder + kHistory);
  InputLines lines(interrupts.descriptor());
  const auto next = [&](const char* prompt, std::string* line) {
    if (editor != nullptr) return editor->next(prompt, interrupts.descriptor(), line);
    write_all(STDOUT_FILENO, prompt, strlen(prompt));
    return lines.next(line);
  };
  std::string line;
  while (!has_quit_) {
    const auto found = next(statements_.is_between() ? kPrompt : kPromptWithin, &line);
    if (found == InputLines::Found::kError) return cannot_read();
    if (found == InputLines::Found::kEnd) break;
    if (found == InputLines::Found::kInterrupt) {
      interrupts.take();
      statements_.clear();
      write_all(STDOUT_FILENO, "\n", 1);
      continue;
    }
    const Status status = take_line(line);
    if (const Status written = output_.flush(); !written.ok()) return written;
    report_.say_if_shortened();
    const bool is_interrupted = interrupts.take();
    if (status.ok()) continue;
    statements_.clear();  // what the line has behind the statement that failed
    report_.say(is_interrupted ? "interrupted" : status.message());
  }
  if (!has_quit_) write_all(STDOUT_FILENO, "\n", 1);
  if (editor == nullptr) return {};
  if (const Status& kept = editor->history().status(); !kept.ok()) report_.say(kept.message());
  return {};
}

Status SqlShell::take_line(const std::string& line) {
  if (statements_.is_between() && without_space_around(line).starts_with('.')) {
    statements_.clear();
    return run_command(std::string(without_space_around(line)));
  }
  statements_.add(line);
  while (const auto statement = statements_.next()) {
    if (Status status = output_.run(*statement); !status.ok()) return status;
  }
  return {};
}

Status SqlShell::run_command(const std::string& line) {
  const std::string command = line.substr(0, line.find_first_of(" \t"));
  const std::string name(without_space_around(std::string_view(line).substr(command.size())));
  if (command == ".quit" || command == ".exit") {
    has_quit_ = true;
    return {};
  }
  if (command == ".help") return output_.append_text(kShellHelp);
  if (command == ".tables") return output_.run("select table_name as name from information_schema.tables order by 1");
  if (command == ".schema" && !name.empty()) return append_schema(name);
  return {Code::kInvalid, fmt::format("expected .tables, .schema NAME, .help or .quit, found {}", line)};
}

Status SqlShell::append_schema(const std::string& name) {
  const std::string_view bare = name.size() > 1 && name.front() == '"' && name.back() == '"'
                                    ? std::string_view(name).substr(1, name.size() - 2)
                                    : std::string_view(name);
  const TraceRelations::Relation* const relation = relations_.find(bare);
  if (relation == nullptr) {
    return output_.run(fmt::format("select column_name as column, column_type as kind from (describe {})",
                                   quoted_name(std::string(bare))));
  }
  std::vector<std::vector<SqlCell>> rows;
  for (std::size_t i = 0; i < relation->columns.size(); ++i) {
    const Column& column = relation->table->columns[i];
    rows.push_back({cell_of(relation->columns[i]), cell_of(kind_in_words(column)),
                    column.unit.empty() ? SqlCell() : cell_of(column.unit), cell_of(column.description)});
  }
  return output_.append({{"column"}, {"kind"}, {"unit"}, {"description"}}, rows);
}

}  // namespace evt::tools

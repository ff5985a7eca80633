#include <evt/export/tables.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/memory_limit.h"
#include "base/output.h"
#include "base/report.h"
#include "base/terminal.h"
#include "base/user_folders.h"
#include "cmd/commands.h"
#include "input/trace_inputs.h"
#include "sql/database.h"
#include "sql/shell.h"
#include "sql/views.h"
#include "sql/why_function.h"

namespace evt::tools {
namespace {

constexpr const char* kSpillPrefix = "sql-";
constexpr int kSpillAttempts = 10;

// A descriptor that holds the lock; -1: another process holds it, or the folder is gone.
int lock_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat facts = {};
  // Another process may have removed it before the lock was there.
  if (flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &facts) == 0 && facts.st_nlink > 0) return folder;
  ::close(folder);
  return -1;
}

void remove_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

void remove_those_of_dead(const std::string& cache) {
  std::error_code error;
  for (std::filesystem::directory_iterator each(cache, error), end; !error && each != end; each.increment(error)) {
    const std::string path = each->path().string();
    if (!each->path().filename().string().starts_with(kSpillPrefix)) continue;
    const int lock = lock_folder(path);
    if (lock < 0) continue;
    remove_folder(path);
    ::close(lock);
  }
}

// Where queries put what has no room in memory: a folder below the cache's, for the process alone; removed with all
// that is in it when this ends. What a process left that was killed is removed when the next one begins: a folder is in
// use while its process holds a lock on it.
class SpillFolder {
 public:
  SpillFolder() {
    const std::string cache = cache_folder();
    if (cache.empty() || !make_private_folder(cache)) return;
    remove_those_of_dead(cache);
    // Another process that begins now may remove it before it is locked.
    for (int i = 0; i < kSpillAttempts && lock_ < 0; ++i) {
      std::string path = fmt::format("{}/{}XXXXXX", cache, kSpillPrefix);
      if (mkdtemp(path.data()) == nullptr) return;
      lock_ = lock_folder(path);
      if (lock_ >= 0) path_ = path;
    }
  }

  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  ~SpillFolder() {
    if (lock_ < 0) return;
    remove_folder(path_);
    ::close(lock_);
  }

  // Empty: there is nowhere.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;  // the folder
};

constexpr std::uint64_t kMemoryOfThread = 128 << 20;  // what DuckDB has each of its threads take

// DuckDB may have as much as evt may. What it takes by `new` counts as evt's own.
Database::Limits limits_of_database(const SpillFolder& spill) {
  Database::Limits limits;
  const std::uint64_t of_threads = kMemoryOfThread * std::max(1u, std::thread::hardware_concurrency());
  limits.memory = std::min(MemoryLimit::most(), UINT64_MAX / 2) + of_threads;
  MemoryLimit::allow(limits.memory);
  limits.temporary_folder = spill.path();
  return limits;
}

class Sql {
 public:
  explicit Sql(SqlArguments& options) : options_(options), inputs_(trace_inputs(options.files)) {}

  int run() {
    if (options_.views) return print_views();
    if (const Status status = check_files(options_.files, options_.output); !status.ok()) {
      return report_.usage(status.message());
    }
    const auto api = load_duckdb();
    if (!api) return report_.no_answer(api.status());
    for (const TraceInput& input : inputs_) {
      auto trace = options_.reading.open(input, report_);
      if (!trace) return report_.no_answer(trace.status());
      traces_.push_back(*std::move(trace));
      pointers_.push_back(&traces_.back());
    }
    const Status status = answer(*api);
    return status.ok() ? finish() : refuse(status);
  }

 private:
  int print_views() {
    TextOutput out;
    out.text() += sql_views();
    return out.flush() ? kExitOk : report_.no_answer(out.status());
  }

  Status answer(const duckdb::Api& api) {
    const Tables tables(pointers_);
    TraceRelations relations(tables, [this](const Session& session) { return options_.selection.range(session); });
    WhyFunction why(
        pointers_, [this](const Session& session) { return options_.selection.range(session); }, relations.reading());
    const SpillFolder spill;
    auto database = Database::open(api, limits_of_database(spill));
    if (!database) return database.status();
    if (!traces_.empty()) {
      for (const std::string& name : sql_view_names()) relations.reserve(name);
      if (Status status = why.add_to(*database); !status.ok()) return status;
      if (Status status = relations.add_to(*database); !status.ok()) return status;
      if (Status status = database->run(sql_views()); !status.ok()) return status;
    }
    return options_.format == OutputFormat::kParquet ? to_parquet(*database) : to_text(*database, relations);
  }

  // The last statement has the rows.
  Status to_parquet(Database& database) {
    const auto statements = statements_of_query();
    for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
      const auto is_query = ResultRows::is_query(database, statements[i]);
      if (!is_query) return is_query.status();
      if (*is_query) return {Code::kInvalid, "a Parquet file holds the rows of one query, found two"};
      if (Status status = database.run(statements[i]); !status.ok()) return status;
    }
    return write_parquet(database, statements.empty() ? "" : statements.back(), options_.output,
                         OutputMode::of(options_.files));
  }

  Status to_text(Database& database, const TraceRelations& relations) {
    std::optional<FileOutput> file;
    if (options_.output != "-") {
      auto opened = FileOutput::open(options_.output, OutputMode::of(options_.files));
      if (!opened) return opened.status();
      file.emplace(*std::move(opened));
    }
    TextOutput out(file ? file->descriptor() : STDOUT_FILENO, file ? file->name() : "standard output");
    const SqlForm form = options_.format == OutputFormat::kJson  ? SqlForm::kJson
                         : options_.format == OutputFormat::kCsv ? SqlForm::kCsv
                                                                 : SqlForm::kPeople;
    StatementOutput output(database, form, file.has_value(), Terminal::look(), out);
    Status status;
    if (options_.query) {
      for (const std::string& statement : statements_of_query()) {
        if (status.ok()) status = output.run(statement);
      }
    } else {
      status = SqlShell(output, relations, report_).run();
    }
    if (!file || status.ok()) {
      if (Status flushed = output.flush(); status.ok()) status = flushed;
    }
    return file && status.ok() ? file->complete(true) : status;
  }

  std::vector<std::string> statements_of_query() const {
    std::vector<std::string> all;
    Statements statements;
    statements.add(*options_.query);
    while (auto statement = statements.next()) all.push_back(*std::move(statement));
    if (auto statement = statements.rest()) all.push_back(*std::move(statement));
    return all;
  }

  int refuse(const Status& status) const {
    if (const Status limited = MemoryLimit::lift(); !limited.ok()) {
      report_.say(limited.message());
      return kExitPartly;
    }
    report_.say(status.message());
    return status.code() == Code::kInvalid ? kExitUsage : kExitNoAnswer;
  }

  // What is to be reported of the traces.
  int finish() const {
    report_.say_if_shortened();
    int exit = kExitOk;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      exit = std::max(exit, report_.finish(inputs_[i].name(), traces_[i]));
    }
    const std::vector<const Trace*> traces(pointers_.begin(), pointers_.end());
    exit = std::max(exit, report_.say_missing(options_.selection.nowhere_in(traces)));
    return std::max(exit, report_.say_missing(sessions_in_several()));
  }

  // The key of a session is in all tables, so rows that are joined by it would be counted more than once.
  std::vector<std::string> sessions_in_several() const {
    std::vector<std::string> sentences;
    SeenSessions seen;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const std::string name = inputs_[i].name();
      const std::string* const other = seen.add(traces_[i], name);
      if (other == nullptr) continue;
      sentences.push_back(fmt::format(
          "{} has a session of {}, too: what is joined by session counts its rows several times", name, *other));
    }
    return sentences;
  }

  SqlArguments& options_;
  std::vector<TraceInput> inputs_;
  Report report_{"evt sql"};
  std::deque<Trace> traces_;
  std::vector<Trace*> pointers_;  // to these
};

}  // namespace

int run_sql(SqlArguments& options) { return Sql(options).run(); }

}  // namespace evt::tools

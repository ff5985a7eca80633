#include "stats.h"

#include <evt/trace.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "progress.h"
#include "report.h"
#include "stats/diff.h"
#include "stats/options.h"
#include "stats/session_run.h"
#include "stats/stats_output.h"

namespace evt::tools {
namespace {

bool is_regular(const std::string& file) {
  struct stat facts;
  return file != "-" && stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

class Stats {
 public:
  explicit Stats(const StatsOptions& options) : options_(options), output_(options.output) {}

  int run() {
    if (options_.is_diff) {
      run_diff();
    } else {
      for (const std::string& file : options_.files) run_file(file);
    }
    if (!sorted_ && !options_.sort.empty() && has_tables_) {
      report_.say(fmt::format("no table has a column {}", options_.sort));
      return kExitUsage;
    }
    return output_.out().flush() ? status_ : report_.no_answer(output_.out().status());
  }

 private:
  // A trace, and what its analyses found.
  struct Answer {
    std::string name;
    Trace trace;
    std::vector<SessionFindings> sessions;
  };

  void become(int status) { status_ = std::max(status_, status); }

  std::optional<Answer> answer(const std::string& file) {
    const bool from_stdin = file == "-";
    std::string name = from_stdin ? "standard input" : file;
    auto trace = from_stdin ? Trace::open(STDIN_FILENO, name) : Trace::open(file);
    if (!trace) {
      become(report_.no_answer(trace.status()));
      return std::nullopt;
    }
    const RunOptions run = wanted(file);
    if (const std::string why = too_many_stretches(*trace, run); !why.empty()) {
      report_.say(fmt::format("{}: {}", name, why));
      become(kExitUsage);
      return std::nullopt;
    }
    std::vector<SessionFindings> sessions = run_sessions(*trace, run, &progress_);
    progress_.clear();
    return Answer{std::move(name), std::move(*trace), std::move(sessions)};
  }

  // What is to be said of it beside its tables.
  void finish(const Answer& answer) {
    for (const SessionFindings& session : answer.sessions) {
      for (const auto& [kind, findings] : session.by_analysis) {
        for (const std::string& note : findings.notes) report_.say(fmt::format("{}: {}", answer.name, note));
      }
    }
    become(report_.finish(answer.name, answer.trace));
    for (const std::string& sentence : options_.selection.nowhere_in({&answer.trace})) {
      report_.say(sentence);
      become(kExitPartly);
    }
    if (!output_.out().drain()) become(report_.no_answer(output_.out().status()));
  }

  void run_file(const std::string& file) {
    std::optional<Answer> found = answer(file);
    if (!found) return;
    arrange(&found->sessions);
    output_.append(found->name, found->trace, found->sessions);
    finish(*found);
  }

  void run_diff() {
    std::optional<Answer> before = answer(options_.files[0]);
    std::optional<Answer> after = answer(options_.files[1]);
    if (!before || !after) return;
    DiffOptions wanted;
    wanted.before = before->name;
    wanted.after = after->name;
    wanted.for_programs = options_.output.json || options_.output.csv || options_.output.raw;
    wanted.limit = options_.fail_above;
    Diff diff(wanted);
    std::vector<SessionFindings> sessions = diff.compare(before->sessions, after->sessions);
    arrange(&sessions);
    output_.append_diff(before->name, after->name, sessions);
    finish(*before);
    finish(*after);
    for (const std::string& sentence : diff.sentences()) report_.say(sentence);
    if (diff.verdict().too_large > 0) become(kExitPartly);
  }

  RunOptions wanted(const std::string& file) {
    RunOptions run;
    run.summary = options_.output.with_summary;
    for (const std::string& analysis : options_.analyses) {
      if (const AnalysisKind* const kind = analysis_kind(analysis)) run.kinds.push_back(kind);
    }
    // What is no file, or a file of another kind, has nothing beside it.
    if (!options_.no_state && is_regular(file)) run.file = file;
    run.selection = &options_.selection;
    run.at = options_.at;
    run.analysis = options_.analysis;
    run.report = &report_;
    return run;
  }

  void arrange(std::vector<SessionFindings>* sessions) {
    for (SessionFindings& session : *sessions) {
      for (auto& [kind, findings] : session.by_analysis) {
        for (Table& table : findings.tables) arrange(&table);
      }
    }
  }

  void arrange(Table* table) {
    has_tables_ = true;
    if (table->is_facts()) return;
    if (!options_.sort.empty()) {
      const bool up = options_.sort.ends_with(":up");
      const auto column = table->column(up ? options_.sort.substr(0, options_.sort.size() - 3) : options_.sort);
      if (column) table->sort(*column, up);
      sorted_ |= column.has_value();
    }
    table->keep_first(options_.top);
  }

  const StatsOptions& options_;
  Report report_{"evt stats"};
  Progress progress_;
  StatsOutput output_;
  int status_ = kExitOk;
  bool sorted_ = false;
  bool has_tables_ = false;
};

}  // namespace

std::function<int()> add_stats(CLI::App& app) {
  const auto options = std::make_shared<StatsOptions>();
  add_options(app, options);
  return [options] { return Stats(*options).run(); };
}

}  // namespace evt::tools

#include "stats.h"

#include <evt/trace.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "moment.h"
#include "progress.h"
#include "report.h"
#include "selection.h"
#include "stats/diff.h"
#include "stats/help.h"
#include "stats/session_run.h"
#include "stats/stats_output.h"

namespace evt::tools {
namespace {

struct Options {
  std::vector<std::string> words;  // diff or not, analyses, then files
  bool is_diff = false;
  std::optional<double> fail_above;  // percent
  std::vector<std::string> analyses;
  std::vector<std::string> files;
  OutputOptions output;
  std::size_t top = SIZE_MAX;
  std::string sort;
  std::optional<Moment> at;
  Selection selection;
  AnalysisOptions analysis;
  bool no_state = false;
};

constexpr const char* kSummary = "summary";
constexpr const char* kDiff = "diff";

bool is_regular(const std::string& file) {
  struct stat facts;
  return file != "-" && stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

class Stats {
 public:
  explicit Stats(const Options& options) : options_(options), output_(options.output) {}

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
    std::vector<SessionFindings> sessions = run_sessions(*trace, wanted(file), &progress_);
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
      if (analysis != kSummary) run.kinds.push_back(analysis_kind(analysis));
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

  const Options& options_;
  Report report_{"evt stats"};
  Progress progress_;
  StatsOutput output_;
  int status_ = kExitOk;
  bool sorted_ = false;
  bool has_tables_ = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

bool is_analysis(const std::string& word) { return word == kSummary || analysis_kind(word) != nullptr; }

// The words in front that are analyses; a file with such a name is ./cpu.
void sort_words(Options* options) {
  options->is_diff = !options->words.empty() && options->words.front() == kDiff;
  std::size_t at = options->is_diff ? 1 : 0;
  for (; at < options->words.size(); ++at) {
    const std::vector<std::string> names = split(options->words[at]);
    if (!std::all_of(names.begin(), names.end(), is_analysis)) break;
    for (const std::string& name : names) {
      if (std::find(options->analyses.begin(), options->analyses.end(), name) == options->analyses.end()) {
        options->analyses.push_back(name);
      }
    }
  }
  options->output.with_summary =
      options->analyses.empty() ||
      std::find(options->analyses.begin(), options->analyses.end(), kSummary) != options->analyses.end();
  options->files.assign(options->words.begin() + static_cast<std::ptrdiff_t>(at), options->words.end());
  if (options->analyses.empty()) options->analyses = {kSummary};
  if (options->files.empty()) throw CLI::RequiredError("a trace, behind the analyses if there are any,");
  if (options->is_diff && options->files.size() != 2) {
    throw CLI::ValidationError("file", fmt::format("expected two traces to compare, found {}", options->files.size()));
  }
  if (options->is_diff && options->files[0] == "-" && options->files[1] == "-") {
    throw CLI::ValidationError("file", "expected one of the traces to be a file, found - twice");
  }
  if (options->fail_above && !options->is_diff) throw CLI::ValidationError("--fail-above", "is for diff alone");
  options->output.several = options->files.size() > 1;
  if (!options->analysis.every) return;
  for (const std::string& name : options->analyses) {
    const AnalysisKind* const kind = analysis_kind(name);
    if (kind == nullptr || !kind->by_every) {
      throw CLI::ValidationError("--every", fmt::format("{} has no table over time", name));
    }
  }
}

}  // namespace

std::function<int()> add_stats(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("analyses-and-files", options->words,
                 "analyses, if any, then traces; - is standard input; diff in front compares two traces")
      ->type_name("WORD");
  CLI::Option* const json = app.add_flag("--json", options->output.json, "a JSON object for each trace; nanoseconds");
  app.add_flag("--csv", options->output.csv, "comma-separated values, an empty line between tables")->excludes(json);
  app.add_flag("--raw", options->output.raw, "numbers without units, times in nanoseconds");
  app.add_option("--top", options->top, "only the first so many rows of each table")->type_name("N");
  app.add_option("--sort", options->sort, "by this column, the largest first; COLUMN:up, the smallest")
      ->type_name("COLUMN");
  CLI::Option* const at = app.add_option_function<std::string>(
      "--at",
      [options](const std::string& text) {
        options->at = Moment::parse(text);
        if (!options->at)
          throw CLI::ValidationError("--at", "expected 1.5, 200ms, -2s or a time of day, found " + text);
      },
      "how things stand at this time: all that was so far");
  at->type_name("TIME");
  options->selection.add_options(app);
  for (const char* const other : {"--from", "--to"}) at->excludes(app.get_option(other));
  app.add_option_function<std::string>("--every",
                                       [options](const std::string& text) {
                                         options->analysis.every = parse_length(text);
                                         if (options->analysis.every && *options->analysis.every > 0) return;
                                         throw CLI::ValidationError("--every",
                                                                    "expected a time like 10ms, found " + text);
                                       })
      ->description("what was in each stretch of so much time (cpu, events)")
      ->type_name("TIME");
  app.add_option_function<std::string>(
         "--by",
         [options](const std::string& text) {
           constexpr const char* kForms[] = {"thread", "cpu", "thread,cpu", "cpu,thread"};
           if (std::find(std::begin(kForms), std::end(kForms), text) == std::end(kForms)) {
             throw CLI::ValidationError("--by", "expected thread, cpu, thread,cpu or cpu,thread, found " + text);
           }
           options->analysis.by = split(text);
         })
      ->description("cpu: rows for each thread, cpu, or both in this order; spans: for each thread")
      ->type_name("thread|cpu|thread,cpu|cpu,thread");
  app.add_flag("--no-state", options->no_state,
               "keep no checkpoints in FILE.state, from which cpu and events answer quickly");
  app.add_option_function<std::string>("--cost",
                                       [options](const std::string& text) {
                                         options->analysis.cost_ps = parse_picoseconds(text);
                                         if (options->analysis.cost_ps) return;
                                         throw CLI::ValidationError("--cost",
                                                                    "expected nanoseconds like 12.5, found " + text);
                                       })
      ->description("what emitting one event took, for overhead and --subtract")
      ->type_name("NS");
  app.add_flag("--subtract", options->analysis.subtract,
               "spans: without what tracing took: --cost for each event, and what events of role overhead say");
  app.add_option("--fail-above", options->fail_above,
                 "diff: exit status 1 if a count, a duration or bytes changed by more, in rows that both traces have")
      ->type_name("PERCENT")
      ->check(CLI::NonNegativeNumber);
  app.footer(stats_footer());
  app.parse_complete_callback([options] { sort_words(options.get()); });
  return [options] { return Stats(*options).run(); };
}

}  // namespace evt::tools

#include "stats.h"

#include <evt/analysis/share.h>
#include <evt/trace.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "moment.h"
#include "progress.h"
#include "report.h"
#include "selection.h"
#include "stats/limit.h"
#include "stats/session_run.h"
#include "stats/stats_output.h"

namespace evt::tools {
namespace {

struct Options {
  std::vector<std::string> words;  // analyses, then files
  std::vector<std::string> analyses;
  std::vector<std::string> files;
  OutputOptions output;
  std::size_t top = SIZE_MAX;
  std::string sort;
  std::optional<Moment> at;
  Selection selection;
  std::string by;
  AnalysisOptions analysis;
};

constexpr const char* kSummary = "summary";

class Stats {
 public:
  explicit Stats(const Options& options) : options_(options), output_(options.output) {}

  int run() {
    for (const std::string& file : options_.files) status_ = std::max(status_, run_file(file));
    if (!sorted_ && !options_.sort.empty() && has_tables_) {
      report_.say(fmt::format("no table has a column {}", options_.sort));
      return kExitUsage;
    }
    return output_.out().flush() ? status_ : report_.no_answer(output_.out().status());
  }

 private:
  int run_file(const std::string& file) {
    const bool from_stdin = file == "-";
    const std::string name = from_stdin ? "standard input" : file;
    auto trace = from_stdin ? Trace::open(STDIN_FILENO, name) : Trace::open(file);
    if (!trace) return report_.no_answer(trace.status());
    std::vector<SessionFindings> sessions = run_sessions(*trace, wanted(), &progress_);
    progress_.clear();
    for (SessionFindings& session : sessions) {
      for (auto& [kind, findings] : session.by_analysis) {
        for (Table& table : findings.tables) arrange(&table);
      }
    }
    output_.append(name, *trace, sessions);
    for (const SessionFindings& session : sessions) {
      for (const auto& [kind, findings] : session.by_analysis) {
        for (const std::string& note : findings.notes) report_.say(fmt::format("{}: {}", name, note));
      }
    }
    int status = report_.finish(name, *trace);
    for (const std::string& sentence : options_.selection.nowhere_in({&*trace})) {
      report_.say(sentence);
      status = std::max<int>(status, kExitPartly);
    }
    return output_.out().drain() ? status : report_.no_answer(output_.out().status());
  }

  RunOptions wanted() {
    RunOptions run;
    run.summary = options_.output.with_summary;
    for (const std::string& analysis : options_.analyses) {
      if (analysis != kSummary) run.kinds.push_back(analysis_kind(analysis));
    }
    run.selection = &options_.selection;
    run.at = options_.at;
    run.analysis = options_.analysis;
    run.report = &report_;
    return run;
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

// Some analysis that is asked for has such rows, or none could.
void check_by(const Options& options) {
  const auto is_known = [&](std::span<const char* const> forms) {
    return std::find(forms.begin(), forms.end(), options.by) != forms.end();
  };
  for (const AnalysisKind& kind : analysis_kinds()) {
    if (kind.by.empty() || is_known(kind.by)) continue;
    const bool is_wanted =
        std::find(options.analyses.begin(), options.analyses.end(), kind.name) != options.analyses.end();
    if (is_wanted) {
      throw CLI::ValidationError(
          "--by", fmt::format("expected one of {} for {}, found {}", fmt::join(kind.by, " "), kind.name, options.by));
    }
  }
  const auto kinds = analysis_kinds();
  if (std::none_of(kinds.begin(), kinds.end(), [&](const AnalysisKind& kind) { return is_known(kind.by); })) {
    throw CLI::ValidationError("--by", "expected what rows are of, such as thread or function, found " + options.by);
  }
}

// The words in front that are analyses; a file with such a name is ./cpu.
void sort_words(Options* options) {
  std::size_t at = 0;
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
  if (options->files.empty()) throw CLI::ValidationError("file", "expected a trace behind the analyses");
  options->output.several = options->files.size() > 1;
  if (!options->by.empty()) check_by(*options);
  if (!options->analysis.every) return;
  for (const std::string& name : options->analyses) {
    const AnalysisKind* const kind = analysis_kind(name);
    if (kind == nullptr || !kind->by_every) {
      throw CLI::ValidationError("--every", fmt::format("{} has no table over time", name));
    }
  }
}

std::map<std::string, ShareModel> share_models() {
  return {{"running", ShareModel::kRunning}, {"existing", ShareModel::kExisting}, {"phase", ShareModel::kPhase}};
}

std::string analyses_help() {
  std::string text = "Analyses:\n  summary   what the trace says of itself: the default, from the index alone\n";
  for (const AnalysisKind& kind : analysis_kinds()) text += fmt::format("  {:<9} {}\n", kind.name, kind.what);
  return text;
}

}  // namespace

std::function<int()> add_stats(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("words", options->words, "analyses, then traces; - is standard input")
      ->type_name("[ANALYSIS...] FILE...")
      ->required();
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
  app.add_option_function<std::string>("--by",
                                       [options](const std::string& text) {
                                         options->by = text;
                                         options->analysis.by = split(text);
                                       })
      ->description("cpu: rows for each thread, cpu, or both in this order; usage: only tables of one of these")
      ->type_name("thread|cpu|thread,cpu|cpu,thread|function|object|resource");
  app.add_option_function<std::vector<std::string>>(
         "--limit",
         [options](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const auto limit = parse_limit(text);
             if (!limit)
               throw CLI::ValidationError("--limit", "expected KIND=AMOUNT/s like disk=100M/s, found " + text);
             options->analysis.limits.push_back(*limit);
           }
         })
      ->description("usage: so much of a resource there is, so calls must take that long; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KIND=AMOUNT/s");
  app.add_option(
         "--model", options->analysis.share.model,
         "share: divide by the threads that run (exact), that exist, or as many as existed at most in the phase")
      ->transform(CLI::CheckedTransformer(share_models()).description(""))
      ->type_name("running|existing|phase");
  app.add_flag("--compare-models", options->analysis.share.compare, "share: what the other models get wrong here");
  app.footer(analyses_help() +
             "\nExamples: evt stats app.evt\n"
             "          evt stats cpu --at 1.5 --by thread,cpu app.evt\n"
             "          evt stats usage --by object --limit disk=100M/s app.evt\n"
             "          evt stats threads,gc --json app.eventlog | jq .\n\n"
             "Exit status: 0 all was read; 1 the trace is damaged or cut, the rest was counted, or a filter\n"
             "names nothing that is there; 2 wrong usage; 3 a trace could not be read, or the output not written.");
  app.parse_complete_callback([options] { sort_words(options.get()); });
  return [options] { return Stats(*options).run(); };
}

}  // namespace evt::tools

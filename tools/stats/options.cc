#include "stats/options.h"

#include <evt/analysis/share.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "stats/help.h"
#include "stats/limit.h"

namespace evt::tools {
namespace {

constexpr const char* kSummary = "summary";
constexpr const char* kDiff = "diff";

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
void check_by(const StatsOptions& options) {
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
void sort_words(StatsOptions* options) {
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

void add_output_options(CLI::App& app, const std::shared_ptr<StatsOptions>& options) {
  CLI::Option* const json = app.add_flag("--json", options->output.json, "a JSON object for each trace; nanoseconds");
  app.add_flag("--csv", options->output.csv, "comma-separated values, an empty line between tables")->excludes(json);
  app.add_flag("--raw", options->output.raw, "numbers without units, times in nanoseconds");
  app.add_option("--top", options->top, "only the first so many rows of each table")->type_name("N");
  app.add_option("--sort", options->sort, "by this column, the largest first; COLUMN:up, the smallest")
      ->type_name("COLUMN");
  app.add_option("--fail-above", options->fail_above,
                 "diff: exit status 1 if a count, a duration or bytes changed by more, in rows that both traces have")
      ->type_name("PERCENT")
      ->check(CLI::NonNegativeNumber);
}

void add_times(CLI::App& app, const std::shared_ptr<StatsOptions>& options) {
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
  app.add_flag("--no-state", options->no_state,
               "keep no checkpoints in FILE.state, from which cpu and events answer quickly");
}

void add_analysis_options(CLI::App& app, const std::shared_ptr<StatsOptions>& options) {
  app.add_option_function<std::string>("--by",
                                       [options](const std::string& text) {
                                         options->by = text;
                                         options->analysis.by = split(text);
                                       })
      ->description("cpu: rows for each thread, cpu, or both in this order; spans: for each thread; usage: only these")
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
               "spans, usage: without what tracing took: --cost for each event, and what events of role overhead say");
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<StatsOptions>& options) {
  app.add_option("analyses-and-files", options->words,
                 "analyses, if any, then traces; - is standard input; diff in front compares two traces")
      ->type_name("WORD");
  add_output_options(app, options);
  add_times(app, options);
  add_analysis_options(app, options);
  app.footer(stats_footer());
  app.parse_complete_callback([options] { sort_words(options.get()); });
}

}  // namespace evt::tools

#include "cli/stats_options.h"

#include <evt/analysis/share.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

#include "cli/option_values.h"
#include "near_names.h"
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

bool is_analysis(const std::string& name) { return name == kSummary || analysis_kind(name) != nullptr; }

// One analysis, or several with commas between them.
bool is_of_analyses(const std::string& word) {
  const std::vector<std::string> names = split(word);
  return std::all_of(names.begin(), names.end(), is_analysis);
}

bool is_wanted(const StatsArguments& options, const char* analysis) {
  return std::find(options.analyses.begin(), options.analyses.end(), analysis) != options.analyses.end();
}

// Every analysis that is asked for and takes --by has such rows.
void check_by(const StatsArguments& options) {
  for (const AnalysisKind& kind : analysis_kinds()) {
    if (!is_wanted(options, kind.name) || kind.by.empty()) continue;
    if (std::find(kind.by.begin(), kind.by.end(), options.by) != kind.by.end()) continue;
    throw CLI::ValidationError(
        "--by", fmt::format("expected one of {} for {}, found {}", fmt::join(kind.by, " "), kind.name, options.by));
  }
}

// The analyses that know the option, or those that are asked for: cpu, spans and usage.
template <typename Names>
std::string listed(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

// evt stats itself, and the analysis that is its subcommand, if one is.
using Apps = std::span<const CLI::App* const>;

bool is_given(Apps apps, const std::string& name) {
  return std::any_of(apps.begin(), apps.end(), [&](const CLI::App* app) { return app->get_option(name)->count() > 0; });
}

// Each option is known to all of the analyses that are asked for.
void check_known(Apps apps, const StatsArguments& options) {
  for (const std::string& name : analysis_options()) {
    if (!is_given(apps, name)) continue;
    std::vector<std::string> knowing;
    for (const AnalysisKind& kind : analysis_kinds()) {
      if (knows(kind, name)) knowing.emplace_back(kind.name);
    }
    std::vector<std::string> others = options.analyses;
    std::erase_if(others, [&](const std::string& analysis) {
      return std::find(knowing.begin(), knowing.end(), analysis) != knowing.end();
    });
    if (others.empty()) continue;
    throw CLI::ValidationError(name, fmt::format("is for {}, not for {}", listed(knowing), listed(others)));
  }
  const bool is_costed = options.analysis.subtract || is_wanted(options, "overhead");
  if (options.analysis.cost_ps && !is_costed) {
    throw CLI::ValidationError("--cost", "is for overhead, and for spans, calls and usage with --subtract");
  }
}

// What makes no sense without another, or with it.
void check_calls(const StatsArguments& options) {
  const CallOptions& calls = options.analysis.calls;
  if (options.by == "pattern" && calls.threads.empty()) {
    throw CLI::ValidationError("--by", "pattern is for rows of each --thread GLOB, and there is none");
  }
  if (calls.fold && options.is_diff) throw CLI::ValidationError("--fold", "is not for diff");
  if (calls.fold && !(calls.callers.empty() && calls.callees.empty())) {
    throw CLI::ValidationError("--fold", "excludes --callers and --callees");
  }
}

// CLI11 knows what excludes what in front of the analysis, and what behind it.
void check_exclusions(Apps apps) {
  constexpr std::pair<const char*, const char*> kPairs[] = {{"--json", "--csv"}, {"--json", "--raw"},
                                                            {"--csv", "--raw"},  {"--at", "--from"},
                                                            {"--at", "--to"},    {"--model", "--compare-models"}};
  for (const auto& [one, other] : kPairs) {
    if (is_given(apps, one) && is_given(apps, other)) throw CLI::ExcludesError(one, other);
  }
}

// What is in front of the analysis and behind it would be one value of two.
void check_sides(Apps apps) {
  if (apps.size() < 2) return;
  for (const CLI::Option* const option : apps[0]->get_options()) {
    if (option->get_positional() || option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (apps[1]->get_option(name)->count() == 0) continue;
    throw CLI::ValidationError(name, "is given in front of the analysis and behind it");
  }
}

// A word that names no file and was probably meant otherwise.
void check_file(const std::string& word) {
  if (word == "-" || access(word.c_str(), F_OK) == 0) return;
  std::vector<std::string> known = {kSummary};
  for (const AnalysisKind& kind : analysis_kinds()) known.emplace_back(kind.name);
  if (is_of_analyses(word)) {
    throw CLI::ValidationError("file", word + " is an analysis, which comes before the traces");
  }
  for (const std::string& name : split(word)) {
    const std::string near = is_analysis(name) ? "" : did_you_mean(name, known);
    if (near.empty()) continue;
    throw CLI::ValidationError("file", fmt::format("{} is neither an analysis nor a file{}", name, near));
  }
}

// The words in front that are analyses; a file with such a name is ./cpu.
void sort_words(StatsArguments* options) {
  std::size_t at = 0;
  for (; at < options->words.size() && is_of_analyses(options->words[at]); ++at) {
    for (const std::string& name : split(options->words[at])) {
      if (!is_wanted(*options, name.c_str())) options->analyses.push_back(name);
    }
  }
  options->files.assign(options->words.begin() + static_cast<std::ptrdiff_t>(at), options->words.end());
  options->output.with_summary = options->analyses.empty() || is_wanted(*options, kSummary);
  if (options->analyses.empty()) options->analyses = {kSummary};
  options->output.several = options->files.size() > 1;
}

void check_inputs(const StatsArguments& options) {
  for (const std::string& file : options.files) check_file(file);
  if (options.files.empty())
    throw CLI::RequiredError("no trace given; usage: evt stats [ANALYSIS,...] TRACE...", CLI::ExitCodes::RequiredError);
  if (options.is_diff && options.files.size() != 2) {
    throw CLI::ValidationError("file", fmt::format("expected two traces to compare, found {}", options.files.size()));
  }
  if (options.is_diff && options.files[0] == "-" && options.files[1] == "-") {
    throw CLI::ValidationError("file", "expected one of the traces to be a file, found - twice");
  }
}

// What the words and the options together ask for. `analysis`: the subcommand, if there is one, else empty.
void complete(Apps apps, const std::string& analysis, StatsArguments* options) {
  if (!analysis.empty()) {
    const bool are_analyses = std::all_of(options->words.begin(), options->words.end(), is_of_analyses);
    if (!are_analyses || (analysis == kDiff && !options->words.empty())) {
      throw CLI::ValidationError("file", fmt::format("{} is an analysis, which comes before the traces", analysis));
    }
    options->is_diff = analysis == kDiff;
    if (!options->is_diff) options->words.push_back(analysis);
    options->words.insert(options->words.end(), options->words_behind.begin(), options->words_behind.end());
  }
  sort_words(options);
  check_inputs(*options);
  if (options->fail_above && !options->is_diff) throw CLI::ValidationError("--fail-above", "is for diff alone");
  // What is over time is so of all of them.
  for (const std::string& name : options->analysis.every ? options->analyses : std::vector<std::string>()) {
    const AnalysisKind* const kind = analysis_kind(name);
    if (kind == nullptr || !knows(*kind, "--every")) {
      throw CLI::ValidationError("--every", fmt::format("{} has no table over time", name));
    }
  }
  check_known(apps, *options);
  check_exclusions(apps);
  check_sides(apps);
  options->selection.check_order();
  if (!options->by.empty()) check_by(*options);
  check_calls(*options);
}

// CLI11's own check of a range prints the range, up to a number of 309 digits.
std::optional<double> parse_percent(const std::string& text) {
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && percent >= 0 && std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

std::map<std::string, ShareModel> share_models() {
  return {{"running", ShareModel::kRunning}, {"existing", ShareModel::kExisting}, {"phase", ShareModel::kPhase}};
}

// Each that is listed is kept until the end.
std::string is_length_of_list(const std::string& text) {
  constexpr std::size_t kMax = 100'000;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number >= 1 && number <= kMax ? "" : fmt::format("expected 1 to {}, found {}", kMax, text);
}

void add_output_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CLI::Option* const json = app.add_flag("--json", options->output.json, "a JSON object for each trace; nanoseconds");
  CLI::Option* const csv =
      app.add_flag("--csv", options->output.csv,
                   "comma-separated values, an empty line between tables; of several\n"
                   "traces with columns file and session (from 0 on) in front, of several sessions with session")
          ->excludes(json);
  app.add_flag("--raw", options->output.raw, "numbers without units, times in nanoseconds; JSON and CSV have them so")
      ->excludes(json)
      ->excludes(csv);
  app.add_option("--top", options->top, "only the first N rows of each table")
      ->check(is_number("a number of rows"))
      ->type_name("N");
  app.add_option("--sort", options->sort, "by this column, the largest first; COLUMN:up, the smallest")
      ->type_name("COLUMN");
  app.add_option("--fail-above", options->fail_above,
                 "diff: exit status 1 if a count, a duration or bytes changed by more, in rows that both traces have")
      ->check([](const std::string& text) {
        return parse_percent(text) ? "" : "expected a percentage like 10 or 2.5, found " + text;
      })
      ->type_name("PERCENT");
}

void add_times(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CLI::Option* const at = app.add_option_function<std::string>(
      "--at",
      [options](const std::string& text) {
        options->at = TimeSpec::parse(text);
        if (!options->at)
          throw CLI::ValidationError("--at", "expected 1.5, 200ms, -2s or a time of day, found " + text);
      },
      "cumulative values up to TIME");
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
      ->description("what was in each stretch of so much time")
      ->type_name("TIME");
  app.add_flag("--session", options->whole_session,
               "from when the session began, not from its first event; of a part, not of the range that it was cut to");
  app.add_flag("--no-checkpoints", options->no_checkpoints,
               "keep none in $XDG_CACHE_HOME/evtrace, from which cpu and events answer quickly");
  options->reading.add_options(app);
}

void add_analysis_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  app.add_option_function<std::string>("--by",
                                       [options](const std::string& text) {
                                         options->by = text;
                                         options->analysis.by = split(text);
                                       })
      ->description(
          "cpu: rows for each thread, cpu, or both in this order; spans, calls: for each thread; calls: for each "
          "--thread; usage: only these")
      ->type_name("thread|cpu|thread,cpu|cpu,thread|pattern|function|object|resource");
  app.add_option_function<std::vector<std::string>>(
         "--limit",
         [options](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const auto limit = parse_limit(text);
             if (!limit)
               throw CLI::ValidationError("--limit", "expected KIND=AMOUNT/s like disk=100M/s, found " + text);
             auto& limits = options->analysis.limits;
             const bool is_again = std::any_of(limits.begin(), limits.end(),
                                               [&](const auto& other) { return other.first == limit->first; });
             if (is_again) throw CLI::ValidationError("--limit", limit->first + " has one already");
             limits.push_back(*limit);
           }
         })
      ->description("usage: so much of a resource there is, so calls must take that long; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KIND=AMOUNT/s");
  // CLI11's own check of a choice shows the numbers behind the names.
  CLI::Option* const model =
      app.add_option_function<std::string>("--model",
                                           [options](const std::string& name) {
                                             const auto models = share_models();
                                             const auto found = models.find(name);
                                             if (found == models.end()) {
                                               throw CLI::ValidationError(
                                                   "--model", "expected running, existing or phase, found " + name);
                                             }
                                             options->analysis.share.model = found->second;
                                           })
          ->description(
              "share: divide by the threads that run (exact), that exist, or as many as existed at most in the phase")
          ->type_name("running|existing|phase");
  app.add_flag("--compare-models", options->analysis.share.compare, "share: what the other models get wrong here")
      ->excludes(model);
  app.add_option_function<std::string>("--cost",
                                       [options](const std::string& text) {
                                         options->analysis.cost_ps = parse_picoseconds(text);
                                         if (options->analysis.cost_ps) return;
                                         throw CLI::ValidationError("--cost",
                                                                    "expected nanoseconds like 12.5, found " + text);
                                       })
      ->description("what emitting one event took, for overhead and --subtract")
      ->type_name("NS");
  app.add_flag(
      "--subtract", options->analysis.subtract,
      "spans, calls, usage: without what tracing took: --cost for each event, and what events of role overhead "
      "say");
}

void add_call_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CallOptions& calls = options->analysis.calls;
  const auto add_patterns = [&](const char* name, std::vector<std::string>* patterns, const char* what) {
    app.add_option_function<std::vector<std::string>>(
           name, [options, patterns](const std::vector<std::string>& given) { *patterns = given; })
        ->description(what)
        ->type_name("GLOB")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
  };
  add_patterns("--thread", &calls.threads,
               "calls: only threads with such a name, or number if they have none; may be repeated");
  add_patterns("--callers", &calls.callers, "calls: what called spans and calls with such a name; may be repeated");
  add_patterns("--callees", &calls.callees, "calls: what they call; may be repeated");
  app.add_flag_function(
      "--fold", [options](std::int64_t) { options->output.fold = options->analysis.calls.fold = true; },
      "calls: a line THREAD;OUTER;INNER NANOSECONDS for each path, for flame graphs");
  app.add_option("--longest", options->analysis.longest, "spans: list the N longest, one by one")
      ->check(is_length_of_list)
      ->type_name("N");
}

// In the help is what is of use there; everything else is taken, and refused with a sentence about what it is for.
void hide(CLI::App& app, const std::string& option) { app.get_option(option)->group(""); }

void add_all_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, std::vector<std::string>* words,
                     const char* name, const char* what) {
  app.add_option(name, *words, what)->type_name("");
  add_output_options(app, options);
  add_times(app, options);
  add_analysis_options(app, options);
  add_call_options(app, options);
}

void add_options_of(CLI::App& app, const char* name, const std::shared_ptr<StatsArguments>& options) {
  const bool is_diff = name == std::string_view(kDiff);
  if (is_diff) {
    add_all_options(app, options, &options->words_behind, "analyses-and-files",
                    "analyses, if any, then two traces; - is standard input");
  } else {
    add_all_options(app, options, &options->words_behind, "file", "the traces; - is standard input");
  }
  const AnalysisKind* const kind = analysis_kind(name);
  for (const std::string& option : analysis_options()) {
    if (!is_diff && (kind == nullptr || !knows(*kind, option))) hide(app, option);
  }
  if (kind != nullptr && !kind->by.empty()) {
    app.get_option("--by")->description("rows of these")->type_name(fmt::format("{}", fmt::join(kind->by, "|")));
  }
  if (!is_diff) hide(app, "--fail-above");
  app.footer(is_diff ? diff_footer() : analysis_footer(name));
}

// One at most is asked for at a time, and to make the options of all takes longer than an answer from the index.
void add_analysis(CLI::App& stats, const char* name, const char* what, const std::shared_ptr<StatsArguments>& options,
                  bool needs_all) {
  CLI::App& app = *stats.add_subcommand(name, what);
  if (needs_all) {
    add_options_of(app, name, options);
  } else {
    app.preparse_callback([&app, name, options](std::size_t) { add_options_of(app, name, options); });
  }
  app.parse_complete_callback([] {});  // with one, its options have their values before those of evt stats
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, bool needs_all) {
  add_all_options(app, options, &options->words, "analyses-and-files",
                  "analyses, if any, then traces; - is standard input");
  for (const std::string& option : analysis_options()) hide(app, option);
  hide(app, "--fail-above");
  const auto add = [&](const char* name, const char* what) { add_analysis(app, name, what, options, needs_all); };
  add(kSummary, "facts, events by type, streams, clocks: the default, from the index alone");
  for (const AnalysisKind& kind : analysis_kinds()) add(kind.name, kind.what);
  add(kDiff, "what is different between two traces");
  app.require_subcommand(0, 1);
  app.footer(stats_footer());
  app.parse_complete_callback([&app, options] {
    std::vector<const CLI::App*> apps = {&app};
    for (const CLI::App* const analysis : app.get_subcommands()) apps.push_back(analysis);
    complete(apps, apps.size() > 1 ? apps.back()->get_name() : "", options.get());
  });
}

}  // namespace evt::tools

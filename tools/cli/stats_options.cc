#include <evt/analysis/share.h>
#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "base/terminal.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "libtrace-read/report/shared/analysis_options.h"
#include "libtrace-read/report/shared/described_tables.h"
#include "libtrace-read/text/near_names.h"
#include "stats/help.h"

namespace evt::tools {
namespace {

constexpr const char* kSummary = "summary";
constexpr const char* kOverview = "overview";
constexpr const char* kDiff = "diff";
constexpr std::int64_t kFollowNs = 2'000'000'000;
constexpr std::int64_t kLeastFollowNs = 100'000'000;
constexpr const char* kThread = "--thread";  // of calls where the library is asked, of all of them here

bool is_analysis(const std::string& name) { return name == kSummary || analysis_kind(name) != nullptr; }

// One analysis, or several with commas between them.
bool is_of_analyses(const std::string& word) {
  const std::vector<std::string> names = between_commas(word);
  return std::ranges::all_of(names, is_analysis);
}

bool is_wanted(const StatsArguments& options, const char* analysis) {
  return std::ranges::find(options.analyses, analysis) != options.analyses.end();
}

// evt stats itself, and the analysis that is its subcommand, if one is.
using Apps = std::span<const CLI::App* const>;

bool is_given(Apps apps, const std::string& name) {
  return std::ranges::any_of(apps, [&](const CLI::App* app) { return app->get_option(name)->count() > 0; });
}

// Each option is known to all of the analyses that are asked for.
void check_asked(Apps apps, const StatsArguments& options) {
  std::vector<std::string> given;
  for (const std::string& name : analysis_options()) {
    if (name != kThread && is_given(apps, name)) given.push_back(name);
  }
  const Status status =
      report::check_options(options.analyses, given, options.analysis, report::OptionNames::kOfCommand);
  if (!status.ok()) throw CLI::ValidationError(status.message());
}

// CLI11 knows what excludes what in front of the analysis, and what behind it.
void check_exclusions(Apps apps) {
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"--json", "--csv"},      {"--json", "--raw"},     {"--csv", "--raw"},
      {"--at", "--from"},       {"--at", "--to"},        {"--model", "--compare-models"},
      {"--json", "--markdown"}, {"--csv", "--markdown"}, {"--fold", "--markdown"}};
  for (const auto& [one, other] : kPairs) {
    if (is_given(apps, one) && is_given(apps, other)) throw CLI::ExcludesError(one, other);
  }
}

void take_follow(Apps apps, StatsArguments* options) {
  if (options->follow.empty()) return;
  const auto length =
      options->follow == "true" ? std::optional<std::int64_t>(kFollowNs) : parse_length(options->follow);
  refuse_if(!length || *length < kLeastFollowNs, "--follow",
            "expected a time of 100ms or more, found " + options->follow);
  options->follow_ns = *length;
  for (const char* const other : {"--csv", "--markdown", "--fold", "--no-rings", "--at", "--fail-above"}) {
    if (is_given(apps, other)) throw CLI::ExcludesError("--follow", other);
  }
  refuse_if(options->is_diff, "--follow", "does not work with diff");
  Terminal::set_no_pager();  // what comes is shown as it comes
}

// What is in front of the analysis and behind it would be one value of two.
void check_sides(Apps apps) {
  if (apps.size() < 2) return;
  for (const CLI::Option* const option : apps[0]->get_options()) {
    if (option->get_positional() || option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (apps[1]->get_option(name)->count() == 0) continue;
    throw CLI::ValidationError(name, "is given both before and after the analysis");
  }
}

// A word that names no file and was probably meant otherwise.
void check_file(const std::string& word) {
  if (word == "-" || access(word.c_str(), F_OK) == 0 || ProgramTrace::is_name(word)) return;
  std::vector<std::string> known = {kSummary};
  for (const AnalysisKind& kind : analysis_kinds()) known.emplace_back(kind.name);
  refuse_if(is_of_analyses(word), "file", word + " is an analysis, which comes before the traces");
  const std::vector<std::string> names = between_commas(word);
  const bool is_list = names.size() > 1 && std::ranges::any_of(names, is_analysis);
  for (const std::string& name : names) {
    const std::string near = is_analysis(name) ? "" : did_you_mean(name, known);
    refuse_if(is_list && !is_analysis(name) && near.empty(), "file",
              fmt::format("{} is no analysis; there are {}", word_in_sentence(name), fmt::join(known, ", ")));
    if (near.empty()) continue;
    throw CLI::ValidationError("file", fmt::format("{} is neither an analysis nor a file{}", name, near));
  }
  const bool is_about_objects = word.starts_with("lock") || word.starts_with("file") || word.starts_with("object");
  refuse_if(word.find_first_of("./") == word.npos, "file",
            fmt::format("{} is neither an analysis nor a file; {}: {}", word_in_sentence(word),
                        is_about_objects ? "try evt stats usage --by object, or one of" : "analyses",
                        fmt::join(known, ", ")));
}

// The words in front that are analyses; a file with such a name is ./cpu.
void sort_words(StatsArguments* options) {
  std::size_t at = 0;
  for (; at < options->words.size() && is_of_analyses(options->words[at]); ++at) {
    for (const std::string& name : between_commas(options->words[at])) {
      if (!is_wanted(*options, name.c_str())) options->analyses.push_back(name);
    }
  }
  options->files.assign(options->words.begin() + static_cast<std::ptrdiff_t>(at), options->words.end());
  if (options->analyses.empty()) options->analyses = {options->is_diff ? kSummary : kOverview};
  options->output.with_facts = is_wanted(*options, kSummary) || is_wanted(*options, kOverview);
  options->output.of_all = !options->at && !options->selection.is_limited();
}

void check_inputs(const StatsArguments& options) {
  for (const std::string& file : options.files) check_file(file);
  if (options.files.empty())
    throw CLI::RequiredError("no trace given; usage: evt stats [ANALYSIS,...] TRACE...", CLI::ExitCodes::RequiredError);
  refuse_if(options.is_diff && options.files.size() < 2, "file",
            fmt::format("expected two traces to compare, found {}", options.files.size()));
  refuse_if(options.is_diff && options.files.size() == 2 && options.files[0] == "-" && options.files[1] == "-", "file",
            "expected one of the traces to be a file, found - twice");
}

// An option that is not there: CLI11 refuses it by itself, but its value is among the words before that.
bool has_unknown_option(Apps apps) {
  return std::ranges::any_of(apps, [](const CLI::App* app) {
    const std::vector<std::string> words = app->remaining();
    return std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("-"); });
  });
}

bool is_pattern(const std::string& word) {
  return word.find_first_of("*?[") != word.npos && access(word.c_str(), F_OK) != 0;
}

// The traces of a side of diff: files, or patterns of their names in quotes.
std::vector<std::string> files_of_side(std::span<const std::string> words, const char* where) {
  refuse_if(words.empty(), "file", fmt::format("expected traces {} --, found none", where));
  std::vector<std::string> files;
  for (const std::string& word : words) {
    if (!is_pattern(word)) {
      files.push_back(word);
      continue;
    }
    glob_t found{};
    const bool any = glob(word.c_str(), 0, nullptr, &found) == 0;
    for (std::size_t i = 0; any && i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
    globfree(&found);
    refuse_if(!any, "file", fmt::format("no file matches {}", word_in_sentence(word)));
  }
  return files;
}

// Several runs on each side of --.
void take_sides(StatsArguments* options) {
  std::vector<std::string>& files = options->files;
  const auto mark = std::ranges::find(files, StatsArguments::kSides);
  if (mark == files.end()) return;
  refuse_if(std::ranges::count(files, StatsArguments::kSides) > 1, "file",
            fmt::format("expected one -- between the traces before and after, found {}",
                        std::ranges::count(files, StatsArguments::kSides)));
  const std::vector<std::string> behind(mark + 1, files.end());
  const std::vector<std::string> in_front(files.begin(), mark);
  files = files_of_side(in_front, "before");
  options->files_before = files.size();
  for (const std::string& file : files_of_side(behind, "after")) files.push_back(file);
}

// Of what is asked for.
void check_table(const StatsArguments& options) {
  std::vector<std::string> names;
  for (const report::DescribedTable& table : report::described_tables()) {
    if (is_wanted(options, table.analysis)) names.emplace_back(table.name);
  }
  if (options.table.empty() || std::ranges::find(names, options.table) != names.end()) return;
  const std::string near = did_you_mean(options.table, names);
  throw CLI::ValidationError("--table",
                             fmt::format("there is no table {}{}", word_in_sentence(options.table),
                                         near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
}

// What the words and the options together ask for. `analysis`: the subcommand, if there is one, else empty.
void complete(Apps apps, const std::string& analysis, StatsArguments* options) {
  if (has_unknown_option(apps)) return;
  if (!analysis.empty()) {
    const bool are_analyses = std::ranges::all_of(options->words, is_of_analyses);
    refuse_if(!are_analyses || (analysis == kDiff && !options->words.empty()), "file",
              fmt::format("{} is an analysis, which comes before the traces", analysis));
    options->is_diff = analysis == kDiff;
    if (!options->is_diff) options->words.push_back(analysis);
    options->words.insert(options->words.end(), options->words_behind.begin(), options->words_behind.end());
  }
  sort_words(options);
  take_sides(options);
  check_inputs(*options);
  options->analysis.calls.threads = options->selection.threads.threads;
  if (options->fail_above && !options->is_diff) throw CLI::ValidationError("--fail-above", "works only with diff");
  refuse_if(options->only_significant && !options->is_diff, "--significant", "works only with diff");
  check_asked(apps, *options);
  check_table(*options);
  check_exclusions(apps);
  check_sides(apps);
  check_order(options->selection);
  take_follow(apps, options);
  if (options->analysis.calls.fold && options->is_diff) throw CLI::ValidationError("--fold", "does not work with diff");
}

// CLI11's own check of a range prints the range, up to a number of 309 digits.
std::optional<double> parse_percent(const std::string& text) {
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && percent >= 0 && std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

std::string is_length_of_list(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number >= 1 && number <= report::kMaxLongest
             ? ""
             : fmt::format("expected 1 to {}, found {}", report::kMaxLongest, text);
}

void add_percentile(const std::string& text, AnalysisOptions* options) {
  const std::optional<double> percent = parse_percent(text);
  refuse_if(!percent || *percent > 100, "--percentile", "expected 0 to 100, such as 95 or 99.99, found " + text);
  options->percentiles.push_back(*percent);
}

void add_output_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CLI::Option* const json = add_json_options(app, &options->output.json, &options->output.json_safe,
                                             "print one JSON object per trace; times in ns");
  CLI::Option* const csv =
      app.add_flag("--csv", options->output.csv,
                   "print CSV, with an empty line between tables; several sessions add a first column \"session\"\n"
                   "(from 0), several traces also a column \"file\"")
          ->excludes(json);
  add_markdown(app);
  app.add_flag("--raw", options->output.raw, "print numbers without units, times in ns, as in JSON and CSV")
      ->excludes(json)
      ->excludes(csv);
  app.add_option("-n,--top", options->top, "print only the first N rows of each table")
      ->check(is_number("a number of rows"))
      ->type_name("N");
  app.add_option("--sort", options->sort,
                 "sort by this column: largest numbers first, strings alphabetically; COLUMN:up reverses")
      ->type_name("COLUMN");
  app.add_option("--table", options->table, "print only this table, by its JSON name (docs/TABLES.md)")
      ->type_name("NAME");
  app.add_option_function<std::string>("--columns",
                                       [options](const std::string& text) { options->columns = between_commas(text); })
      ->description("print only these columns and those that name the row; all: every column, even if too wide")
      ->type_name("COLUMN,...");
  app.add_option("--sparklines", options->sparklines,
                 "draw the tables of --every as lines of bars: auto (the default: on a terminal, for ten or more\n"
                 "steps), always or never")
      ->check(is_one_of({"auto", "always", "never"}))
      ->type_name("auto|always|never");
  app.add_option("--fail-above", options->fail_above,
                 "diff: exit 1 if any count, duration or size common to both traces changed by more than PERCENT;\n"
                 "between several runs, significantly")
      ->check([](const std::string& text) {
        return parse_percent(text) ? "" : "expected a percentage like 10 or 2.5, found " + text;
      })
      ->type_name("PERCENT");
  app.add_flag("--significant", options->only_significant,
               "diff: print only significant differences between several runs on each side");
}

void add_reading_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CLI::Option* const at = add_parsed(
      app, "--at", [options](const std::string& text) { return (options->at = TimeSpec::parse(text)).has_value(); },
      TimeSpec::kForms);
  at->description("print cumulative values up to TIME")->type_name("TIME");
  add_selection(app, &options->selection);
  for (const char* const other : {"--from", "--to"}) at->excludes(app.get_option(other));
  const auto take_every = [options](const std::string& text) {
    options->analysis.every = parse_length(text);
    return options->analysis.every && *options->analysis.every > 0;
  };
  add_parsed(app, "--every", take_every, "a time like 10ms")
      ->description("print tables for each step of this length")
      ->type_name("TIME");
  app.add_flag("--follow", options->follow)
      ->disable_flag_override(false)
      ->description("print the tables of a running program every 2 s, or =TIME, until it ends")
      ->type_name("[=TIME]");
  app.add_flag("--session", options->whole_session,
               "measure from the start of the session, not from its first event or, for a trace made by evt cut, from\n"
               "the start of the cut range");
  app.add_flag("--no-checkpoints", options->no_checkpoints,
               "keep no checkpoints in $XDG_CACHE_HOME/evtrace, which speed up cpu, events and --from");
  add_reading(app, &options->reading);
  add_color(app);
  add_printing(app);
  add_quiet(app);
}

void add_analysis_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  app.add_option_function<std::string>(
         "--by", [options](const std::string& text) { options->analysis.by = between_commas(text); })
      ->description(
          "cpu: rows per thread, cpu, or both in this order; spans, calls: per thread; calls: per --thread; gc: per "
          "reason; threads: per process; usage: only these tables")
      ->type_name("thread|cpu|thread,cpu|cpu,thread|pattern|process|function|object|function,object|resource|reason");
  const auto take_limits = [options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto limit = report::parse_limit(text);
      if (!limit) throw CLI::ValidationError("--limit", "expected KIND=AMOUNT/s like disk=100M/s, found " + text);
      auto& limits = options->analysis.limits;
      const bool is_again = std::ranges::any_of(limits, [&](const auto& other) { return other.first == limit->first; });
      if (is_again) throw CLI::ValidationError("--limit", limit->first + " has one already");
      limits.push_back(*limit);
    }
  };
  app.add_option_function<std::vector<std::string>>("--limit", take_limits)
      ->description(
          "usage: assume this limit of a resource instead of those recorded, to find calls that had to take time "
          "(may be repeated)")
      ->allow_extra_args(false)
      ->type_name("KIND=AMOUNT/s");
  // CLI11's own check of a choice shows the numbers behind the names.
  CLI::Option* const model =
      app.add_option_function<std::string>(
             "--model",
             [options](const std::string& name) { options->analysis.share.model = *report::share_model(name); })
          ->check(is_one_of({"running", "existing", "phase"}))
          ->description(
              "share: divide by the threads that run (exact), that exist, or the most that existed in the phase")
          ->type_name("running|existing|phase");
  app.add_flag("--compare-models", options->analysis.share.compare, "share: show the error of the other models")
      ->excludes(model);
  const auto take_cost = [options](const std::string& text) {
    return (options->analysis.cost_ps = parse_picoseconds(text)).has_value();
  };
  add_parsed(app, "--cost", take_cost, "nanoseconds like 12.5")
      ->description("assume this cost of emitting one event, for overhead and --subtract")
      ->type_name("NS");
  app.add_flag(
      "--subtract", options->analysis.subtract,
      "spans, calls, usage: subtract the time that tracing took: --cost per event, and events of role overhead");
}

void add_call_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  CallOptions& calls = options->analysis.calls;
  const auto add_patterns = [&](const char* name, std::vector<std::string>* patterns, const char* what) {
    repeatable(app.add_option_function<std::vector<std::string>>(
                   name, [options, patterns](const std::vector<std::string>& given) { *patterns = given; }))
        ->description(what)
        ->type_name("GLOB");
  };
  add_patterns("--callers", &calls.callers,
               "calls: show the callers of spans and calls with this name (may be repeated)");
  add_patterns("--callees", &calls.callees, "calls: show what they call (may be repeated)");
  app.add_flag_function(
      "--fold", [options](std::int64_t) { options->output.fold = options->analysis.calls.fold = true; },
      "calls: print a line THREAD;OUTER;INNER NANOSECONDS per path, for flame graphs");
  app.add_flag_function(
      "--waiting", [options](std::int64_t) { options->analysis.calls.waiting = true; },
      "stacks: show long waits in calls, and for what, instead of processor time");
  app.add_option("--longest", options->analysis.longest, "spans, gc, latency: list only the N longest")
      ->check(is_length_of_list)
      ->type_name("N");
  repeatable(app.add_option_function<std::vector<std::string>>("--percentile",
                                                               [options](const std::vector<std::string>& texts) {
                                                                 for (const std::string& text : texts)
                                                                   add_percentile(text, &options->analysis);
                                                               }))
      ->description("spans: add a column pP with this percentile (may be repeated)")
      ->type_name("P");
}

void add_pair_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options) {
  report::PairOptions& pairs = options->analysis.pairs;
  const auto add = [&](const char* name, std::string* to, const char* what, const char* type) {
    app.add_option(name, *to, what)
        ->check([](const std::string& text) { return text.empty() ? "expected a name, found none" : ""; })
        ->type_name(type);
  };
  add("--from-event", &pairs.from,
      "latency: measure the time from each such event to the next --to-event, instead of delays of threads", "GLOB");
  add("--to-event", &pairs.to, "latency: end the time at events of such a type", "GLOB");
  add("--key", &pairs.key,
      "latency: pair events with equal values in this field; the default is their flow, async id or thread", "FIELD");
}

// In the help is what is of use there; everything else is taken, and refused with a sentence about what it is for.
void hide(CLI::App& app, const std::string& option) {
  if (option != kThread) app.get_option(option)->group("");
}

void add_all_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, std::vector<std::string>* words,
                     const char* name, const char* what) {
  app.add_option(name, *words, what)->type_name("");
  add_output_options(app, options);
  add_reading_options(app, options);
  add_analysis_options(app, options);
  add_call_options(app, options);
  add_pair_options(app, options);
}

void add_options_of(CLI::App& app, const char* name, const std::shared_ptr<StatsArguments>& options) {
  const bool is_diff = name == std::string_view(kDiff);
  if (is_diff) {
    add_all_options(app, options, &options->words_behind, "analyses-and-files",
                    "analyses, if any, then two traces, or several on each side of --; - is standard input");
  } else {
    add_all_options(app, options, &options->words_behind, "file", "the traces; - is standard input");
  }
  const AnalysisKind* const kind = analysis_kind(name);
  for (const std::string& option : analysis_options()) {
    if (!is_diff && (kind == nullptr || !knows(*kind, option))) hide(app, option);
  }
  if (!is_diff && kind == nullptr) hide(app, "--every");
  if (kind != nullptr && !kind->by.empty()) {
    app.get_option("--by")->description("rows of these")->type_name(fmt::format("{}", fmt::join(kind->by, "|")));
  }
  if (!is_diff) {
    for (const char* const option : {"--fail-above", "--significant"}) hide(app, option);
  }
  app.footer(is_diff ? diff_footer() : analysis_footer(name));
}

// One at most is asked for at a time, and to make the options of all takes longer than an answer from the index.
void add_analysis(CLI::App& stats, const char* name, const char* what, const std::shared_ptr<StatsArguments>& options,
                  const NeedsOptions& needs) {
  CLI::App& app = *stats.add_subcommand(name, what);
  if (needs && needs(name)) {
    add_options_of(app, name, options);
  } else {
    app.preparse_callback([&app, name, options](std::size_t) { add_options_of(app, name, options); });
  }
  app.parse_complete_callback([] {});  // with one, its options have their values before those of evt stats
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, const NeedsOptions& needs) {
  add_all_options(app, options, &options->words, "analyses-and-files",
                  "analyses, if any, then traces; - is standard input");
  for (const std::string& option : analysis_options()) hide(app, option);
  for (const char* const option : {"--every", "--fail-above", "--significant"}) hide(app, option);
  const auto add = [&](const char* name, const char* what) { add_analysis(app, name, what, options, needs); };
  add(kSummary, "facts, events by type, streams, clocks: reads only the index");
  for (const AnalysisKind& kind : analysis_kinds()) add(kind.name, kind.what);
  add(kDiff, "differences between two traces, or two groups of runs");
  app.require_subcommand(0, 1);
  app.footer(stats_footer());
  app.parse_complete_callback([&app, options] {
    std::vector<const CLI::App*> apps = {&app};
    for (const CLI::App* const analysis : app.get_subcommands()) apps.push_back(analysis);
    complete(apps, apps.size() > 1 ? apps.back()->get_name() : "", options.get());
  });
}

}  // namespace evt::tools

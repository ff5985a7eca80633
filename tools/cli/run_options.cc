#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/help_text.h"
#include "base/output_format.h"
#include "base/table.h"
#include "base/time_spec.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

constexpr const char* kDefaultGroups = "files,sockets,waiting,threads";

void set_groups(const std::string& text, RunArguments* options) {
  const std::vector<std::string> known = call_groups();
  options->run.groups.clear();
  if (text == "none") return;
  options->run.must_record_calls = true;
  for (const std::string& group : between_commas(text == "all" ? fmt::format("{}", fmt::join(known, ",")) : text)) {
    refuse_if(
        std::ranges::find(known, group) == known.end(), "--calls",
        fmt::format("expected {}, all or none, found {}{}", fmt::join(known, ", "), group, did_you_mean(group, known)));
    if (!options->run.groups.empty()) options->run.groups += ',';
    options->run.groups += group;
  }
}

constexpr const char* kBoundsForms = "a size or a time, or both as in 64M|1h";

bool parse_bounds(const std::string& text, std::uint64_t* bytes, std::uint64_t* ns) {
  const std::size_t bar = text.find('|');
  if (bar != text.npos)
    return parse_bounds(text.substr(0, bar), bytes, ns) && parse_bounds(text.substr(bar + 1), bytes, ns);
  if (const auto size = parse_size(text)) return std::exchange(*bytes, *size) == 0;
  const std::int64_t length = parse_length(text).value_or(0);
  return length > 0 && std::exchange(*ns, static_cast<std::uint64_t>(length)) == 0;
}

std::string hooks_of(const std::string& count) {
  if (count.empty()) return "trace";
  if (count == "true") return "sample";
  if (count == "exact") return "time";
  if (count == "calls") return "count";
  throw CLI::ValidationError("--count", fmt::format("expected exact, calls or nothing, found {}{}", count,
                                                    did_you_mean(count, {"exact", "calls"})));
}

void set_hooks(RunArguments* options) {
  if (options->all_calls.empty() && options->count.empty()) return;
#if !defined(__x86_64__)
  throw CLI::ValidationError("--all-calls, --count",
                             "imported functions can be hooked only on x86-64; --calls works "
                             "on this machine");
#endif
  constexpr std::size_t kMaxGlobs = 64;
  constexpr std::size_t kMaxBytes = 4000;
  // "true": without a value.
  if (options->all_calls == "true") options->all_calls = "*";
  options->run.groups.clear();
  options->run.must_record_calls = true;
  options->run.hooks = hooks_of(options->count);
  if (options->all_calls.empty() || options->all_calls == "*") return;
  const std::vector<std::string> globs = between_commas(options->all_calls);
  for (const std::string& glob : globs) {
    const std::size_t colon = glob.find(':');
    if (!glob.empty() && colon != 0 && colon != glob.size() - 1) continue;
    throw CLI::ValidationError("--all-calls", fmt::format("expected LIBRARY:FUNCTION or FUNCTION, found '{}'", glob));
  }
  refuse_if(globs.size() > kMaxGlobs || options->all_calls.size() > kMaxBytes, "--all-calls",
            fmt::format("expected at most {} patterns of {} bytes in all", kMaxGlobs, kMaxBytes));
  options->run.globs = options->all_calls;
}

void set_reports(const std::string& text, RunArguments* options) {
  std::vector<std::string> known;
  for (const AnalysisKind& kind : analysis_kinds()) known.emplace_back(kind.name);
  for (const std::string& analysis : between_commas(text)) {
    refuse_if(analysis_kind(analysis) == nullptr, "--report",
              fmt::format("expected analyses of evt stats, {}; found {}{}", fmt::join(known, ", "), analysis,
                          did_you_mean(analysis, known)));
    options->reports.push_back(analysis);
  }
}

void set_samples_by(const std::string& who, RunArguments* options) {
  using record::SamplesBy;
  const std::map<std::string, SamplesBy> known = {
      {"either", SamplesBy::kEither}, {"perf", SamplesBy::kPerf}, {"signal", SamplesBy::kSignal}};
  const auto found = known.find(who);
  refuse_if(found == known.end(), "--samples-by", fmt::format("expected perf, signal or either; found {}", who));
  options->run.samples_by = found->second;
}

}  // namespace

std::vector<std::string> call_groups() { return {"files", "sockets", "waiting", "threads", "processes", "memory"}; }

void add_options(CLI::App& app, const std::shared_ptr<RunArguments>& options) {
  options->run.groups = kDefaultGroups;
  app.add_option("program", options->run.words,
                 "the program and its arguments: everything from the first non-option word")
      ->type_name("")
      ->required();
  app.add_option("-o,--output", options->run.output, "write the trace to this file (.evt; default: PROGRAM.PID.evt)")
      ->type_name("FILE");
  app.add_option_function<std::string>("--calls",
                                       [options](const std::string& text) { set_groups(text, options.get()); })
      ->description(fmt::format("record these calls: {}, all or none (default: {})", fmt::join(call_groups(), ", "),
                                kDefaultGroups))
      ->type_name("GROUP,...");
  app.add_flag("--all-calls", options->all_calls)
      ->disable_flag_override(false)
      ->description(
          "record every imported function instead, or those that match [LIBRARY:]FUNCTION, as in "
          "libz.so.1:deflate*, where LIBRARY defines the function")
      ->type_name("[=GLOB,...]")
      ->excludes("--calls");
  app.add_flag("--count", options->count)
      ->disable_flag_override(false)
      ->description(
          "count and time calls in constant memory instead of recording them; frequent short calls are sampled "
          "(=exact: time all; =calls: time none)")
      ->type_name("[=exact|calls]")
      ->excludes("--calls");
  app.add_flag_function(
      "--no-sched", [options](std::int64_t) { options->run.has_scheduling = false; },
      "do not record which thread runs on which cpu");
  app.add_option("--samples", options->run.samples_hz)
      ->description(fmt::format("sample stacks this often per second of cpu time (default: {}; 0: never)",
                                options->run.samples_hz))
      ->check(CLI::Range(0, 10'000).description(""))
      ->type_name("HZ");
  app.add_option_function<std::string>("--samples-by",
                                       [options](const std::string& who) { set_samples_by(who, options.get()); })
      ->description(
          "sample by perf events (perf), by a signal in the program (signal), or either (the default: perf "
          "events where the system allows them, else a signal)")
      ->type_name("SOURCE");
  app.add_flag_function(
      "--follow-children", [options](std::int64_t) { options->run.follows_children = true; },
      "record calls made by child processes too (the default)");
  app.add_flag_function(
         "--no-follow-children", [options](std::int64_t) { options->run.follows_children = false; },
         "record only calls made by the program itself")
      ->excludes("--follow-children");
  app.add_option_function<std::string>("--report",
                                       [options](const std::string& text) { set_reports(text, options.get()); })
      ->description("print these evt stats analyses instead of the summary")
      ->type_name("ANALYSIS,...");
  constexpr std::int64_t kLeastNs = 100'000'000;  // each reads what was recorded
  const auto take_every = [options](const std::string& text) {
    options->every_ns = parse_length(text).value_or(0);
    return options->every_ns >= kLeastNs;
  };
  add_parsed(app, "--every", take_every, "a time like 1s, 100ms at least")
      ->description("print cpu, threads and calls at this interval while the program runs")
      ->type_name("TIME");
  add_parsed(
      app, "--rotate",
      [options](const std::string& text) {
        return parse_bounds(text, &options->run.budget.rotate_bytes, &options->run.budget.rotate_ns);
      },
      kBoundsForms)
      ->description("split each process's recording into files of this size or age")
      ->type_name("SIZE|AGE");
  add_parsed(
      app, "--keep",
      [options](const std::string& text) {
        return parse_bounds(text, &options->run.budget.keep_bytes, &options->run.budget.keep_ns);
      },
      kBoundsForms)
      ->description(
          "keep only the newest files of all processes, within this size and age; the trace says what was deleted")
      ->type_name("SIZE|AGE");
  add_parsed(
      app, "--flight",
      [options](const std::string& text) {
        const auto size = parse_size(text);
        options->run.budget.flight_bytes = size.value_or(0);
        return size.has_value();
      },
      "a size like 64M")
      ->description("keep only the last events of all processes, within this size (2M or more): a flight recorder")
      ->type_name("SIZE")
      ->excludes("--rotate")
      ->excludes("--keep");
  add_parsed(
      app, "--age",
      [options](const std::string& text) {
        const std::int64_t length = parse_length(text).value_or(0);
        options->run.budget.flight_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 0));
        return length > 0;
      },
      "a time like 5m")
      ->description("with --flight: keep nothing older than this")
      ->type_name("TIME")
      ->needs("--flight");
  app.add_flag("--anonymous", options->anonymous,
               "leave out what identifies the program, its user and its machine, like evt cut --anonymous");
  app.add_flag("-j,--json", options->json, "print the summary as one JSON object; times in ns");
  add_color(app);
  add_quiet(app);
  app.get_option("--quiet")->description(
      "suppress notes and progress, but not the summary; errors and exit status are unchanged");
  app.footer(help_text("evt-run"));
  app.parse_complete_callback([options] {
    set_hooks(options.get());
    if (options->run.output == "-") throw CLI::ValidationError("--output", "standard output is the program's");
    throw_unless_ok("--output", check_trace_name(options->run.output));
  });
}

}  // namespace evt::tools

#include "cmd_dump.h"

#include <evt/trace.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>

#include "canonical_lines.h"
#include "cli/option_values.h"
#include "cli/reading.h"
#include "cli/selection.h"
#include "command_files.h"
#include "csv_lines.h"
#include "json_lines.h"
#include "output.h"
#include "people_lines.h"
#include "report.h"
#include "trace_tables.h"
#include "where/where_help.h"

namespace evt::tools {
namespace {

struct DumpOptions {
  std::vector<std::string> files;
  bool canonical = false;
  bool json = false;
  bool csv = false;
  bool count = false;
  bool types = false;
  bool streams = false;
  bool header = false;
  bool utc = false;
  bool relative = false;
  std::string color = "auto";
  std::uint64_t limit = UINT64_MAX;
  Selection selection;
  Reading reading;
};

struct Input {
  std::string name;  // as messages call it
  Trace trace;
};

bool wants_color(const std::string& when) {
  if (when != "auto") return when == "always";
  const char* const no_color = getenv("NO_COLOR");
  const char* const terminal = getenv("TERM");
  const bool able = terminal != nullptr && std::string_view(terminal) != "dumb";
  return able && (no_color == nullptr || *no_color == 0) && isatty(STDOUT_FILENO) == 1;
}

std::unique_ptr<EventLines> make_lines(const DumpOptions& options, const std::vector<const Trace*>& traces) {
  const bool several = options.files.size() > 1;
  if (options.canonical) return canonical_lines();
  if (options.json) return json_lines({options.utc, several});
  if (options.csv) {
    return csv_lines({options.utc, several}, traces,
                     [&](const EventType& type) { return options.selection.wants_type(type); });
  }
  const TimeStyle time = options.utc        ? TimeStyle::kUtc
                         : options.relative ? TimeStyle::kSinceLast
                                            : TimeStyle::kSinceStart;
  return people_lines({time, wants_color(options.color), several});
}

Events events_of(Input& input, const DumpOptions& options) {
  EventOptions wanted;
  wanted.markers = true;
  wanted.by_ns = options.canonical;
  options.selection.narrow(&wanted);
  return input.trace.events(wanted);
}

// How many events there are in one trace, until the limit. Whether one is wanted is added up and not branched on: of
// events in no order a processor would guess wrong half of the time, which costs as much as to read them.
void print_count(Input& input, const DumpOptions& options, Report& report, TextBuffer& out) {
  Events events = events_of(input, options);
  std::uint64_t count = 0;
  while (count < options.limit) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (event->is_lost()) report.count_lost(*event);
    if (event->is_lost() || event->is_jump()) continue;
    count += options.selection.wants(*event) ? 1 : 0;
  }
  out += options.files.size() > 1 ? fmt::format("{} {}\n", count, shown(input.name)) : fmt::format("{}\n", count);
}

// The events of one trace, until the limit or until standard output is gone.
void print_events(Input& input, const DumpOptions& options, Report& report, EventLines& lines, TextOutput& out) {
  lines.begin(out.text(), input.name, input.trace);
  Events events = events_of(input, options);
  std::uint64_t left = options.limit;
  while (left > 0 && out.drain()) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (event->is_lost()) report.count_lost(*event);
    if (!options.selection.wants(*event)) continue;
    if (!event->is_lost() && !event->is_jump()) --left;
    lines.append(out.text(), *event);
  }
  lines.end(out.text());
}

void print_tables(const Input& input, const DumpOptions& options, TextBuffer& out) {
  if (options.files.size() > 1) out += fmt::format("# {}\n", shown(input.name));
  if (options.header) append_header(out, input.trace);
  if (options.types) append_types(out, input.trace);
  if (options.streams) append_streams(out, input.trace);
}

int dump(DumpOptions& options) {
  Report report("evt dump");
  if (options.canonical && options.files.size() > 1) {
    return report.usage("--canonical takes one trace");
  }
  if (const Status status = check_files(options.files, "-"); !status.ok()) return report.usage(status.message());
  int status = kExitOk;
  std::vector<Input> inputs;
  for (const std::string& file : options.files) {
    auto trace = options.reading.open(file);
    if (trace) {
      inputs.push_back({Reading::name_of(file), *std::move(trace)});
    } else {
      status = report.no_answer(trace.status());
    }
  }
  if (inputs.empty()) return status;
  std::vector<const Trace*> traces;
  traces.reserve(inputs.size());
  for (const Input& input : inputs) traces.push_back(&input.trace);

  if (const Status resolved = options.selection.resolve(traces); !resolved.ok()) {
    return std::max(status, report.usage(resolved.message()));
  }

  TextOutput out;
  const bool tables = options.header || options.types || options.streams;
  const auto lines = make_lines(options, traces);
  for (Input& input : inputs) {
    if (tables) {
      print_tables(input, options, out.text());
    } else if (options.count) {
      print_count(input, options, report, out.text());
    } else {
      print_events(input, options, report, *lines, out);
    }
    if (!out.flush()) return report.no_answer(out.status());
    status = std::max(status, report.finish(input.name, input.trace));
  }
  for (const std::string& sentence : options.selection.nowhere_in(traces)) {
    report.say(sentence);
    status = std::max<int>(status, kExitPartly);
  }
  return status;
}

}  // namespace

std::function<int()> add_dump(CLI::App& app) {
  const auto options = std::make_shared<DumpOptions>();
  app.add_option("file", options->files, "the traces, one after another; - is standard input")->required();
  const auto flag = [&](const char* name, bool* out, const char* what) { return app.add_flag(name, *out, what); };
  const auto exclude = [](CLI::Option* option, std::initializer_list<CLI::Option*> others) {
    for (CLI::Option* const other : others) option->excludes(other);
  };
  CLI::Option* const canonical =
      flag("--canonical", &options->canonical, "the text form, from which evt convert makes the same trace again");
  CLI::Option* const json = flag("--json", &options->json, "a JSON object for each event");
  CLI::Option* const csv =
      flag("--csv", &options->csv,
           "comma-separated values, a column for each field;\ncontrol characters in texts are \\xHH");
  CLI::Option* const count = flag("--count", &options->count, "only the number of events");
  CLI::Option* const types = flag("--types", &options->types, "the event types instead of events");
  CLI::Option* const streams = flag("--streams", &options->streams, "the streams instead of events");
  CLI::Option* const header = flag("--header", &options->header, "the sessions, their programs and clocks");
  // Tables go together, everything else is one answer at a time.
  exclude(json, {canonical});
  exclude(csv, {canonical, json});
  exclude(count, {canonical, json, csv});
  for (CLI::Option* const table : {types, streams, header}) exclude(table, {canonical, json, csv, count});
  CLI::Option* const utc = flag("--utc", &options->utc, "times of day instead of times since the start");
  exclude(utc, {canonical, count});
  CLI::Option* const relative = flag("--relative", &options->relative, "times since the line before");
  exclude(relative, {utc, canonical, json, csv, count});
  CLI::Option* const color = app.add_option("--color", options->color, "colours on a terminal")
                                 ->check(CLI::IsMember({"auto", "always", "never"}))
                                 ->type_name("WHEN");
  exclude(color, {canonical, json, csv, count});
  CLI::Option* const limit = app.add_option("--limit", options->limit, "stop after so many events of each trace")
                                 ->check(is_number("a number of events"))
                                 ->type_name("N");
  options->selection.add_options(app);
  options->reading.add_options(app);
  // Tables are of all that a trace declares.
  for (CLI::Option* const table : {types, streams, header}) {
    exclude(table, {utc, relative, color, limit});
    for (const char* const name : {"--from", "--to", "--stream", "--event", "--where"}) {
      exclude(table, {app.get_option(name)});
    }
  }
  app.footer(where_help() +
             "\n\n"
             "Examples: evt dump app.evt | head\n"
             "          evt dump --event 'gc.*' --from=-2s app.evt\n"
             "          evt dump --json --where 'size>=1000' app.evt | jq .fields\n\n"
             "Exit status: 0 all was read; 1 the trace is damaged or cut, the rest was printed, or a filter\n"
             "names nothing that is there, or a time outside; 2 wrong usage; 3 no trace could be read, or the\n"
             "output not written.");
  return [options] { return dump(*options); };
}

}  // namespace evt::tools

#include <evt/export/text_form_lines.h>
#include <evt/trace.h>
#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/output.h"
#include "base/report.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/last_events.h"
#include "cmd/trace_json.h"
#include "cmd/trace_tables.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

EventOptions options_of(const DumpArguments& options) {
  EventOptions wanted;
  wanted.markers = true;
  wanted.ends = wanted.by_ns = options.canonical;
  options.selection.narrow(&wanted);
  return wanted;
}

// How many events there are in one trace, until the limit. Whether one is wanted is added up and not branched on: of
// events in no order a processor would guess wrong half of the time, which costs as much as to read them.
void print_count(OpenedTrace& input, bool several, const DumpArguments& options, TextBuffer& out) {
  Events events = input.trace.events(options_of(options));
  std::uint64_t count = 0;
  while (count < options.limit) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (event->is_lost() || event->is_jump()) continue;
    count += options.selection.wants(*event) ? 1 : 0;
  }
  out += several ? fmt::format("{} {}\n", count, shown(input.name)) : fmt::format("{}\n", count);
}

// The events of one trace, until the limit or until standard output is gone. Returns how many.
std::uint64_t print_events(OpenedTrace& input, const DumpArguments& options, Report& report, EventLines& lines,
                           TextOutput& out) {
  lines.begin(out.text(), input.name, input.trace);
  const EventOptions all = options_of(options);
  LastEvents range{all, 0};
  if (options.has_last()) {
    range = last_events(input.trace, all, options.last,
                        [&](const Event& event) { return is_emitted(event) && options.selection.wants(event); });
  }
  Events events = input.trace.events(range.options);
  EventsInFront in_front(range.skip);
  std::uint64_t left = options.limit;
  while (left > 0 && out.drain()) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (!options.selection.wants(*event)) continue;
    if (in_front.have(*event)) continue;
    report.count_unknown_times(*event);
    if (is_emitted(*event)) --left;
    lines.append(out.text(), *event);
  }
  lines.end(out.text());
  return options.limit - left;
}

void print_tables_as_json(const OpenedTrace& input, bool several, const DumpArguments& options, TextBuffer& out) {
  const std::string_view file = several ? std::string_view(input.name) : "";
  if (options.header) append_header_as_json(out, input.trace, file);
  if (options.types) append_types_as_json(out, input.trace, file);
  if (options.streams) append_streams_as_json(out, input.trace, file);
}

void print_tables(const OpenedTrace& input, bool several, const DumpArguments& options, TextBuffer& out) {
  if (options.form.json) return print_tables_as_json(input, several, options, out);
  if (several) out += fmt::format("# {}\n", shown(input.name));
  if (options.header) append_header(out, input.trace);
  if (options.types) append_types(out, input.trace, Terminal::look());
  if (options.streams) append_streams(out, input.trace, Terminal::look());
}

}  // namespace

int run_dump(DumpArguments& options) {
  Report report("evt dump");
  if (const Status status = check_files(options.files, "-"); !status.ok()) return report.usage(status.message());
  if (options.follow) return run_follow(options, report);
  const std::vector<TraceInput> wanted = trace_inputs(options.files);
  const bool several = wanted.size() > 1;
  if (options.canonical && several) return report.usage("--canonical takes one trace");
  int status = kExitOk;
  std::vector<OpenedTrace> inputs = open_traces(wanted, options.reading, report, &status);
  if (inputs.empty()) return status;
  const std::vector<const Trace*> traces = traces_of(inputs);
  if (const Status resolved = options.selection.resolve(traces); !resolved.ok()) {
    return std::max(status, report.usage(resolved.message()));
  }
  for (OpenedTrace& input : inputs) options.selection.look_at(input.trace);
  auto lines = options.form.make_lines(traces, several,
                                       [&](const EventType& type) { return options.selection.wants_type(type); }, {});
  if (!lines) return std::max(status, report.usage(lines.status().message()));
  if (options.canonical) lines = text_form_lines();

  TextOutput out;
  out.set_json_safe(options.form.json_safe);
  const bool tables = options.header || options.types || options.streams;
  bool has_none = !tables && !options.count;
  for (OpenedTrace& input : inputs) {
    if (tables) {
      print_tables(input, several, options, out.text());
    } else if (options.count) {
      print_count(input, several, options, out.text());
    } else {
      has_none &= print_events(input, options, report, **lines, out) == 0;
    }
    if (!out.flush()) return report.no_answer(out.status());
    status = std::max(status, report.finish(input.name, input.trace));
    report.forget_unknown_times();
  }
  const std::vector<std::string> missing = options.selection.nowhere_in(traces);
  if (has_none && missing.empty()) {
    for (const std::string& sentence : options.selection.where.doubts()) report.say(sentence);
  }
  return std::max(status, report.say_missing(missing));
}

}  // namespace evt::tools

#include <evt/breaches.h>
#include <evt/describe.h>
#include <evt/rings.h>
#include <evt/trace.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/output.h"
#include "base/report.h"
#include "base/trace_sentences.h"
#include "cmd/commands.h"
#include "cmd/findings.h"
#include "cmd/recover.h"
#include "cmd/repair.h"
#include "input/trace_inputs.h"

namespace evt::tools {
namespace {

// Reads all events; what came of each session.
std::vector<Counted> count_events(const Trace& trace, Events& events, Report& report) {
  std::vector<Counted> counted(trace.sessions().size());
  Misfits misfits;
  std::size_t session = 0;
  while (const Event* const event = events.next()) {
    if (event->is_lost() || event->is_jump()) continue;
    while (&trace.sessions()[session] != &event->session()) counted[session++].misfits = misfits.finish();
    ++counted[session].events;
    report.count_unknown_times(*event);
    misfits.add(*event);
  }
  if (session < counted.size()) counted[session].misfits = misfits.finish();
  for (std::size_t i = 0; i < counted.size(); ++i) {
    counted[i].unknown_times = report.unknown_times().of(trace.sessions()[i]);
  }
  // Where a declaration is damaged, the damage itself is listed.
  if (!trace.damage().empty()) {
    for (Counted& of_session : counted) of_session.misfits.clear();
  }
  return counted;
}

// Reads all of a trace, so that every checksum has been looked at.
int check(const std::string& name, Result<Trace> trace, const CheckArguments& options, Report& report,
          TextOutput& out) {
  if (!trace) return report.no_answer(trace.status());
  EventOptions wanted;
  wanted.markers = true;
  Events events = trace->events(wanted);
  const std::vector<Counted> counted = count_events(*trace, events, report);
  const std::vector<Damage> breaches = options.strict ? breaches_of(*trace) : std::vector<Damage>();
  for (const Counted& session : counted) {
    // The format lets rows have other sizes: all that was recorded can be read, if not as it was meant.
    for (const Misfit& misfit : session.misfits) report.say(name + ": " + sentence_of(misfit));
  }
  for (const std::string& sentence : missing_ends(*trace)) report.say(fmt::format("{}: {}", name, sentence));
  for (const Damage& breach : breaches) {
    report.say(fmt::format("{}: at {}: not allowed for writers: {}", name, breach.offset, breach.reason));
  }
  int status = breaches.empty() ? kExitOk : kExitPartly;
  // What is repaired may have standard output to itself.
  const bool is_quiet = options.repaired == "-";
  if (!is_quiet && options.json) append_findings_as_json(out.text(), name, *trace, counted, breaches, report);
  if (!is_quiet && !options.json) append_findings(out.text(), name, *trace, counted);
  if (!options.repaired.empty()) {
    std::vector<std::string> left_out;
    const Status repaired = repair(*trace, options.repaired, OutputMode::of(options.files), &left_out);
    if (!repaired.ok()) return report.no_answer(repaired);
    report.say_left_out(name, *trace, false);
    status = std::max(status, report.say_missing(left_out));
  }
  return std::max(status, report.finish(name, *trace));
}

// Believes no index.
ReadOptions reading_whole(const CheckArguments& options) {
  return options.reading.with({.use_index = false, .check_index = true, .salvage = options.salvage});
}

int recover_file(RecoverableFile& file, const CheckArguments& options, Report& report) {
  const int recovered = options.ring.empty() ? recover(file, report) : recover_from(options.ring, file, report);
  file.unlock();
  return recovered;
}

// The files that rings may complete. The ring of a flight recorder completes one of its segments, which no word names.
std::vector<std::string> files_to_recover(const std::vector<std::string>& files) {
  std::error_code error;
  const auto is_file = [&](const std::string& file) { return std::filesystem::is_regular_file(file, error); };
  if (!std::ranges::all_of(files, is_file)) return files;
  const auto trace = Trace::open(files);
  if (!trace || trace->files().size() <= files.size()) return files;
  for (const RingInfo& ring : list_rings()) {
    const bool is_its = std::ranges::any_of(trace->sessions(), [&](const Session& session) {
      return evt_session_id(session.uuid.data()) == ring.session_id;
    });
    if (is_its && !ring.trace.empty()) return {ring.trace};
  }
  return files;
}

int recover_and_check(const TraceInput& input, const CheckArguments& options, Report& report, TextOutput& out) {
  std::optional<RecoverableFile> only;
  const std::vector<std::string> files = options.ring.empty() ? files_to_recover(input.paths()) : input.paths();
  for (const std::string& file : files) {
    if (file == "-") {
      return report.no_answer({Code::kInvalid, "standard input cannot be recovered: name the file"});
    }
    auto opened = RecoverableFile::open(file);
    if (!opened) return report.no_answer(opened.status());
    if (const int recovered = recover_file(*opened, options, report); recovered != kExitOk) return recovered;
    if (files.size() == 1 && file == input.first()) only.emplace(*std::move(opened));
  }
  const ReadOptions reading = reading_whole(options);
  return check(input.name(),
               only ? Trace::open(only->descriptor(), only->name(), reading) : Trace::open(input.paths(), reading),
               options, report, out);
}

int check_input(const TraceInput& input, const CheckArguments& options, Report& report, TextOutput& out) {
  if (options.recover) return recover_and_check(input, options, report, out);
  return check(input.name(), options.reading.open(input, report, reading_whole(options)), options, report, out);
}

}  // namespace

int run_check(CheckArguments& options) {
  Report report("evt check");
  const std::vector<TraceInput> inputs = trace_inputs(options.files);
  if (!options.repaired.empty() && inputs.size() > 1) return report.usage("--repair takes one trace");
  if (!options.ring.empty() && options.files.size() > 1) return report.usage("--ring takes one trace");
  for (const std::string& output : {std::string("-"), options.repaired}) {
    const Status status = check_files(options.files, output);
    if (!status.ok()) return report.usage(status.message());
  }
  TextOutput out;
  out.set_json_safe(options.json_safe);
  int worst = kExitOk;
  for (const TraceInput& input : inputs) worst = std::max(worst, check_input(input, options, report, out));
  if (!out.flush()) return report.no_answer(out.status());
  return worst;
}

}  // namespace evt::tools

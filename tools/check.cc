#include "check.h"

#include <evt/trace.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "findings.h"
#include "output.h"
#include "recover.h"
#include "repair.h"
#include "report.h"

namespace evt::tools {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string repaired;
  bool recover = false;
  bool salvage = false;
  bool json = false;
};

// Counts the events of one session after the other, by type; those whose numbers do not fit 16 bits together, as an
// index has them.
class EventCounts {
 public:
  void add(const Event& event) {
    const std::uint32_t number = event.type().number();
    const std::uint32_t place = number <= UINT16_MAX ? number : std::uint32_t{EVT_ROW_WIDE};
    ++all_;
    if (by_type_[place]++ == 0) seen_.push_back(place);
  }
  // Ends the session: the next event is another's.
  Counted finish(const Session& session) {
    Counted counted{all_, difference(session)};
    for (const std::uint32_t place : seen_) by_type_[place] = 0;
    seen_.clear();
    all_ = 0;
    return counted;
  }

 private:
  std::string difference(const Session& session) const {
    for (const TypeCount& type : session.counts) {
      const std::uint64_t count = by_type_[type.number];
      if (count == type.rows) continue;
      return fmt::format("the index says that there are {} events of type {}, there are {}", type.rows, type.number,
                         count);
    }
    return "";
  }

  std::uint64_t all_ = 0;
  std::vector<std::uint64_t> by_type_ = std::vector<std::uint64_t>(UINT16_MAX + 1);
  std::vector<std::uint32_t> seen_;  // places that are not 0
};

// Reads all events; what came of each session.
std::vector<Counted> count_events(const Trace& trace, Events& events, Report& report) {
  EventCounts counts;
  std::vector<Counted> counted;
  const auto finish_before = [&](const Session* now) {
    while (counted.size() < trace.sessions().size() && &trace.sessions()[counted.size()] != now) {
      counted.push_back(counts.finish(trace.sessions()[counted.size()]));
    }
  };
  while (const Event* const event = events.next()) {
    if (event->is_lost()) report.count_lost(*event);
    if (event->is_lost() || event->is_jump()) continue;
    finish_before(&event->session());
    counts.add(*event);
  }
  finish_before(nullptr);
  return counted;
}

Result<Trace> open_whole(const std::string& file, const CheckOptions& options) {
  const ReadOptions reading{.use_index = false, .check_index = true, .salvage = options.salvage};
  return file == "-" ? Trace::open(STDIN_FILENO, "standard input", reading) : Trace::open(file, reading);
}

// Reads all of it, so that every checksum has been looked at, and believes no index.
int check(const std::string& file, const CheckOptions& options, Report& report, TextOutput& out) {
  auto trace = open_whole(file, options);
  if (!trace) return report.no_answer(trace.status());
  EventOptions wanted;
  wanted.markers = true;
  Events events = trace->events(wanted);
  std::vector<Counted> counted = count_events(*trace, events, report);
  const std::string name = file == "-" ? "standard input" : file;
  int status = kExitOk;
  for (Counted& session : counted) {
    // Of rows that could not be read nobody knows the type.
    if (!trace->status().ok()) session.difference.clear();
    if (session.difference.empty()) continue;
    report.say(name + ": " + session.difference);
    status = kExitPartly;
  }
  // What is repaired may have standard output to itself.
  const bool is_quiet = options.repaired == "-";
  if (!is_quiet && options.json) append_findings_as_json(out.text(), name, *trace, counted, report.losses());
  if (!is_quiet && !options.json) append_findings(out.text(), name, *trace, counted);
  if (!options.repaired.empty()) {
    const Status repaired = repair(*trace, options.repaired);
    if (!repaired.ok()) return report.no_answer(repaired);
  }
  return std::max(status, report.finish(name, *trace));
}

int run(const CheckOptions& options) {
  Report report("evt check");
  if (!options.repaired.empty() && options.files.size() > 1) {
    report.say("--repair takes one trace");
    return kExitUsage;
  }
  TextOutput out;
  int worst = kExitOk;
  for (const std::string& file : options.files) {
    const int recovered = options.recover ? recover(file, report) : kExitOk;
    worst = std::max(worst, recovered != kExitOk ? recovered : check(file, options, report, out));
  }
  if (!out.flush()) return report.no_answer(out.status());
  return worst;
}

}  // namespace

std::function<int()> add_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("file", options->files, "the traces; - is standard input")->required();
  app.add_flag("--recover", options->recover,
               "put what the ring of a killed program still holds into its trace, and remove the ring");
  app.add_option("--repair", options->repaired,
                 "write all that can be read to this file, as a trace that is whole; - is standard output")
      ->type_name("FILE");
  app.add_flag("--salvage", options->salvage,
               "look for blocks everywhere, in files that are no traces any more; what is found may be of old ones");
  app.add_flag("--json", options->json, "one JSON object a trace instead of lines for people");
  app.footer(
      "Examples: evt check --recover app.evt\n          evt check --salvage --repair whole.evt disk.img\n\n"
      "Exit status: 0 all that was written can be read; 1 a trace is damaged or cut, or its writer still\n"
      "runs and nothing could be recovered yet; 2 wrong usage; 3 no trace could be read, or a file not written.");
  return [options] { return run(*options); };
}

}  // namespace evt::tools

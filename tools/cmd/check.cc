#include <evt/block_writer.h>
#include <evt/breaches.h>
#include <evt/describe.h>
#include <evt/rings.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "base/output.h"
#include "base/output_mode.h"
#include "base/report.h"
#include "base/trace_sentences.h"
#include "cmd/commands.h"
#include "cmd/recover.h"
#include "cmd/trace_json.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

class Repair {
 public:
  Repair(Trace& trace, BlockWriter& to) : trace_(trace), to_(to) {}

  void run() {
    EventOptions options;
    options.markers = options.ends = true;
    Events events = trace_.events(options);
    while (const Event* const event = events.next()) {
      go_on_to(&event->session());
      take_missing();
      tell_missing(event->stream(), event->ns());
      to_.write(*event);
    }
    go_on_to(nullptr);
  }

 private:
  // Ends the session that is written, and begins all that stand before this one, though they have no events.
  void go_on_to(const Session* session) {
    const std::deque<Session>& sessions = trace_.sessions();
    while (begun_ == 0 || (begun_ <= sessions.size() && &sessions[begun_ - 1] != session)) {
      if (begun_ > 0) tell_all_missing();
      if (begun_++ == sessions.size()) return;
      to_.begin(sessions[begun_ - 1]);
    }
  }

  // What has been found missing since the last time.
  void take_missing() {
    for (; taken_ < trace_.missing().size(); ++taken_) {
      const MissingRows& missing = trace_.missing()[taken_];
      missing_[{missing.session, missing.stream}].emplace(missing.to_ns, missing.rows);
    }
  }

  // Before an event of this time is written.
  void tell_missing(const StreamInfo& stream, std::int64_t ns) {
    const auto found = missing_.find({session(), stream.id});
    if (found == missing_.end()) return;
    auto& [of, rows] = *found;
    for (auto first = rows.begin(); first != rows.end() && first->first <= ns; first = rows.erase(first)) {
      to_.lose(stream, first->second, first->first);
    }
    if (rows.empty()) missing_.erase(found);
  }

  void tell_all_missing() {
    take_missing();
    // Stream 0 last: it gets a number that none of the others has.
    for (const StreamInfo& stream : trace_.sessions()[session()].streams) tell_missing(stream, INT64_MAX);
    StreamInfo unknown;
    unknown.declared_name = "streams that are not known";
    tell_missing(unknown, INT64_MAX);
    // What a later version may read in the original is not in its copy.
    const Session& now = trace_.sessions()[session()];
    if (now.not_decodable > 0) to_.lose(unknown, now.not_decodable, now.last_ns);
  }

  std::uint32_t session() const { return static_cast<std::uint32_t>(begun_ - 1); }

  using Rows = std::multimap<std::int64_t, std::uint64_t>;  // how many, by when they are missing at last

  Trace& trace_;
  BlockWriter& to_;
  std::size_t begun_ = 0;                                            // sessions, so far
  std::size_t taken_ = 0;                                            // of the trace's list
  std::map<std::pair<std::uint32_t, std::uint32_t>, Rows> missing_;  // by session and stream
};

// Every event that can be read, session by session; where rows are missing, a loss by damage has their number. Sessions
// that were truncated are closed, and state that nothing behind their last event is there. Each has a uuid of its own
// and names the one it was made from. `to`: as FileOutput takes it. `left_out`: gets a sentence for each type that no
// writer declares, whose events are losses of the copy.
Status repair(Trace& trace, const std::string& to, const OutputMode& mode, std::vector<std::string>* left_out) {
  auto output = FileOutput::open(to, mode);
  if (!output) return output.status();
  const evt_sink write = [](void* file, const void* bytes, std::size_t size) {
    return static_cast<FileOutput*>(file)->write(bytes, size);
  };
  BlockWriter writer(write, &*output);
  Repair(trace, writer).run();
  const Status closed = writer.close();
  *left_out = writer.refused_types();
  if (!output->status().ok()) return output->status();
  return closed.ok() ? output->complete() : closed;
}

const char* word_of(const Status& status) {
  switch (status.code()) {
    case Code::kOk:
      return "ok";
    case Code::kTruncated:
      return "truncated";
    case Code::kNewerFormat:
      return "newer";
    default:
      return "damaged";
  }
}

void add_loss(JsonObject& json, const Loss& loss) {
  json.number("stream", loss.stream->id);
  json.name_text("name", loss.stream->name);
  json.text_or_null("cause", loss.cause);
  json.number("events", loss.events);
}

void add_missing(JsonObject& json, const Trace& trace, const MissingRows& missing) {
  json.number("session", missing.session);
  const StreamInfo* const stream = trace.sessions()[missing.session].stream(missing.stream);
  if (stream == nullptr) {
    json.null("stream");
  } else {
    json.number("stream", stream->id);
    json.name_text("name", stream->name);
  }
  json.number("rows", missing.rows);
  json.number("from_ns", missing.from_ns);
  json.number_or_null("to_ns", missing.to_ns, !missing.or_later);
  json.number("offset", missing.offset);
}

void add_damage(JsonObject& json, const Damage& damage) {
  json.number("offset", damage.offset);
  json.number("length", damage.length);
  json.name_text("reason", damage.reason);
}

// Fields at the end may be missing, as of a program that was compiled before they were added; not a part of one. Nor is
// there anything behind the last field, unless the shape of a field is not known.
bool fits(const Event& event) {
  FieldWalker fields = event.values();
  while (fields.next()) {
  }
  const bool met_unknown_shape = fields.index() < event.type().fields().size();
  return met_unknown_shape || fields.rest().empty();
}

// Events whose payloads do not hold what their types declare: their program recorded values of other sizes than it
// declared. No checksum shows that, and readers give what is there for fields. These are of one type.
struct Misfit {
  std::string type;
  std::uint64_t events = 0;
  std::size_t first_size = 0;  // bytes of the payload of the first one
};

// Takes the events of one session after the other.
class Misfits {
 public:
  void add(const Event& event) {
    if (!event.type().declared() || fits(event)) return;
    Misfit& misfit = found_[event.type().number()];
    if (misfit.events++ > 0) return;
    misfit.type = event.type().name();
    misfit.first_size = event.payload().size();
  }

  // Ends the session; by the numbers of types.
  std::vector<Misfit> finish() {
    std::vector<Misfit> all;
    for (auto& [number, misfit] : found_) all.push_back(std::move(misfit));
    found_.clear();
    return all;
  }

 private:
  std::map<std::uint32_t, Misfit> found_;
};

// What reading a session's events has shown.
struct Counted {
  std::uint64_t events = 0;
  std::vector<Misfit> misfits;
  std::uint64_t unknown_times = 0;  // in fields
};

void add_misfit(JsonObject& json, const Misfit& misfit) {
  json.name_text("type", misfit.type);
  json.number("events", misfit.events);
  json.number("first_size", misfit.first_size);
}

void add_session(JsonObject& json, const Session& session, const Counted& counted, const std::vector<Loss>& losses) {
  json.name_text("program", session.program);
  json.name_text("uuid", uuid_text(session.uuid));
  json.truth("declared", session.declared);
  json.number("events", counted.events);
  json.number("rows", session.rows);
  json.number("lost", session.lost);
  json.objects("losses", losses, add_loss);
  json.number("missing", session.missing);
  json.truth("knows_all_missing", !session.is_truncated());
  json.number("not_decodable", session.not_decodable);
  json.number("without_clock", session.without_clock);
  json.number("not_understood", session.not_understood);
  json.objects_if_any("misfits", counted.misfits, add_misfit);
  json.number_unless_0("unknown_times", counted.unknown_times);
  json.objects_if_any("facts", session.facts, add_fact);
  json.name_text("end", word_of(session.end()));
}

// `counted`: each session. For people a line for each; damage, losses and what is missing are reported on standard
// error.
void append_findings(TextBuffer& out, const std::string& file, const Trace& trace,
                     const std::vector<Counted>& counted) {
  std::size_t i = 0;
  for (const Session& session : trace.sessions()) {
    const std::uint64_t count = counted[i++].events;
    out += fmt::format("{}: session of {}, {} event{}, {} lost", shown(file), shown_program(session), count,
                       count == 1 ? "" : "s", session.lost);
    if (session.missing > 0) {
      out += fmt::format(", {}{} row{} missing", session.is_truncated() ? "at least " : "", session.missing,
                         session.missing == 1 ? "" : "s");
    }
    const bool was_recovered = session.end() == SessionEnd::kKilled;
    const std::string_view nothing = was_recovered ? nothing_lost(trace, session) : "";
    out += fmt::format(": {}{}{}\n", word_of(session.end()), nothing.empty() ? "" : ", ", nothing);
  }
}

// One object, in a line, with all of it; times in nanoseconds since the session's start. `breaches`: what its writer
// must not have written. `report` has what of the trace could not be read.
void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<Counted>& counted, const std::vector<Damage>& breaches,
                             const Report& report) {
  const std::vector<std::string>& unread = report.unread(file);
  append_json_line(out, [&](JsonObject& json) {
    json.name_text("file", file);
    json.name_text("status", unread.empty() ? word_of(trace.status()) : "damaged");
    std::size_t i = 0;
    json.objects("sessions", trace.sessions(), [&](JsonObject& each, const Session& session) {
      add_session(each, session, counted[i++], trace.losses(session));
    });
    json.objects("damage", trace.damage(), add_damage);
    json.objects("missing", trace.missing(),
                 [&](JsonObject& each, const MissingRows& missing) { add_missing(each, trace, missing); });
    json.objects_if_any("breaches", breaches, add_damage);
    json.texts("unread", unread);
  });
}

std::string sentence_of(const Misfit& misfit) {
  return fmt::format("{} event{} of type {} {} not hold the fields that were declared: {} {} byte{}", misfit.events,
                     misfit.events == 1 ? "" : "s", misfit.type, misfit.events == 1 ? "does" : "do",
                     misfit.events == 1 ? "it has" : "the first has", misfit.first_size,
                     misfit.first_size == 1 ? "" : "s");
}

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
  if (!is_quiet) report.shows_ends();
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

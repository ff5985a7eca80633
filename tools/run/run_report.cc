#include "run/run_report.h"

#include <evt/timeline.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/missing_samples.h"
#include "base/table_forms.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/session_texts.h"
#include "libtrace-read/text/shown.h"
#include "run/run_tables.h"

namespace evt::tools {
namespace {

constexpr std::size_t kNamed = 4;

// As many as were left out.
std::uint64_t threads_of(const Event& event) {
  const auto threads = event.value(record::kUnrestrictedThreads);
  return threads ? threads->as_unsigned() : 0;
}

std::string time_text(std::int64_t ns) { return fmt::format("{:.3f} s", static_cast<double>(ns) * 1e-9); }

// Processes that restricted their own system calls, and were not recorded from then on. Takes the items of a
// merged session in order.
class Restrictions {
 public:
  explicit Restrictions(const Session& session) : session_(session) {}

  void take(const TimelineItem& item) {
    if (item.kind != ItemKind::kRow || item.event->role != Role::kMark || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    const std::string& type = event.type().name();
    if (type != record::kRestricted && type != record::kUnrestricted) return;
    Restriction& restriction = by_process_[name_of(event.stream().id)];
    restriction.was_refused = type == record::kUnrestricted;
    if (restriction.was_refused) restriction.threads = threads_of(event);
    if (!restriction.was_refused) restriction.ns = item.ns;
  }

  // Sentences for the summary.
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    std::size_t restricted = 0;
    for (const auto& [name, restriction] : by_process_) {
      const std::string when = time_text(restriction.ns);
      if (!restriction.was_refused && ++restricted <= kNamed) {
        notes.push_back(fmt::format("{} restricted its system calls at {}: not recorded from then on", name, when));
      }
      if (restriction.was_refused && restriction.threads > 0) {
        notes.push_back(fmt::format(
            "{} could not restrict its system calls at {}: {} not recorded from then on", name, when,
            restriction.threads == 1 ? "another thread is" : fmt::format("{} other threads are", restriction.threads)));
      }
    }
    if (restricted > kNamed) {
      notes.push_back(fmt::format("so did {} more: not recorded from then on", restricted - kNamed));
    }
    return notes;
  }

 private:
  struct Restriction {
    std::int64_t ns = 0;
    bool was_refused = false;
    std::uint64_t threads = 0;  // that were left out, if it was refused
  };

  std::string name_of(std::uint32_t stream) const {
    for (const MergedPart& part : session_.parts) {
      if (part.has_stream(stream)) return shown(part.name);
    }
    return shown(session_.program);
  }

  const Session& session_;
  std::map<std::string, Restriction> by_process_;  // the latest; by the name of its part
};

std::uint64_t ns_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_usec) * 1'000;
}

std::string end_text(const record::ProcessEnd& end) {
  return (end.signal == 0 ? "exit " : "") + report::exit_text(end.exit());
}

std::vector<std::string> split_globs(const std::string& text) {
  std::vector<std::string> globs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    globs.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return globs;
}

// Of bytes that were recorded, and that the system counted.
bool is_much_unseen(std::uint64_t recorded, std::uint64_t counted) {
  constexpr std::uint64_t kFew = 64 << 10;
  const std::uint64_t unseen = counted - std::min(counted, recorded);
  return unseen > kFew && unseen > counted / 10;
}

// What was not recorded.
std::string bytes_text(std::uint64_t recorded, std::uint64_t counted) {
  return cell_text(counted - std::min(counted, recorded), CellKind::kBytes, false);
}

using LossesByCause = std::map<std::string, std::uint64_t>;

std::string lost_text(const LossesByCause& causes, const char* thing) {
  std::uint64_t sum = 0;
  std::vector<std::string> words;
  for (const auto& [cause, events] : causes) {
    sum += events;
    words.push_back(fmt::format("{} {}", events, cause.empty() ? "of unknown cause" : cause));
  }
  return fmt::format("{} lost ({})", counted(sum, thing), fmt::join(words, ", "));
}

// Where threads only wait, or hardly anything is called, it says nothing.
void hide_share_if_small(Table* calls) {
  constexpr double kLeast = 5;  // percent
  const std::size_t share = *calls->column("share");
  const bool is_of_use =
      std::ranges::any_of(calls->rows(), [&](const Table::Row& row) { return row[share].as_double() >= kLeast; });
  if (!is_of_use) calls->hide("share");
}

}  // namespace

RunReport::RunReport(Trace& trace, const record::RecordedRun& run, const record::MergedFolder& merged)
    : run_(run),
      merged_(merged),
      elapsed_ns_(static_cast<std::uint64_t>(run.end().ended_ns - run.end().began_ns)),
      facts_(Table::facts("run", {}, {})) {
  add_facts();
  analyze(trace);
  add_unseen();
}

void RunReport::analyze(Trace& trace) {
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    RunTables tables(timeline);
    std::int64_t last_ns = 0;
    Restrictions restrictions(timeline.actors().session());
    while (const TimelineItem* const item = timeline.next()) {
      last_ns = std::max(last_ns, item->ns);
      tables.take(*item);
      restrictions.take(*item);
    }
    tables.finish(last_ns);
    add_losses(timeline.actors().session(), trace.losses(timeline.actors().session()));
    for (std::string& note : restrictions.notes()) notes_.push_back(std::move(note));
    if (tables.has_runs()) tables_.push_back(tables.threads());
    if (!tables.has_runs()) add_threads_without_switches();
    Table calls = tables.calls(elapsed_ns_);
    hide_share_if_small(&calls);
    for (Table table : {tables.code(), tables.processes(), tables.waiting(), std::move(calls), tables.locks(),
                        tables.long_waits(), tables.objects(), tables.counts()}) {
      if (!table.rows().empty()) tables_.push_back(std::move(table));
    }
    const bool has_bytes = run_.wanted().groups.find("files") != std::string::npos;
    const bool has_all = run_.obstacle().empty() && merged_.not_kept == 0;
    if (has_all && has_bytes) add_coverage(tables.bytes_read(), tables.bytes_written());
    if (merged_.not_kept > 0) {
      notes_.push_back(fmt::format("{} before these were not kept: calls, times and bytes are more than what is here",
                                   counted(merged_.not_kept, "event")));
    }
    if (run_.processes_not_kept() > 0) {
      const std::size_t gone = run_.processes_not_kept();
      notes_.push_back(fmt::format("nothing of {} process{} that ended earlier was kept", gone, gone == 1 ? "" : "es"));
    }
    if (std::string note = tables.code_note(); !note.empty()) notes_.push_back(std::move(note));
    if (tables.counted_calls() > 0) {
      notes_.push_back(counted(tables.counted_calls(), "call") + " counted");
    }
    if (tables.unreturned_calls() > 0) {
      notes_.push_back(
          counted(tables.unreturned_calls(), "call") +
          " had not returned when the program, a process or a thread ended: they count until then, without bytes");
    }
  }
}

void RunReport::add_facts() {
  const record::ProcessEnd& end = run_.end();
  const std::uint64_t user = ns_of(end.usage.ru_utime);
  const std::uint64_t system = ns_of(end.usage.ru_stime);
  const auto ratio = static_cast<double>(user + system) / static_cast<double>(std::max<std::uint64_t>(1, elapsed_ns_));
  facts_ = Table::facts("run",
                        {{"end", CellKind::kText},
                         {"elapsed", CellKind::kDuration},
                         {"cpu", CellKind::kDuration},
                         {"user", CellKind::kDuration},
                         {"system", CellKind::kDuration},
                         {"cpus used", CellKind::kNumber},
                         {"memory", CellKind::kBytes},
                         {"children", CellKind::kCount},
                         {"stops", CellKind::kCount},
                         {"stopped", CellKind::kDuration}},
                        {end_text(end), elapsed_ns_, user + system, user, system, ratio,
                         static_cast<std::uint64_t>(end.usage.ru_maxrss) * 1024,
                         run_.sched().has_scheduling() ? Cell(run_.sched().children()) : Cell(), run_.stops().count(),
                         run_.stops().total_ns()});
  for (const char* const column : {"stops", "stopped"}) facts_.hide_if_empty(column);
}

// The kernel's own sums, where it records no switches.
void RunReport::add_threads_without_switches() {
  if (run_.sched().clocks().threads().empty()) return;
  Table table("threads", 2,
              {{"thread", CellKind::kCount},
               {"name", CellKind::kText},
               {"running", CellKind::kDuration},
               {"runnable", CellKind::kDuration}});
  for (const auto& [thread, times] : run_.sched().clocks().threads()) {
    table.add({thread, times.name, times.ran_ns, times.delayed_ns});
  }
  table.sort(*table.column("running"), false);
  tables_.push_back(std::move(table));
}

// Where much of it was not recorded: what the loader and the C library read by themselves is no reason to doubt.
void RunReport::add_coverage(std::uint64_t read, std::uint64_t written) {
  const auto& io = run_.end().io;
  if (!io) return;
  // What recording itself read and wrote is none of the program's.
  const std::uint64_t read_by_program = io->read - std::min(io->read, merged_.own_reads);
  const std::uint64_t written_by_program = io->written - std::min(io->written, merged_.bytes);
  if (!is_much_unseen(read, read_by_program) && !is_much_unseen(written, written_by_program)) return;
  notes_.push_back(fmt::format("{} were read and {} written by other means than recorded calls",
                               bytes_text(read, read_by_program), bytes_text(written, written_by_program)));
}

// What was counted as lost, or could not be written any more.
void RunReport::add_losses(const Session& session, const std::vector<Loss>& losses) {
  LossesByCause of_stacks;
  LossesByCause others;
  for (const Loss& loss : losses) {
    const bool is_of_stacks = loss.stream->name.starts_with(record::CpuSamples::kStreams);
    (is_of_stacks ? of_stacks : others)[loss.cause] += loss.events;
  }
  if (!others.empty()) {
    notes_.push_back(lost_text(others, "event") + ": calls, times and bytes are more than what is here");
  }
  if (!of_stacks.empty()) {
    notes_.push_back(lost_text(of_stacks, "stack") + ": the shares of code and of waits are those of the other stacks");
  }
  for (const MergedPart& part : session.parts) {
    if (part.ended || !merged_.living.empty()) continue;
    notes_.push_back(part.name + ": the end of its recording is lost, because it could not be written");
  }
}

void RunReport::add_unseen() {
  add_unhooked();
  if (!run_.obstacle().empty()) notes_.push_back(run_.obstacle());
  if (!run_.sched().refusal().empty()) {
    notes_.push_back(run_.sched().refusal() +
                     ": the time of each thread is read once a second instead, and shares are by open calls");
  }
  if (!run_.samples_refusal().empty()) {
    notes_.push_back(run_.samples_refusal() + ": it is unknown which code took the time");
  }
  const record::SampleDoubts doubts = run_.samples_doubts();
  for (std::string& note : missing_samples([&](const char* key) {
         const auto found = doubts.find(key);
         return found == doubts.end() ? 0 : found->second;
       })) {
    notes_.push_back(std::move(note));
  }
  add_unrecorded_programs();
}

// A process that became another program has a session of each; one that began before it was another's.
void RunReport::add_unrecorded_programs() {
  // A program that calls none of the functions that are counted leaves nothing.
  const record::RunWanted& wanted = run_.wanted();
  const bool leaves_sessions =
      wanted.hooks.empty() ? !wanted.groups.empty() : wanted.globs.empty() || wanted.hooks == "trace";
  if (!leaves_sessions || !run_.sched().has_scheduling() || !run_.obstacle().empty()) return;
  if (run_.processes_not_kept() > 0) return;  // these recorded some
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const auto& [process, programs] : run_.sched().programs()) {
    const auto begins = merged_.begins.find(process);
    for (std::size_t i = 0; i < programs.size(); ++i, ++count) {
      const auto from = static_cast<std::int64_t>(programs[i].ns);
      const std::int64_t to = i + 1 < programs.size() ? static_cast<std::int64_t>(programs[i + 1].ns) : INT64_MAX;
      const auto is_of_it = [&](std::int64_t ns) { return ns >= from && ns < to; };
      const bool is_recorded = begins != merged_.begins.end() && std::ranges::any_of(begins->second, is_of_it);
      if (!is_recorded) names.push_back(shown(programs[i].name));
    }
  }
  const std::size_t unseen = names.size() - std::min(names.size(), merged_.in_other_spaces);
  if (unseen == 0) return;
  const std::string why = wanted.follows_children ? "other environments, static or setuid" : "--no-follow-children";
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::size_t others = names.size() - std::min(names.size(), kNamed);
  names.resize(names.size() - others);
  if (others > 0) names.push_back(counted(others, "other"));
  notes_.push_back(fmt::format("{} of {} recorded no calls: {}{}", unseen, counted(count, "program"), why,
                               merged_.in_other_spaces > 0 ? "" : fmt::format(" ({})", fmt::join(names, ", "))));
}

// What of the imported functions was not hooked.
void RunReport::add_unhooked() {
  const std::vector<std::string> globs = split_globs(run_.wanted().globs);
  for (std::size_t i = 0; i < globs.size() && run_.obstacle().empty(); ++i) {
    if (merged_.notes.contains(fmt::format("glob.{}", i))) continue;
    notes_.push_back(fmt::format("--all-calls: no imported function matches {}", globs[i]));
  }
  if (merged_.notes.contains("unhooked.imports")) {
    notes_.push_back(
        "there are more imported functions than can be hooked (65536): those of libraries loaded last are "
        "not seen");
  }
  if (merged_.notes.contains("unhooked.code")) {
    notes_.push_back("the system refuses memory for code: imported functions are not seen");
  }
}

}  // namespace evt::tools

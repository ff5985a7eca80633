#include "cmd/snapshot_taker.h"

#include <evt/cut.h>
#include <evt/evt.h>
#include <evt/segments.h>
#include <evt/snapshot.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/grouped.h"
#include "base/kept_window.h"
#include "base/output.h"
#include "cmd/numbered_name.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

std::string writer_of_snapshots() { return std::string("evtrace ") + evt_version(); }

// Without those that are not counted where rows are compressed: then all rows are.
std::uint64_t events_of(const Session& session) {
  std::uint64_t events = 0;
  for (const TypeCount& type : session.counts) events += type.rows;
  return session.counts.empty() ? session.rows : events;
}

std::string what_it_has(const Session& session) {
  const auto length = static_cast<std::uint64_t>(kept_window_ns(session));
  const std::uint64_t events = events_of(session);
  std::string sentence =
      fmt::format("last {}, {} event{}", report::duration_text(length), grouped(events), events == 1 ? "" : "s");
  if (session.not_kept == 0) return sentence;
  return sentence + fmt::format("; {}{} event{} before that {} not kept", session.not_kept_is_known ? "" : "at least ",
                                grouped(session.not_kept), session.not_kept == 1 ? "" : "s",
                                session.not_kept == 1 ? "was" : "were");
}

}  // namespace

SnapshotTaker::SnapshotTaker(SnapshotArguments& options, Report& report)
    : options_(options), report_(report), input_(trace_input(options.input)) {
  if (input_.program && *input_.program) session_id_ = (*input_.program)->session_id();
}

// A file may be one of several segments.
Result<Trace> SnapshotTaker::open() {
  const std::string& file = input_.first();
  const std::uint64_t id = input_.is_one_file() && file != "-" ? first_session_of(file) : 0;
  if (id == 0) return options_.reading.open(input_, report_);
  return ProgramTrace::of_file(file, id).open(options_.reading.with());
}

Status SnapshotTaker::take(Trace& trace, const RangeOf& range, const std::string& why) {
  NumberedName name(options_.output);
  const auto path = name.take(pid_of(trace));
  if (!path) return path.status();
  Status done = write(trace, range, *path);
  progress_.clear();
  if (!done.ok()) return done;
  name.keep();
  say_what_it_has(*path, why);
  return {};
}

std::uint64_t SnapshotTaker::pid_of(const Trace& trace) const {
  for (const Session& session : trace.sessions()) {
    if (is_wanted(session)) return session.pid;
  }
  return 0;
}

Status SnapshotTaker::write(Trace& trace, const RangeOf& range, const std::string& path) {
  auto output = FileOutput::open(path, OutputMode::of(input_.paths()));
  if (!output) return output.status();
  const auto take = [&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); };
  const bool is_part = range || options_.selection.has_types();
  const Status done = is_part ? cut_into(trace, range, take) : copy_into(trace, take);
  if (!output->status().ok()) return output->status();
  return done.ok() ? output->complete() : done;
}

Status SnapshotTaker::copy_into(Trace& trace, const TakeBytes& take) {
  SnapshotOptions options;
  options.session = [this](const Session& session) { return is_wanted(session); };
  options.writer = writer_of_snapshots();
  options.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
  return snapshot(trace, options, take);
}

Status SnapshotTaker::cut_into(Trace& trace, const RangeOf& range, const TakeBytes& take) {
  CutOptions options;
  options.session = [this](const Session& session) { return is_wanted(session); };
  options.range = range;
  if (options_.selection.has_types()) {
    options.type = [this](const EventType& type) { return options_.selection.wants_type(type); };
  }
  options.what = options_.what;
  options.writer = writer_of_snapshots();
  options.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
  return cut(trace, options, take);
}

void SnapshotTaker::say_what_it_has(const std::string& path, const std::string& why) const {
  // A pipe gives it only once, to its reader.
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return;
  const auto trace = Trace::open(path, {.rings = false});
  if (!trace) return;
  for (const Session& session : trace->sessions()) {
    report_.say(fmt::format("{}: {}{}", shown(path), why, what_it_has(session)));
  }
}

// A running program is no problem.
int SnapshotTaker::finish(const Trace& trace) {
  const bool is_all = std::ranges::none_of(trace.sessions(),
                                           [](const Session& session) { return session.lost > 0 || session.goes_on; });
  const int status = trace.status().ok() && is_all ? int{kExitOk} : report_.finish(input_.name(), trace);
  return std::max(status, report_.say_missing(options_.selection.nowhere_in({&trace})));
}

}  // namespace evt::tools

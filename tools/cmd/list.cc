#include <evt/describe.h>
#include <evt/rings.h>
#include <evt/segments.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/aligned_rows.h"
#include "base/json_object.h"
#include "base/kept_window.h"
#include "base/output.h"
#include "base/report.h"
#include "base/table_forms.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "input/program_trace.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt::tools {
namespace {

// Its session as it is in the ring's name: 0123456789abcdef; - if it is not known.
std::string session_text(const RingInfo& ring) {
  return ring.session_id == 0 ? "-" : fmt::format("{:016x}", ring.session_id);
}

struct TraceWords {
  const char* key;   // for programs
  const char* note;  // for people, behind the path
};

TraceWords words_of(RingTrace state) {
  switch (state) {
    case RingTrace::kThere:
      return {"there", ""};
    case RingTrace::kGone:
      return {"gone", "gone"};
    case RingTrace::kUnknown:
      return {"unknown", "another file"};
    case RingTrace::kNone:
      break;
  }
  return {"none", "no file"};
}

const char* writer_of(const RingInfo& ring) { return ring.living ? "living" : "dead"; }

// To the second.
std::string start_of(const RingInfo& ring) { return utc_text(ring.start_utc_ns).substr(0, 19) + " UTC"; }

std::string trace_of(const RingInfo& ring) {
  if (!ring.problem.empty()) return "? " + ring.path.substr(ring.path.rfind('/') + 1);
  if (ring.inode == 0) return "- (no file)";
  if (ring.name.empty()) return "- (path not known)";
  const std::string_view note = words_of(ring.trace_state).note;
  return note.empty() ? ring.name : fmt::format("{} ({})", ring.name, note);
}

struct Unit {
  std::uint64_t size;
  const char* name;
};

// In the largest unit that needs no fraction; empty: 0.
template <std::size_t N>
std::string in_units(std::uint64_t number, const Unit (&units)[N]) {
  if (number == 0) return "";
  const Unit* const unit = std::ranges::find_if(units, [=](const Unit& each) { return number % each.size == 0; });
  return fmt::format("{}{}", number / unit->size, unit->name);
}

// As EVTRACE takes it: 64M|5m; empty: there is none.
std::string budget_of(const RingInfo& ring) {
  static constexpr Unit kSizes[] = {{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}, {1, ""}};
  static constexpr Unit kTimes[] = {
      {86'400'000'000'000, "d"}, {3'600'000'000'000, "h"}, {60'000'000'000, "m"}, {1'000'000'000, "s"}, {1, "ns"}};
  const std::string bytes = in_units(ring.budget_bytes, kSizes);
  const std::string time = in_units(ring.budget_ns, kTimes);
  return bytes + (bytes.empty() || time.empty() ? "" : "|") + time;
}

// What the session of a ring has by now, in its files and in the ring.
struct Kept {
  std::int64_t window_ns = 0;
  std::uint64_t bytes = 0;  // of its files
  std::uint64_t lost = 0;   // events
  std::uint64_t ring_rows = 0;
};

// Opens its trace. Nothing, where that is not there or cannot be read.
std::optional<Kept> kept_of(const RingInfo& ring) {
  if (!ring.problem.empty() || ring.trace_state != RingTrace::kThere) return std::nullopt;
  const auto trace = ProgramTrace::of_file(ring.trace, ring.session_id).open({});
  if (!trace) return std::nullopt;
  for (const Session& session : trace->sessions()) {
    if (evt_session_id(session.uuid.data()) != ring.session_id) continue;
    const Trace::Recovery& recovery = trace->recovery();
    const std::uint64_t bytes = recovery.rings.empty() ? trace->size() : recovery.file_size;
    return Kept{kept_window_ns(session), bytes, session.lost, session.ring_rows};
  }
  return std::nullopt;
}

struct Listed {
  RingInfo ring;
  std::optional<Kept> kept;

  // Rows that the trace does not have; a living writer may write them yet.
  std::optional<std::uint64_t> missing_rows() const {
    return kept && !ring.living ? std::optional(kept->ring_rows) : std::nullopt;
  }
};

Table::Row row_of(const Listed& listed) {
  const RingInfo& ring = listed.ring;
  Table::Row row(11);
  row[3] = Cell(ring.size);
  row[4] = Cell(writer_of(ring));
  row[10] = Cell(trace_of(ring));
  if (!ring.problem.empty()) return row;
  if (listed.kept) {
    row[5] = Cell(listed.kept->window_ns);
    row[7] = Cell(listed.kept->lost);
  }
  if (ring.pid != 0) row[0] = Cell(ring.pid);
  if (!ring.program.empty()) row[1] = Cell(ring.program);
  row[2] = Cell(start_of(ring));
  if (const std::string budget = budget_of(ring); !budget.empty()) row[6] = Cell(budget);
  if (const auto rows = listed.missing_rows()) row[8] = Cell(*rows);
  row[9] = Cell(session_text(ring));
  return row;
}

// Each can be named by its process; otherwise by its session alone.
bool have_numbers(const std::vector<Listed>& rings) {
  std::set<std::uint64_t> numbers = {0};
  return std::ranges::all_of(rings, [&](const Listed& listed) { return numbers.insert(listed.ring.pid).second; });
}

// A table.
void append_rings(TextBuffer& out, const std::vector<Listed>& rings, const TableLook& look) {
  Table table("rings", 0,
              {{"pid", CellKind::kCount},
               {"program"},
               {"since"},
               {"size", CellKind::kBytes},
               {"writer"},
               {"kept", CellKind::kDuration},
               {"budget"},
               {"lost", CellKind::kCount},
               {"missing rows", CellKind::kCount},
               {"session"},
               {"trace"}});
  for (const Listed& ring : rings) table.add(row_of(ring));
  append_human_readable(out, table, false, look);
}

// Without its name. Where its trace may be, its rows are not given up; and a program that begins has no header yet.
bool is_useless(const RingInfo& ring, bool all) {
  if (ring.living) return false;
  const bool is_known = ring.problem.empty() && ring.trace_state != RingTrace::kUnknown;
  return is_known ? ring.trace_state != RingTrace::kThere : all;
}

// What to type for rings of ended programs, in a line each.
void say_what_to_do(const std::vector<Listed>& rings, const Report& report) {
  const auto say = [&](const std::string& what, const std::function<bool(const Listed&)>& is_it) {
    const auto count = std::ranges::count_if(rings, is_it);
    if (count > 0) report.say(fmt::format("{} {}", count == 1 ? "1 ring" : fmt::format("{} rings", count), what));
  };
  say("cannot be read, --json says why; evt list --remove --all removes those of ended programs",
      [](const Listed& listed) { return !listed.ring.problem.empty(); });
  say("of dead writers with rows that the trace lacks; evt check --recover TRACE adds them",
      [](const Listed& listed) { return listed.missing_rows().value_or(0) > 0; });
  say("of dead writers without a trace; evt list --remove removes them",
      [](const Listed& listed) { return is_useless(listed.ring, false); });
}

// A line for each that was removed.
void append_removed(TextBuffer& out, const std::vector<Listed>& rings) {
  for (const Listed& listed : rings) {
    const RingInfo& ring = listed.ring;
    std::string line = "removed " + ring.path;
    if (ring.problem.empty()) {
      const std::string process = ring.pid == 0 ? "" : fmt::format("process {}, ", ring.pid);
      line += fmt::format(": {}, {}since {}", shown(ring.program), process, start_of(ring));
    }
    const std::uint64_t rows = listed.missing_rows().value_or(0);
    if (rows > 0) line += fmt::format("; {} row{} that {} lacks went with it", rows, rows == 1 ? "" : "s", ring.name);
    append_harmless(out, line);
    out += '\n';
  }
}

// An object for each, in a line.
void append_rings_as_json(TextBuffer& out, const std::vector<Listed>& rings) {
  for (const Listed& listed : rings) {
    const RingInfo& ring = listed.ring;
    const bool is_known = ring.problem.empty();
    const Kept kept = listed.kept.value_or(Kept());
    const bool has_kept = listed.kept.has_value();
    append_json_line(out, [&](JsonObject& json) {
      json.name_text("ring", ring.path);
      json.number("user", ring.user);
      json.number("size_bytes", ring.size);
      json.name_text("writer", writer_of(ring));
      json.text_or_null("session", is_known ? session_text(ring) : "");
      json.number_or_null("pid", ring.pid, is_known && ring.pid != 0);
      json.text_or_null("program", is_known ? ring.program : "");
      json.number_or_null("start_utc_ns", ring.start_utc_ns, is_known);
      json.text_or_null("name", is_known ? ring.name : "");
      json.text_or_null("trace", is_known ? ring.trace : "");
      json.text_or_null("trace_is", is_known ? words_of(ring.trace_state).key : "");
      json.number_or_null("missing_rows", listed.missing_rows().value_or(0), listed.missing_rows().has_value());
      json.number_or_null("kept_ns", kept.window_ns, has_kept);
      json.number_or_null("budget_bytes", ring.budget_bytes, ring.budget_bytes != 0);
      json.number_or_null("budget_ns", ring.budget_ns, ring.budget_ns != 0);
      json.number_or_null("trace_bytes", kept.bytes, has_kept);
      json.number_or_null("lost", kept.lost, has_kept);
      json.text_or_null("problem", ring.problem);
    });
  }
}

// A file that was removed may have left its number to another one.
bool has_session(const std::string& file, std::uint64_t session_id) {
  const auto trace = Trace::open(file, {.rings = false});
  return trace && std::ranges::any_of(trace->sessions(), [session_id](const Session& session) {
           return evt_session_id(session.uuid.data()) == session_id;
         });
}

// By its path, the name of its file, its session, or its trace, which may have been moved.
bool is_called(const RingInfo& ring, const std::string& name) {
  if (name == ring.path || name == ring.path.substr(ring.path.rfind('/') + 1)) return true;
  if (!ring.problem.empty()) return false;
  struct stat status;
  const bool is_file = ring.inode != 0 && stat(name.c_str(), &status) == 0 && status.st_dev == ring.device &&
                       status.st_ino == ring.inode;
  const bool is_trace = is_file && (ring.trace_state == RingTrace::kThere || has_session(name, ring.session_id));
  std::error_code none;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  return is_trace || name == session_text(ring) || (!ring.trace.empty() && path == ring.trace) ||
         (!ring.name.empty() && path == ring.name) || first_session_of(name) == ring.session_id;
}

// Those that were named, or all; kExitPartly when there is none of some name.
int choose(const std::vector<std::string>& names, std::vector<RingInfo>& rings, const Report& report) {
  if (names.empty()) return kExitOk;
  int status = kExitOk;
  std::vector<RingInfo> chosen;
  std::vector<bool> is_chosen(rings.size());
  for (const std::string& name : names) {
    bool any = false;
    for (std::size_t i = 0; i < rings.size(); ++i) {
      if (!is_called(rings[i], name)) continue;
      any = is_chosen[i] = true;
    }
    if (any) continue;
    report.say(name + ": no ring has this name, session or trace");
    status = kExitPartly;
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (is_chosen[i]) chosen.push_back(std::move(rings[i]));
  }
  rings = std::move(chosen);
  return status;
}

// Appends those that were removed; kExitPartly when one that was to be could not be.
int remove(const ListArguments& options, const std::vector<RingInfo>& rings, std::vector<Listed>& removed,
           const Report& report) {
  int status = kExitOk;
  for (const RingInfo& ring : rings) {
    if (options.names.empty() && !is_useless(ring, options.all)) continue;
    Listed listed{ring, ring.living ? std::nullopt : kept_of(ring)};
    const Status done = remove_ring(ring);
    if (done.ok()) {
      removed.push_back(std::move(listed));
    } else {
      report.say(done.message());
      status = kExitPartly;
    }
  }
  return status;
}

}  // namespace

int run_list(ListArguments& options) {
  const Report report("evt list");
  std::vector<RingInfo> rings = list_rings();
  int status = choose(options.names, rings, report);
  std::vector<Listed> listed;
  if (options.remove) {
    status = std::max(status, remove(options, rings, listed, report));
  } else {
    for (RingInfo& ring : rings) {
      std::optional<Kept> kept = kept_of(ring);
      listed.push_back({std::move(ring), kept});
    }
  }
  TextOutput out;
  out.set_json_safe(options.json_safe);
  if (options.json) {
    append_rings_as_json(out.text(), listed);
  } else if (options.remove) {
    append_removed(out.text(), listed);
  } else if (!listed.empty()) {
    std::vector<std::string> left_out;
    TableLook look = Terminal::look();
    look.left_out = &left_out;
    look.keeps = {"kept", "budget", "lost"};
    if (!have_numbers(listed)) look.keeps.emplace_back("session");
    append_rings(out.text(), listed, look);
    say_what_to_do(listed, report);
  }
  if (listed.empty() && status == kExitOk && !options.json)
    report.say(options.remove ? "no ring to remove" : "no rings");
  if (!out.flush()) return report.no_answer(out.status());
  return status;
}

}  // namespace evt::tools

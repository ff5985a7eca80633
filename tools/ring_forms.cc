#include "ring_forms.h"

#include <fmt/core.h>

#include "libtrace-read/export/src/base/shown.h"
#include "libtrace-read/export/src/base/text_syntax.h"
#include "libtrace-read/export/src/json/plain_value.h"
#include "table_forms.h"

namespace evt::tools {
namespace {

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
  if (!ring.problem.empty()) return fmt::format("? {}: {}", ring.path, ring.problem);
  if (ring.inode == 0) return "- (no file)";
  if (ring.trace.empty()) return "- (path not known)";
  const std::string_view note = words_of(ring.trace_state).note;
  return note.empty() ? ring.trace : fmt::format("{} ({})", ring.trace, note);
}

Table::Row row_of(const RingInfo& ring) {
  Table::Row row(8);
  row[3] = Cell(ring.size);
  row[4] = Cell(writer_of(ring));
  row[7] = Cell(trace_of(ring));
  if (!ring.problem.empty()) return row;
  if (ring.pid != 0) row[0] = Cell(ring.pid);
  if (!ring.program.empty()) row[1] = Cell(ring.program);
  row[2] = Cell(start_of(ring));
  if (ring.missing_rows) row[5] = Cell(*ring.missing_rows);
  row[6] = Cell(session_text(ring));
  return row;
}

void append_member(TextBuffer& out, std::string_view key, const std::string& text, bool is_known) {
  out += key;
  if (is_known) {
    append_json_text(out, text);
  } else {
    out += "null";
  }
}

void append_member(TextBuffer& out, std::string_view key, std::uint64_t number, bool is_known = true) {
  out += key;
  out += is_known ? std::to_string(number) : "null";
}

}  // namespace

std::string session_text(const RingInfo& ring) {
  return ring.session_id == 0 ? "-" : fmt::format("{:016x}", ring.session_id);
}

void append_rings(TextBuffer& out, const std::vector<RingInfo>& rings, const TableLook& look) {
  Table table("rings", 0,
              {{"pid", CellKind::kCount},
               {"program"},
               {"since"},
               {"size", CellKind::kBytes},
               {"writer"},
               {"missing rows", CellKind::kCount},
               {"session"},
               {"trace"}});
  for (const RingInfo& ring : rings) table.add(row_of(ring));
  append_human_readable(out, table, false, look);
}

void append_removed(TextBuffer& out, const std::vector<RingInfo>& rings) {
  for (const RingInfo& ring : rings) {
    std::string line = "removed " + ring.path;
    if (ring.problem.empty()) {
      const std::string process = ring.pid == 0 ? "" : fmt::format("process {}, ", ring.pid);
      line += fmt::format(": {}, {}since {}", shown(ring.program), process, start_of(ring));
    }
    const std::uint64_t rows = ring.missing_rows.value_or(0);
    if (rows > 0)
      line += fmt::format("; {} row{} with it that {} does not have", rows, rows == 1 ? "" : "s", ring.trace);
    append_harmless(out, line);
    out += '\n';
  }
}

void append_rings_as_json(TextBuffer& out, const std::vector<RingInfo>& rings) {
  for (const RingInfo& ring : rings) {
    const bool is_known = ring.problem.empty();
    append_member(out, "{\"ring\":", ring.path, true);
    append_member(out, ",\"user\":", ring.user);
    append_member(out, ",\"size_bytes\":", ring.size);
    append_member(out, ",\"writer\":", writer_of(ring), true);
    append_member(out, ",\"session\":", session_text(ring), is_known);
    append_member(out, ",\"pid\":", ring.pid, is_known && ring.pid != 0);
    append_member(out, ",\"program\":", ring.program, is_known && !ring.program.empty());
    out += ",\"start_utc_ns\":";
    out += is_known ? std::to_string(ring.start_utc_ns) : "null";
    append_member(out, ",\"trace\":", ring.trace, is_known && !ring.trace.empty());
    append_member(out, ",\"trace_is\":", words_of(ring.trace_state).key, is_known);
    append_member(out, ",\"missing_rows\":", ring.missing_rows.value_or(0), ring.missing_rows.has_value());
    append_member(out, ",\"problem\":", ring.problem, !is_known);
    out += "}\n";
  }
}

}  // namespace evt::tools

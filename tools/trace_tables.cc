#include "trace_tables.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "characters.h"
#include "names.h"
#include "text_syntax.h"

namespace evt::tools {
namespace {

// Rows of cells, each column as wide as its widest; the last one runs on.
class Table {
 public:
  explicit Table(std::vector<std::string> head, std::vector<bool> right) : right_(std::move(right)) {
    rows_.push_back(std::move(head));
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void append_to(std::string& out) const {
    std::vector<std::size_t> widths(right_.size());
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
    }
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (right_[i]) line.append(widths[i] - columns_of(row[i]), ' ');
        append_padded(line, row[i], right_[i] ? 0 : widths[i]);
        line += "  ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

void append_session_name(std::string& out, const Trace& trace, const Session& session) {
  if (trace.sessions().size() > 1) fmt::format_to(std::back_inserter(out), "session of {}\n", shown(session.program));
}

std::string seconds(std::int64_t ns) {
  std::string text;
  append_seconds(text, ns);
  return text;
}

// Events of types whose numbers do not fit 16 bits are counted together.
std::string count_of(const Session& session, std::uint32_t type) {
  if (type > UINT16_MAX) return "-";
  const auto found = std::find_if(session.counts.begin(), session.counts.end(),
                                  [type](const TypeCount& count) { return count.number == type; });
  return std::to_string(found == session.counts.end() ? 0 : found->rows);
}

std::string field_list(const EventType& type) {
  std::string fields;
  for (const Field& field : type.fields()) {
    if (!fields.empty()) fields += ' ';
    append_word(fields, field.name);
    fields += ':' + field_kind_name(field);
  }
  return fields;
}

// A word of a command line, so that it can be told where the next begins.
std::string shown_word(const std::string& word) {
  if (!word.empty() && word.find(' ') == word.npos) return shown(word);
  std::string quoted;
  append_quoted(quoted, word);
  return quoted;
}

std::string uuid_text(const Session::Uuid& uuid) {
  std::string text;
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    fmt::format_to(std::back_inserter(text), "{:02x}", uuid[i]);
  }
  return text;
}

// Empty for a session without a ring, as one that was made from another is.
std::string ring_text(const Session& session) {
  if (session.ring_kind == EVT_RING_NONE) return "";
  return ring_kind_name(session.ring_kind) + (session.ring_name.empty() ? "" : ", " + shown(session.ring_name));
}

void append_line(std::string& out, const char* name, const std::string& value) {
  if (!value.empty()) fmt::format_to(std::back_inserter(out), "{:<9} {}\n", name, value);
}

}  // namespace

std::string shown(const std::string& name) {
  std::string quoted;
  append_quoted(quoted, name);
  const bool escaped = quoted.size() != name.size() + 2;
  const bool ours = name.starts_with('!') || name.starts_with('#') || name.starts_with("type#");
  return escaped || ours || name.empty() ? quoted : name;
}

std::string utc_text(std::int64_t utc_ns) {
  std::string text = iso_text(utc_ns);
  text[10] = ' ';
  text.pop_back();
  return text + " UTC";
}

std::string iso_text(std::int64_t utc_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t seconds = utc_ns / kSecond;
  std::int64_t rest = utc_ns % kSecond;
  if (rest < 0) {
    rest += kSecond;
    --seconds;
  }
  const std::time_t time = seconds;
  std::tm parts = {};
  gmtime_r(&time, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", parts, rest);
}

void append_header(std::string& out, const Trace& trace) {
  const char* between = "";
  for (const Session& session : trace.sessions()) {
    out += between;
    between = "\n";
    append_line(out, "program", shown(session.program));
    std::string words;
    for (const std::string& word : session.command_line) words += (words.empty() ? "" : " ") + shown_word(word);
    append_line(out, "command", words);
    if (session.pid != 0) append_line(out, "pid", std::to_string(session.pid));
    if (!session.host.empty()) append_line(out, "host", shown(session.host));
    append_line(out, "start", utc_text(session.start_utc_ns));
    append_line(out, "uuid", uuid_text(session.uuid));
    for (const Session::Uuid& origin : session.origins) append_line(out, "origin", uuid_text(origin));
    append_line(out, "format", fmt::format("{}.{}", session.major, session.minor));
    if (!session.writer.empty()) append_line(out, "writer", shown(session.writer));
    append_line(out, "ring", ring_text(session));
    for (const ClockInfo& clock : session.clocks) {
      append_line(out, "clock", fmt::format("{}: {}, {} Hz", clock.id, clock_kind_name(clock.kind), clock.hz));
    }
    append_line(out, "types", std::to_string(session.types.size()));
    append_line(out, "streams", std::to_string(session.streams.size()));
    append_line(out, "strings", std::to_string(session.strings.size()));
    append_line(out, "rows", std::to_string(session.rows));
    append_line(out, "lost", std::to_string(session.lost));
    append_line(out, "end", session.closed ? "closed" : session.abandoned ? "not known to this version" : "cut");
  }
  append_line(out, "bytes", std::to_string(trace.size()));
}

void append_types(std::string& out, const Trace& trace) {
  for (const Session& session : trace.sessions()) {
    append_session_name(out, trace, session);
    // How many events there are is said where an index knows it.
    const bool counted = !session.counts.empty();
    std::vector<std::string> head = {"number", "name", "size", "fields", "description"};
    std::vector<bool> right = {true, false, true, false, false};
    if (counted) {
      head.insert(head.begin() + 2, "count");
      right.insert(right.begin() + 2, true);
    }
    Table table(std::move(head), std::move(right));
    for (const EventType& type : session.types) {
      const bool variable = type.declared_size() == EVT_SIZE_VARIABLE;
      std::vector<std::string> row = {std::to_string(type.number()), shown(type.name()),
                                      variable ? "variable" : std::to_string(type.declared_size()), field_list(type),
                                      type.description().empty() ? "" : shown(type.description())};
      if (counted) row.insert(row.begin() + 2, count_of(session, type.number()));
      table.add(std::move(row));
    }
    table.append_to(out);
  }
}

void append_streams(std::string& out, const Trace& trace) {
  for (const Session& session : trace.sessions()) {
    append_session_name(out, trace, session);
    Table table({"stream", "name", "thread", "process", "rows", "lost", "first", "last"},
                {true, false, true, true, true, true, true, true});
    const auto number = [](std::uint64_t n) { return n == 0 ? "-" : std::to_string(n); };
    for (const StreamInfo& stream : session.streams) {
      const auto time = [&](std::int64_t ns) { return stream.rows == 0 ? "-" : seconds(ns); };
      table.add({std::to_string(stream.id), shown(stream.name), number(stream.thread), number(stream.process),
                 std::to_string(stream.rows), std::to_string(stream.lost), time(stream.first_ns),
                 time(stream.last_ns)});
    }
    table.append_to(out);
  }
}

}  // namespace evt::tools

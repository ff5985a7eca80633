#include "stats/stats_output.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/export/src/base/shown.h"
#include "libtrace-read/export/src/json/plain_value.h"
#include "stats/analysis.h"
#include "stats/folded_lines.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

double bytes_each(const Trace& trace, std::uint64_t events) {
  return static_cast<double>(trace.size()) / static_cast<double>(events);
}

std::uint64_t lost_in(const Trace& trace) {
  std::uint64_t lost = 0;
  for (const Session& session : trace.sessions()) saturating_add(&lost, session.lost);
  return lost;
}

// What `append` appends for each, with commas between.
template <typename List, typename Append>
void append_joined(TextBuffer& out, const List& list, Append append) {
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
}

// Of some session no row was read.
bool is_by_index(const std::vector<SessionFindings>& sessions) {
  return std::any_of(sessions.begin(), sessions.end(),
                     [](const SessionFindings& session) { return session.is_by_index; });
}

void append_key(TextBuffer& out, std::string_view key) {
  append_json_text(out, key);
  out += ':';
}

}  // namespace

void StatsOutput::append(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions) {
  std::uint64_t events = 0;
  for (const SessionFindings& session : sessions) events += session.events;
  if (options_.json) return append_json(file, trace, sessions, events);
  const bool titles = !options_.csv && !options_.fold;
  if (titles && (options_.several || options_.with_summary)) append_file_title(file, trace, sessions, events);
  append_sessions(options_.several ? file : "", sessions);
}

void StatsOutput::append_diff(const std::string& before, const std::string& after,
                              const std::vector<SessionFindings>& sessions) {
  if (!options_.json) return append_sessions("", sessions);
  TextBuffer& out = out_.text();
  out += '{';
  append_key(out, "before");
  append_json_text(out, before);
  out += ',';
  append_key(out, "after");
  append_json_text(out, after);
  out += ",\"sessions\":[";
  append_joined(out, sessions, [&](const SessionFindings& session) {
    out += '{';
    append_findings(session);
    out += '}';
  });
  out += "]}\n";
}

void StatsOutput::append_sessions(const std::string& file, const std::vector<SessionFindings>& sessions) {
  const bool titles = !options_.csv && !options_.fold;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const SessionFindings& session = sessions[i];
    WhereInCsv where;
    if (!file.empty()) where.emplace_back("file", file);
    if (!file.empty() || sessions.size() > 1) where.emplace_back("session", std::to_string(i));
    if (titles && sessions.size() > 1) append_title("session of " + shown_program(*session.session));
    for (const auto& [kind, findings] : session.by_analysis) {
      if (titles && session.by_analysis.size() > 1) append_title(kind);
      append(findings.tables, where);
    }
  }
}

void StatsOutput::append(const std::vector<Table>& tables, const WhereInCsv& where) {
  TextBuffer& out = out_.text();
  for (const Table& table : tables) {
    if (options_.fold && !options_.csv) {
      append_folded(out, table, where);
      continue;
    }
    if (table.rows().empty() && !options_.csv) continue;
    if (any_printed_) out += options_.csv ? "\r\n" : "\n";
    any_printed_ = true;
    options_.csv ? append_as_csv(out, table, where) : append_human_readable(out, table, options_.raw, options_.look);
  }
}

void StatsOutput::append_title(const std::string& title) {
  if (any_printed_) out_.text() += '\n';
  any_printed_ = false;
  out_.text() += fmt::format("# {}\n", title);
}

void StatsOutput::append_file_title(const std::string& file, const Trace& trace,
                                    const std::vector<SessionFindings>& sessions, std::uint64_t events) {
  std::string title = shown(file);
  if (options_.with_summary) {
    title += fmt::format(": {} bytes, {}", trace.size(), counted(events, "event"));
    if (has_bytes_each(events)) title += fmt::format(", {:.2f} bytes each", bytes_each(trace, events));
    if (!trace.damage().empty()) title += fmt::format(", {}", counted(trace.damage().size(), "damaged place"));
  }
  if (is_by_index(sessions)) title += ", not verified";
  append_title(title);
}

void StatsOutput::append_json(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions,
                              std::uint64_t events) {
  TextBuffer& out = out_.text();
  out += '{';
  append_key(out, "file");
  append_json_text(out, file);
  out += fmt::format(",\"bytes\":{},\"events\":{}", trace.size(), events);
  if (has_bytes_each(events)) out += fmt::format(",\"bytes_per_event\":{:.6}", bytes_each(trace, events));
  out += fmt::format(",\"lost\":{},\"damage\":{},\"verified\":{},\"sessions\":[", lost_in(trace), trace.damage().size(),
                     !is_by_index(sessions));
  append_joined(out, sessions, [&](const SessionFindings& session) { append_json(session); });
  out += "]}\n";
}

void StatsOutput::append_json(const SessionFindings& session) {
  TextBuffer& out = out_.text();
  out += '{';
  append_key(out, "program");
  append_json_text(out, session.session->program);
  out += ',';
  append_key(out, "uuid");
  append_json_text(out, uuid_text(session.session->uuid));
  out += fmt::format(",\"event_count\":{},\"from_ns\":{},\"to_ns\":{}", session.events, session.range.from_ns,
                     session.range.to_ns);
  if (!session.by_analysis.empty()) out += ',';
  append_findings(session);
  out += '}';
}

void StatsOutput::append_findings(const SessionFindings& session) {
  TextBuffer& out = out_.text();
  append_joined(out, session.by_analysis, [&](const auto& each) {
    const auto& [kind, findings] = each;
    append_key(out, kind);
    out += '{';
    for (const Table& table : findings.tables) {
      append_key(out, table.name());
      append_as_json(out, table);
      out += ',';
    }
    append_key(out, "notes");
    out += '[';
    append_joined(out, findings.notes, [&](const std::string& note) { append_json_text(out, note); });
    out += "]}";
  });
}

}  // namespace evt::tools

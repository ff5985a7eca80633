#include "stats/stats_output.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "base/json_object.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/stack_frame.h"

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

void add_findings(JsonObject& json, const SessionFindings& session) {
  for (const auto& [kind, findings] : session.by_analysis) {
    json.object(kind, [&, &findings = findings](JsonObject& of_kind) {
      for (const Table& table : findings.tables) {
        of_kind.value(table.name(), [&](TextBuffer& out) { append_as_json(out, table); });
      }
      of_kind.all_texts("notes", findings.notes);
    });
  }
}

// Folded stacks, as programs that draw flame graphs read them: a line for each row of a table of stacks and numbers.
// `where` is in front of each stack.
void append_folded(TextBuffer& out, const Table& table, const WhereInCsv& where) {
  for (const Table::Row& row : table.rows()) {
    for (const auto& [key, value] : where) {
      append_stack_frame(out, value);
      out += ';';
    }
    out += *row[0].text();
    out += ' ';
    append_number(out, *row[1].as_unsigned());
    out += '\n';
  }
}

}  // namespace

bool is_by_index(const std::vector<SessionFindings>& sessions) {
  return std::any_of(sessions.begin(), sessions.end(),
                     [](const SessionFindings& session) { return session.is_by_index; });
}

void StatsOutput::append(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions) {
  std::uint64_t events = 0;
  for (const SessionFindings& session : sessions) events += session.events;
  if (options_.json) return append_json(file, trace, sessions, events);
  const bool titles = !options_.csv && !options_.fold;
  if (titles && (options_.several || options_.with_facts)) append_file_title(file, trace, sessions, events);
  append_sessions(options_.several ? file : "", sessions);
}

void StatsOutput::append_diff(const std::vector<std::string>& before, const std::vector<std::string>& after,
                              const std::vector<SessionFindings>& sessions) {
  if (!options_.json) return append_sessions("", sessions);
  const bool is_of_two = before.size() == 1 && after.size() == 1;
  append_json_line(out_.text(), [&](JsonObject& json) {
    for (const auto& [side, names] : {std::pair("before", &before), std::pair("after", &after)}) {
      is_of_two ? json.name_text(side, names->front()) : json.all_texts(side, *names);
    }
    json.objects("sessions", sessions, add_findings);
  });
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
  out_.text() += options_.look.is_markdown ? fmt::format("### {}\n\n", title) : fmt::format("# {}\n", title);
}

void StatsOutput::append_file_title(const std::string& file, const Trace& trace,
                                    const std::vector<SessionFindings>& sessions, std::uint64_t events) {
  std::string title = shown(file);
  if (options_.with_facts) {
    title += fmt::format(": {} bytes, {}", trace.size(), counted(events, "event"));
    if (has_bytes_each(events)) title += fmt::format(", {:.2f} bytes each", bytes_each(trace, events));
    if (!trace.damage().empty()) title += fmt::format(", {}", counted(trace.damage().size(), "damaged place"));
  }
  if (is_by_index(sessions)) title += ", not verified";
  append_title(title);
}

void StatsOutput::append_json(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions,
                              std::uint64_t events) {
  append_json_line(out_.text(), [&](JsonObject& json) {
    json.name_text("file", file);
    json.number("bytes", trace.size());
    json.number("events", events);
    if (has_bytes_each(events)) {
      json.value("bytes_per_event", [&](TextBuffer& out) { out += fmt::format("{:.6}", bytes_each(trace, events)); });
    }
    json.number("lost", lost_in(trace));
    json.number("damage", trace.damage().size());
    json.truth("verified", !is_by_index(sessions));
    json.objects("sessions", sessions, [](JsonObject& each, const SessionFindings& session) {
      each.name_text("program", session.session->program);
      each.name_text("uuid", uuid_text(session.session->uuid));
      each.number("event_count", session.events);
      each.number("from_ns", session.range.from_ns);
      each.number("to_ns", session.range.to_ns);
      add_findings(each, session);
    });
  });
}

}  // namespace evt::tools

#include "cmd/trace_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/table_forms.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/session_texts.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt::tools {
namespace {

void append_session_name(TextBuffer& out, const Trace& trace, const Session& session) {
  if (trace.sessions().size() > 1) fmt::format_to(std::back_inserter(out), "session of {}\n", shown_program(session));
}

// Events of types whose numbers do not fit 16 bits are counted together.
Cell count_of(const Session& session, std::uint32_t type) {
  if (type > UINT16_MAX) return {};
  const auto found =
      std::ranges::find_if(session.counts, [type](const TypeCount& count) { return count.number == type; });
  return found == session.counts.end() ? std::uint64_t{0} : std::uint64_t{found->rows};
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::string facet_text(const EventType& type, const Facet& facet) {
  std::vector<std::string> fields;
  for (const Facet::OfField& field : facet.fields) {
    fields.push_back(shown(type.fields()[field.field].name) + "=" + to_string(field.role));
  }
  return to_string(facet.role) + "(" + joined(fields, " ") + ")";
}

std::string source_text(const TypeMeaning& meaning) {
  std::string text = meaning.source_file.empty() ? "" : shown(meaning.source_file);
  if (meaning.source_line != 0) text += fmt::format(":{}", meaning.source_line);
  if (!meaning.source_function.empty()) text += (text.empty() ? "in " : " in ") + shown(meaning.source_function);
  return text;
}

std::vector<std::string> shown_tags(const std::vector<std::string>& tags) {
  std::vector<std::string> all;
  for (const std::string& tag : tags) all.push_back(shown(tag));
  return all;
}

// `(scope=boot,flags)`: what a field states of its values; empty if nothing.
std::string field_meaning_text(const Field& field) {
  std::vector<std::string> words;
  if (field.scope != Scope::kNotStated) words.push_back("scope=" + to_string(field.scope));
  if (field.is_flags) words.emplace_back("flags");
  if (field.absent) words.push_back(fmt::format("absent={}", *field.absent));
  if (field.scale != 0) words.push_back(fmt::format("scale={}", int{field.scale}));
  if (!field.unit_text.empty()) words.push_back("unit=" + shown(field.unit_text));
  const bool is_time = field.known() && (field.kind == Kind::kTicks || field.kind == Kind::kTickDelta);
  if (is_time && field.width == sizeof(std::uint32_t)) words.emplace_back("4 bytes");
  for (const std::string& tag : field.tags) words.push_back("tag=" + shown(tag));
  return words.empty() ? "" : "(" + joined(words, ",") + ")";
}

// `also threadRun(next=thread); twin of app.run; file.c:12 in f; tagged com.example.x`; empty if nothing.
std::string type_meaning_text(const EventType& type) {
  const TypeMeaning& meaning = type.meaning();
  std::vector<std::string> parts;
  for (const Facet& facet : meaning.facets) parts.push_back("also " + facet_text(type, facet));
  if (!meaning.twin_of.empty()) parts.push_back("twin of " + shown(meaning.twin_of));
  if (const std::string source = source_text(meaning); !source.empty()) parts.push_back(source);
  if (!meaning.tags.empty()) parts.push_back("tagged " + joined(shown_tags(meaning.tags), " "));
  return joined(parts, "; ");
}

std::string field_list(const EventType& type) {
  return text_from([&](TextBuffer& out) {
    for (const Field& field : type.fields()) {
      if (out.size() > 0) out += ' ';
      append_word(out, field.name);
      out += ':';
      out += field_kind_name(field);
      out += field_meaning_text(field);
    }
  });
}

// A word of a command line, so that the beginning of the next can be seen.
std::string shown_word(const std::string& word) {
  if (!word.empty() && word.find(' ') == word.npos) return shown(word);
  return in_quotes(word);
}

// Empty for a session without a ring, as one that was made from another is.
std::string ring_text(const Session& session) {
  if (session.ring_kind == EVT_RING_NONE) return "";
  return words_of(NumberList::kRing, session.ring_kind) +
         (session.ring_name.empty() ? "" : ", " + shown(session.ring_name));
}

std::string part_text(const MergedPart& part) {
  std::string text = shown(part.name);
  if (part.stream_count == 1) text += fmt::format(", stream {}", part.first_stream);
  if (part.stream_count > 1) {
    text +=
        fmt::format(", streams {} to {}", part.first_stream, std::uint64_t{part.first_stream} + part.stream_count - 1);
  }
  text += ", " + report::alignment_text(part);
  return part.ended ? text : text + ", truncated";
}

// What a fact is about, of a session in front of nothing.
std::string subject_of(const Session& session, const Fact& fact) {
  if (fact.scope == EVT_FACT_SCOPE_SESSION) return "";
  if (fact.scope == EVT_FACT_SCOPE_PART && fact.id < session.parts.size()) {
    return "part " + shown_word(session.parts[static_cast<std::size_t>(fact.id)].name) + ": ";
  }
  return fmt::format("{} {}: ", words_of(NumberList::kFactScope, fact.scope), fact.id);
}

std::string fact_text(const Session& session, const Fact& fact) {
  return subject_of(session, fact) + shown(fact.key) + "=" + in_quotes(fact.value);
}

void add_count(std::uint32_t count, const char* thing, const std::vector<std::string>& names,
               std::vector<std::string>* all) {
  if (count == 0) return;
  constexpr std::size_t kShownNames = 3;
  std::string text = fmt::format("{} {}{}: ", count, thing, count == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i)
    text += (i > 0 ? " " : "") + shown_word(names[i]);
  all->push_back(count > kShownNames ? text + " ..." : text);
}

std::string left_out_text(const LeftOut& left_out) {
  std::vector<std::string> all;
  if (left_out.sampled_by != EVT_SAMPLED_NONE) all.push_back(report::sampling_text(left_out));
  if (left_out.has_range && left_out.from_ns != INT64_MIN)
    all.push_back("before " + report::seconds_text(left_out.from_ns));
  if (left_out.has_range && left_out.to_ns != INT64_MAX) all.push_back("after " + report::seconds_text(left_out.to_ns));
  add_count(left_out.stream_count, "stream", left_out.streams, &all);
  add_count(left_out.type_count, "type", left_out.types, &all);
  if (left_out.others) all.emplace_back("events by what is in them");
  return joined(all, "; ");
}

void append_line(TextBuffer& out, const char* name, const std::string& value) {
  if (!value.empty()) fmt::format_to(std::back_inserter(out), "{:<9} {}\n", name, value);
}

}  // namespace

void append_header(TextBuffer& out, const Trace& trace) {
  const char* between = "";
  for (const Session& session : trace.sessions()) {
    out += between;
    between = "\n";
    append_line(out, "program", shown(session.program));
    std::vector<std::string> words;
    for (const std::string& word : session.command_line) words.push_back(shown_word(word));
    append_line(out, "command", joined(words, " "));
    if (session.pid != 0) append_line(out, "pid", std::to_string(session.pid));
    if (!session.host.empty()) append_line(out, "host", shown(session.host));
    append_line(out, "start", utc_text(session.start_utc_ns));
    append_line(out, "uuid", uuid_text(session.uuid));
    for (const Session::Uuid& origin : session.origins) append_line(out, "origin", uuid_text(origin));
    append_line(out, "cut", session.cut.empty() ? "" : shown(session.cut));
    if (session.left_out) append_line(out, "left out", left_out_text(*session.left_out));
    for (const MergedPart& part : session.parts) append_line(out, "part", part_text(part));
    append_line(out, "format", format_text(session));
    if (!session.writer.empty()) append_line(out, "writer", shown(session.writer));
    append_line(out, "ring", ring_text(session));
    if (session.time_scale != EVT_TIME_SCALE_NOT_STATED) {
      append_line(out, "time", words_of(NumberList::kTimeScale, session.time_scale));
    }
    for (const ClockInfo& clock : session.clocks) {
      append_line(out, "clock",
                  fmt::format("{}: {}, {}{} Hz", clock.id, words_of(NumberList::kClock, clock.kind), clock.hz,
                              clock.hz_denominator == 1 ? "" : fmt::format("/{}", clock.hz_denominator)));
    }
    for (const Fact& fact : session.facts) {
      if (fact.scope != EVT_FACT_SCOPE_STREAM) append_line(out, "fact", fact_text(session, fact));
    }
    append_line(out, "types", std::to_string(session.types.size()));
    append_line(out, "streams", std::to_string(session.streams.size()));
    append_line(out, "strings", std::to_string(session.strings.size()));
    append_line(out, "rows", std::to_string(session.rows));
    append_line(out, "lost", std::to_string(session.lost));
    const std::uint64_t last = session.last_segment;
    if (!session.last_segment_is_known) {
      append_line(out, "segments", "not known: the description of the last one cannot be read");
    } else if (last > 0) {
      append_line(
          out, "segments",
          session.first_segment == last ? std::to_string(last) : fmt::format("{} to {}", session.first_segment, last));
    }
    const std::uint64_t not_kept = session.not_kept + session.not_kept_of_parts;
    if (not_kept > 0) append_line(out, "not kept", fmt::format("{} rows", not_kept));
    append_line(out, "end", word_of(session.end()));
  }
  append_line(out, "bytes", std::to_string(trace.size()));
}

void append_types(TextBuffer& out, const Trace& trace, const TableLook& look) {
  for (const Session& session : trace.sessions()) {
    append_session_name(out, trace, session);
    Table table("types", 1,
                {{"number", CellKind::kCount},
                 {"name"},
                 {"count", CellKind::kCount},
                 {"size", CellKind::kCount},
                 {"fields"},
                 {"meaning"},
                 {"description"}});
    for (const EventType& type : session.types) {
      const bool variable = type.declared_size() == EVT_SIZE_VARIABLE;
      table.add({std::uint64_t{type.number()}, shown(type.name()), count_of(session, type.number()),
                 variable ? Cell("variable") : Cell(std::uint64_t{type.declared_size()}), field_list(type),
                 type_meaning_text(type), type.description().empty() ? "" : shown(type.description())});
    }
    // The number of events is shown where an index has it.
    if (session.counts.empty()) table.hide("count");
    table.hide_if_empty("meaning");
    append_human_readable(out, table, false, look);
  }
}

void append_streams(TextBuffer& out, const Trace& trace, const TableLook& look) {
  for (const Session& session : trace.sessions()) {
    append_session_name(out, trace, session);
    Table table("streams", 1,
                {{"stream", CellKind::kCount},
                 {"name"},
                 {"thread", CellKind::kCount},
                 {"process", CellKind::kCount},
                 {"rows", CellKind::kCount},
                 {"lost", CellKind::kCount},
                 {"first", CellKind::kTime},
                 {"last", CellKind::kTime}});
    const auto number = [](std::uint64_t n) { return n == 0 ? Cell() : Cell(n); };
    for (const StreamInfo& stream : session.streams) {
      const auto time = [&](std::int64_t ns) { return stream.rows == 0 ? Cell() : Cell(ns); };
      table.add({std::uint64_t{stream.id}, shown(stream.name), number(stream.thread), number(stream.process),
                 stream.rows, stream.lost, time(stream.first_ns), time(stream.last_ns)});
    }
    append_human_readable(out, table, false, look);
    for (const Fact& fact : session.facts) {
      if (fact.scope == EVT_FACT_SCOPE_STREAM) append_line(out, "fact", fact_text(session, fact));
    }
  }
}

}  // namespace evt::tools

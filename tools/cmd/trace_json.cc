#include "cmd/trace_json.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/json_object.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

std::vector<std::string> uuid_texts(const std::vector<Session::Uuid>& uuids) {
  std::vector<std::string> texts;
  texts.reserve(uuids.size());
  for (const Session::Uuid& uuid : uuids) texts.push_back(uuid_text(uuid));
  return texts;
}

void add_left_out(JsonObject& json, const LeftOut& left_out) {
  if (left_out.has_range && left_out.from_ns != INT64_MIN) json.number("before_ns", left_out.from_ns);
  if (left_out.has_range && left_out.to_ns != INT64_MAX) json.number("after_ns", left_out.to_ns);
  json.number_unless_0("streams", left_out.stream_count);
  json.texts("stream_names", left_out.streams);
  json.number_unless_0("types", left_out.type_count);
  json.texts("type_names", left_out.types);
  if (left_out.sampled_by != EVT_SAMPLED_NONE) {
    json.text("sampled_by", name_of(NumberList::kSampling, left_out.sampled_by));
    json.number_unless_0("one_in", left_out.one_in);
  }
  json.yes("by_content", left_out.others);
}

void add_part(JsonObject& json, const MergedPart& part) {
  json.name_text("name", part.name);
  json.text("origin", uuid_text(part.origin));
  if (part.stream_count > 0) json.number("first_stream", part.first_stream);
  json.number("streams", part.stream_count);
  json.text("aligned_by", name_of(NumberList::kAlignment, part.alignment));
  json.number("offset_ns", part.offset_ns);
  json.number("drift_ps_per_s", part.drift_ps);
  json.number("pivot_ns", part.pivot_ns);
  json.number("bound_ns", part.bound_ns);
  json.yes("truncated", !part.ended);
}

void add_clock(JsonObject& json, const ClockInfo& clock) {
  json.number("id", clock.id);
  json.text("kind", name_of(NumberList::kClock, clock.kind));
  json.text("name", clock.name);
  json.number("hz", clock.hz);
  if (clock.hz_denominator != 1) json.number("hz_denominator", clock.hz_denominator);
  json.number("start_ticks", clock.start_ticks);
  json.number("start_ns", clock.start_ns);
  json.number("tolerance_ns", clock.tolerance_ns);
  json.text("host", clock.host);
  json.text("boot", clock.boot_id);
}

// Who was recorded, and what the session was made from.
void add_identity(JsonObject& json, const Session& session) {
  json.text("uuid", uuid_text(session.uuid));
  json.text("program", session.program);
  json.texts("command", session.command_line);
  json.number_unless_0("pid", session.pid);
  json.text("host", session.host);
  json.text("boot", session.boot_id);
  json.number("start_utc_ns", session.start_utc_ns);
  json.texts("origins", uuid_texts(session.origins));
  json.text("cut", session.cut);
}

void add_recording(JsonObject& json, const Session& session) {
  json.text("format", format_text(session));
  json.text("writer", session.writer);
  if (session.ring_kind != EVT_RING_NONE) json.text("ring", name_of(NumberList::kRing, session.ring_kind));
  json.text("ring_name", session.ring_name);
  json.number_unless_0("ring_rows", session.ring_rows);
  if (session.time_scale != EVT_TIME_SCALE_NOT_STATED) {
    json.text("time_scale", name_of(NumberList::kTimeScale, session.time_scale));
  }
}

void add_counts(JsonObject& json, const Session& session) {
  json.number("types", session.types.size());
  json.number("streams", session.streams.size());
  json.number("strings", session.strings.size());
  json.number("rows", session.rows);
  json.number("lost", session.lost);
  json.number("missing", session.missing);
  json.number_unless_0("not_kept", session.not_kept);
  json.yes("not_kept_is_least", session.not_kept > 0 && !session.not_kept_is_known);
  json.number_unless_0("not_kept_of_parts", session.not_kept_of_parts);
  json.number_unless_0("first_segment", session.first_segment);
  if (session.last_segment_is_known) json.number_unless_0("last_segment", session.last_segment);
  json.number("last_ns", session.last_ns);
  json.text("end", word_of(session.end()));
  json.yes("not_read_to_its_end", session.abandoned);
}

void add_stream(JsonObject& json, const StreamInfo& stream) {
  json.number("stream", stream.id);
  json.name_text("name", stream.name);
  if (stream.declared_name != stream.name) json.name_text("declared_name", stream.declared_name);
  json.yes("not_declared", !stream.declared);
  json.number_unless_0("thread", stream.thread);
  json.number_unless_0("process", stream.process);
  json.number("rows", stream.rows);
  json.number("lost", stream.lost);
  json.number("missing", stream.missing);
  json.number_unless_0("not_kept", stream.not_kept);
  if (stream.rows == 0) return;
  json.number("first_ns", stream.first_ns);
  json.number("last_ns", stream.last_ns);
}

// Facts are in order of scope and id.
std::span<const Fact> facts_of(const Session& session, const StreamInfo& stream) {
  const auto place = [](const Fact& fact) { return std::pair(fact.scope, fact.id); };
  const std::pair<std::uint16_t, std::uint64_t> wanted(EVT_FACT_SCOPE_STREAM, stream.id);
  return {std::ranges::lower_bound(session.facts, wanted, {}, place),
          std::ranges::upper_bound(session.facts, wanted, {}, place)};
}

template <typename Enum>
std::string name_unless_none(Enum value) {
  return static_cast<unsigned>(value) == 0 ? "" : to_string(value);
}

void add_label(JsonObject& json, const Field::Label& label) {
  json.number("value", label.value);
  json.text("text", label.text);
}

void add_field(JsonObject& json, const Field& field) {
  json.text("name", field.name);
  json.text("kind", field_kind_name(field));
  if (field.shape == Shape::kFixed || field.shape == Shape::kArray) json.number("width", field.width);
  json.text("role", name_unless_none(field.role));
  json.text("unit", name_unless_none(field.unit));
  json.text("unit_text", field.unit_text);
  json.number_unless_0("scale", int{field.scale});
  json.text("scope", name_unless_none(field.scope));
  json.yes("flags", field.is_flags);
  if (field.absent) json.number("absent", *field.absent);
  json.objects_if_any("labels", field.labels, add_label);
  json.texts("tags", field.tags);
  json.text("description", field.description);
}

void add_type(JsonObject& json, const EventType& type) {
  const TypeMeaning& meaning = type.meaning();
  json.number("number", type.number());
  json.text("name", type.name());
  json.text("description", type.description());
  json.text("role", name_unless_none(type.role()));
  if (type.declared_size() != EVT_SIZE_VARIABLE) json.number("size", type.declared_size());
  json.objects("fields", type.fields(), add_field);
  json.objects_if_any("facets", meaning.facets, [&](JsonObject& of_facet, const Facet& facet) {
    of_facet.text("role", to_string(facet.role));
    of_facet.objects("fields", facet.fields, [&](JsonObject& of_field, const Facet::OfField& field) {
      of_field.text("name", type.fields()[field.field].name);
      of_field.text("role", to_string(field.role));
    });
  });
  json.text("twin_of", meaning.twin_of);
  json.text("source_file", meaning.source_file);
  json.number_unless_0("source_line", meaning.source_line);
  json.text("source_function", meaning.source_function);
  json.texts("tags", meaning.tags);
}

void add_header(JsonObject& json, const Session& session) {
  add_identity(json, session);
  if (session.left_out) json.object("left_out", [&](JsonObject& inner) { add_left_out(inner, *session.left_out); });
  json.objects_if_any("parts", session.parts, add_part);
  add_recording(json, session);
  json.objects("clocks", session.clocks, add_clock);
  json.objects_if_any("facts", session.facts, add_fact);
  add_counts(json, session);
}

// A line for each element of a list that each session has.
template <typename List, typename AddMembers>
void append_lines(TextBuffer& out, const Trace& trace, std::string_view file, List Session::*list, AddMembers add) {
  std::size_t number = 0;
  for (const Session& session : trace.sessions()) {
    for (const auto& each : session.*list) {
      append_json_line(out, [&](JsonObject& json) {
        add_place(json, trace, number, file);
        add(json, session, each);
      });
    }
    ++number;
  }
}

}  // namespace

void add_place(JsonObject& json, const Trace& trace, std::size_t session, std::string_view file) {
  json.text("file", file);
  if (trace.sessions().size() > 1) json.number("session", session);
}

void add_fact(JsonObject& json, const Fact& fact) {
  json.name_text("scope", words_of(NumberList::kFactScope, fact.scope));
  json.number("id", fact.id);
  json.number("ns", fact.ns);
  json.name_text("key", fact.key);
  json.name_text("value", fact.value);
}

void append_header_as_json(TextBuffer& out, const Trace& trace, std::string_view file) {
  std::size_t number = 0;
  for (const Session& session : trace.sessions()) {
    append_json_line(out, [&](JsonObject& json) {
      add_place(json, trace, number++, file);
      add_header(json, session);
      json.number("file_bytes", trace.size());
    });
  }
}

void append_types_as_json(TextBuffer& out, const Trace& trace, std::string_view file) {
  append_lines(out, trace, file, &Session::types,
               [](JsonObject& json, const Session&, const EventType& type) { add_type(json, type); });
}

void append_streams_as_json(TextBuffer& out, const Trace& trace, std::string_view file) {
  append_lines(out, trace, file, &Session::streams,
               [](JsonObject& json, const Session& session, const StreamInfo& stream) {
                 add_stream(json, stream);
                 json.objects_if_any("facts", facts_of(session, stream), add_fact);
               });
}

}  // namespace evt::tools

#include "stated_rows.h"

#include <evt/names.h>

#include <map>

#include "column_kinds.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/session_key.h"
#include "libtrace-read/text/shown.h"
#include "utc_by_start.h"

namespace evt {
namespace {

std::map<const EventType*, std::uint64_t> count_events(Trace& trace, const Session& session) {
  EventOptions options;
  options.range = [&session](const Session& each) { return &each == &session ? TimeRange() : TimeRange{1, 0}; };
  std::map<const EventType*, std::uint64_t> counts;
  Events events = trace.events(options);
  while (const EventBatch* const batch = events.next_batch()) {
    for (const EventType* const type : batch->types) ++counts[type];
  }
  return counts;
}

}  // namespace

Table sessions_table() {
  return {"sessions",
          "Recorded runs of programs.",
          {session_column(), count_column("trace", "index of its trace among those read, from 0"),
           count_column("number", "index of the session in its trace, from 0"),
           text_column("uuid", "the session's uuid"), word_column("program", "name of the program"),
           texts_column("command_line", "the program and its arguments"), count_column("pid", "number of the process"),
           word_column("host", "name of the machine"), word_column("boot_id", "boot id of the machine"),
           word_column("writer", "name and version of what wrote the trace"),
           time_column("start", "when the session began"),
           ns_column("last_ns", "when its latest event was, since its start"),
           count_column("events",
                        "number of rows, by the headers of blocks: events, and records of losses and of jumps in time"),
           count_column("lost", "number of events that the writer had no room for"),
           count_column("missing", "number of events known to be missing, by headers and by what was read before"),
           yes_column("closed", "the writer closed it; if not, the program was killed or still runs"),
           word_column("end", "how it ended: closed, continued, living, killed, truncated or unknown"),
           word_column("cut", "for a part of a session: which part")}};
}

void add_session_row(const Session& session, std::size_t trace, std::size_t number, RowsInMaking* rows) {
  NewRow row = rows->add();
  row.number(session_key(session)).number(trace).number(number).text(uuid_text(session.uuid));
  row.text_unless_empty(session.program).texts(session.command_line).number_unless_0(session.pid);
  row.text_unless_empty(session.host).text_unless_empty(session.boot_id).text_unless_empty(session.writer);
  row.time(session.start_utc_ns).ns(session.last_ns);
  row.number(session.rows).number(session.lost).number(session.missing);
  row.yes(session.closed).text(word_of(session.end())).text_unless_empty(session.cut);
}

Table attributes_table() {
  return {"attributes",
          "Facts that a session states about itself, or about something in it.",
          {session_column(), word_column("scope", "kind of that thing: session, stream, thread ..."),
           count_column("id", "its number; 0 for the session"), word_column("key", "name of the attribute"),
           text_column("value", "its value"), ns_column("since_ns", "since when it holds, since the session's start")}};
}

void add_attribute_rows(const Session& session, RowsInMaking* rows) {
  for (const Fact& fact : session.facts) {
    NewRow row = rows->add();
    row.number(session_key(session)).text(name_of(NumberList::kFactScope, fact.scope)).number(fact.id);
    row.text(fact.key).text(fact.value).ns(fact.ns);
  }
}

Table streams_table() {
  return {"streams",
          "Sequences of events as recorded, usually one per thread.",
          {session_column(), count_column("stream", "id of the stream"), word_column("name", "name of the stream"),
           count_column("thread", "the operating system's number of the thread"),
           count_column("process", "number of the process, if it is not the session's"),
           count_column("events",
                        "number of rows, by the headers of blocks: events, and records of losses and of jumps in time"),
           count_column("lost", "number of events that the writer had no room for"),
           count_column("missing", "number of events known to be missing, by headers and by what was read before"),
           ns_column("first_ns", "when its first event was, since the session's start"),
           ns_column("last_ns", "when its latest event was")}};
}

void add_stream_rows(const Session& session, RowsInMaking* rows) {
  for (const StreamInfo& stream : session.streams) {
    NewRow row = rows->add();
    row.number(session_key(session)).number(stream.id).text_unless_empty(stream.name);
    row.number_unless_0(stream.thread).number_unless_0(stream.process);
    row.number(stream.rows).number(stream.lost).number(stream.missing);
    if (stream.rows > 0) {
      row.ns(stream.first_ns).ns(stream.last_ns);
    } else {
      row.null().null();
    }
  }
}

Table types_table() {
  return {"types",
          "Types of events that sessions declare. The events of each are a table of its name.",
          {session_column(), count_column("type", "number of the type"), word_column("name", "name of the type"),
           word_column("role", "meaning of its events, such as threadRun or spanBegin"),
           text_column("description", "description of the type"), texts_column("fields", "names of the fields"),
           texts_column("kinds", "kinds of the fields, such as u32 or text"),
           count_column("events", "number of events, by the session's index; without one, of those that can be read")}};
}

void add_type_rows(Trace& trace, const Session& session, RowsInMaking* rows) {
  std::map<const EventType*, std::uint64_t> met;
  if (session.counts.empty()) met = count_events(trace, session);
  for (const EventType& type : session.types) {
    std::vector<std::string> names;
    std::vector<std::string> kinds;
    for (const Field& field : type.fields()) {
      names.push_back(field.name);
      kinds.push_back(field_kind_name(field));
    }
    NewRow row = rows->add();
    row.number(session_key(session)).number(type.number()).text(type.name());
    row.text_unless_empty(type.role() != Role::kNone ? to_string(type.role()) : "");
    row.text_unless_empty(type.description()).texts(names).texts(kinds);
    const auto count =
        std::ranges::find_if(session.counts, [&](const TypeCount& of) { return of.number == type.number(); });
    if (count != session.counts.end()) {
      row.number(count->rows);
    } else if (session.counts.empty()) {
      row.number(met[&type]);
    } else if (type.number() < EVT_ROW_WIDE) {
      row.number(0);
    } else {
      row.null();
    }
  }
}

Table lost_table() {
  return {"lost",
          "Events that were lost.",
          {session_column(), count_column("stream", "id of their stream; null: not known"),
           word_column(
               "cause",
               "why the writer had no room for them, such as ring_full; missing: they were written and cannot be read"),
           count_column("events", "number of events"), time_column("time", "earliest possible time of the first"),
           ns_column("from_ns", "the same, since the session's start"),
           ns_column("to_ns", "when the last was; null: not known")}};
}

void add_lost_row(const Event& event, RowsInMaking* rows) {
  const auto count = event.value("count");
  const auto cause = event.value("cause");
  const auto duration = event.value("duration");
  const std::int64_t from_ns = event.ns() - (duration ? event.delta_to_ns(duration->as_signed()) : 0);
  NewRow row = rows->add();
  row.number(session_key(event.session())).number(event.stream().id);
  const std::uint64_t number = cause ? cause->as_unsigned() : 0;
  const Field::Label* const label = cause ? cause->field().label(number) : nullptr;
  row.text(label != nullptr ? label->text : "cause " + std::to_string(number));
  row.number(count ? count->as_unsigned() : 0).time(event.ns_to_utc(from_ns)).ns(from_ns).ns(event.ns());
}

void add_missing_rows(const Trace& trace, std::size_t number, const TimeRange& range, RowsInMaking* rows) {
  const Session& session = trace.sessions()[number];
  for (const MissingRows& missing : trace.missing()) {
    const std::int64_t to_ns = missing.or_later ? INT64_MAX : missing.to_ns;
    if (missing.session != number || to_ns < range.from_ns || missing.from_ns > range.to_ns) continue;
    NewRow row = rows->add();
    row.number(session_key(session)).number_unless_0(missing.stream).text("missing").number(missing.rows);
    row.time(utc_by_start(session, missing.from_ns)).ns(missing.from_ns);
    if (missing.or_later) {
      row.null();
    } else {
      row.ns(missing.to_ns);
    }
  }
}

}  // namespace evt

#include "trace_answers.h"

#include <algorithm>

#include "json_object.h"
#include "range_statistics.h"
#include "session_events.h"
#include "trace_sentences.h"

namespace evt::tools {
namespace {

using view::SessionTiles;
using view::TrackKind;

const char* name_of(TrackKind kind) {
  switch (kind) {
    case TrackKind::kCpus:
      return "cpus";
    case TrackKind::kCpu:
      return "cpu";
    case TrackKind::kThread:
      return "thread";
    case TrackKind::kSpan:
      return "span";
    case TrackKind::kCounter:
      return "counter";
    case TrackKind::kMark:
      return "mark";
    default:
      return "events";
  }
}

// The row of the thread whose spans a row has.
std::optional<std::size_t> parent_of(const std::vector<SessionTiles::Row>& rows, const std::string& key) {
  const std::string_view begin = "span/";
  if (!key.starts_with(begin)) return std::nullopt;
  const std::string thread = "thread/" + key.substr(begin.size(), key.rfind('/') - begin.size());
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.key == thread; });
  return row == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(row - rows.begin()));
}

}  // namespace

void TraceAnswers::add(Trace& trace, const std::string& name) {
  for (std::size_t i = 0; i < trace.sessions().size(); ++i) {
    const Session& session = trace.sessions()[i];
    std::string title = session.program.empty() ? name : fmt::format("{}: {}", name, session.program);
    if (trace.sessions().size() > 1) title += fmt::format(" ({} of {})", i + 1, trace.sessions().size());
    sessions_.push_back({title, &trace, i, SessionTiles(trace, session)});
  }
}

// What is missing of the trace.
std::vector<std::string> TraceAnswers::notes_of(const Part& part) {
  std::vector<std::string> notes = trace_sentences(*part.trace, Losses(), UnknownTimes());
  if (part.tiles.status().code() == Code::kIo) notes.push_back(part.tiles.status().message());
  return notes;
}

std::string TraceAnswers::trace() {
  const std::lock_guard lock(one_at_a_time_);
  for (Part& part : sessions_) part.tiles.layout();
  return text_from([&](TextBuffer& out) {
    JsonObject json(out);
    json.number("version", 1);
    json.name_text("title", title_);
    json.list("sessions", sessions_, [&](const Part& part) {
      const Session& session = part.tiles.session();
      JsonObject each(out);
      each.name_text("name", part.name);
      each.name_text("from", std::to_string(first_event_ns(session)));
      each.name_text("to", std::to_string(session.last_ns));
      each.name_text("events", std::to_string(session.rows));
      each.name_text("lost", std::to_string(session.lost + session.missing));
      each.name_text("start_utc", std::to_string(session.start_utc_ns));
      each.list("notes", notes_of(part), [&](const std::string& note) { append_json_text(out, note); });
      each.end();
    });
    json.yes("complete", true);
    json.number("progress", 1);
    json.number("generation", kGeneration);
    json.end();
  });
}

std::string TraceAnswers::progress() {
  return fmt::format("data: {{\"generation\":{},\"progress\":1,\"complete\":true}}\n\n", kGeneration);
}

std::string TraceAnswers::rows(std::size_t session) {
  const std::lock_guard lock(one_at_a_time_);
  const SessionTiles::Layout& layout = sessions_[session].tiles.layout();
  return text_from([&](TextBuffer& out) {
    JsonObject json(out);
    json.number("generation", kGeneration);
    json.number("finest", 0);
    std::size_t id = 0;
    json.list("rows", layout.rows, [&](const SessionTiles::Row& row) {
      JsonObject each(out);
      each.number("id", id++);
      const auto parent = parent_of(layout.rows, row.key);
      parent ? each.number("parent", *parent) : each.null("parent");
      each.name_text("kind", name_of(row.kind));
      each.name_text("name", row.name);
      each.number("of", row.of);
      each.end();
    });
    json.list("names", layout.names.all(), [&](const std::string& name) { append_json_text(out, name); });
    json.end();
  });
}

std::size_t TraceAnswers::row_count(std::size_t session) {
  const std::lock_guard lock(one_at_a_time_);
  return sessions_[session].tiles.layout().rows.size();
}

std::string TraceAnswers::tile(std::size_t session, view::TilePlace place, const std::vector<std::uint32_t>& rows) {
  const std::lock_guard lock(one_at_a_time_);
  const std::vector<view::TileRow>& all = sessions_[session].tiles.rows_of(place);
  view::Tile tile(place, kGeneration);
  for (const std::uint32_t row : rows) tile.add(row, all[row], false);
  return tile.bytes();
}

TimeRange TraceAnswers::range(std::size_t session) {
  const std::lock_guard lock(one_at_a_time_);
  return sessions_[session].tiles.layout().range;
}

// One of no length has a nanosecond.
TimeRange TraceAnswers::whole(std::size_t session) const {
  const Session& of = sessions_[session].tiles.session();
  const std::int64_t from_ns = first_event_ns(of);
  return {from_ns, std::max(of.last_ns, from_ns + 1)};
}

std::string TraceAnswers::statistics(std::size_t session, TimeRange range) {
  const std::lock_guard lock(one_at_a_time_);
  return range_statistics_json(*sessions_[session].trace, sessions_[session].session, range);
}

std::string TraceAnswers::event(std::size_t session, std::uint32_t row, std::int64_t ns, FindEvent find) {
  const std::lock_guard lock(one_at_a_time_);
  return fmt::format("{{\"event\":{}}}", EventSearch(sessions_[session].tiles).on_row(row, ns, find));
}

std::string TraceAnswers::find(std::size_t session, const std::string& query, std::int64_t ns, FindEvent find) {
  const std::lock_guard lock(one_at_a_time_);
  Part& part = sessions_[session];
  const EventSearch::Found found = EventSearch(part.tiles).matching(*part.trace, query, ns, find);
  return text_from([&](TextBuffer& out) {
    out += fmt::format("{{\"event\":{},\"row\":{},\"error\":", found.event,
                       found.row ? std::to_string(*found.row) : "null");
    found.error.empty() ? void(out += "null") : append_json_text(out, found.error);
    out += '}';
  });
}

std::string TraceAnswers::events(std::size_t session) {
  const std::lock_guard lock(one_at_a_time_);
  return session_events_json(sessions_[session].tiles);
}

}  // namespace evt::tools

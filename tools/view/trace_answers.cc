#include "trace_answers.h"

#include <algorithm>

#include "base/json_object.h"
#include "base/trace_sentences.h"
#include "libtrace-view/look/words.h"
#include "session_events.h"
#include "span_causes.h"

namespace evt::tools {
namespace {

using view::SessionTiles;
using view::TrackKind;

// By TrackKind.
constexpr const char* kTrackWords[] = {"cpus",   "cpu",    "thread", "span",   "counter", "mark",
                                       "events", "sparks", "object", "tracer", "async",   "samples"};

// Of the first events of traces, as many reads as take some tenths of a second.
constexpr int kFirstReads = 8;
// Of more sessions the first events are read when somebody looks at them.
constexpr std::size_t kFirstSessions = 8;
// Of events: fewer are read as quickly.
constexpr std::uint64_t kLeastKept = 500'000;
// Of checkpoints, in which loads change: restoring them takes less than a tenth of a second.
constexpr std::size_t kMostLoads = 64;
// For more of a trace that grows, and between two questions whether it is wanted still.
constexpr int kMostWaits = 10;
constexpr std::chrono::milliseconds kWait(100);

// Whether a row has samples or spans of the lane of another, which is of its threads or has spans that are around them:
// span/3/1 and thread/3, or span/3/0. Or asynchronous ones of the same name: async/3/1 and async/3/0.
bool is_of(const SessionTiles::Row& spans, const SessionTiles::Row& first) {
  if (spans.kind == TrackKind::kSamples) {
    const std::string number = spans.key.substr(spans.key.find('/'));
    return first.key == "thread" + number || first.key.starts_with("span" + number + "/");
  }
  if (spans.kind != TrackKind::kSpan && spans.kind != TrackKind::kAsync) return false;
  const std::string_view lane = std::string_view(spans.key).substr(0, spans.key.rfind('/') + 1);  // span/3/
  if (first.key.starts_with(lane)) return true;
  const std::string_view number = lane.substr(lane.find('/'), lane.size() - lane.find('/') - 1);
  return spans.kind == TrackKind::kSpan && first.key == fmt::format("thread{}", number);
}

// The kinds of rows that show what was not read yet: events by the index, and others by checkpoints.
std::vector<std::string> known_ahead(const SessionTiles& tiles) {
  std::vector<std::string> known;
  if (tiles.is_complete()) return known;
  for (std::size_t kind = 0; kind < view::kTrackKinds; ++kind) {
    const auto of = static_cast<TrackKind>(kind);
    const bool is_known = of == TrackKind::kEvents || (tiles.looks_ahead() && view::AheadRows::has(of));
    if (is_known) known.emplace_back(kTrackWords[kind]);
  }
  return known;
}

}  // namespace

void TraceAnswers::add(Trace& trace, const std::string& name, const std::string& file, const std::string& note) {
  for (std::size_t i = 0; i < trace.sessions().size(); ++i) {
    const Session& session = trace.sessions()[i];
    std::string title = session.program.empty() ? name : fmt::format("{}: {}", name, session.program);
    if (trace.sessions().size() > 1) title += fmt::format(" ({} of {})", i + 1, trace.sessions().size());
    sessions_.push_back({title, &trace, i, SessionTiles(trace, session), {file}});
    if (!note.empty()) sessions_.back().notes = {note};
  }
}

void TraceAnswers::add_merged(Trace& trace, const std::vector<std::string>& files,
                              const std::vector<std::string>& warnings, const std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < trace.sessions().size(); ++i) {
    sessions_.push_back({title_, &trace, i, SessionTiles(trace, trace.sessions()[i]), files, 0, notes, warnings, true});
  }
}

Status TraceAnswers::follow(LiveTrace& live, const std::string& name, const std::string& file) {
  auto trace = live.now();
  if (!trace) return trace.status();
  live_ = &live;
  live_name_ = name;
  live_file_ = file;
  live_trace_ = std::make_unique<Trace>(*std::move(trace));
  add(*live_trace_, name, file);
  for (Part& part : sessions_) part.tiles.set_growing(true);
  live.begin();
  return {};
}

// Sessions of a trace that grows stay in their places. No other answer is in the middle of its work.
void TraceAnswers::take(LiveTrace::Look look) {
  const Turns::Turn turn(turns_, Turns::Urgency::kPatient);
  if (live_ == nullptr) return;
  searched_.reset();
  late_ = std::max(late_, look.late);
  live_problem_ = look.status.message();
  if (look.has_ended) live_ = nullptr;
  if (look.trace == nullptr) return;
  std::deque<Part> before = std::exchange(sessions_, {});
  add(*look.trace, live_name_, live_file_);
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (i < before.size()) look.tiles[i].go_on_from(before[i].tiles);
    look.tiles[i].set_growing(!look.has_ended);
    sessions_[i].tiles = std::move(look.tiles[i]);
  }
  before.clear();  // refers to the trace that goes
  live_trace_ = std::move(look.trace);
}

void TraceAnswers::append_growth(JsonObject& json) const {
  const bool is_live = live_trace_ != nullptr;
  json.text_or_null("live", !is_live ? "" : live_ != nullptr ? "running" : "ended");
  if (is_live) json.digits("late", late_);
}

std::string TraceAnswers::look(const IsWanted& is_wanted) {
  LiveTrace* live = nullptr;
  {
    const Turns::Turn turn(turns_);
    live = live_;
  }
  for (int waits = 0; live != nullptr && waits < kMostWaits && is_wanted(); ++waits) {
    auto look = live->next(kWait);
    if (!look) continue;
    take(*std::move(look));
    break;
  }
  const Turns::Turn turn(turns_);
  return json_text([&](JsonObject& json) {
    json.number("generation", generation());
    append_growth(json);
  });
}

void TraceAnswers::use_cache(const ViewCache& cache, const std::string& file) {
  cache_ = &cache;
  for (Part& part : sessions_) {
    if (part.trace != sessions_.back().trace || part.tiles.session().rows < kLeastKept) continue;
    auto finished = cache.load(file, *part.trace, part.session);
    if (finished) {
      part.tiles.restore(*std::move(finished));
    } else {
      part.kept_for = file;
      HistoryOptions known;
      known.cache_folder = cache.folder();
      known.trace_file = file;
      known.makes_checkpoints = false;
      part.history = std::make_unique<StateHistory>(*part.trace, known);
      part.tiles.expect(view::CpuLoads(*part.history, part.session, kMostLoads));
      if (!part.history->checkpoint_file().empty()) part.tiles.look_ahead(*part.history, part.session);
    }
  }
}

// What is missing of the trace.
std::vector<std::string> TraceAnswers::warnings_of(const Part& part) const {
  std::vector<std::string> warnings = part.warnings;
  if (!part.is_merged) {
    const std::vector<std::string> sentences =
        live_ != nullptr ? growing_sentences(*part.trace) : trace_sentences(*part.trace, UnknownTimes());
    warnings.insert(warnings.end(), sentences.begin(), sentences.end());
  }
  if (!live_problem_.empty()) warnings.push_back(live_problem_);
  if (part.tiles.status().code() == Code::kIo) warnings.push_back(part.tiles.status().message());
  return warnings;
}

SessionTiles& TraceAnswers::begun(std::size_t session) {
  Part& part = sessions_[session];
  for (; part.first_reads < kFirstReads && part.tiles.read_on(); ++part.first_reads) continue;
  if (!part.begin_ns) part.begin_ns = part.tiles.layout().range.from_ns;
  return part.tiles;
}

// Tiles of what was restored read on, and make marks.
TraceAnswers::IsWanted TraceAnswers::giving_way(std::size_t session, Turns::Turn& turn, const IsWanted& is_wanted) {
  const SessionTiles& tiles = begun(session);
  return [&tiles, &turn, is_wanted] {
    if (tiles.is_read() || !tiles.is_complete()) turn.give_way();
    return is_wanted();
  };
}

std::uint64_t TraceAnswers::generation() const {
  std::uint64_t sum = 0;
  for (const Part& part : sessions_) sum += part.tiles.generation();
  return sum;
}

bool TraceAnswers::is_complete() const {
  return std::all_of(sessions_.begin(), sessions_.end(), [](const Part& part) { return part.tiles.is_complete(); });
}

double TraceAnswers::progress_of_all() {
  double sum = 0;
  for (Part& part : sessions_) sum += part.tiles.progress();
  return sessions_.empty() ? 1 : sum / static_cast<double>(sessions_.size());
}

bool TraceAnswers::read_on(const IsWanted& is_wanted) {
  std::optional<std::uint64_t> before;
  while (is_wanted()) {
    const Turns::Turn turn(turns_, Turns::Urgency::kPatient);
    const auto part =
        std::find_if(sessions_.begin(), sessions_.end(), [](const Part& each) { return !each.tiles.is_complete(); });
    if (part == sessions_.end()) {
      if (before.has_value()) return true;
      if (keep_some()) continue;
      return false;
    }
    if (!before) before = generation();
    part->tiles.read_on();
    if (generation() != *before) return true;
  }
  return false;
}

bool TraceAnswers::keep_some() {
  const auto part =
      std::find_if(sessions_.begin(), sessions_.end(), [](const Part& each) { return !each.kept_for.empty(); });
  if (part == sessions_.end()) return false;
  if (!part->making) part->making.emplace(part->tiles);
  if (part->making->go_on()) return true;
  // Damage is reported each time, by reading it.
  const bool is_whole = part->tiles.status().ok() && part->trace->damage().empty();
  if (is_whole) cache_->keep(part->kept_for, *part->trace, part->session, part->making->take());
  part->making.reset();
  part->kept_for.clear();
  return true;
}

std::string TraceAnswers::trace() {
  const Turns::Turn turn(turns_);
  for (std::size_t i = 0; i < std::min(sessions_.size(), kFirstSessions); ++i) begun(i);
  return json_text([&](JsonObject& json) {
    json.number("version", 1);
    json.name_text("title", title_);
    const auto append_word = [](TextBuffer& out, const char* word) { append_json_text(out, word); };
    json.list("states", view::kStateWords, append_word);
    json.list("bands", view::kBandWords, append_word);
    json.objects("kinds", kTrackWords, [](JsonObject& each, const char* const& word) {
      each.name_text("kind", word);
      each.name_text("title", view::kKindTitles[static_cast<std::size_t>(&word - kTrackWords)]);
    });
    json.objects("sessions", sessions_, [this](JsonObject& each, const Part& part) {
      const Session& session = part.tiles.session();
      each.name_text("name", part.name);
      each.digits("from", part.begin_ns.value_or(first_event_ns(session)));
      each.digits("to", end_ns_of(session));
      each.digits("until", part.tiles.until_ns());
      each.texts("ahead", known_ahead(part.tiles));
      each.digits("events", session.rows);
      each.digits("lost", session.lost + session.missing);
      each.digits("start_utc", session.start_utc_ns);
      each.all_texts("files", part.files);
      each.number("merged", part.is_merged);
      each.all_texts("notes", part.notes);
      each.all_texts("warnings", warnings_of(part));
      each.objects("statistics", page_statistics(session), [](JsonObject& one, const PageStatistics* statistics) {
        one.name_text("name", statistics->name);
        one.name_text("title", statistics->title);
        one.name_text("command", statistics->command());
      });
    });
    json.number("complete", is_complete());
    json.number("progress", progress_of_all());
    json.number("generation", generation());
    append_growth(json);
  });
}

std::string TraceAnswers::progress() {
  const Turns::Turn turn(turns_);
  return fmt::format("data: {{\"generation\":{},\"progress\":{:.3f},\"complete\":{}}}\n\n", generation(),
                     progress_of_all(), is_complete());
}

std::string TraceAnswers::rows(std::size_t session) {
  const Turns::Turn turn(turns_);
  const SessionTiles::Layout& layout = begun(session).layout();
  return json_text([&](JsonObject& json) {
    json.number("generation", generation());
    json.number("finest", 0);
    const SessionTiles::Row* first = nullptr;  // above, the last: of a lane, whose other rows are below it
    json.objects("rows", layout.rows, [&](JsonObject& each, const SessionTiles::Row& row) {
      const bool is_below = first != nullptr && is_of(row, *first);
      if (!is_below) first = &row;
      each.number("id", row.id);
      is_below ? each.number("parent", first->id) : each.null("parent");
      each.name_text("kind", kTrackWords[static_cast<std::size_t>(row.kind)]);
      each.name_text("name", row.name);
      each.number("of", row.of);
      each.number_or_null("group", row.group, row.group != view::RowGroups::kNone);
      each.text_or_null("unit", row.unit);
    });
    json.objects("groups", layout.groups, [](JsonObject& each, const view::RowGroup& group) {
      each.name_text("title", group.title);
      each.yes("process", group.is_process);
      each.yes("closed", group.is_recorder);
    });
    json.all_texts("names", layout.names.all());
  });
}

std::size_t TraceAnswers::end_of_ids(std::size_t session) {
  const Turns::Turn turn(turns_);
  return begun(session).end_of_ids();
}

std::string TraceAnswers::tile(std::size_t session, view::TilePlace place, const std::vector<std::uint32_t>& rows,
                               const IsWanted& is_wanted) {
  while (is_wanted()) {
    const Turns::Turn turn(turns_);
    const SessionTiles::Tiles* const tiles = begun(session).tiles_at(place, rows);
    if (tiles == nullptr) continue;
    view::Tile tile(place, generation());
    for (const std::uint32_t row : rows) tile.add(row, *tiles->rows[row], tiles->is_partial);
    return tile.bytes();
  }
  return {};
}

TimeRange TraceAnswers::range(std::size_t session) {
  const Turns::Turn turn(turns_);
  return begun(session).layout().range;
}

// One of no length has a nanosecond.
TimeRange TraceAnswers::whole(std::size_t session) {
  const TimeRange all = range(session);
  return {all.from_ns, std::max(all.to_ns, all.from_ns + 1)};
}

std::vector<const PageStatistics*> TraceAnswers::statistics(std::size_t session) {
  const Turns::Turn turn(turns_);
  return page_statistics(sessions_[session].tiles.session());
}

std::vector<std::string> TraceAnswers::statistics(std::size_t session, TimeRange range,
                                                  const std::vector<const PageStatistics*>& of) {
  Turns::Turn turn(turns_);
  return range_statistics_json(*sessions_[session].trace, sessions_[session].session, range, of,
                               [&] { turn.give_way(); });
}

std::string TraceAnswers::event(std::size_t session, std::uint32_t row, std::int64_t ns, FindEvent find,
                                const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  return fmt::format("{{\"event\":{}}}",
                     EventSearch(begun(session), Patience(giving_way(session, turn, is_wanted))).on_row(row, ns, find));
}

std::string TraceAnswers::events(std::size_t session, std::int64_t ns, std::size_t before, std::size_t after,
                                 const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  return events_around(begun(session), Patience(giving_way(session, turn, is_wanted)), ns, before, after);
}

std::string TraceAnswers::flows(std::size_t session, TimeRange range, std::optional<std::uint32_t> row,
                                std::size_t most, const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  return FlowList(begun(session), Patience(giving_way(session, turn, is_wanted))).touching(range, row, most);
}

std::string TraceAnswers::why(std::size_t session, std::uint32_t row, TimeRange span, const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  SessionTiles& tiles = begun(session);
  const Patience patience(giving_way(session, turn, is_wanted));
  return SpanCauses(*sessions_[session].trace, tiles.session(), tiles.layout(), patience).of(row, span);
}

std::shared_ptr<const TraceAnswers::Searched> TraceAnswers::searched(std::size_t session, const std::string& query,
                                                                     Patience patience) {
  if (searched_ && searched_->session == session && searched_->text == query) return searched_;
  Query parsed(*sessions_[session].trace, query);
  const bool is_right = parsed.error().empty();
  Matches matches = is_right ? Matches(begun(session), parsed, patience) : Matches();
  auto searched = std::make_shared<const Searched>(Searched{session, query, std::move(parsed), std::move(matches)});
  if (patience.lasts()) searched_ = searched;
  return searched;
}

std::string TraceAnswers::find(std::size_t session, const std::string& query, const Wanted& wanted,
                               const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  const auto found = searched(session, query, Patience(giving_way(session, turn, is_wanted)));
  const std::vector<Match>& all = found->matches.all();
  return json_text([&](JsonObject& json) {
    json.number("count", all.size());
    json.yes("more", all.size() == Matches::kMost);
    json.text_or_null("error", found->query.error());
    if (all.empty()) return json.null("event");
    const std::size_t place = wanted.place ? *wanted.place % all.size() : found->matches.place(wanted.ns, wanted.find);
    json.number("place", place);
    json.number_or_null("row", all[place].row, all[place].row != EventRows::kNone);
    json.number(
        "event",
        EventSearch(begun(session), Patience(giving_way(session, turn, is_wanted))).matching(found->query, all[place]));
  });
}

std::string TraceAnswers::matches(std::size_t session, const std::string& query, TimeRange range, std::int64_t step_ns,
                                  const IsWanted& is_wanted) {
  Turns::Turn turn(turns_);
  return searched(session, query, Patience(giving_way(session, turn, is_wanted)))->matches.in(range, step_ns);
}

std::string TraceAnswers::all_events(std::size_t session) {
  const Turns::Turn turn(turns_);
  return session_events_json(begun(session));
}

}  // namespace evt::tools

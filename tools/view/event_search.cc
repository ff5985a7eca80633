#include "event_search.h"

#include <evt/timeline.h>

#include <algorithm>

#include "enclosing_span.h"
#include "event_facts.h"
#include "event_rows.h"
#include "thread_text.h"

namespace evt::tools {
namespace {

bool are_of_one_span(const TimelineItem& a, const TimelineItem& b) {
  return a.part == b.part && a.value == b.value && a.name == b.name && a.began_ns == b.began_ns;
}

// The asynchronous span that an event begins or ends.
// Takes the items of one session in order: up to an event of which it is asked, and on to the end of the span. Refers
// to the timeline.
class AsyncOfEvent {
 public:
  struct Found {
    std::string name;
    std::uint64_t id = 0;
    std::string stream;  // on which it began
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    bool is_open = false;  // no event ends it
  };

  explicit AsyncOfEvent(Timeline& timeline) : timeline_(&timeline) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kRow) is_at_event_ = is_at_event_ && item.event->is_facet;
    if (is_expected_) {
      is_expected_ = false;
      is_at_event_ = true;
    }
    if (item.kind == ItemKind::kAsyncBegan && is_at_event_) begun_ = item;
    if (item.kind != ItemKind::kAsyncEnded) return;
    const bool is_its = begun_ ? are_of_one_span(*begun_, item) : is_at_event_ && !item.is_cut;
    if (!is_its) return;
    begun_.reset();
    found_ = {timeline_->names().text(item.name), item.value, item.stream->name, item.began_ns, item.ended_ns,
              item.is_open || item.is_cut};
  }
  // The next item that is taken is that of the event itself.
  void expect_event() { is_expected_ = true; }
  // Whether further items change nothing.
  bool is_done() const { return !is_expected_ && !is_at_event_ && !begun_; }
  // Nothing if the event neither begins nor ends one. REQUIRES: is_done(), or all items were taken.
  const std::optional<Found>& found() const { return found_; }

 private:
  Timeline* timeline_;
  bool is_expected_ = false;
  bool is_at_event_ = false;           // its further items follow
  std::optional<TimelineItem> begun_;  // by the event; it is open
  std::optional<Found> found_;
};

// Finds the stretch of a state that the row of a thread or cpu shows at a time, for the page of evt view.
// Reads the session near the time, from a mark on to the end of the step. Refers to the tiles. Its answer has no
// meaning once the patience has ended.
class StateSearch {
 public:
  StateSearch(view::SessionTiles& tiles, Patience& patience)
      : tiles_(&tiles), rows_(tiles.layout()), patience_(&patience) {}

  // Nothing where no event shows the state.
  std::optional<StateStretch> on_row(std::uint32_t row, std::int64_t ns) {
    const std::uint32_t group = rows_.group_of(row);
    for (const Mark* from = tiles_->mark_before(ns);; from = tiles_->mark_before(since(*from, group))) {
      std::optional<StateStretch> found = behind(from, group, ns);
      if (found || from == nullptr || !patience_->lasts()) return found;
    }
  }

 private:
  using Mark = view::RowMarks::Mark;

  std::optional<StateStretch> behind(const Mark* from, std::uint32_t group, std::int64_t ns) {
    std::optional<StateStretch> found;
    std::optional<EventRows::Pass> pass;
    bool is_past = false;
    StateStretches stretches(
        rows_,
        [&](const StateStretch& stretch) {
          if (stretch.from_ns <= ns && stretch.to_ns > ns) found = stretch;
        },
        group);
    const auto take = [&](Timeline& timeline, const TimelineItem& item) {
      if (!is_past && item.ns > ns) {
        is_past = true;
        if (!stretches.goes_on()) return false;
      }
      if (!pass) pass.emplace(rows_, timeline, from);
      pass->take(timeline, item);
      stretches.take(timeline, *pass, item);
      return !found && patience_->lasts() && !(is_past && !stretches.goes_on());
    };
    tiles_->each_item(INT64_MAX, take, from);
    return found;
  }
  // Before it there is the begin of what goes on at the mark.
  // Of a cpu it is not known.
  std::int64_t since(const Mark& mark, std::uint32_t group) const {
    const std::vector<view::ThreadLives::Life>& lives = mark.rows->lives().all();
    for (std::size_t life = 0; life < lives.size(); ++life) {
      const bool goes_on = lives[life].thread != Actor::kNone && rows_.group_of_life(life) == group;
      if (goes_on) return std::min(lives[life].course.since_ns(), mark.timeline.ns());
    }
    return INT64_MIN;
  }

  view::SessionTiles* tiles_;
  EventRows rows_;
  Patience* patience_;
};

// Finds the span or call that a row of spans shows at a time, for the page of evt view.
// Reads the session near the time, from a mark on, and on to the end of what it finds. Refers to the tiles. Its answer
// has no meaning once the patience has ended.
class SpanSearch {
 public:
  struct Found {
    EventFacts event;  // that begins it, or records it as a whole
    EnclosingSpan::Found span;
    std::string thread;  // as tables have it: its name and its number
    std::string object;  // that a call is about; empty: nothing
  };

  SpanSearch(view::SessionTiles& tiles, Patience& patience)
      : tiles_(&tiles), rows_(tiles.layout()), patience_(&patience) {}

  // Of the spans of a row the last one that began at or before `ns`, the first after it, or the last before it.
  // What began before a mark is read again from before its begin: there are its event and its self time.
  std::optional<Found> on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
    for (const Mark* from = tiles_->mark_before(ns);;) {
      Pass pass(rows_, rows_.group_of(row), from, ns, find);
      const auto take = [&](Timeline& timeline, const TimelineItem& item) {
        return pass.take(timeline, item) && patience_->lasts();
      };
      tiles_->each_item(INT64_MAX, take, from);
      const std::optional<std::int64_t> began = pass.began_before();
      const bool is_earlier = began || (!pass.has_candidate() && find != FindEvent::kNext);
      if (!is_earlier || from == nullptr || !patience_->lasts()) return pass.found();
      from = tiles_->mark_before(std::min(began.value_or(INT64_MAX), from->timeline.ns()));
    }
  }

 private:
  using Mark = view::RowMarks::Mark;

  // From a mark on, to the end of the span that is found.
  class Pass {
   public:
    Pass(const EventRows& rows, std::uint32_t group, const Mark* from, std::int64_t ns, FindEvent find)
        : rows_(rows), group_(group), from_(from), ns_(ns), find_(find) {}

    // False: nothing behind it matters.
    bool take(Timeline& timeline, const TimelineItem& item) {
      if (!span_) begin(timeline);
      if (is_behind(item)) is_chosen_ = true;
      pass_->take(timeline, item);
      span_->take(item);
      const bool may_be = !is_chosen_ && item.kind == ItemKind::kBegan && is_on_row();
      if (may_be && (find_ != FindEvent::kNext || item.ns > ns_)) choose(timeline, item);
      if (has_candidate_ && span_->is_done() && !thread_) end(timeline, item);
      return !(is_chosen_ && (!has_candidate_ || span_->is_done()));
    }

    bool has_candidate() const { return has_candidate_; }
    // Of what began before the mark, when it did; what is found is not all of it.
    std::optional<std::int64_t> began_before() const {
      if (!has_candidate_ || !span_->found() || !span_->found()->was_open) return std::nullopt;
      return span_->found()->from_ns;
    }
    std::optional<Found> found() const {
      if (!has_candidate_ || !event_ || !span_->found()) return std::nullopt;
      return Found{*event_, *span_->found(), thread_.value_or(""), object_};
    }

   private:
    void begin(Timeline& timeline) {
      pass_.emplace(rows_, timeline, from_);
      if (from_ == nullptr) return void(span_.emplace(timeline));
      span_.emplace(timeline, from_->rows->spans());
      if (find_ == FindEvent::kNext) return;
      std::uint64_t number = 0;
      from_->rows->spans().each_open([&](std::uint32_t, const view::SpanRows::OpenSpan& open) {
        ++number;
        if (rows_.group_of(open.place) != group_) return;
        span_->want(number);
        has_candidate_ = true;
      });
    }

    bool is_on_row() const { return rows_.group_of(pass_->latest_span()) == group_; }
    bool is_behind(const TimelineItem& item) const {
      return (find_ == FindEvent::kAt && item.ns > ns_) || (find_ == FindEvent::kPrevious && item.ns >= ns_);
    }

    void choose(Timeline& timeline, const TimelineItem& item) {
      span_->want(span_->begun());
      object_ = pass_->object_of(timeline, item);
      has_candidate_ = true;
      is_chosen_ = find_ == FindEvent::kNext;
      thread_.reset();
      event_.reset();
      if (item.event != nullptr) event_.emplace(*item.event->event);
    }

    // One event may have recorded all of it, at its end.
    void end(Timeline& timeline, const TimelineItem& item) {
      thread_ = thread_text(timeline.actors(), item.thread);
      if (!event_ && item.event != nullptr) event_.emplace(*item.event->event);
    }

    const EventRows& rows_;
    std::uint32_t group_;
    const Mark* from_;
    std::int64_t ns_;
    FindEvent find_;
    std::optional<EventRows::Pass> pass_;
    std::optional<EnclosingSpan> span_;
    bool has_candidate_ = false;
    bool is_chosen_ = false;  // no other can be the one
    std::optional<EventFacts> event_;
    std::optional<std::string> thread_;  // once it has ended
    std::string object_;
  };

  view::SessionTiles* tiles_;
  EventRows rows_;
  Patience* patience_;
};

using view::SessionTiles;

void add_span(JsonObject& json, const std::optional<EnclosingSpan::Found>& span, const std::string& thread,
              const std::string& object) {
  if (!span) return json.null("span");
  json.object("span", [&](JsonObject& each) {
    each.name_text("name", span->name);
    each.digits("from", span->from_ns);
    each.digits("to", span->to_ns);
    each.digits("self", span->self_ns);
    each.yes("open", span->is_open);
    each.text("thread", thread);
    each.text("object", object);
    each.objects("around", span->around, [](JsonObject& one, const EnclosingSpan::Around& around) {
      one.name_text("name", around.name);
      one.digits("from", around.from_ns);
    });
  });
}

void add_async(JsonObject& json, const AsyncOfEvent::Found& async) {
  json.object("async", [&](JsonObject& each) {
    each.name_text("name", async.name);
    each.digits("id", async.id);
    each.name_text("stream", async.stream);
    each.digits("from", async.from_ns);
    each.digits("to", async.to_ns);
    each.yes("open", async.is_open);
  });
}

std::string json_of(const EventFacts& facts, const std::optional<EnclosingSpan::Found>& span,
                    const std::optional<AsyncOfEvent::Found>& async, const std::string& thread = "",
                    const std::string& object = "", const std::optional<StateStretch>& state = {}) {
  return json_text([&](JsonObject& json) {
    facts.add_members(json);
    facts.add_fields(json);
    add_span(json, span, thread, object);
    if (async) add_async(json, *async);
    if (state) json.object("state", [&](JsonObject& each) { state->add_members(each); });
  });
}

}  // namespace

// What is before is known only behind it: its place is found first. Backwards from mark to mark.
std::optional<EventSearch::Place> EventSearch::place_of(const Wanted& wanted, std::int64_t ns, FindEvent find) {
  const Mark* from = tiles_->mark_before(ns);
  if (find == FindEvent::kNext) return place_in(from, INT64_MAX, wanted, ns, find);
  for (std::int64_t to_ns = ns; patience_.lasts(); from = tiles_->mark_before(to_ns)) {
    if (const std::optional<Place> found = place_in(from, to_ns, wanted, ns, find); found || from == nullptr)
      return found;
    to_ns = from->timeline.ns();
  }
  return std::nullopt;
}

std::optional<EventSearch::Place> EventSearch::place_in(const Mark* from, std::int64_t to_ns, const Wanted& wanted,
                                                        std::int64_t ns, FindEvent find) {
  std::optional<Place> found;
  std::uint64_t events = 0;
  const IsWanted is_wanted = wanted(from);
  const bool is_next = find == FindEvent::kNext;
  const auto take = [&](Timeline& timeline, const TimelineItem& item) {
    if (is_shown_event(item)) ++events;
    const bool is_it =
        is_wanted(timeline, item) && events > 0 && (is_next ? item.ns > ns : find == FindEvent::kAt || item.ns < ns);
    if (is_it) found = {from, events - 1};
    return !(is_it && is_next) && patience_.lasts();
  };
  tiles_->each_item(to_ns, take, from);
  return found;
}

// A span that was open at the mark is read again from before its begin, of which its self time is.
std::string EventSearch::located(std::optional<Place> place, const std::optional<StateStretch>& state) {
  if (!place) return "null";
  const std::int64_t behind_ns = place->from != nullptr ? place->from->timeline.ns() : INT64_MIN;
  for (const Mark* from = place->from;;) {
    std::optional<EventFacts> facts;
    std::optional<EnclosingSpan> span;
    std::optional<AsyncOfEvent> async;
    std::uint64_t number = 0;
    const auto take = [&](Timeline& timeline, const TimelineItem& item) {
      if (!span && from != nullptr) span.emplace(timeline, from->rows->spans());
      if (!span) span.emplace(timeline);
      if (!async) async.emplace(timeline);
      const bool is_counted = is_shown_event(item) && (place->from == nullptr || item.ns > behind_ns);
      if (is_counted && number++ == place->number) {
        facts.emplace(*item.event->event);
        span->expect_event();
        async->expect_event();
      }
      span->take(item);
      async->take(item);
      return !(span->is_done() && async->is_done()) && patience_.lasts();
    };
    tiles_->each_item(INT64_MAX, take, from);
    if (!facts || !patience_.lasts()) return "null";
    const bool is_whole = from == nullptr || !span->found() || !span->found()->was_open;
    if (is_whole) return json_of(*facts, span->found(), async->found(), "", "", state);
    from = tiles_->mark_before(std::min(span->found()->from_ns, from->timeline.ns()));
  }
}

std::string EventSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  const SessionTiles::Layout& layout = tiles_->layout();
  const SessionTiles::Row* const shown = layout.row(row);
  if (shown == nullptr) return "null";
  if (shown->kind == view::TrackKind::kSpan) {
    const std::optional<SpanSearch::Found> found = SpanSearch(*tiles_, patience_).on_row(row, ns, find);
    return found ? json_of(found->event, found->span, std::nullopt, found->thread, found->object) : "null";
  }
  const EventRows rows(layout);
  std::optional<EventRows::Pass> pass;
  const auto wanted = [&](const Mark* from) {
    pass.reset();
    return [&, from](Timeline& timeline, const TimelineItem& item) {
      if (!pass) pass.emplace(rows, timeline, from);
      const std::vector<std::uint32_t>& groups = pass->take(timeline, item);
      return std::find(groups.begin(), groups.end(), rows.group_of(row)) != groups.end();
    };
  };
  const bool is_of_states = shown->kind == view::TrackKind::kThread || shown->kind == view::TrackKind::kCpu;
  const bool has_state = is_of_states && find == FindEvent::kAt;
  const auto state = has_state ? StateSearch(*tiles_, patience_).on_row(row, ns) : std::nullopt;
  return located(place_of(wanted, ns, find), state);
}

std::string EventSearch::matching(const Query& query, const Match& match) {
  const auto wanted = [&](const Mark*) {
    return [&, nth = std::uint32_t{0}](Timeline&, const TimelineItem& item) mutable {
      const bool may_be = is_shown_event(item) && item.ns == match.ns && query.holds_for(item);
      return may_be && nth++ == match.nth;
    };
  };
  return located(place_in(tiles_->mark_before(match.ns), match.ns, wanted, match.ns, FindEvent::kAt));
}

}  // namespace evt::tools

#include "session_events.h"

#include <evt/open_stack.h>
#include <evt/text/value_text.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/json_object.h"
#include "event_facts.h"
#include "event_rows.h"
#include "self_times.h"
#include "state_stretches.h"
#include "texts.h"
#include "thread_text.h"

namespace evt::tools {
namespace {

// What all threads and cpus of a session do, row by row, for a page that has no server to ask for it.
// Takes the items of one session in order, each behind EventRows::Pass. Refers to the rows.
class StateLists {
 public:
  explicit StateLists(const EventRows& rows)
      : rows_(&rows), stretches_(rows, [this](const StateStretch& stretch) { add(stretch); }) {}
  StateLists(const StateLists&) = delete;
  StateLists& operator=(const StateLists&) = delete;

  void take(Timeline& timeline, const EventRows::Pass& pass, const TimelineItem& item) {
    stretches_.take(timeline, pass, item);
  }
  // What session_events_json() has of them.
  void add_members(JsonObject& json) const {
    json.all_texts("words", texts_.all());
    json.list("states", lists_, [&](TextBuffer& out, const auto& list) {
      out += fmt::format("[{}{}]", rows_->row_of(list.first), list.second.json);
    });
  }

 private:
  struct List {
    std::string json;
    std::int64_t before_ns = 0;
  };

  // A difference of times fits the numbers of JSON; the first may not.
  void add(const StateStretch& stretch) {
    const auto [place, is_first] = lists_.try_emplace(stretch.group);
    List& list = place->second;
    list.json +=
        is_first ? fmt::format(",\"{}\"", stretch.from_ns) : fmt::format(",{}", stretch.from_ns - list.before_ns);
    list.before_ns = stretch.from_ns;
    list.json += fmt::format(",{},{},{}", stretch.to_ns - stretch.from_ns, int{stretch.is_open},
                             stretch.state ? fmt::format("{}", view::key_of(*stretch.state)) : "null");
    for (const std::string* const text : {&stretch.reason, &stretch.thread, &stretch.cpu, &stretch.woken_by}) {
      list.json += fmt::format(",{}", texts_.place(*text));
    }
  }

  const EventRows* rows_;
  StateStretches stretches_;
  std::map<std::uint32_t, List> lists_;  // by groups
  Texts texts_;
};

// All spans and calls of a session, row by row, for a page that has no server to ask for them.
// Takes the items of one session in order. Refers to the rows and the timeline.
class SpanLists {
 public:
  SpanLists(const EventRows& rows, Timeline& timeline) : rows_(&rows), selves_(timeline), lists_(rows.groups()) {}

  // `group`: that of the row where the item begins or ends a span. `events`: how many there were so far.
  // `object`: what the call is about that it begins.
  void take(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
            const std::string& object) {
    if (item.kind == ItemKind::kEnded) return end(item, events);
    selves_.take(item);
    if (item.kind == ItemKind::kBegan) begin(timeline, item, group, events, object);
  }
  // What session_events_json() has of them.
  void add_members(JsonObject& json) const {
    json.all_texts("names", names_.all());
    json.all_texts("threads", threads_.all());
    json.all_texts("objects", objects_.all());
    std::vector<std::uint32_t> with_spans;
    for (std::uint32_t group = 0; group < lists_.size(); ++group) {
      if (!lists_[group].empty()) with_spans.push_back(group);
    }
    json.list("spans", with_spans, [&](TextBuffer& out, std::uint32_t group) {
      out += fmt::format("[{}", rows_->row_of(group));
      std::int64_t before_ns = 0;
      for (const Span& span : lists_[group]) {
        // A difference of times fits the numbers of JSON; the first may not.
        out += &span == lists_[group].data() ? fmt::format(",\"{}\"", span.from_ns)
                                             : fmt::format(",{}", span.from_ns - before_ns);
        before_ns = span.from_ns;
        out += fmt::format(",{},{},{},{},{},{},{}", span.length_ns, span.self_ns, span.event, span.name, span.thread,
                           int{span.is_open}, span.object);
      }
      out += ']';
    });
  }

 private:
  struct Span {
    std::int64_t from_ns = 0;
    std::int64_t length_ns = 0;
    std::uint64_t self_ns = 0;
    std::uint64_t event = 0;
    std::size_t name = 0;
    std::size_t thread = 0;
    std::size_t object = 0;
    bool is_open = false;
  };
  struct Open {
    std::uint32_t group = EventRows::kNone;
    std::size_t place = 0;
  };
  void begin(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
             const std::string& object) {
    Open& open = open_.begin(item);
    open = {group, 0};
    if (group == EventRows::kNone) return;
    open.place = lists_[group].size();
    Span span;
    span.from_ns = item.began_ns;
    if (!item.is_complete) span.event = events - 1;
    span.name = names_.place(timeline.names().text(item.name));
    span.object = objects_.place(object);
    span.thread = threads_.place(thread_text(timeline.actors(), item.thread));
    lists_[group].push_back(span);
  }
  void end(const TimelineItem& item, std::uint64_t events) {
    const Open open = open_.end(item);
    const std::uint64_t self_ns = selves_.end(item);
    if (open.group == EventRows::kNone) return;
    Span& span = lists_[open.group][open.place];
    span.length_ns = item.ended_ns - span.from_ns;
    span.self_ns = self_ns;
    span.is_open = item.is_open || item.is_cut;
    if (item.is_complete) span.event = events - 1;
  }

  const EventRows* rows_;
  SelfTimes selves_;
  OpenStacks<Open> open_;
  std::vector<std::vector<Span>> lists_;  // by groups
  Texts names_;
  Texts threads_;
  Texts objects_;
};

// Lists of numbers as JSON, each element by how much it is more than the one before.
class Gaps {
 public:
  // One that is the last one already is there once.
  void add(std::uint64_t number) {
    if (!text_.empty() && number == before_) return;
    if (!text_.empty()) text_ += ',';
    text_ += std::to_string(number - before_);
    before_ = number;
  }
  std::string text() const { return '[' + text_ + ']'; }

 private:
  std::string text_;
  std::uint64_t before_ = 0;
};

class EventLists {
 public:
  explicit EventLists(view::SessionTiles& tiles)
      : session_(tiles.session()), layout_(tiles.layout()), rows_(layout_), members_(rows_.groups()) {}

  void take(Timeline& timeline, const TimelineItem& item) {
    if (!pass_) {
      pass_.emplace(rows_, timeline, nullptr);
      spans_.emplace(rows_, timeline);
      states_.emplace(rows_);
    }
    const std::vector<std::uint32_t>& groups = pass_->take(timeline, item);
    spans_->take(timeline, item, rows_.group_of(pass_->latest_span()), count_, pass_->object_of(timeline, item));
    states_->take(timeline, *pass_, item);
    if (is_shown_event(item)) {
      add(*item.event->event);
      ++count_;
      shown_.push_back(EventRows::kNone);
    }
    if (count_ > 0) shown_.back() = pass_->row();
    for (const std::uint32_t group : groups) members_[group].add(count_ - 1);
  }

  std::string json() const {
    return json_text([&](JsonObject& json) {
      json.list("types", types_, [](TextBuffer& out, const std::string& type) { out += type; });
      json.list("streams", session_.streams,
                [](TextBuffer& out, const StreamInfo& stream) { append_json_text(out, stream.name); });
      json.number("ns", '[' + times_ + ']');
      json.number("stream", '[' + streams_ + ']');
      json.number("type", '[' + numbers_of_types_ + ']');
      json.number("values", '[' + std::string(values_.text()) + ']');
      const auto append_number = [](TextBuffer& out, std::uint32_t number) {
        out += number == EventRows::kNone ? "null" : std::to_string(number);
      };
      std::vector<std::uint32_t> groups;
      for (std::uint32_t row = 0; row < rows_.end_of_ids(); ++row) groups.push_back(rows_.group_of(row));
      json.list("groups", groups, append_number);
      json.list("row", shown_, append_number);
      json.list("members", members_, [](TextBuffer& out, const Gaps& members) { out += members.text(); });
      if (spans_) spans_->add_members(json);
      if (states_) states_->add_members(json);
    });
  }

 private:
  static std::string json_of_type(const EventType& type) {
    return json_text([&](JsonObject& json) {
      json.name_text("name", type.name());
      json.list("fields", type.fields(),
                [](TextBuffer& out, const Field& field) { append_json_text(out, field.name); });
    });
  }

  void add(const Event& event) {
    const char* const between = count_ == 0 ? "" : ",";
    // A difference of times fits the numbers of JSON; the first may not.
    times_ += count_ == 0 ? '"' + std::to_string(event.ns()) + '"' : ',' + std::to_string(event.ns() - before_ns_);
    before_ns_ = event.ns();
    streams_ += between + std::to_string(&event.stream() - session_.streams.data());
    const auto [type, is_new] = numbers_.emplace(&event.type(), types_.size());
    if (is_new) types_.push_back(json_of_type(event.type()));
    numbers_of_types_ += between + std::to_string(type->second);
    values_ += between;
    append_values(event);
  }

  void append_values(const Event& event) {
    values_ += '[';
    FieldWalker values = event.values();
    const char* between = "";
    for (std::size_t i = 0; i < event.type().fields().size(); ++i) {
      const std::optional<Value> value = values.next();
      values_ += between;
      between = ",";
      value ? append_json_text(values_, value_text(event, *value)) : void(values_ += "null");
    }
    values_ += ']';
  }

  const Session& session_;
  const view::SessionTiles::Layout& layout_;
  EventRows rows_;
  std::optional<EventRows::Pass> pass_;
  std::optional<SpanLists> spans_;
  std::optional<StateLists> states_;
  std::vector<std::uint32_t> shown_;  // of each event the row that shows it best
  std::vector<Gaps> members_;
  std::map<const EventType*, std::size_t> numbers_;  // while they are read: types go with the Timeline
  std::vector<std::string> types_;
  std::string times_;
  std::string streams_;
  std::string numbers_of_types_;
  TextBuffer values_;
  std::int64_t before_ns_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::string session_events_json(view::SessionTiles& tiles) {
  EventLists lists(tiles);
  tiles.each_item(INT64_MAX, [&](Timeline& timeline, const TimelineItem& item) {
    lists.take(timeline, item);
    return true;
  });
  return lists.json();
}

}  // namespace evt::tools

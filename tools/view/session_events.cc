#include "session_events.h"

#include <evt/text/value_text.h>

#include <map>
#include <optional>

#include "base/json_object.h"
#include "event_facts.h"
#include "event_rows.h"
#include "span_lists.h"
#include "state_lists.h"

namespace evt::tools {
namespace {

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

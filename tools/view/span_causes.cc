#include "span_causes.h"

#include <evt/analysis/why.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/json_object.h"
#include "base/table_forms.h"
#include "event_rows.h"
#include "why/why_names.h"

namespace evt::tools {
namespace {

constexpr const char* kNotKnown = "no event records when threads run or wait, so it is unknown what they waited for";
constexpr const char* kMore = "only the largest causes are shown";

struct Part {
  std::uint32_t row;
  std::int64_t from_ns;
  std::int64_t to_ns;
};

Timeline timeline_of(Trace& trace, const Session& session) {
  Timeline::Options options;
  options.range = [&session](const Session& each) { return &each == &session ? TimeRange{} : TimeRange{1, 0}; };
  Timeline timeline(trace, options);
  while (timeline.next_session() && &timeline.actors().session() != &session) continue;
  return timeline;
}

// Gathers what an interval was spent on.
class Causes {
 public:
  Causes(const EventRows::Pass& pass) : pass_(&pass) {}

  void add(std::int64_t from_ns, std::int64_t to_ns, const Why::Path& path) {
    tree_.add(from_ns, to_ns, path);
    const std::uint32_t row = pass_->row_of_thread(path.back().thread);
    if (row == EventRows::kNone || parts_.size() == SpanCauses::kMostParts) return;
    if (!parts_.empty() && parts_.back().row == row && parts_.back().from_ns == to_ns) {
      parts_.back().from_ns = from_ns;
    } else {
      parts_.push_back({row, from_ns, to_ns});
    }
  }
  const WhyTree& tree() const { return tree_; }
  // The first one first.
  std::vector<Part> parts() const { return {parts_.rbegin(), parts_.rend()}; }

 private:
  const EventRows::Pass* pass_;
  WhyTree tree_;
  std::vector<Part> parts_;
};

void append_causes(JsonObject& json, const Table& table) {
  std::vector<Table::Row> rows = table.rows();
  rows.resize(std::min(rows.size(), SpanCauses::kMostCauses));
  const auto text = [&](const Table::Row& row, const char* column) {
    const std::size_t place = *table.column(column);
    return cell_text(row[place], table.columns()[place].kind, false);
  };
  json.objects("causes", rows, [&](JsonObject& each, const Table::Row& row) {
    each.name_text("time", text(row, "time"));
    each.name_text("share", text(row, "share"));
    each.name_text("what", text(row, "what"));
    each.number("level", *row[*table.column("level")].as_unsigned());
  });
}

}  // namespace

std::string SpanCauses::of(std::uint32_t row, TimeRange range) {
  const EventRows rows(*layout_);
  Timeline timeline = timeline_of(*trace_, *session_);
  EventRows::Pass pass(rows, timeline, nullptr);
  Why why(timeline, range);
  std::optional<std::uint32_t> thread;
  const TimelineItem* item = timeline.next();
  for (bool goes_on = true; item != nullptr && goes_on && patience_.lasts(); item = timeline.next()) {
    pass.take(timeline, *item);
    goes_on = why.take(*item) || !thread;
    const bool is_it = item->kind == ItemKind::kEnded && item->began_ns == range.from_ns &&
                       item->ended_ns == range.to_ns && rows.group_of(pass.latest_span()) == rows.group_of(row);
    if (is_it && item->thread < Actor::kOthers) thread = item->thread;
  }
  const bool is_known = thread && (why.has_runs() || why.has_waits());
  Causes causes(pass);
  const auto add = [&](std::int64_t from, std::int64_t to, const Why::Path& path) { causes.add(from, to, path); };
  if (is_known) why.divide(*thread, range.from_ns, range.to_ns, add);
  const WhyWords words(timeline, why);
  const Table table = WhyTable(words, causes.tree(), {.folds_small = true}).causes();
  return json_text([&](JsonObject& json) {
    append_causes(json, table);
    json.objects("path", causes.parts(), [](JsonObject& each, const Part& part) {
      each.number("row", part.row);
      each.digits("from", part.from_ns);
      each.digits("to", part.to_ns);
    });
    std::vector<std::string> notes;
    if (!is_known) notes.emplace_back(kNotKnown);
    if (!why.status().ok()) notes.push_back(why.status().message());
    if (table.rows().size() > kMostCauses) notes.emplace_back(kMore);
    json.all_texts("notes", notes);
  });
}

}  // namespace evt::tools

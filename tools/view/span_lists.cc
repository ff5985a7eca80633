#include "span_lists.h"

#include "thread_text.h"

namespace evt::tools {

void SpanLists::take(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
                     const std::string& object) {
  if (item.kind == ItemKind::kEnded) return end(item, events);
  selves_.take(item);
  if (item.kind == ItemKind::kBegan) begin(timeline, item, group, events, object);
}

void SpanLists::begin(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
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

void SpanLists::end(const TimelineItem& item, std::uint64_t events) {
  const Open open = open_.end(item);
  const std::uint64_t self_ns = selves_.end(item);
  if (open.group == EventRows::kNone) return;
  Span& span = lists_[open.group][open.place];
  span.length_ns = item.ended_ns - span.from_ns;
  span.self_ns = self_ns;
  span.is_open = item.is_open || item.is_cut;
  if (item.is_complete) span.event = events - 1;
}

void SpanLists::add_members(JsonObject& json) const {
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

}  // namespace evt::tools

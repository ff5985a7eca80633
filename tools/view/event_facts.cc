#include "event_facts.h"

#include <evt/analysis/stated_stacks.h>
#include <evt/text/value_text.h>

namespace evt::tools {
namespace {

// A line for each function of a stack, the innermost first; of a stack that the trace lacks, and of other fields, the
// value.
std::string field_text(const Event& event, const evt::Field& field, const Value& value) {
  if (field.role != Role::kStack) return value_text(event, value);
  StatedStacks stacks(event.session());
  const std::vector<std::uint32_t>* const frames = stacks.stack_of(event).frames;
  if (frames == nullptr || frames->empty()) return value_text(event, value);
  std::string text;
  for (const std::uint32_t frame : *frames) text += (text.empty() ? "" : "\n") + stacks.frame(frame).name();
  return text;
}

}  // namespace

bool is_shown_event(const TimelineItem& item) {
  return item.kind == ItemKind::kRow && item.event->event != nullptr && !item.event->is_facet && !item.event->jump;
}

std::string shown_text(const Event& event) {
  std::string text = event.type().name();
  FieldWalker values = event.values();
  for (const evt::Field& field : event.type().fields()) {
    const std::optional<Value> value = values.next();
    if (value) text += fmt::format(" {}={}", field.name, value_text(event, *value));
  }
  return text;
}

EventFacts::EventFacts(const Event& event)
    : ns_(event.ns()), stream_(event.stream().name), type_(event.type().name()), text_(shown_text(event)) {
  FieldWalker values = event.values();
  for (const evt::Field& field : event.type().fields()) {
    const std::optional<Value> value = values.next();
    fields_.push_back({field.name, value ? field_text(event, field, *value) : ""});
  }
}

void EventFacts::add_members(JsonObject& json) const {
  json.digits("ns", ns_);
  json.name_text("stream", stream_);
  json.name_text("type", type_);
  json.name_text("text", text_);
}

void EventFacts::add_fields(JsonObject& json) const {
  json.objects("fields", fields_, [](JsonObject& each, const Field& field) {
    each.name_text("name", field.name);
    each.name_text("value", field.value);
  });
}

}  // namespace evt::tools

// Moments that programs mark.
#include <evt/text/text_buffer.h>

#include "column_kinds.h"
#include "item_rows.h"
#include "libtrace-read/text/plain_value.h"

namespace evt {
namespace {

class MarkRows : public ItemRows {
 public:
  RoleSet rows() const override { return {Role::kMark}; }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    if (item.kind != ItemKind::kRow || item.event->role != Role::kMark || is_before(item.ns)) return;
    const Event& event = *item.event->event;
    Actors& actors = timeline().actors();
    const std::uint32_t thread =
        item.event->thread != Actor::kNone ? item.event->thread : actors.thread_of(*item.stream);
    NewRow row = rows->add();
    row.number(session_key(session())).number(item.stream->id);
    add_thread(thread, &row);
    row.text(event.type().name()).time(utc_ns(item, item.ns)).ns(item.ns);
    const std::optional<Value> message = event.value(Role::kMessage);
    const std::optional<Value> said = message ? message : event.value(Role::kName);
    if (said && !said->is_sequence()) {
      TextBuffer number;
      const auto text = append_unless_text(number, event, *said, made_);
      row.text(text ? *text : number.text());
    } else {
      row.null();
    }
  }

 private:
  TextBuffer made_;
};

}  // namespace

ItemTable marks_table() {
  return {{"marks", "Moments that a program marks.",
           joined({{session_column(), never_null(count_column("stream", "id of the stream"))},
                   thread_columns(),
                   {never_null(word_column("type", "name of the event's type")), time_column("time", "when it was"),
                    never_null(ns_column("ns", "the same, since the session's start")),
                    text_column("message", "message of the event, or its name")}})},
          new_rows<MarkRows>};
}

}  // namespace evt

// Samples of stacks, the stacks that they state, and their frames.
#include <evt/analysis/stated_stacks.h>

#include <optional>
#include <unordered_set>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

class SampleRows : public ItemRows {
 public:
  RoleSet rows() const override { return {Role::kSample}; }

  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    stacks_.emplace(session());
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    if (item.kind != ItemKind::kRow || item.event->role != Role::kSample || is_before(item.ns)) return;
    const Event& event = *item.event->event;
    const std::uint32_t thread =
        item.event->thread != Actor::kNone ? item.event->thread : timeline().actors().thread_of(*item.stream);
    NewRow row = rows->add();
    row.number(session_key(session())).number(item.stream->id);
    add_thread(thread, &row);
    row.text(event.type().name()).time(utc_ns(item, item.ns)).ns(item.ns);
    const StatedStacks::Stack stack = stacks_->stack_of(event);
    stack.id&& stack.frames != nullptr ? row.number(*stack.id) : row.null();
    const StatedStacks::Weight weight = StatedStacks::weight_of(event);
    weight.ns && !weight.is_wait ? row.number(*weight.ns) : row.null();
    weight.ns&& weight.is_wait ? row.number(*weight.ns) : row.null();
  }

 private:
  std::optional<StatedStacks> stacks_;
};

// Each stack once that samples refer to.
class RowsOfStacks : public ItemRows {
 public:
  RoleSet rows() const override { return {Role::kSample}; }

  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    stacks_.emplace(session());
    seen_stacks_.clear();
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    if (item.kind != ItemKind::kRow || item.event->role != Role::kSample || is_before(item.ns)) return;
    const StatedStacks::Stack stack = stacks_->stack_of(*item.event->event);
    if (stack.frames == nullptr || (stack.id && !seen_stacks_.insert(*stack.id).second)) return;
    add(stack, rows);
  }

 protected:
  virtual void add(const StatedStacks::Stack& stack, RowsInMaking* rows) = 0;

  const StatedStacks& stacks() const { return *stacks_; }

 private:
  std::optional<StatedStacks> stacks_;
  std::unordered_set<std::uint32_t> seen_stacks_;  // ids
};

class StackRows : public RowsOfStacks {
  void add(const StatedStacks::Stack& stack, RowsInMaking* rows) override {
    if (!stack.id) return;
    std::uint64_t depth = 0;
    for (const std::uint32_t number : *stack.frames) {
      NewRow row = rows->add();
      row.number(session_key(session())).number(*stack.id).number(depth++);
      const StatedStacks::Frame& frame = stacks().frame(number);
      frame.id ? row.number(*frame.id) : row.null();
      row.text(frame.name());
    }
  }
};

class FrameRows : public RowsOfStacks {
  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    RowsOfStacks::begin_session(timeline, from_ns);
    seen_.clear();
  }

  void add(const StatedStacks::Stack& stack, RowsInMaking* rows) override {
    for (const std::uint32_t number : *stack.frames) {
      const StatedStacks::Frame& frame = stacks().frame(number);
      if (!frame.id || !seen_.insert(*frame.id).second) continue;
      NewRow row = rows->add();
      row.number(session_key(session())).number(*frame.id).text_unless_empty(frame.function);
      row.text_unless_empty(frame.module).number_unless_0(frame.line);
      frame.address ? row.number(*frame.address) : row.null();
      row.yes(frame.is_inlined);
    }
  }

  std::unordered_set<std::uint32_t> seen_;  // ids
};

}  // namespace

ItemTable samples_table() {
  return {{"samples", "Samples of stacks: what a thread was doing at a moment, or where a long wait ended.",
           joined({{session_column(), never_null(count_column("stream", "id of the stream"))},
                   thread_columns(),
                   {never_null(word_column("type", "name of the event's type")), time_column("time", "when it was"),
                    never_null(ns_column("ns", "the same, since the session's start")),
                    count_column("stack", "id of its stack in the table stacks; null: it has none of its own"),
                    count_column("weight_ns",
                                 "processor time that it stands for; null: it is a wait, or states no time", "ns"),
                    count_column("waited_ns", "duration of the wait that ended; null: it is not a wait", "ns")}})},
          new_rows<SampleRows>};
}

ItemTable stacks_table() {
  return {{"stacks",
           "Stacks that samples refer to, one row for each frame. The field of role stack of a sample is `stack`.",
           {session_column(), never_null(count_column("stack", "id of the stack in its session")),
            never_null(count_column("depth", "place of the frame in it: 0 is the innermost")),
            count_column("frame", "id of the frame in the session"),
            never_null(word_column("name", "its function; without one its place in its module"))}},
          new_rows<StackRows>};
}

ItemTable frames_table() {
  return {{"frames",
           "Frames of the stacks that samples state, each once.",
           {session_column(), never_null(count_column("frame", "id of the frame in its session")),
            word_column("function", "name of the function"), word_column("module", "path of its program or library"),
            count_column("line", "line of its source file"), count_column("address", "place in memory"),
            never_null(yes_column("inlined", "its code is part of that of the next frame"))}},
          new_rows<FrameRows>};
}

}  // namespace evt

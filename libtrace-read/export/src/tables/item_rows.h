// Rows of a table that are made from a timeline's items.
#pragma once

#include <evt/timeline.h>

#include <memory>
#include <vector>

#include "libtrace-read/text/session_key.h"
#include "rows_in_making.h"
#include "utc_by_start.h"

namespace evt {

class ItemRows {
 public:
  ItemRows() = default;
  ItemRows(const ItemRows&) = delete;
  ItemRows& operator=(const ItemRows&) = delete;
  virtual ~ItemRows() = default;

  // The events whose items of kind kRow it wants: it may get more.
  virtual RoleSet rows() const { return {}; }
  // The rest is of this session, wanted from `from_ns` on; its timeline must outlive it.
  virtual void begin_session(Timeline& timeline, std::int64_t from_ns) {
    timeline_ = &timeline;
    from_ns_ = from_ns;
  }
  virtual void take(const TimelineItem& item, RowsInMaking* rows) = 0;
  // The session has no more items.
  virtual void end_session(RowsInMaking*) {}

 protected:
  Timeline& timeline() const { return *timeline_; }
  const Session& session() const { return timeline_->actors().session(); }
  bool is_before(std::int64_t ns) const { return ns < from_ns_; }
  std::int64_t from_ns() const { return from_ns_; }
  // UTC of a moment, by the clock of the item's event; without an event, from UTC's lead at the session's start.
  std::int64_t utc_ns(const TimelineItem& item, std::int64_t ns) const {
    const bool has_event = item.event != nullptr && item.event->event != nullptr;
    return has_event ? item.event->event->ns_to_utc(ns) : utc_by_start(session(), ns);
  }

  void add_created(std::uint32_t thread, NewRow* row) const;
  // Adds the name of the stream's part of a merged session.
  void add_part(const StreamInfo& stream, NewRow* row) const;
  // Adds a thread of Actors: its part, its number and its name at this moment.
  void add_thread(std::uint32_t thread, NewRow* row) const;

 private:
  Timeline* timeline_ = nullptr;
  std::int64_t from_ns_ = INT64_MIN;
};

// A table, and the maker of its rows.
struct ItemTable {
  Table table;
  std::unique_ptr<ItemRows> (*rows)();
};
ItemTable thread_states_table();
ItemTable spans_table();
ItemTable counters_table();
ItemTable marks_table();
ItemTable collections_table();
ItemTable async_spans_table();
ItemTable samples_table();
ItemTable stacks_table();
ItemTable frames_table();

template <typename Rows>
std::unique_ptr<ItemRows> new_rows() {
  return std::make_unique<Rows>();
}

// The columns of add_part() and add_thread().
Column part_column();
std::vector<Column> thread_columns();
// Distinguishes threads that had one number.
Column created_column();

}  // namespace evt

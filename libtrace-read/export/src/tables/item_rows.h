// Rows of a table that are made of a timeline's items.
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

  // Of which events it wants items of kind kRow: it may get more.
  virtual RoleSet rows() const { return {}; }
  // What follows is of this session, of which `from_ns` on is wanted; its timeline must outlive it.
  virtual void begin_session(Timeline& timeline, std::int64_t from_ns) {
    timeline_ = &timeline;
    from_ns_ = from_ns;
  }
  virtual void take(const TimelineItem& item, RowsInMaking* rows) = 0;
  // There are no more of the session.
  virtual void end_session(RowsInMaking*) {}

 protected:
  Timeline& timeline() const { return *timeline_; }
  const Session& session() const { return timeline_->actors().session(); }
  bool is_before(std::int64_t ns) const { return ns < from_ns_; }
  std::int64_t from_ns() const { return from_ns_; }
  // UTC of a moment, by the clock of the item's event; without an event, by how far UTC was ahead at the session's
  // start.
  std::int64_t utc_ns(const TimelineItem& item, std::int64_t ns) const {
    const bool has_event = item.event != nullptr && item.event->event != nullptr;
    return has_event ? item.event->event->ns_to_utc(ns) : utc_by_start(session(), ns);
  }

  void add_created(std::uint32_t thread, NewRow* row) const;
  // Of a merged session, the name of the part that the stream is of.
  void add_part(const StreamInfo& stream, NewRow* row) const;
  // Of a thread of Actors: of which part it is, its number and its name at this moment.
  void add_thread(std::uint32_t thread, NewRow* row) const;

 private:
  Timeline* timeline_ = nullptr;
  std::int64_t from_ns_ = INT64_MIN;
};

// A table, and what makes its rows.
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

template <typename Rows>
std::unique_ptr<ItemRows> new_rows() {
  return std::make_unique<Rows>();
}

// The columns of add_part() and add_thread().
Column part_column();
std::vector<Column> thread_columns();
// Tells threads apart that had one number.
Column created_column();

}  // namespace evt

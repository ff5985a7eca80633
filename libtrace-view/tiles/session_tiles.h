// The rows of a session and their tiles: coarse ones while its events are read once, finer ones of parts of it when
// they are asked for.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fine_rows.h"
#include "tile.h"

namespace evt::view {

// Refers to the trace. One thread at a time. Nothing is read but by the functions that say so: a caller reads on as
// long as somebody looks.
class SessionTiles {
 public:
  struct Row {
    std::uint32_t id = 0;  // the same as long as the session is shown
    std::string key;
    TrackKind kind = TrackKind::kCpu;
    std::string name;
    std::uint32_t of = 1;  // kCpus: the sum of this many
    std::string unit;      // as Track has them
    std::uint32_t part = Actor::kNone;
  };
  struct Layout {
    std::vector<Row> rows;  // as they are below one another
    NameIds names;          // that labels have
    LanePlan lanes;
    ObjectPlan objects;
    TimeRange range;  // from the first to the last event, and what they record

    const Row* row(std::uint32_t id) const;        // null if there is none
    const Row* row(const std::string& key) const;  // the same
  };
  struct Tiles {
    std::vector<std::optional<TileRow>> rows;  // by their ids: those that were asked for
    bool is_partial = false;                   // more will be in them when more was read
  };

  SessionTiles(Trace& trace, const Session& session) : trace_(&trace), session_(&session) {}

  const Session& session() const { return *session_; }
  // Reads some more events. False: all were read.
  bool read_on();
  bool is_complete() const { return whole_ != nullptr && whole_->is_complete(); }
  // Up to when events were read.
  std::int64_t until_ns() const { return whole_ == nullptr ? first_event_ns(*session_) : until_of(*whole_); }
  // How much of the session was read, of 1.
  double progress();
  // Grows when there is more to be seen.
  std::uint64_t generation() const { return generation_; }
  // Of what was read so far.
  const Layout& layout();
  // Rows have ids below this.
  std::uint32_t end_of_ids() {
    layout();
    return static_cast<std::uint32_t>(kinds_.size());
  }
  // With the rows of these ids. Holds until the next call. Null: it has read some events that the tile needs, and asked
  // again it reads more. REQUIRES: place.is_in_time(), and the ids are below end_of_ids().
  const Tiles* tiles_at(TilePlace place, const std::vector<std::uint32_t>& ids);
  // A moment before this time from which the session can be read, once all of it was. Null: its start is the only one.
  const RowMarks::Mark* mark_before(std::int64_t ns);
  // Calls f with each item up to this time, as the Timeline of the session has them, until it returns false. With a
  // mark those behind it.
  void each_item(std::int64_t to_ns, const std::function<bool(Timeline&, const TimelineItem&)>& f,
                 const RowMarks::Mark* from = nullptr);
  // Of the trace, so far.
  const Status& status() const { return status_; }

 private:
  struct Kept {
    Tiles tiles;
    std::uint64_t generation = 0;
    std::size_t size = 0;
    std::uint64_t used = 0;  // when
  };

  Timeline timeline_to(std::int64_t to_ns) const;
  FineRows& whole();
  // Whose columns are fine enough for the tile.
  FineRows& source_of(TilePlace place);
  std::unique_ptr<FineRows> part_around(TilePlace place);
  // Up to when rows are, of what has read all that it reads.
  std::int64_t until_of(const FineRows& rows) const;
  void put_id(Row* row);
  void add_empty(const std::vector<std::uint32_t>& ids, Kept* to) const;
  void add_rows(TilePlace place, const FineRows& source, const std::vector<std::uint32_t>& ids, Kept* to);
  void add_all_rows(const FineRows& part);
  void measure(Kept* kept);
  void make_room();

  Trace* trace_;
  const Session* session_;
  std::unique_ptr<FineRows> whole_;
  std::list<std::unique_ptr<FineRows>> parts_;  // that which was asked for last is first
  std::uint64_t generation_ = 0;
  std::uint64_t reads_ = 0;  // of the whole
  std::uint64_t reads_at_growth_ = 0;
  std::optional<Layout> layout_;
  std::uint64_t layout_generation_ = 0;
  std::map<std::string, std::uint32_t> ids_;  // of rows, by their keys
  std::vector<TrackKind> kinds_;              // by ids
  std::map<TilePlace, Kept> kept_;
  std::size_t size_ = 0;  // of all that is kept
  std::uint64_t now_ = 0;
  Status status_;
};

}  // namespace evt::view

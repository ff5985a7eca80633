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
#include <unordered_map>
#include <utility>
#include <vector>

#include "ahead_rows.h"
#include "fine_rows.h"
#include "finished_tiles.h"
#include "layout.h"
#include "tile.h"

namespace evt::view {

// Refers to the trace. One thread at a time. Nothing is read but by the functions that say so: a caller reads on as
// long as somebody looks.
class SessionTiles {
 public:
  using Row = LayoutRow;
  using Layout = view::Layout;
  struct Tiles {
    std::vector<std::optional<TileRow>> rows;  // by their ids: those that were asked for
    bool is_partial = false;                   // more will be in them when more was read
  };

  SessionTiles(Trace& trace, const Session& session) : trace_(&trace), session_(&session) {}

  const Session& session() const { return *session_; }
  // What was kept when all of the session was read: nothing is read again but for what is not in it. Before all else.
  void restore(FinishedTiles finished);
  // What is known of its cpus before it is read. Before all else.
  void expect(CpuLoads loads) { expected_ = std::move(loads); }
  // By its checkpoints, of this session of its trace, tiles are made that reading has not come to. It must outlive
  // this. Before all else.
  void look_ahead(StateHistory& history, std::size_t session) {
    history_ = &history;
    number_ = session;
  }
  // Tiles of rows that AheadRows has are made before all was read.
  bool looks_ahead() const { return history_ != nullptr; }
  // Rows and names keep the numbers that they have in `before`, which shows the same session as it was earlier. Before
  // all else but reading.
  void go_on_from(SessionTiles& before);
  // More will be in the session: no tile is the last one of its place.
  void set_growing(bool grows) { grows_ = grows; }
  // Reads some more events. False: all were read, or restored.
  bool read_on();
  bool is_complete() const { return finished_.has_value() || is_read(); }
  // Whether all events were read.
  bool is_read() const { return whole_ != nullptr && whole_->is_complete(); }
  // Up to when events were read.
  std::int64_t until_ns() const;
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
  // Whether time steps back by intent. REQUIRES: is_read().
  bool has_jumps() { return whole().timeline().doubts().jumps > 0; }
  // Of rows from 0 on.
  std::vector<FinishedTiles::Id> ids() const;
  // At this level and coarser ones tiles are made without reading. REQUIRES: is_read().
  unsigned finest_level() { return whole().scale().level(); }
  // Of all rows, by their ids; nothing of it is kept. REQUIRES: is_read(), and place.level >= finest_level().
  std::vector<std::string> payloads_at(TilePlace place);
  // A moment before this time from which the session can be read, once all of it was, or was restored. Null: its start
  // is the only one.
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
  // Whether it is known that marks are where the session can be read from.
  bool has_marks() const;
  // Whose columns are fine enough for the tile.
  FineRows& source_of(TilePlace place);
  std::unique_ptr<FineRows> part_around(TilePlace place);
  // Of a part that has the tile.
  Scale scale_around(TilePlace place);
  // Nothing of it was read, and checkpoints are there.
  bool is_ahead(const Scale& scale);
  AheadRows& ahead_of(TilePlace place);
  // Up to when rows are, of what has read all that it reads.
  std::int64_t until_of(const FineRows& rows) const;
  void put_id(Row* row);
  // Of those that are not there, rows in which there is nothing.
  void add_empty(const std::vector<std::uint32_t>& ids, Kept* to) const;
  void add_rows(TilePlace place, const FineRows& source, const std::vector<std::uint32_t>& ids, Kept* to);
  // The same of what `tracks` makes of a scale and keys.
  using TracksOf = std::function<std::vector<Track>(const Scale&, const ShownKeys&)>;
  void add_tracks(TilePlace place, const TracksOf& tracks, const std::vector<std::uint32_t>& ids, Kept* to);
  bool add_ahead(TilePlace place, const std::vector<std::uint32_t>& ids, Kept* to);
  // False: it has read some events that the tile needs.
  bool add_missing(TilePlace place, const std::vector<std::uint32_t>& missing, Kept* to);
  void measure(Kept* kept);
  void make_room();

  Trace* trace_;
  const Session* session_;
  std::optional<FinishedTiles> finished_;  // that was restored; its layout is layout_
  CpuLoads expected_;                      // until the whole has it
  std::unique_ptr<FineRows> whole_;
  StateHistory* history_ = nullptr;
  std::size_t number_ = 0;                       // of the session, in its trace
  std::list<std::unique_ptr<AheadRows>> ahead_;  // that which was asked for last is first; until all was read
  std::list<std::unique_ptr<FineRows>> parts_;   // that which was asked for last is first
  std::uint64_t generation_ = 0;
  bool grows_ = false;
  std::uint64_t reads_ = 0;  // of the whole
  std::uint64_t reads_at_growth_ = 0;
  std::optional<Layout> layout_;
  std::uint64_t layout_generation_ = 0;
  std::unordered_map<std::string, std::uint32_t> ids_;  // of rows, by their keys
  std::vector<TrackKind> kinds_;                        // by ids
  std::map<TilePlace, Kept> kept_;
  std::size_t size_ = 0;  // of all that is kept
  std::uint64_t now_ = 0;
  Status status_;
};

}  // namespace evt::view

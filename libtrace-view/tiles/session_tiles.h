// The rows of a session and their tiles, each made by reading the session's events up to the end of the tile.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libtrace-view/rows/rows.h"
#include "tile.h"

namespace evt::view {

// Refers to the trace. One thread at a time.
class SessionTiles {
 public:
  struct Row {
    std::string key;
    TrackKind kind = TrackKind::kCpu;
    std::string name;
    std::uint32_t of = 1;  // kCpus: the sum of this many
  };
  struct Layout {
    std::vector<Row> rows;  // as they are below one another; their places are their ids
    NameIds names;          // that labels have
    LanePlan lanes;
    TimeRange range;  // from the first to the last event, and what they record
  };

  SessionTiles(Trace& trace, const Session& session) : trace_(&trace), session_(&session) {}

  const Session& session() const { return *session_; }
  // Reads all of the session, the first time.
  const Layout& layout();
  // The rows of a tile by their ids; holds until the next call. REQUIRES: place.is_in_time().
  const std::vector<TileRow>& rows_of(TilePlace place);
  // Calls f with each item up to this time, as the Timeline of the session has them, until it returns false.
  void each_item(std::int64_t to_ns, const std::function<bool(Timeline&, const TimelineItem&)>& f);
  // Of the trace, so far.
  const Status& status() const { return status_; }

 private:
  // Of the tiles that are kept, in bytes of payloads.
  static constexpr std::size_t kMaxKept = std::size_t{64} << 20;

  struct Kept {
    std::vector<TileRow> rows;
    std::size_t size = 0;
    std::uint64_t used = 0;  // when
  };

  // What the rows are up to the end of a scale; f gets them when they are finished.
  void fold(const Scale& scale, std::int64_t to_ns, const std::function<void(Timeline&, const Rows&)>& f);
  void read_timeline(std::int64_t to_ns, const std::function<void(Timeline&)>& f);
  Kept made(TilePlace place);
  void make_room();

  Trace* trace_;
  const Session* session_;
  std::optional<Layout> layout_;
  std::map<std::string, std::size_t> ids_;  // of rows, by their keys
  std::map<TilePlace, Kept> kept_;
  std::size_t size_ = 0;  // of all that is kept
  std::uint64_t now_ = 0;
  Status status_;
};

}  // namespace evt::view

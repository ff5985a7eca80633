// What the page of evt view asks of traces, as JSON and tiles.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "event_search.h"
#include "libtrace-view/tiles/session_tiles.h"

namespace evt::tools {

// Any thread; one answer is made at a time. A session is known by its number among those of all traces.
class TraceAnswers {
 public:
  explicit TraceAnswers(std::string title) : title_(std::move(title)) {}

  // The trace must outlive it. Before the first answer.
  void add(Trace& trace, const std::string& name);
  std::size_t sessions() const { return sessions_.size(); }

  // Reads all of it, the first time: what is damaged is met on the way.
  std::string trace();
  // Messages of text/event-stream.
  static std::string progress();
  // Of these, session < sessions().
  std::string rows(std::size_t session);
  std::size_t row_count(std::size_t session);
  // REQUIRES: place.is_in_time(), ids below row_count().
  std::string tile(std::size_t session, view::TilePlace place, const std::vector<std::uint32_t>& rows);
  // The first and the last nanosecond in which there is something to draw.
  TimeRange range(std::size_t session);
  // What the page shows at first: from the first event to the last.
  TimeRange whole(std::size_t session) const;
  std::string statistics(std::size_t session, TimeRange range);
  std::string event(std::size_t session, std::uint32_t row, std::int64_t ns, FindEvent find);
  std::string find(std::size_t session, const std::string& query, std::int64_t ns, FindEvent find);
  std::uint64_t event_count(std::size_t session) const { return sessions_[session].tiles.session().rows; }
  // All of them (session_events.h).
  std::string events(std::size_t session);

 private:
  // All that is answered is of the whole trace: the page need not ask again.
  static constexpr std::uint64_t kGeneration = 1;

  struct Part {
    std::string name;
    Trace* trace = nullptr;
    std::size_t session = 0;  // of the trace
    view::SessionTiles tiles;
  };

  static std::vector<std::string> notes_of(const Part& part);

  std::string title_;
  std::deque<Part> sessions_;
  std::mutex one_at_a_time_;
};

}  // namespace evt::tools

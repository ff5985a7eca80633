// What the page of evt view asks of traces, as JSON and tiles.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event_list.h"
#include "event_search.h"
#include "flow_list.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "libtrace-view/tiles/tiles_making.h"
#include "live_trace.h"
#include "matches.h"
#include "range_statistics.h"
#include "turns.h"
#include "view_cache.h"

namespace evt::tools {

class JsonObject;

// Any thread; one answer is made at a time, and long ones give way to others. A session is known by its number among
// those of all traces. Traces are read by those who ask for progress; all other answers are of what was read by then,
// which is all of a small trace.
class TraceAnswers {
 public:
  // Whether somebody waits for an answer still.
  using IsWanted = std::function<bool()>;
  static bool always() { return true; }

  explicit TraceAnswers(std::string title) : title_(std::move(title)) {}

  // The trace must outlive it. Before the first answer. `file` is its name for command lines. With a note on each of
  // its sessions, unless that is empty.
  void add(Trace& trace, const std::string& name, const std::string& file, const std::string& note = "");
  // Large sessions of the trace that was added last, which is in this file, are loaded from there, or kept there when
  // all of them was read. Of others the trace's checkpoints show what cpus do until they are read. The cache must
  // outlive it. Before the first answer.
  void use_cache(const ViewCache& cache, const std::string& file);
  // The same of a trace that was made of all sessions of the files; the warnings are all that there is to say of what
  // they lack.
  void add_merged(Trace& trace, const std::vector<std::string>& files, const std::vector<std::string>& warnings,
                  const std::vector<std::string>& notes);
  // The same of one that grows, as it is now; it must outlive this.
  Status follow(LiveTrace& live, const std::string& name, const std::string& file);
  std::size_t sessions() const {
    const Turns::Turn turn(turns_);
    return sessions_.size();
  }
  // Null, until a trace that grew has ended: that trace.
  const Trace* ended() const { return live_ == nullptr ? live_trace_.get() : nullptr; }

  std::string trace();
  // Waits some time for more of a trace that grows, which all answers are of from then on.
  std::string look(const IsWanted& is_wanted = always);
  // Reads on until there is more to be seen, and when all was read makes what is kept for another time. False: there is
  // nothing left to do.
  bool read_on(const IsWanted& is_wanted = always);
  // How much of all was read, of 1.
  double share_read() {
    const Turns::Turn turn(turns_);
    return progress_of_all();
  }
  // A message of text/event-stream: how much was read.
  std::string progress();
  // Of these, session < sessions().
  std::string rows(std::size_t session);
  std::size_t end_of_ids(std::size_t session);
  // REQUIRES: place.is_in_time(), ids below end_of_ids(). Empty if it is no longer wanted.
  std::string tile(std::size_t session, view::TilePlace place, const std::vector<std::uint32_t>& rows,
                   const IsWanted& is_wanted = always);
  // The first and the last nanosecond in which there is something to draw.
  TimeRange range(std::size_t session);
  // What the page shows at first.
  TimeRange whole(std::size_t session);
  // Those that the session has.
  std::vector<const PageStatistics*> statistics(std::size_t session);
  // Of each. REQUIRES: the rows of all are of the same.
  std::vector<std::string> statistics(std::size_t session, TimeRange range,
                                      const std::vector<const PageStatistics*>& of);
  // What is no longer wanted has no meaning.
  std::string event(std::size_t session, std::uint32_t row, std::int64_t ns, FindEvent find,
                    const IsWanted& is_wanted = always);
  // REQUIRES: both are kMaxListedEvents at most.
  std::string events(std::size_t session, std::int64_t ns, std::size_t before, std::size_t after,
                     const IsWanted& is_wanted = always);
  // Of one row, if there is one. REQUIRES: most <= FlowList::kMost.
  std::string flows(std::size_t session, TimeRange range, std::optional<std::uint32_t> row, std::size_t most,
                    const IsWanted& is_wanted = always);
  // Which of the events that match, by its place or from a time on.
  struct Wanted {
    std::optional<std::size_t> place;
    std::int64_t ns = 0;
    FindEvent find = FindEvent::kNext;
  };
  // What the span of a row was spent on (span_causes.h).
  std::string why(std::size_t session, std::uint32_t row, TimeRange span, const IsWanted& is_wanted = always);
  std::string find(std::size_t session, const std::string& query, const Wanted& wanted,
                   const IsWanted& is_wanted = always);
  // Of those in a range the times and rows, one within `step_ns`.
  std::string matches(std::size_t session, const std::string& query, TimeRange range, std::int64_t step_ns,
                      const IsWanted& is_wanted = always);
  std::uint64_t event_count(std::size_t session) const { return sessions_[session].tiles.session().rows; }
  // All of them (session_events.h).
  std::string all_events(std::size_t session);

 private:
  struct Part {
    std::string name;
    Trace* trace = nullptr;
    std::size_t session = 0;  // of the trace
    view::SessionTiles tiles;
    std::vector<std::string> files{};
    int first_reads = 0;
    std::vector<std::string> notes{};
    std::vector<std::string> warnings{};
    bool is_merged = false;                   // there are no others
    std::unique_ptr<StateHistory> history{};  // if the trace has checkpoints
    std::string kept_for{};                   // the file of the trace, if it is to be kept
    std::optional<view::TilesMaking> making{};
    std::optional<std::int64_t> begin_ns{};  // of the first event, or of what it records
  };

  // What matches a query in a session.
  struct Searched {
    std::size_t session;
    std::string text;
    Query query;
    Matches matches;
  };

  std::vector<std::string> warnings_of(const Part& part) const;
  void take(LiveTrace::Look look);
  // How far a trace that grows has come, as members of an object.
  void append_growth(JsonObject& json) const;
  // The same until another query is asked for; it is asked for once if the patience ends.
  std::shared_ptr<const Searched> searched(std::size_t session, const std::string& query, Patience patience);
  // Whether the answer of this turn is wanted still; others that wait have theirs first, as long as these change
  // nothing that it refers to.
  IsWanted giving_way(std::size_t session, Turns::Turn& turn, const IsWanted& is_wanted);
  // Its first events were read.
  view::SessionTiles& begun(std::size_t session);
  std::uint64_t generation() const;
  double progress_of_all();
  bool is_complete() const;

  // Makes some of what is kept. False: all that is to be kept is.
  bool keep_some();

  std::string title_;
  const ViewCache* cache_ = nullptr;
  std::unique_ptr<Trace> live_trace_;  // the latest look at one that grows
  std::deque<Part> sessions_;
  std::shared_ptr<const Searched> searched_;  // last
  LiveTrace* live_ = nullptr;                 // until it has ended
  std::string live_name_;
  std::string live_file_;
  std::uint64_t late_ = 0;    // its events
  std::string live_problem_;  // why it cannot be followed any further
  mutable Turns turns_;
};

}  // namespace evt::tools

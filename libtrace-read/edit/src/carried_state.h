// Which events before a cut make the state at its first moment: who runs and waits, what is open, how things are
// called.
#pragma once

#include <evt/timeline.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "libtrace-read/core/src/event/kept_event.h"

namespace evt {

// A fold over the timeline up to the cut. Replaying these events alone gives the state that replaying all gives. Memory
// grows with threads that are followed, and with what is open.
class CarriedState {
 public:
  // An event; or, without one, a loss.
  struct Carried {
    std::shared_ptr<const KeptEvent> event;
    std::uint64_t order = 0;
    std::int64_t ns = 0;
  };
  // In the order in which they were recorded; by the id of their stream.
  using ByStream = std::map<std::uint32_t, std::vector<Carried>>;

  // Whether an event of this type can be part of it.
  static bool knows(const EventType& type);

  // Of the session at which the timeline is.
  explicit CarriedState(Timeline& timeline);

  void take(const TimelineItem& item);
  ByStream at_end() const;

 private:
  struct Node;
  class Needed;
  using NodePtr = std::shared_ptr<Node>;
  using Nodes = std::vector<NodePtr>;  // in order

  // What a number means, now.
  struct Object {
    NodePtr open;
    NodePtr named;
    NodePtr closed;  // instead of both
  };

  // An event that may be needed, and what it needs.
  struct Node {
    std::shared_ptr<const KeptEvent> event;
    std::uint64_t order = 0;
    Nodes context;  // that shows of which thread it is, if it has no field for that
    // What it changes, the states of threads and what runs on its stream: it must not come without their last ones.
    std::vector<std::uint32_t> threads;
    std::uint32_t starts = Actor::kNone;  // the thread that runs from then on
    bool is_scheduling = false;
    NodePtr ended;  // of a run, by a stop that names its thread: else the next one would be a move
    std::shared_ptr<const Object> object;  // of a call, as which it has another meaning now perhaps
  };
  struct Thread {
    bool exists = false;
    bool is_held = false;                  // it would run, and a collection works on it
    Nodes state;                           // that made it
    NodePtr collection;                    // that holds it
    Nodes collections;                     // that held it since, the last one: its begin and its end
    Nodes left;                            // that show that it does not run, if it did
    NodePtr run;                           // its latest, of the state or before
    Nodes before;                          // that show that it did not run before that, if it had
    NodePtr shown;                         // to run or to stop
    Nodes first;                           // by which it was met; and of what that began, the end
    std::shared_ptr<const Object> object;  // that it opened
    // Of what was recorded as a whole later: where, and when it began.
    const StreamInfo* first_stream = nullptr;
    std::int64_t first_ns = 0;
    NodePtr created;
    NodePtr named;
    std::vector<NodePtr> open;  // by their places; null of what one event records as a whole
  };
  // Of a stream, as far as events without a thread are concerned.
  struct Stream {
    NodePtr run;   // the latest
    NodePtr stop;  // behind it, up to the one that ended it
    bool is_running = false;
    NodePtr counters;  // of sparks
  };

  // An asynchronous span that is open.
  struct Async {
    const StreamInfo* stream = nullptr;
    std::int64_t began_ns = 0;
    std::uint32_t name = 0;
    NodePtr node;
  };

  // For a collection.
  struct Request {
    NodePtr node;
    std::int64_t ns = 0;
    bool has_begun = false;  // some stream collects since
  };

  void take_row(const TimelineItem& item);
  void meet(const TimelineItem& item);
  void take_end(const TimelineItem& item);
  void end_async(const TimelineItem& item);
  bool is_first(const TimelineItem& item) const;
  void take_state(const TimelineItem& item);
  void take_idle_thread(const TimelineItem& item);
  void take_object(const TimelineItem& item);
  void use_object(const RoleEvent& event, const NodePtr& call);
  void drop_closed();
  void take_collector(const TimelineItem& item);
  void take_beside(const TimelineItem& item);
  void begin_collection(const TimelineItem& item);
  void end_requests(const TimelineItem& collection);
  void take_scheduling(const TimelineItem& item, Stream* stream);
  void fold(const FoldedActors& gone);
  NodePtr keep(const TimelineItem& item);
  Nodes context_of(const RoleEvent& event);
  Thread& thread(std::uint32_t index);
  const Stream& stream_of(const StreamInfo& stream) const;
  Stream& stream_of(const StreamInfo& stream);
  Nodes needed() const;

  Timeline* timeline_;
  const Session* session_;
  std::uint64_t order_ = 0;       // of the event at hand
  const Event* event_ = nullptr;  // it, not as one of its facets
  NodePtr kept_;                  // it, if it is kept
  bool was_running_ = false;      // a thread on its stream, before it
  std::vector<Thread> threads_;
  std::vector<Stream> streams_;
  std::map<std::uint32_t, NodePtr> idle_;        // by cpu: where it began or ended to have nothing to do
  std::map<std::uint32_t, Nodes> idle_threads_;  // how they were known
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::shared_ptr<Object>> objects_;  // by part and number
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Async>> async_;         // by part and id
  std::size_t most_objects_ = 64;            // until those are looked for that nothing is open of
  std::map<std::uint32_t, Carried> losses_;  // the latest, by stream
  NodePtr latest_run_;                       // or stop, of all
  std::uint32_t collecting_ = 0;             // streams
  // Of each that collected while any did: the first and the latest time.
  std::map<const StreamInfo*, std::array<Nodes, 2>> collected_;
  std::set<const StreamInfo*> collecting_streams_;
  std::map<std::uint32_t, std::vector<Request>> requests_;    // by part
  std::map<std::pair<std::uint32_t, Role>, NodePtr> beside_;  // collections: by part and what began
};

}  // namespace evt

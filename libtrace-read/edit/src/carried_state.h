// Finds the events before a cut that make the state at its first moment: running and waiting threads, open things,
// names.
#pragma once

#include <evt/timeline.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace evt {

// A fold over the timeline up to the cut. Replaying only these events gives the state that replaying all gives. Memory
// grows with followed threads, and with open things.
class CarriedState {
 public:
  // An event; or, without a type, a loss.
  struct Carried {
    const EventType* type = nullptr;
    const ClockMap* clock = nullptr;
    std::uint64_t ordinal = 0;
    std::uint64_t ticks = 0;  // by the clock
    std::vector<std::byte> fields{};
    std::int64_t ns = 0;  // for a loss
    std::uint64_t order = 0;
  };
  // In the order in which they were recorded; by the id of their stream.
  using ByStream = std::map<std::uint32_t, std::vector<Carried>>;

  // True if an event of this type can be part of it.
  static bool knows(const EventType& type);

  // For the session at which the timeline is, which returns what this needs from then on.
  explicit CarriedState(Timeline& timeline);

  void take(const TimelineItem& item);
  // Called once, after the last item.
  ByStream at_end();

 private:
  struct Node;
  class Needed;
  using Nodes = std::vector<Node*>;

  // The present meaning of a number.
  struct Object {
    Node* open = nullptr;
    Node* named = nullptr;
    Node* closed = nullptr;  // instead of both
  };

  // An event that may be needed, and the events that it depends on.
  struct Node {
    void clear();

    Carried event;
    const StreamInfo* stream = nullptr;
    Nodes context;  // shows its thread, if it has no field for that
    // Threads whose state it changes, and what runs on its stream: it must not come without their last ones.
    std::vector<std::uint32_t> threads;
    std::uint32_t starts = Actor::kNone;  // the thread that runs from then on
    bool is_scheduling = false;
    bool is_needed = false;  // the current search has found it
    Node* ended = nullptr;   // for a run, by a stop that names its thread: else the next one would be a move
    std::shared_ptr<const Object> object;  // for a call, because its number may have another meaning now
  };
  struct Thread {
    bool exists = false;
    bool is_held = false;                  // it would run, but a collection works on it
    Nodes state;                           // that made it, its own last
    Node* collection = nullptr;            // that holds it
    Nodes collections;                     // the last one that held it since: its begin and its end
    Nodes left;                            // that show that it does not run, if it did
    Node* run = nullptr;                   // its latest, in this state or before
    Nodes before;                          // that show that it did not run before that, if it had
    Node* shown = nullptr;                 // to run or to stop
    Nodes first;                           // by which it was first met; and the end of what that began
    std::shared_ptr<const Object> object;  // that it opened
    // For what was recorded as a whole later: its stream, and when it began.
    const StreamInfo* first_stream = nullptr;
    std::int64_t first_ns = 0;
    Node* created = nullptr;
    Node* named = nullptr;
    Nodes open;  // by depth; null if one event records it as a whole
  };
  // State of a stream that matters for events without a thread.
  struct Stream {
    Node* run = nullptr;   // the latest
    Node* stop = nullptr;  // after it, up to the one that ended it
    bool is_running = false;
    bool is_own = false;       // the latest run names the stream's own thread
    Node* counters = nullptr;  // spark counters
  };

  // An open asynchronous span.
  struct Async {
    const StreamInfo* stream = nullptr;
    std::int64_t began_ns = 0;
    std::uint32_t name = 0;
    Node* node = nullptr;
  };

  // For a collection.
  struct Request {
    Node* node = nullptr;
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
  void use_object(const RoleEvent& event, Node* call);
  void drop_closed();
  void take_collector(const TimelineItem& item);
  void take_beside(const TimelineItem& item);
  void begin_collection(const TimelineItem& item);
  void end_requests(const TimelineItem& collection);
  void take_scheduling(const TimelineItem& item, Stream* stream);
  void fold(const FoldedActors& gone);
  Node* keep(const TimelineItem& item);
  void put_context(const RoleEvent& event, Nodes* context);
  void find_unused();
  Thread& thread(std::uint32_t index);
  Stream& stream_of(const StreamInfo& stream);

  Timeline* timeline_;
  const Session* session_;
  std::deque<Node> nodes_;
  Nodes unused_;                  // among them, whose memory is reused
  std::uint64_t order_ = 0;       // the current event's
  const Event* event_ = nullptr;  // it, not as one of its facets
  Node* kept_ = nullptr;          // it, if it is kept
  bool was_running_ = false;      // whether a thread was on its stream, before it
  std::vector<Thread> threads_;
  std::vector<Stream> streams_;
  std::map<std::uint32_t, Node*> idle_;          // by cpu: the event that began or ended its idle time
  std::map<std::uint32_t, Nodes> idle_threads_;  // how they were known
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::shared_ptr<Object>> objects_;  // by part and number
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Async>> async_;         // by part and id
  std::size_t most_objects_ = 64;            // until the next search for those without anything open
  std::map<std::uint32_t, Carried> losses_;  // the latest, by stream
  Node* latest_run_ = nullptr;               // or stop, of all
  // For each that collected while any did: the events of the first and of the latest time.
  std::map<const StreamInfo*, std::array<Nodes, 2>> collected_;
  std::set<const StreamInfo*> collecting_;
  std::map<std::uint32_t, std::vector<Request>> requests_;  // by part
  std::map<std::pair<std::uint32_t, Role>, Node*> beside_;  // collections: by part and what began
};

}  // namespace evt

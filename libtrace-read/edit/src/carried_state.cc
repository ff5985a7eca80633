#include "carried_state.h"

#include <evt/analysis/extent.h>

#include <algorithm>

#include "libtrace-read/core/src/session/event_time.h"

namespace evt {
namespace {

// At least so many nodes are free after each search: an event takes at most one.
constexpr std::size_t kLeastUnused = 4096;

bool is_complete(Role role) { return role == Role::kSpan || role == Role::kCall; }

// True if an event of this role makes its thread exist.
bool meets(Role role) {
  return is_complete(role) || role == Role::kSpanBegin || role == Role::kSpanEnd || role == Role::kCallBegin ||
         role == Role::kCallEnd || role == Role::kObjectOpen;
}

bool is_of_collector(Role role) {
  return (role >= Role::kGcStart && role <= Role::kGcDone) || role == Role::kGcSync || role == Role::kGcStatistics;
}

bool is_beside_collections(Role role) { return role >= Role::kGcRequest && role <= Role::kGcConcurrentEnd; }

bool is_of_object(Role role) {
  return role == Role::kObjectOpen || role == Role::kObjectName || role == Role::kObjectClose;
}

bool is_of_thread(Role role) { return role >= Role::kThreadCreate && role <= Role::kThreadExit; }

bool knows_role(Role role) {
  return is_of_thread(role) || meets(role) || is_of_collector(role) || is_beside_collections(role) ||
         is_of_object(role) || role == Role::kThreadName || role == Role::kIdleThread || role == Role::kSparkCounters ||
         role == Role::kAsyncBegin;
}

}  // namespace

bool CarriedState::knows(const EventType& type) {
  const std::vector<EventType>& facets = type.facet_types();
  return knows_role(type.role()) ||
         std::any_of(facets.begin(), facets.end(), [](const EventType& facet) { return knows_role(facet.role()); });
}

CarriedState::CarriedState(Timeline& timeline)
    : timeline_(&timeline), session_(&timeline.actors().session()), streams_(session_->streams.size()) {
  timeline.hand_out({ItemKind::kRow, ItemKind::kThread, ItemKind::kState, ItemKind::kIdleThread, ItemKind::kIdleBegan,
                     ItemKind::kIdleEnded, ItemKind::kBegan, ItemKind::kEnded, ItemKind::kAsyncBegan,
                     ItemKind::kAsyncEnded, ItemKind::kObject, ItemKind::kCollectorBegan, ItemKind::kCollection,
                     ItemKind::kCollectorEnded, ItemKind::kLost, ItemKind::kFold});
  // A row of an event's own role comes first, even if only a facet matters: the event begins with it.
  RoleSet rows;
  for (const EventType& type : session_->types) {
    if (!knows(type)) continue;
    rows |= {type.role()};
    for (const EventType& facet : type.facet_types()) rows |= {facet.role()};
  }
  timeline.hand_out_rows(rows);
}

CarriedState::Thread& CarriedState::thread(std::uint32_t index) {
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

CarriedState::Stream& CarriedState::stream_of(const StreamInfo& stream) {
  return streams_[static_cast<std::size_t>(&stream - session_->streams.data())];
}

void CarriedState::Node::clear() {
  context.clear();
  threads.clear();
  starts = Actor::kNone;
  is_scheduling = false;
  ended = nullptr;
}

void CarriedState::take(const TimelineItem& item) {
  if (item.is_open) return;  // it ends where the fold does
  switch (item.kind) {
    case ItemKind::kRow:
      return take_row(item);
    case ItemKind::kState:
      return take_state(item);
    case ItemKind::kThread:
      if (item.thread < Actor::kOthers) meet(item);
      break;
    case ItemKind::kIdleThread:
      return take_idle_thread(item);
    case ItemKind::kIdleBegan:
    case ItemKind::kIdleEnded:
      idle_[item.cpu] = keep(item);
      break;
    case ItemKind::kBegan:
      thread(item.thread).open.push_back(item.is_complete ? nullptr : keep(item));
      if (item.is_call && !item.is_complete) use_object(*item.event, kept_);
      break;
    case ItemKind::kEnded:
      return take_end(item);
    case ItemKind::kAsyncBegan:
      async_[{item.part, item.value}].push_back({item.stream, item.began_ns, item.name, keep(item)});
      break;
    case ItemKind::kAsyncEnded:
      return end_async(item);
    case ItemKind::kObject:
      return take_object(item);
    case ItemKind::kCollectorBegan:
      return begin_collection(item);
    case ItemKind::kCollection:
      return end_requests(item);
    case ItemKind::kCollectorEnded:
      collecting_.erase(item.stream);
      break;
    case ItemKind::kLost:
      losses_[item.stream->id] = {.ns = item.ns, .order = ++order_};
      break;
    case ItemKind::kFold:
      return fold(*item.event->fold);
    default:
      break;
  }
}

// Called for each meaning of an event.
void CarriedState::take_row(const TimelineItem& item) {
  const RoleEvent& event = *item.event;
  if (event.lost || event.jump) return;
  if (!event.is_facet) {
    if (unused_.empty()) find_unused();
    ++order_;
    event_ = event.event;
    kept_ = nullptr;
    was_running_ = stream_of(*event.stream).is_running;
  }
  Stream& stream = stream_of(*event.stream);
  if (event.role == Role::kThreadRun || event.role == Role::kThreadStop) return take_scheduling(item, &stream);
  if (event.role == Role::kSparkCounters) stream.counters = keep(item);
  if (is_of_collector(event.role)) take_collector(item);
  if (is_beside_collections(event.role)) take_beside(item);
  if (event.thread >= Actor::kOthers) return;
  Thread& thread = this->thread(event.thread);
  if (event.role == Role::kThreadCreate) thread.created = keep(item);
  const bool names =
      event.role == Role::kThreadName || event.role == Role::kThreadWake || event.role == Role::kThreadRunnable;
  if (names && event.event->value(Role::kName)) thread.named = keep(item);
  if (thread.first_stream == event.stream && is_complete(event.role) && is_first(item)) thread.first = {keep(item)};
}

void CarriedState::meet(const TimelineItem& item) {
  Thread& thread = this->thread(item.thread);
  thread.exists = true;
  thread.object.reset();
  thread.first.clear();
  thread.first_stream = nullptr;
  if (item.event != nullptr) {
    thread.first.push_back(keep(item));
  } else {
    thread.first_stream = item.stream;
    thread.first_ns = item.began_ns;
  }
}

// True if what it records as a whole began when its thread was first met.
bool CarriedState::is_first(const TimelineItem& item) const {
  const std::optional<Extent> extent = extent_of(*item.event->event, item.event->recorded_ns);
  return extent && extent->began_ns == threads_[item.thread].first_ns;
}

void CarriedState::take_end(const TimelineItem& item) {
  Thread& thread = this->thread(item.thread);
  const auto ended = thread.open.begin() + static_cast<std::ptrdiff_t>(item.depth);
  const bool is_first = *ended != nullptr && !thread.first.empty() && *ended == thread.first.front();
  if (is_first && item.event->event != nullptr) thread.first.push_back(keep(item));
  thread.open.erase(ended);
}

void CarriedState::end_async(const TimelineItem& item) {
  const auto of_id = async_.find({item.part, item.value});
  std::vector<Async>& open = of_id->second;
  const auto ended = std::find_if(open.rbegin(), open.rend(), [&](const Async& each) {
    return each.stream == item.stream && each.began_ns == item.began_ns && each.name == item.name;
  });
  open.erase(std::prev(ended.base()));
  if (open.empty()) async_.erase(of_id);
}

void CarriedState::take_state(const TimelineItem& item) {
  if (item.thread >= Actor::kOthers) return;
  if (item.event == nullptr || item.event->event == nullptr) return;  // recorded as a whole by one event, or a fold
  Thread& thread = this->thread(item.thread);
  const Role role = item.event->role;
  // A collection on the thread is carried separately: without it, the thread would run.
  const bool ran = thread.is_held || item.before == ThreadState::kRunning;
  const bool runs = item.is_collecting || item.state == ThreadState::kRunning;
  thread.is_held = item.is_collecting && (role != Role::kGcStart || item.before == ThreadState::kRunning);
  if (role == Role::kGcStart) thread.collection = keep(item);
  // Its state is the same as before, but starts then.
  if (role == Role::kGcEnd && thread.collection != nullptr) {
    thread.collections = {std::exchange(thread.collection, nullptr), keep(item)};
  }
  if (role == Role::kGcStart || role == Role::kGcEnd) return;
  thread.collections.clear();
  Node* const node = keep(item);
  node->threads.push_back(item.thread);
  const bool is_its_own = item.event->thread == item.thread;
  // A switch ends itself with the next one, and so on: those would all be needed.
  const bool is_last = node->context.empty() && !node->event.type->has_role(Role::kThreadRun);
  if (ran && !runs && is_its_own && is_last && thread.run != nullptr) thread.run->ended = node;
  Node* const replaced = item.resumes && !thread.state.empty() ? thread.state.back() : nullptr;
  if (runs && !ran && is_its_own) {
    thread.before.swap(thread.left);
    if (thread.run != nullptr) thread.before.push_back(thread.run);
  }
  // For a thread that ran elsewhere, as far as known, the event would have another meaning.
  thread.state.clear();
  if (!runs && !ran) thread.state = thread.left;
  // Its run shows that it was on the cpu that another took, or that its stop there may yet come.
  if (thread.run != nullptr && (!is_its_own || (ran && runs))) thread.state.push_back(thread.run);
  if (replaced != nullptr) thread.state.push_back(replaced);
  thread.state.push_back(node);
  if (runs) {
    thread.left.clear();
  } else if (ran) {
    thread.left = thread.state;
  }
  if (is_its_own && runs) {
    thread.run = node;
    node->starts = item.thread;
  }
  if (is_its_own && (runs || role == Role::kThreadStop)) thread.shown = node;
  thread.exists = item.state != ThreadState::kEnded;
  if (!thread.exists) thread.shown = nullptr;
}

// It is not a thread: what it was in until then is not its state. What is open in it stays so.
void CarriedState::take_idle_thread(const TimelineItem& item) {
  Thread& thread = this->thread(item.thread);
  Nodes& nodes = idle_threads_[item.thread];
  nodes = thread.state;
  nodes.push_back(keep(item));
  thread.exists = false;
  thread.state.clear();
  thread.first.clear();
  thread.created = thread.shown = thread.run = nullptr;
}

// Another object with its number closes it.
void CarriedState::take_object(const TimelineItem& item) {
  const Event& event = *item.event->event;
  const std::uint64_t number = event.number(Role::kObject).value_or(0);
  if (number == 0) return;
  auto& object = objects_[{timeline_->actors().part_of_ids(event, Role::kObject), number}];
  if (object == nullptr) object = std::make_shared<Object>();
  if (item.event->role == Role::kObjectOpen) *object = {keep(item), nullptr, nullptr};
  if (item.event->role == Role::kObjectName) object->named = keep(item);
  if (item.event->role == Role::kObjectClose) *object = {nullptr, nullptr, keep(item)};
  if (item.thread < threads_.size()) {
    Thread& thread = threads_[item.thread];
    if (!thread.first.empty() && thread.first.front() == kept_) thread.object = object;
  }
  if (objects_.size() > most_objects_) drop_closed();
}

void CarriedState::drop_closed() {
  find_unused();
  std::erase_if(objects_,
                [](const auto& each) { return each.second->closed != nullptr && each.second.use_count() == 1; });
  most_objects_ = 2 * objects_.size() + 64;
}

// A call refers to the meaning that its object's number had when it began.
void CarriedState::use_object(const RoleEvent& event, Node* call) {
  const std::uint64_t number = event.event->number(Role::kObject).value_or(0);
  const auto found = objects_.find({timeline_->actors().part_of_ids(*event.event, Role::kObject), number});
  if (number == 0 || found == objects_.end() || call->object != nullptr) return;
  call->object = found->second;
  for (Node* const node : {found->second->open, found->second->named, found->second->closed}) {
    if (node != nullptr) call->context.push_back(node);
  }
}

// The begins of streams tell which of them collect together.
void CarriedState::take_collector(const TimelineItem& item) {
  if (collecting_.empty() && item.event->role == Role::kGcStart) collected_.clear();
  auto& [first, latest] = collected_[item.stream];
  const Role role = item.event->role;
  const bool has_ended = std::any_of(first.begin(), first.end(),
                                     [](const Node* node) { return node->event.type->has_role(Role::kGcEnd); });
  if (role == Role::kGcStart && has_ended) latest.clear();
  Nodes& own = latest.empty() && !(role == Role::kGcStart && has_ended) ? first : latest;
  const EventType& type = item.event->event->type();
  // The phase continues, from when it began.
  const bool is_of_phase = role == Role::kGcIdle || role == Role::kGcWork || role == Role::kGcDone;
  if (is_of_phase && !own.empty() && own.back()->event.type == &type) return;
  std::erase_if(own, [&](const Node* node) { return node->event.type == &type; });
  own.push_back(keep(item));
  // It holds the thread on which it collects, or held one that has ended.
  if (role == Role::kGcStart && item.event->thread < threads_.size()) kept_->threads.push_back(item.event->thread);
}

// Its requests are needed until its leader is known to have begun.
void CarriedState::begin_collection(const TimelineItem& item) {
  collecting_.insert(item.stream);
  std::vector<Request>& requests = requests_[timeline_->actors().part_of(*item.stream)];
  if (!requests.empty()) requests.back().has_begun = true;
}

void CarriedState::end_requests(const TimelineItem& collection) {
  std::vector<Request>& requests = requests_[timeline_->actors().part_of(*collection.stream)];
  std::erase_if(requests, [&](const Request& each) { return each.ns <= collection.began_ns; });
}

// State of a process between its collections: kept by the event that began it first.
void CarriedState::take_beside(const TimelineItem& item) {
  const std::uint32_t part = timeline_->actors().part_of(*item.stream);
  const Role role = item.event->role;
  if (role == Role::kGcPauseEnd || role == Role::kGcConcurrentEnd) {
    beside_.erase({part, role == Role::kGcPauseEnd ? Role::kGcPauseBegin : Role::kGcConcurrentBegin});
  } else if (role == Role::kGcRequest) {
    std::vector<Request>& requests = requests_[part];
    const bool is_new = requests.empty() || requests.back().has_begun;
    if (is_new && !collecting_.contains(item.stream)) requests.push_back({keep(item), item.began_ns, false});
  } else {
    Node*& first = beside_[{part, role}];
    if (first == nullptr) first = keep(item);
  }
}

void CarriedState::take_scheduling(const TimelineItem& item, Stream* stream) {
  Node* const node = keep(item);
  node->is_scheduling = true;
  latest_run_ = node;
  if (item.event->role == Role::kThreadRun) {
    stream->run = node;
    stream->stop = nullptr;
    stream->is_running = true;
    stream->is_own = event_->number(Role::kThread) == item.stream->thread;
  } else if (stream->is_running) {
    stream->stop = node;
    stream->is_running = timeline_->actors().running_on(*item.stream) != Actor::kNone;
  }
}

void CarriedState::fold(const FoldedActors& gone) {
  for (const std::uint32_t index : gone.all()) {
    if (index < threads_.size()) threads_[index] = Thread();
  }
}

CarriedState::Node* CarriedState::keep(const TimelineItem& item) {
  if (kept_ != nullptr) return kept_;
  kept_ = unused_.back();
  unused_.pop_back();
  kept_->clear();
  const Bytes fields = event_->payload();
  kept_->event.type = &event_->type();
  kept_->event.clock = &EventTime::clock_of(*event_);
  kept_->event.ordinal = event_->ordinal();
  kept_->event.ticks = event_->ticks();
  kept_->event.fields.resize(fields.size());
  std::copy(fields.begin(), fields.end(), kept_->event.fields.begin());
  kept_->event.order = order_;
  kept_->stream = item.event->stream;
  if (event_->type().field(Role::kThread) == nullptr) put_context(*item.event, &kept_->context);
  return kept_;
}

// An event without a field for its thread belongs to the one that runs on its stream.
void CarriedState::put_context(const RoleEvent& event, Nodes* context) {
  const Stream& stream = stream_of(*event.stream);
  if (stream.run == nullptr) return;
  if (was_running_) {
    *context = stream.run->context.empty() ? Nodes{stream.run} : stream.run->context;
    return;
  }
  // Runs that name no thread have no end.
  const bool names_none = stream.run->event.type->field(Role::kThread) == nullptr;
  const bool is_one_of_many = event.role == Role::kThreadRun && names_none;
  if (!is_one_of_many && stream.stop != nullptr) *context = {stream.run, stream.stop};
}

// The needed nodes, each once, with all that they need: at the end, or before it everything that may be needed then.
// One search at a time.
class CarriedState::Needed {
 public:
  Needed(CarriedState& of, bool is_end) : of_(of), is_end_(is_end) {
    const std::int64_t now = of.timeline_->actors().now();
    for (const StreamInfo& stream : of.session_->streams) {
      if (stream.last_ns <= now) continue;
      streams_.insert(stream.id);
      if (stream.thread != 0) numbers_.insert(stream.thread);
    }
    for (std::uint32_t i = 0; i < of.threads_.size(); ++i) add_thread(i);
    for (std::size_t i = 0; i < of.streams_.size(); ++i) add_stream(of.session_->streams[i], of.streams_[i]);
    for (const auto& [thread, nodes] : of.idle_threads_) add(nodes);
    for (const auto& [cpu, node] : of.idle_) add(node);
    for (const auto& [key, object] : of.objects_) add({object->open, object->named, is_end ? nullptr : object->closed});
    for (const auto& [id, open] : of.async_) {
      for (const Async& each : open) add(each.node);
    }
    for (const auto& [stream, times] : of.collected_) {
      for (const Nodes& nodes : times) add(is_end && of.collecting_.empty() ? Nodes() : nodes);
    }
    for (const auto& [key, node] : of.beside_) add(node);
    for (const auto& [part, requests] : of.requests_) {
      for (const Request& each : requests) {
        if (!is_end || !each.has_begun || !of.collecting_.empty()) add(each.node);
      }
    }
    add({of.latest_run_, is_end ? nullptr : of.kept_});
    // Chains may be long.
    for (std::size_t i = 0; i < all_.size(); ++i) add_needs(*all_[i]);
  }
  Needed(const Needed&) = delete;
  ~Needed() {
    for (Node* const node : all_) node->is_needed = false;
  }

  const Nodes& all() const { return all_; }

 private:
  void add(Node* node) {
    if (node == nullptr || node->is_needed) return;
    node->is_needed = true;
    all_.push_back(node);
  }
  void add(std::initializer_list<Node*> nodes) {
    for (Node* const node : nodes) add(node);
  }
  template <typename Some>
  void add(const Some& nodes) {
    for (Node* const node : nodes) add(node);
  }
  void add_object(const Object* object) {
    if (object != nullptr) add({object->open, object->named, object->closed});
  }
  // The end of an ended thread is needed if its own stream continues, or a call after its end.
  void add_thread(std::uint32_t index) {
    const Thread& thread = of_.threads_[index];
    const bool has_ended = !thread.exists && !thread.state.empty();
    const bool has_open =
        std::any_of(thread.open.begin(), thread.open.end(), [](const Node* node) { return node != nullptr; });
    if (is_end_ && has_ended && !has_open && !may_record_more(index)) return;
    add(thread.state);
    add(thread.collections);
    add({thread.created, thread.shown, thread.named});
    add(thread.open);
    if (!is_end_) {
      add({thread.run, thread.collection});
      add(thread.left);
      add(thread.before);
    } else if (!thread.state.empty()) {
      return;  // an event that shows its state is about it too
    }
    add(thread.first);
    add_object(thread.object.get());
  }
  // True if later events without a thread do not belong to the stream's own.
  void add_stream(const StreamInfo& info, const Stream& stream) {
    add(stream.counters);
    if (!is_end_ || stream.is_running || (info.thread != 0 && !stream.is_own)) add({stream.run, stream.stop});
  }

  void add_needs(const Node& node) {
    add(node.context);
    add(node.ended);
    add_object(node.object.get());
    for (const std::uint32_t index : node.threads) {
      const Thread& thread = of_.threads_[index];
      add(thread.state);
      add({thread.created, thread.named});
    }
    add_later_run(node);
    if (!node.is_scheduling) return;
    const Stream& stream = of_.stream_of(*node.stream);
    add({stream.run, stream.stop});
  }

  // Adds a run that was not the last one of its thread: without later runs the last one would be a move from there.
  void add_later_run(const Node& run) {
    if (run.starts == Actor::kNone) return;
    const Thread& thread = of_.threads_[run.starts];
    if (thread.run == &run) return;
    add(thread.before);
    add(thread.run);
  }

  bool may_record_more(std::uint32_t index) const {
    const Actor& actor = of_.timeline_->actors().threads()[index];
    return actor.is_stream ? streams_.contains(actor.number) : numbers_.contains(actor.number);
  }

  CarriedState& of_;
  const bool is_end_;
  std::set<std::uint64_t> streams_;  // that continue
  std::set<std::uint64_t> numbers_;  // their threads
  Nodes all_;
};

// Frees the nodes that nothing refers to. Makes more if few are free.
void CarriedState::find_unused() {
  const Needed needed(*this, false);
  unused_.clear();
  for (Node& node : nodes_) {
    if (node.is_needed) continue;
    node.object.reset();
    unused_.push_back(&node);
  }
  while (unused_.size() < nodes_.size() / 2 + kLeastUnused) unused_.push_back(&nodes_.emplace_back());
}

CarriedState::ByStream CarriedState::at_end() {
  ByStream by_stream;
  const Needed needed(*this, true);
  for (Node* const node : needed.all()) by_stream[node->stream->id].push_back(std::move(node->event));
  for (const auto& [stream, loss] : losses_) by_stream[stream].push_back(loss);
  for (auto& [id, events] : by_stream) {
    std::sort(events.begin(), events.end(), [](const Carried& a, const Carried& b) { return a.order < b.order; });
  }
  return by_stream;
}

}  // namespace evt

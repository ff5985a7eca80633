#include "carried_state.h"

#include <evt/analysis/extent.h>

#include <algorithm>
#include <utility>

namespace evt {
namespace {

bool is_complete(Role role) { return role == Role::kSpan || role == Role::kCall; }

// An event of this role makes the thread exist that it is of.
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

// A thread runs, by an event of its own.
bool starts(const TimelineItem& item) {
  return item.state == ThreadState::kRunning && item.event->thread == item.thread;
}

template <typename T>
T& grown(std::vector<T>* all, std::size_t index) {
  if (index >= all->size()) all->resize(index + 1);
  return (*all)[index];
}

}  // namespace

bool CarriedState::knows(const EventType& type) {
  const std::vector<EventType>& facets = type.facet_types();
  return knows_role(type.role()) ||
         std::any_of(facets.begin(), facets.end(), [](const EventType& facet) { return knows_role(facet.role()); });
}

CarriedState::CarriedState(Timeline& timeline)
    : timeline_(&timeline), session_(&timeline.actors().session()), streams_(session_->streams.size()) {}

CarriedState::Thread& CarriedState::thread(std::uint32_t index) { return grown(&threads_, index); }

const CarriedState::Stream& CarriedState::stream_of(const StreamInfo& stream) const {
  return streams_[static_cast<std::size_t>(&stream - session_->streams.data())];
}

CarriedState::Stream& CarriedState::stream_of(const StreamInfo& stream) {
  return streams_[static_cast<std::size_t>(&stream - session_->streams.data())];
}

void CarriedState::take(const TimelineItem& item) {
  if (item.is_open) return;  // it ends where the fold does
  switch (item.kind) {
    case ItemKind::kRow:
      take_row(item);
      break;
    case ItemKind::kThread:
      if (item.thread < Actor::kOthers) meet(item);
      break;
    case ItemKind::kState:
      if (item.thread < Actor::kOthers) take_state(item);
      break;
    case ItemKind::kIdleThread:
      take_idle_thread(item);
      break;
    case ItemKind::kIdleBegan:
    case ItemKind::kIdleEnded:
      idle_[item.cpu] = keep(item);
      break;
    case ItemKind::kBegan:
      thread(item.thread).open.push_back(item.is_complete ? nullptr : keep(item));
      if (item.is_call && !item.is_complete) use_object(*item.event, kept_);
      break;
    case ItemKind::kEnded:
      take_end(item);
      break;
    case ItemKind::kAsyncBegan:
      async_[{item.part, item.value}].push_back({item.stream, item.began_ns, item.name, keep(item)});
      break;
    case ItemKind::kAsyncEnded:
      end_async(item);
      break;
    case ItemKind::kObject:
      take_object(item);
      break;
    case ItemKind::kCollectorBegan:
      ++collecting_;
      begin_collection(item);
      break;
    case ItemKind::kCollection:
      end_requests(item);
      break;
    case ItemKind::kCollectorEnded:
      --collecting_;
      collecting_streams_.erase(item.stream);
      break;
    case ItemKind::kLost:
      losses_[item.stream->id] = {nullptr, ++order_, item.ns};
      break;
    case ItemKind::kFold:
      fold(*item.event->fold);
      break;
    default:
      break;
  }
}

// Of each meaning of an event.
void CarriedState::take_row(const TimelineItem& item) {
  const RoleEvent& event = *item.event;
  if (event.lost || event.jump) return;
  if (!event.is_facet) {
    ++order_;
    event_ = event.event;
    kept_.reset();
    was_running_ = stream_of(*event.stream).is_running;
  }
  Stream& stream = stream_of(*event.stream);
  if (event.role == Role::kThreadRun || event.role == Role::kThreadStop) take_scheduling(item, &stream);
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

// What it records as a whole began when its thread was met.
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

void CarriedState::take_state(const TimelineItem& of) {
  Thread& thread = this->thread(of.thread);
  if (of.event == nullptr || of.event->event == nullptr) return;  // what one event records as a whole, or a fold
  // A collection on the thread is carried by itself: without it, the thread would run.
  TimelineItem item = of;
  const bool begins = of.event->role == Role::kGcStart;
  if (thread.is_held) item.before = ThreadState::kRunning;
  if (of.is_collecting) item.state = ThreadState::kRunning;
  thread.is_held = of.is_collecting && (!begins || of.before == ThreadState::kRunning);
  if (begins) thread.collection = keep(of);
  // Its state is as it was before, but from then on.
  if (of.event->role == Role::kGcEnd && thread.collection != nullptr) {
    thread.collections = {std::exchange(thread.collection, nullptr), keep(of)};
  }
  if (begins || of.event->role == Role::kGcEnd) return;
  thread.collections.clear();
  const NodePtr node = keep(item);
  node->threads.push_back(item.thread);
  if (starts(item) && item.before != ThreadState::kRunning) {
    thread.before = thread.left;
    if (thread.run != nullptr) thread.before.insert(thread.before.begin(), thread.run);
  }
  const NodePtr replaced = item.resumes && !thread.state.empty() ? thread.state.back() : nullptr;
  const bool moves = item.before == ThreadState::kRunning && item.state == ThreadState::kRunning;
  const bool is_its_own = item.event->thread == item.thread;
  const bool ends = item.before == ThreadState::kRunning && item.state != ThreadState::kRunning && is_its_own;
  // A switch ends itself with the next one, and so on: those would all be needed.
  const bool is_last = node->context.empty() && !node->event->event().type().has_role(Role::kThreadRun);
  if (ends && is_last && thread.run != nullptr) thread.run->ended = node;
  // Its run shows that it was on the cpu which another took, or that its stop there may yet come.
  thread.state.clear();
  for (const NodePtr& each : {moves || !is_its_own ? thread.run : nullptr, replaced, node}) {
    if (each != nullptr && (thread.state.empty() || thread.state.back() != each)) thread.state.push_back(each);
  }
  // To one that ran elsewhere, for all that is known, the event would mean something else.
  if (item.before != ThreadState::kRunning && item.state != ThreadState::kRunning) {
    thread.state.insert(thread.state.begin(), thread.left.begin(), thread.left.end());
  } else {
    thread.left = item.state == ThreadState::kRunning ? Nodes() : thread.state;
  }
  if (starts(item)) {
    thread.run = node;
    node->starts = item.thread;
  }
  const bool shows = item.state == ThreadState::kRunning || item.event->role == Role::kThreadStop;
  if (shows && is_its_own) thread.shown = node;
  thread.exists = item.state != ThreadState::kEnded;
  if (!thread.exists) thread.shown.reset();
}

// It is none: what it was in until then is not its state. What is open in it stays so.
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

// An object is closed by another that has its number.
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
  std::erase_if(objects_,
                [](const auto& each) { return each.second->closed != nullptr && each.second.use_count() == 1; });
  most_objects_ = 2 * objects_.size() + 64;
}

// A call is of what its object's number meant when it began.
void CarriedState::use_object(const RoleEvent& event, const NodePtr& call) {
  const std::uint64_t number = event.event->number(Role::kObject).value_or(0);
  const auto found = objects_.find({timeline_->actors().part_of_ids(*event.event, Role::kObject), number});
  if (number == 0 || found == objects_.end() || call->object != nullptr) return;
  call->object = found->second;
  for (const NodePtr& node : {found->second->open, found->second->named, found->second->closed}) {
    if (node != nullptr) call->context.push_back(node);
  }
}

// Which streams collect together is known by when they began.
void CarriedState::take_collector(const TimelineItem& item) {
  if (collecting_ == 0 && item.event->role == Role::kGcStart) collected_.clear();
  auto& [first, latest] = collected_[item.stream];
  const Role role = item.event->role;
  const bool has_ended = std::any_of(first.begin(), first.end(), [](const NodePtr& node) {
    return node->event->event().type().has_role(Role::kGcEnd);
  });
  if (role == Role::kGcStart && has_ended) latest.clear();
  Nodes& own = latest.empty() && !(role == Role::kGcStart && has_ended) ? first : latest;
  const EventType& type = item.event->event->type();
  // The phase goes on as it was, from when it began.
  const bool is_of_phase = role == Role::kGcIdle || role == Role::kGcWork || role == Role::kGcDone;
  if (is_of_phase && !own.empty() && &own.back()->event->event().type() == &type) return;
  std::erase_if(own, [&](const NodePtr& node) { return &node->event->event().type() == &type; });
  own.push_back(keep(item));
  // It holds the thread on which it collects, or held one that has ended.
  if (role == Role::kGcStart && item.event->thread < threads_.size()) kept_->threads.push_back(item.event->thread);
}

// Its requests are needed until its leader is known to have begun.
void CarriedState::begin_collection(const TimelineItem& item) {
  collecting_streams_.insert(item.stream);
  std::vector<Request>& requests = requests_[timeline_->actors().part_of(*item.stream)];
  if (!requests.empty()) requests.back().has_begun = true;
}

void CarriedState::end_requests(const TimelineItem& collection) {
  std::vector<Request>& requests = requests_[timeline_->actors().part_of(*collection.stream)];
  std::erase_if(requests, [&](const Request& each) { return each.ns <= collection.began_ns; });
}

// What goes on of a process between its collections: by what began it first.
void CarriedState::take_beside(const TimelineItem& item) {
  const std::uint32_t part = timeline_->actors().part_of(*item.stream);
  const Role role = item.event->role;
  if (role == Role::kGcPauseEnd || role == Role::kGcConcurrentEnd) {
    beside_.erase({part, role == Role::kGcPauseEnd ? Role::kGcPauseBegin : Role::kGcConcurrentBegin});
  } else if (role == Role::kGcRequest) {
    std::vector<Request>& requests = requests_[part];
    const bool is_new = requests.empty() || requests.back().has_begun;
    if (is_new && !collecting_streams_.contains(item.stream)) requests.push_back({keep(item), item.began_ns, false});
  } else {
    NodePtr& first = beside_[{part, role}];
    if (first == nullptr) first = keep(item);
  }
}

void CarriedState::take_scheduling(const TimelineItem& item, Stream* stream) {
  const NodePtr node = keep(item);
  node->is_scheduling = true;
  latest_run_ = node;
  if (item.event->role == Role::kThreadRun) {
    stream->run = node;
    stream->stop.reset();
  } else if (stream->run != nullptr && stream->is_running) {
    stream->stop = node;
  }
  stream->is_running = timeline_->actors().running_on(*item.stream) != Actor::kNone;
}

void CarriedState::fold(const FoldedActors& gone) {
  for (const std::uint32_t index : gone.all()) {
    if (index < threads_.size()) threads_[index] = Thread();
  }
}

CarriedState::NodePtr CarriedState::keep(const TimelineItem& item) {
  if (kept_ == nullptr) {
    kept_ = std::make_shared<Node>();
    kept_->event = std::make_shared<const KeptEvent>(*event_);
    kept_->order = order_;
    kept_->context = context_of(*item.event);
  }
  return kept_;
}

// An event without a field for its thread is of the one that runs on its stream.
CarriedState::Nodes CarriedState::context_of(const RoleEvent& event) {
  if (event_->type().field(Role::kThread) != nullptr) return {};
  const Stream& stream = stream_of(*event.stream);
  if (stream.run == nullptr) return {};
  if (was_running_) return stream.run->context.empty() ? Nodes{stream.run} : stream.run->context;
  // Of runs that name no thread there is no end.
  const bool names_none = stream.run->event->event().type().field(Role::kThread) == nullptr;
  const bool is_one_of_many = event.role == Role::kThreadRun && names_none;
  return is_one_of_many || stream.stop == nullptr ? Nodes() : Nodes{stream.run, stream.stop};
}

// What is needed, each once, with all that it needs.
class CarriedState::Needed {
 public:
  explicit Needed(const CarriedState& of) : of_(of) {
    const std::int64_t now = of.timeline_->actors().now();
    for (const StreamInfo& stream : of.session_->streams) {
      if (stream.last_ns <= now) continue;
      streams_.insert(stream.id);
      if (stream.thread != 0) numbers_.insert(stream.thread);
    }
  }

  void add(const NodePtr& node) {
    if (node != nullptr && known_.insert(node.get()).second) all_.push_back(node);
  }
  void add(const Nodes& nodes) {
    for (const NodePtr& node : nodes) add(node);
  }
  // Of one that ended it is needed that it did, if its own stream goes on, or a call behind its end.
  void add_thread(std::uint32_t index) {
    const Thread& thread = of_.threads_[index];
    const bool has_ended = !thread.exists && !thread.state.empty();
    const bool has_open =
        std::any_of(thread.open.begin(), thread.open.end(), [](const NodePtr& node) { return node != nullptr; });
    if (has_ended && !has_open && !may_record_more(index)) return;
    add(thread.state);
    add(thread.collections);
    add({thread.created, thread.shown, thread.named});
    add(thread.open);
    // An event that shows its state is of it too.
    if (!thread.state.empty()) return;
    add(thread.first);
    if (thread.object != nullptr) add({thread.object->open, thread.object->named, thread.object->closed});
  }
  // Whether later events without a thread are not of the stream's own.
  void add_stream(const StreamInfo& info, const Stream& stream) {
    add(stream.counters);
    const bool is_own = stream.run != nullptr && stream.run->event->event().number(Role::kThread) == info.thread;
    if (stream.is_running || (info.thread != 0 && !is_own)) add({stream.run, stream.stop});
  }

  // With what these need. Chains of them may be long.
  Nodes all() {
    for (std::size_t i = 0; i < all_.size(); ++i) add_needs(NodePtr(all_[i]));
    return all_;
  }

 private:
  void add_needs(const NodePtr& node) {
    add(node->context);
    for (const std::uint32_t thread : node->threads) {
      add(of_.threads_[thread].state);
      add({of_.threads_[thread].created, of_.threads_[thread].named});
    }
    add(node->ended);
    add_later_run(node);
    if (node->object != nullptr) add({node->object->open, node->object->named, node->object->closed});
    if (!node->is_scheduling) return;
    const Stream& stream = of_.stream_of(node->event->event().stream());
    add({stream.run, stream.stop});
  }

  // Of a run that was not the last one of its thread: without those behind it the last one would be a move from there.
  void add_later_run(const NodePtr& run) {
    if (run->starts == Actor::kNone) return;
    const Thread& thread = of_.threads_[run->starts];
    if (thread.run == run) return;
    add(thread.before);
    add(thread.run);
  }

  bool may_record_more(std::uint32_t index) const {
    const Actor& actor = of_.timeline_->actors().threads()[index];
    return actor.is_stream ? streams_.contains(actor.number) : numbers_.contains(actor.number);
  }

  const CarriedState& of_;
  std::set<std::uint64_t> streams_;  // that go on
  std::set<std::uint64_t> numbers_;  // their threads
  std::set<const Node*> known_;
  Nodes all_;
};

CarriedState::Nodes CarriedState::needed() const {
  Needed needed(*this);
  for (std::uint32_t i = 0; i < threads_.size(); ++i) needed.add_thread(i);
  for (std::size_t i = 0; i < streams_.size(); ++i) needed.add_stream(session_->streams[i], streams_[i]);
  for (const auto& [thread, nodes] : idle_threads_) needed.add(nodes);
  for (const auto& [cpu, node] : idle_) needed.add(node);
  for (const auto& [key, object] : objects_) needed.add({object->open, object->named});
  for (const auto& [id, open] : async_) {
    for (const Async& each : open) needed.add(each.node);
  }
  for (const auto& [stream, times] : collected_) {
    if (collecting_ == 0) break;
    for (const Nodes& nodes : times) needed.add(nodes);
  }
  for (const auto& [key, node] : beside_) needed.add(node);
  for (const auto& [part, requests] : requests_) {
    for (const Request& each : requests) {
      if (!each.has_begun || collecting_ > 0) needed.add(each.node);
    }
  }
  needed.add(latest_run_);
  return needed.all();
}

CarriedState::ByStream CarriedState::at_end() const {
  ByStream by_stream;
  for (const NodePtr& node : needed()) {
    by_stream[node->event->event().stream().id].push_back({node->event, node->order, 0});
  }
  for (const auto& [stream, loss] : losses_) by_stream[stream].push_back(loss);
  for (auto& [id, events] : by_stream) {
    std::sort(events.begin(), events.end(), [](const Carried& a, const Carried& b) { return a.order < b.order; });
  }
  return by_stream;
}

}  // namespace evt

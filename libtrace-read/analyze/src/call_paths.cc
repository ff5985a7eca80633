#include <evt/analysis/call_paths.h>
#include <evt/saturating_add.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "active_time.h"
#include "flat_map.h"
#include "parts.h"
#include "path_tree.h"
#include "shows_runs.h"
#include "tracing_cost.h"

namespace evt {

class CallPaths::Impl {
 public:
  Impl(Timeline& timeline, const Options& options)
      : actors_(&timeline.actors()),
        by_thread_(options.by_thread),
        divides_(options.divides),
        cost_(cost_of(timeline, options)),
        stopped_(timeline.actors().session().parts.size() + 1) {}

  void take(const TimelineItem& item);
  void restart(std::int64_t ns);
  const PathTree& tree() const { return tree_; }
  std::vector<Inside> inside() const;
  Doubts doubts() const;

 private:
  // As the Timeline has it open, at the same place of its thread.
  struct Frame {
    std::uint32_t node = 0;  // its path; of those from Thread::placed on it is what it was before another ended
    std::uint32_t name = 0;
    bool is_call = false;
    bool is_wanted = false;
    bool is_counted = false;
    std::uint32_t counted = 0;  // if so, the path on which it is
    bool is_outermost = false;  // of its kind and name
    const StreamInfo* stream = nullptr;
    std::int64_t since_ns = 0;    // `sum_ns` has what was until then
    std::uint64_t before_ns = 0;  // what was subtracted on its thread until then
    std::uint64_t sum_ns = 0;
    Time self;
  };
  struct Thread {
    std::vector<Frame> open;
    std::size_t placed = 0;      // those in front of it are at their place in the tree
    std::uint64_t spent_ps = 0;  // by tracing on the stream of the innermost, until that time
    std::uint64_t owed_ps = 0;   // less than a nanosecond, to be subtracted
    std::int64_t since_ns = 0;   // what is open has its time until then
    ThreadState state = ThreadState::kUnknown;
    bool is_known = false;    // events recorded that it runs, or does not
    bool is_assumed = false;  // until then it was taken to run
    bool is_collecting = false;
    bool is_stopped = false;
    Time inside;
    ActiveTime::Member active;
  };
  struct Collector {
    bool works = false;
    ActiveTime::Member active;
  };

  static std::uint64_t key_of(std::uint32_t thread, const TimelineItem& item) {
    return std::uint64_t{thread} << 32 | item.name << 1 | std::uint32_t{item.is_call};
  }
  static std::optional<TracingCost> cost_of(Timeline& timeline, const Options& options);
  static Time time_of(const Thread& thread, std::int64_t ns);
  std::uint64_t spent_ps(const Frame& frame, const TimelineItem* ended) const;
  void subtract(Thread* thread, std::uint64_t spent_ps, Time* time) const;
  void advance(std::int64_t ns);
  void activate(ActiveTime::Member* member, bool is_active);
  void activate(Thread* thread);
  void activate_collector(std::uint32_t place);
  void take_collector(const TimelineItem& item);
  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  void count_doubts(const TimelineItem& ended);
  void settle(std::uint32_t thread, std::int64_t ns, const TimelineItem* ended = nullptr);
  void place(std::uint32_t thread);
  void flush(const Thread& thread, Frame* frame, std::int64_t ns);
  void stop(const TimelineItem& item);
  void fold(const FoldedActors& gone);

  Actors* actors_;
  bool by_thread_;
  bool divides_;
  std::optional<TracingCost> cost_;
  bool has_begun_ = false;
  ActiveTime clock_;
  std::vector<Collector> collectors_;  // by the place of their stream
  PathTree tree_;
  std::vector<Thread> threads_;
  FlatMap<std::uint32_t> open_of_name_;  // how many, by thread, kind and name
  std::vector<bool> stopped_;            // by part; the first of those that are of none
  Time of_folded_;
  Doubts doubts_;
};

CallPaths::Time& CallPaths::Time::operator+=(const Time& other) {
  ns += other.ns;
  running_ns += other.running_ns;
  stopped_ns += other.stopped_ns;
  subtracted_ns += other.subtracted_ns;
  share += other.share;
  return *this;
}

void CallPaths::Impl::take(const TimelineItem& item) {
  if (divides_) advance(item.ns);
  switch (item.kind) {
    case ItemKind::kRow:
      if (cost_) cost_->take(*item.event);
      break;
    case ItemKind::kThread:
      grown(&threads_, item.thread).is_stopped = stopped_[actors_->threads()[item.thread].part + std::uint32_t{1}];
      break;
    case ItemKind::kState:
      if (item.is_open) break;
      settle(item.thread, item.ns);
      threads_[item.thread].state = item.state;
      threads_[item.thread].is_collecting = item.is_collecting;
      if (!threads_[item.thread].is_known && shows_runs(item)) {
        threads_[item.thread].is_known = true;
        threads_[item.thread].is_assumed = threads_[item.thread].inside.ns > 0;
      }
      activate(&threads_[item.thread]);
      break;
    case ItemKind::kIdleThread:
      if (item.thread < threads_.size()) activate(&threads_[item.thread].active, false);
      break;
    case ItemKind::kCollectorBegan:
    case ItemKind::kCollectorPhase:
    case ItemKind::kCollectorEnded:
      take_collector(item);
      break;
    case ItemKind::kBegan:
      begin(item);
      break;
    case ItemKind::kEnded:
      end(item);
      break;
    case ItemKind::kUnmatchedEnd:
      if (item.thread != Actor::kNone && item.is_wanted) ++doubts_.unmatched_ends;
      break;
    case ItemKind::kNotTimed:
      if (item.event->role != Role::kStopped && item.is_wanted) ++doubts_.not_timed;
      break;
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      stop(item);
      break;
    case ItemKind::kFold:
      fold(*item.event->fold);
      break;
    default:
      break;
  }
}

void CallPaths::Impl::advance(std::int64_t ns) {
  if (!std::exchange(has_begun_, true)) clock_.start(std::min<std::int64_t>(0, ns));
  clock_.advance(ns);
}

void CallPaths::Impl::activate(ActiveTime::Member* member, bool is_active) {
  if (!divides_ || member->active == is_active) return;
  is_active ? clock_.begin(member) : clock_.end(member);
}

// One that no event records to run or stop: as long as something is open in it. None while its process is stopped.
void CallPaths::Impl::activate(Thread* thread) {
  const bool goes_on =
      thread->is_known ? thread->state == ThreadState::kRunning : !thread->open.empty() && !thread->is_collecting;
  activate(&thread->active, goes_on && !thread->is_stopped);
}

void CallPaths::Impl::activate_collector(std::uint32_t place) {
  const Session& session = actors_->session();
  const std::uint32_t part = actors_->part_of(session.streams[place]);
  const bool is_stopped = (part != Actor::kNone || session.parts.empty()) && stopped_[part + std::uint32_t{1}];
  activate(&collectors_[place].active, collectors_[place].works && !is_stopped);
}

void CallPaths::Impl::take_collector(const TimelineItem& item) {
  const auto place = static_cast<std::uint32_t>(item.stream - actors_->session().streams.data());
  grown(&collectors_, place).works = item.kind == ItemKind::kCollectorBegan ||
                                     (item.kind == ItemKind::kCollectorPhase && item.phase == CollectorPhase::kWork);
  activate_collector(place);
}

CallPaths::Time CallPaths::Impl::time_of(const Thread& thread, std::int64_t ns) {
  Time time;
  time.ns = length(thread.since_ns, ns);
  const bool runs = thread.is_known ? thread.state == ThreadState::kRunning : !thread.is_collecting;
  const bool would_run = runs || thread.state == ThreadState::kRunnable || thread.state == ThreadState::kOutside;
  if (thread.is_stopped && would_run) {
    time.stopped_ns = time.ns;
  } else if (runs) {
    time.running_ns = time.ns;
  }
  return time;
}

std::optional<TracingCost> CallPaths::Impl::cost_of(Timeline& timeline, const Options& options) {
  if (!options.subtract_event_ps) return std::nullopt;
  return TracingCost(timeline.actors().session(), *options.subtract_event_ps);
}

// By tracing so far, on the stream on which it began. `ended`: what ends now, if anything does; one event that records
// it as a whole is behind it.
std::uint64_t CallPaths::Impl::spent_ps(const Frame& frame, const TimelineItem* ended) const {
  if (!cost_) return 0;
  const std::uint64_t all = cost_->spent_ps(*frame.stream);
  const bool is_behind = ended != nullptr && ended->is_complete && ended->event != nullptr;
  return is_behind && ended->stream == frame.stream ? all - std::min(all, cost_->event_ps()) : all;
}

// A time that is too short for what tracing took is nothing.
void CallPaths::Impl::subtract(Thread* thread, std::uint64_t spent_ps, Time* time) const {
  saturating_add(&thread->owed_ps, spent_ps - std::min(thread->spent_ps, spent_ps));
  time->subtracted_ns = std::min(time->ns, thread->owed_ps / kPsInNs);
  thread->owed_ps %= kPsInNs;
  time->ns -= time->subtracted_ns;
  time->running_ns -= std::min(time->running_ns, time->subtracted_ns);
  time->stopped_ns -= std::min(time->stopped_ns, time->subtracted_ns);
}

void CallPaths::Impl::settle(std::uint32_t index, std::int64_t ns, const TimelineItem* ended) {
  Thread& thread = grown(&threads_, index);
  if (ns <= thread.since_ns && !thread.open.empty()) return;
  if (!thread.open.empty()) {
    Time time = time_of(thread, ns);
    if (thread.active.active) time.share = (clock_.now() - thread.active.since).share;
    place(index);
    Frame& innermost = thread.open.back();
    const std::uint64_t spent = spent_ps(innermost, ended);
    subtract(&thread, spent, &time);
    thread.spent_ps = spent;
    innermost.self += time;
    thread.inside += time;
  }
  thread.since_ns = ns;
  if (divides_) thread.active.since = clock_.now();
}

// Finds the paths of what goes on where something ended that was around it. What it had until then is of the path
// before. Not sooner than time is spent there: of many that end at one moment it is done once.
void CallPaths::Impl::place(std::uint32_t index) {
  Thread& thread = threads_[index];
  for (; thread.placed < thread.open.size(); ++thread.placed) {
    Frame& frame = thread.open[thread.placed];
    flush(thread, &frame, thread.since_ns);
    const std::uint32_t around =
        thread.placed > 0 ? thread.open[thread.placed - 1].node : tree_.root(by_thread_ ? index : Actor::kNone);
    frame.node = tree_.child(around, frame.name, frame.is_call);
  }
}

// What is not known to be wanted keeps what it has: that is of the path on which it ends.
void CallPaths::Impl::flush(const Thread& thread, Frame* frame, std::int64_t ns) {
  const std::uint64_t subtracted_ns = thread.inside.subtracted_ns - frame->before_ns;
  if (frame->is_outermost) frame->sum_ns += length(frame->since_ns, ns) - subtracted_ns;
  frame->since_ns = ns;
  frame->before_ns = thread.inside.subtracted_ns;
  if (!frame->is_wanted) return;
  Node& node = tree_[frame->node];
  if (!std::exchange(frame->is_counted, true)) {
    frame->counted = frame->node;
    ++node.count;
  }
  node.sum_ns += std::exchange(frame->sum_ns, 0);
  node.self += std::exchange(frame->self, {});
}

void CallPaths::Impl::begin(const TimelineItem& item) {
  settle(item.thread, item.ns);
  place(item.thread);
  Thread& thread = threads_[item.thread];
  Frame frame;
  const std::uint32_t around =
      thread.open.empty() ? tree_.root(by_thread_ ? item.thread : Actor::kNone) : thread.open.back().node;
  frame.node = tree_.child(around, item.name, item.is_call);
  frame.name = item.name;
  frame.is_call = item.is_call;
  frame.is_wanted = item.is_wanted;
  frame.is_outermost = ++open_of_name_[key_of(item.thread, item)] == 1;
  frame.stream = item.stream;
  frame.since_ns = item.ns;
  frame.before_ns = thread.inside.subtracted_ns;
  thread.spent_ps = spent_ps(frame, nullptr);
  thread.open.push_back(frame);
  thread.placed = thread.open.size();
  activate(&thread);
  if (item.is_negative && item.is_wanted) ++doubts_.negative;
}

void CallPaths::Impl::end(const TimelineItem& item) {
  settle(item.thread, item.ns, &item);
  Thread& thread = threads_[item.thread];
  const auto place = thread.open.begin() + static_cast<std::ptrdiff_t>(item.depth);
  place->is_wanted |= item.is_wanted;
  flush(thread, &*place, item.ns);
  if (place->is_wanted && (item.is_open || item.is_cut)) ++tree_[place->counted].unfinished;
  const Frame ended = *place;
  thread.open.erase(place);
  if (!thread.open.empty()) thread.spent_ps = spent_ps(thread.open.back(), &item);
  thread.placed = std::min<std::size_t>(thread.placed, item.depth);
  activate(&thread);
  const std::uint64_t key = key_of(item.thread, item);
  if (--open_of_name_[key] == 0) {
    open_of_name_.erase(key);
  } else if (ended.is_outermost) {
    const auto next =
        std::find_if(thread.open.begin() + static_cast<std::ptrdiff_t>(item.depth), thread.open.end(),
                     [&](const Frame& inner) { return inner.name == ended.name && inner.is_call == ended.is_call; });
    next->is_outermost = true;
    next->since_ns = item.ns;
    next->before_ns = thread.inside.subtracted_ns;
  }
  if (ended.is_wanted) count_doubts(item);
}

void CallPaths::Impl::count_doubts(const TimelineItem& ended) {
  doubts_.open_at_end += ended.is_open ? 1 : 0;
  doubts_.left_open += ended.is_cut ? 1 : 0;
  doubts_.overlaps += ended.overlaps ? 1 : 0;
  doubts_.uncertain += ended.is_uncertain ? 1 : 0;
}

// Of its part of a merged session: others are other processes.
void CallPaths::Impl::stop(const TimelineItem& item) {
  if (item.depth > 0) return;  // two at a time are one
  const bool begins = item.kind == ItemKind::kStopBegan;
  stopped_[item.part + std::uint32_t{1}] = begins;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i == Actor::kOthers || actors_->threads()[i].part != item.part) continue;
    settle(i, item.ns);
    threads_[i].is_stopped = begins;
    activate(&threads_[i]);
  }
  for (std::uint32_t i = 0; i < collectors_.size(); ++i) activate_collector(i);
}

void CallPaths::Impl::fold(const FoldedActors& gone) {
  for (const std::uint32_t i : gone.all()) {
    if (i >= threads_.size()) continue;
    of_folded_ += threads_[i].inside;
    activate(&threads_[i].active, false);
    threads_[i] = Thread();
  }
  if (!by_thread_) return;
  const std::vector<std::uint32_t> to = tree_.fold(gone);
  for (Thread& thread : threads_) {
    for (Frame& frame : thread.open) {
      frame.node = to[frame.node];
      frame.counted = to[frame.counted];
    }
  }
}

void CallPaths::Impl::restart(std::int64_t ns) {
  if (divides_) advance(ns);
  for (std::uint32_t i = 0; i < threads_.size(); ++i) settle(i, ns);
  tree_.clear_figures();
  doubts_ = Doubts();
  of_folded_ = Time();
  for (Thread& thread : threads_) {
    thread.inside = Time();
    thread.is_assumed = false;
    thread.owed_ps = 0;
    if (!thread.open.empty()) thread.spent_ps = spent_ps(thread.open.back(), nullptr);
    for (Frame& frame : thread.open) {
      frame.is_counted = false;
      frame.since_ns = ns;
      frame.before_ns = 0;
      frame.sum_ns = 0;
      frame.self = Time();
    }
  }
}

std::vector<CallPaths::Inside> CallPaths::Impl::inside() const {
  std::vector<Inside> all;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].inside.ns > 0) all.push_back({i, threads_[i].inside});
  }
  if (of_folded_.ns > 0) all.push_back({Actor::kOthers, of_folded_});
  return all;
}

CallPaths::Doubts CallPaths::Impl::doubts() const {
  Doubts doubts = doubts_;
  doubts.assumed = static_cast<std::uint64_t>(std::count_if(threads_.begin(), threads_.end(), [](const Thread& thread) {
    return thread.is_assumed || (!thread.is_known && thread.inside.ns > 0);
  }));
  return doubts;
}

CallPaths::CallPaths(Timeline& timeline, const Options& options) : impl_(std::make_unique<Impl>(timeline, options)) {}
CallPaths::CallPaths(CallPaths&&) noexcept = default;
CallPaths::~CallPaths() = default;

void CallPaths::take(const TimelineItem& item) { impl_->take(item); }
void CallPaths::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<CallPaths::Node>& CallPaths::nodes() const { return impl_->tree().nodes(); }
std::vector<CallPaths::Inside> CallPaths::inside() const { return impl_->inside(); }
bool CallPaths::has_other_paths() const { return impl_->tree().has_other_paths(); }
CallPaths::Doubts CallPaths::doubts() const { return impl_->doubts(); }

}  // namespace evt

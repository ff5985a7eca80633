#include <evt/analysis/share.h>

#include <algorithm>

#include "parts.h"
#include "shows_runs.h"
#include "span_shares.h"

namespace evt {

class Share::Impl {
 public:
  Impl(Timeline& timeline, ShareModel model)
      : actors_(&timeline.actors()),
        session_(&timeline.actors().session()),
        model_(model),
        spans_(model == ShareModel::kPhase),
        stopped_(session_->parts.size() + 1) {}

  void take(const TimelineItem& item);
  void restart(std::int64_t ns);
  const SpanShares& spans() const { return spans_; }
  ShareModel model() const { return model_; }
  std::uint64_t assumed() const;
  bool has_threads() const { return !threads_.empty(); }
  bool has_runs() const { return has_runs_; }
  std::uint64_t open_at_end() const { return open_at_end_; }
  Doubts doubts(std::int64_t ns) const;

 private:
  struct Thread {
    bool is_known = false;    // events recorded that it runs, or does not
    bool is_assumed = false;  // taken to run
    std::int64_t assumed_since_ns = 0;
    bool is_uncertain = false;
    bool is_collecting = false;
    std::uint32_t open = 0;  // spans and calls
  };

  void advance(std::int64_t ns);
  void change_state(const TimelineItem& item);
  void change_open(const TimelineItem& item);
  void lose(const TimelineItem& item);
  void know(std::uint32_t thread);
  std::uint32_t place_of(const StreamInfo& stream) const {
    return static_cast<std::uint32_t>(&stream - session_->streams.data());
  }
  bool is_of(std::uint32_t part, const StreamInfo& stream) const {
    return part == Actor::kNone ? session_->parts.empty() : session_->parts[part].has_stream(stream.id);
  }
  void stop(const TimelineItem& item);
  void fold(const TimelineItem& item);

  Actors* actors_;
  const Session* session_;
  ShareModel model_;
  bool begun_ = false;
  bool has_runs_ = false;
  SpanShares spans_;
  std::vector<bool> stopped_;  // by part; the first of those that are of none
  std::vector<Thread> threads_;
  std::uint32_t uncertain_ = 0;          // threads
  std::int64_t certain_ns_ = INT64_MIN;  // all is known, or counted as uncertain, until then
  std::uint64_t open_at_end_ = 0;
  Doubts doubts_;
};

void Share::Impl::advance(std::int64_t ns) {
  ActiveTime& clock = spans_.clock();
  if (!begun_) {
    begun_ = true;
    clock.start(std::min<std::int64_t>(0, ns));
  }
  if (uncertain_ > 0) {
    doubts_.uncertain_ns += length(clock.now_ns(), ns);
    certain_ns_ = ns;
  }
  clock.advance(ns);
}

void Share::Impl::take(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kThread:
      advance(item.ns);
      grown(&threads_, item.thread);
      spans_.meet(item.thread, item.is_wanted);
      spans_.set_stopped(item.thread, stopped_[actors_->threads()[item.thread].part + std::uint32_t{1}]);
      if (model_ != ShareModel::kRunning) spans_.activate(item.thread);
      break;
    case ItemKind::kState:
      if (!item.is_open) change_state(item);
      break;
    case ItemKind::kBegan:
    case ItemKind::kEnded:
      change_open(item);
      break;
    case ItemKind::kUnmatchedEnd:
      if (item.thread != Actor::kNone && item.is_wanted) ++doubts_.unmatched_ends;
      break;
    case ItemKind::kNotTimed:
      if (item.event->role != Role::kStopped && item.is_wanted) ++doubts_.not_timed;
      break;
    case ItemKind::kUncertain:
      lose(item);
      break;
    case ItemKind::kIdleThread:
      advance(item.ns);
      if (item.thread < threads_.size()) spans_.deactivate(item.thread);
      break;
    case ItemKind::kCollectorBegan:
      advance(item.ns);
      spans_.begin_collector(place_of(*item.stream), item.is_wanted);
      for (std::uint32_t i = 0; i < stopped_.size(); ++i) {
        if (stopped_[i] && is_of(i - 1, *item.stream)) spans_.set_collector_stopped(place_of(*item.stream), true);
      }
      spans_.set_collector(place_of(*item.stream), true);
      break;
    case ItemKind::kCollectorPhase:
      advance(item.ns);
      spans_.set_collector(place_of(*item.stream), item.phase == CollectorPhase::kWork);
      break;
    case ItemKind::kCollectorEnded:
      advance(item.ns);
      spans_.end_collector(place_of(*item.stream), item.is_wanted);
      break;
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      stop(item);
      break;
    case ItemKind::kJump:
      ++doubts_.jumps;
      break;
    case ItemKind::kFold:
      fold(item);
      break;
    default:
      break;
  }
}

void Share::Impl::change_state(const TimelineItem& item) {
  advance(item.ns);
  Thread& thread = threads_[item.thread];
  const bool is_of_running = shows_runs(item);
  has_runs_ |= is_of_running;
  thread.is_known |= is_of_running;
  // What was assumed for no time at all was not.
  if (is_of_running && thread.assumed_since_ns == spans_.clock().now_ns()) thread.is_assumed = false;
  thread.is_collecting = item.is_collecting;
  spans_.set_wanted(item.thread, item.is_wanted);
  if (model_ != ShareModel::kRunning) {
    item.state != ThreadState::kEnded ? spans_.activate(item.thread) : spans_.deactivate(item.thread);
  } else if (thread.is_known) {
    item.state == ThreadState::kRunning ? spans_.activate(item.thread) : spans_.deactivate(item.thread);
  } else if (thread.open > 0) {
    item.is_collecting ? spans_.deactivate(item.thread) : spans_.activate(item.thread);
  }
  know(item.thread);
}

void Share::Impl::change_open(const TimelineItem& item) {
  advance(item.ns);
  Thread& thread = grown(&threads_, item.thread);
  if (item.kind == ItemKind::kBegan) {
    spans_.open(item);
    if (item.is_negative && item.is_wanted) ++doubts_.negative;
    ++thread.open;
    if (model_ != ShareModel::kRunning || thread.is_known) return;
    if (!thread.is_assumed) thread.assumed_since_ns = spans_.clock().now_ns();
    thread.is_assumed = true;
    if (!thread.is_collecting) spans_.activate(item.thread);
    return;
  }
  spans_.close(item);
  --thread.open;
  if (item.is_open && item.is_wanted) ++open_at_end_;
  if (item.is_cut && item.is_wanted) ++doubts_.unended;
  if (item.overlaps && item.is_wanted) ++doubts_.overlaps;
  if (thread.open > 0) return;
  if (model_ == ShareModel::kRunning && !thread.is_known) spans_.deactivate(item.thread);
  know(item.thread);
}

// Threads that a stream recorded may have stopped among what was lost, and their spans ended, until it records more.
void Share::Impl::lose(const TimelineItem& item) {
  advance(item.ns);
  Thread& thread = threads_[item.thread];
  if (!spans_.is_active(item.thread) && thread.open == 0) return;
  const std::int64_t from = std::max({item.began_ns, certain_ns_, spans_.clock().start_ns()});
  if (uncertain_ == 0 && from < item.ns) doubts_.uncertain_ns += length(from, item.ns);
  certain_ns_ = item.ns;
  if (thread.is_uncertain) return;
  thread.is_uncertain = true;
  ++uncertain_;
}

void Share::Impl::know(std::uint32_t thread) {
  if (!threads_[thread].is_uncertain || threads_[thread].open > 0) return;
  threads_[thread].is_uncertain = false;
  --uncertain_;
}

// Of its part of a merged session: others are other processes.
void Share::Impl::stop(const TimelineItem& item) {
  // Two at a time are one. Threads that sleep exist, too.
  if (item.depth > 0 || model_ != ShareModel::kRunning) return;
  advance(item.ns);
  const bool begins = item.kind == ItemKind::kStopBegan;
  stopped_[item.part + std::uint32_t{1}] = begins;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i != Actor::kOthers && actors_->threads()[i].part == item.part) spans_.set_stopped(i, begins);
  }
  for (std::uint32_t place = 0; place < spans_.collectors(); ++place) {
    if (is_of(item.part, session_->streams[place])) spans_.set_collector_stopped(place, begins);
  }
}

void Share::Impl::fold(const TimelineItem& item) {
  advance(item.ns);
  for (const std::uint32_t thread : item.event->fold->all()) {
    if (thread >= threads_.size()) continue;
    if (threads_[thread].is_uncertain) --uncertain_;
    threads_[thread] = Thread();
  }
  spans_.fold(*item.event->fold);
}

void Share::Impl::restart(std::int64_t ns) {
  advance(ns);
  spans_.restart(ns);
  for (Thread& thread : threads_) {
    thread.is_assumed &= !thread.is_known && thread.open > 0;
    thread.assumed_since_ns = ns;
  }
  doubts_ = Doubts();
  certain_ns_ = ns;
}

std::uint64_t Share::Impl::assumed() const {
  return static_cast<std::uint64_t>(
      std::count_if(threads_.begin(), threads_.end(), [](const Thread& thread) { return thread.is_assumed; }));
}

Share::Doubts Share::Impl::doubts(std::int64_t ns) const {
  Doubts doubts = doubts_;
  if (uncertain_ > 0) doubts.uncertain_ns += length(spans_.clock().now_ns(), ns);
  return doubts;
}

Share::Share(Timeline& timeline, ShareModel model) : impl_(std::make_unique<Impl>(timeline, model)) {}
Share::Share(Share&&) noexcept = default;
Share& Share::operator=(Share&&) noexcept = default;
Share::~Share() = default;

void Share::take(const TimelineItem& item) { impl_->take(item); }
void Share::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Share::Row> Share::rows(std::int64_t ns) const { return impl_->spans().rows(ns); }
const std::vector<Share::Lengths>& Share::lengths() const { return impl_->spans().lengths(); }
SharedTime Share::time(std::int64_t ns) const { return impl_->spans().clock().counted(ns); }
std::uint64_t Share::idle_ns(std::int64_t ns) const { return impl_->spans().clock().idle_ns(ns); }
ShareModel Share::model() const { return impl_->model(); }
std::uint64_t Share::assumed() const { return impl_->assumed(); }
bool Share::has_threads() const { return impl_->has_threads(); }
bool Share::has_runs() const { return impl_->has_runs(); }
std::uint64_t Share::open_at_end() const { return impl_->open_at_end(); }
std::uint64_t Share::never_active() const { return impl_->spans().never_active(); }
Share::Doubts Share::doubts(std::int64_t ns) const { return impl_->doubts(ns); }

}  // namespace evt

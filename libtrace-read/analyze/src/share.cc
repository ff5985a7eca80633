#include <evt/analysis/share.h>

#include <algorithm>

#include "duration.h"
#include "occupancy.h"
#include "parts.h"
#include "span_shares.h"
#include "stop_reasons.h"

namespace evt {
namespace {

bool tells_late(const Session& session) {
  return std::any_of(session.types.begin(), session.types.end(),
                     [](const EventType& type) { return type.has_role(Role::kSpan) || type.has_role(Role::kCall); });
}

}  // namespace

class Share::Impl {
 public:
  Impl(const Session& session, ShareModel model);

  void take(const RoleEvent& event);
  void restart(std::int64_t ns);
  const SpanShares& spans() const { return spans_; }
  const EventNames& names() const { return names_; }
  ShareModel model() const { return model_; }
  bool by_open_spans() const { return model_ == ShareModel::kRunning && !has_runs_; }
  Doubts doubts(std::int64_t ns) const;
  const CpuTime::Doubts& thread_doubts() const { return occupancy_.doubts(); }

 private:
  struct Thread {
    bool ended = false;
    bool uncertain = false;
    std::uint32_t stream = 0;  // the id of that which recorded it last
  };

  void fold(const RoleEvent& event);
  void advance(std::int64_t ns);
  void follow_running(const RoleEvent& event);
  void follow_existing(const RoleEvent& event);
  void exist(std::uint32_t thread, bool again);
  void open(const RoleEvent& event, bool is_call);
  void close(const RoleEvent& event, bool is_call);
  void complete(const RoleEvent& event, bool is_call);
  void lose(const RoleEvent& event);
  void know(std::uint32_t thread);

  ShareModel model_;
  bool begun_ = false;
  bool has_runs_ = false;
  EventNames names_;
  Occupancy occupancy_;
  StopReasons reasons_;
  SpanShares spans_;
  std::vector<Thread> threads_;
  std::uint32_t uncertain_ = 0;          // threads
  std::int64_t certain_ns_ = INT64_MIN;  // all is known, or counted as uncertain, until then
  Doubts doubts_;
};

Share::Impl::Impl(const Session& session, ShareModel model)
    : model_(model), names_(session), spans_(model == ShareModel::kPhase, tells_late(session)) {}

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

void Share::Impl::fold(const RoleEvent& event) {
  advance(event.ns);
  for (const std::uint32_t thread : event.fold->all()) {
    if (thread >= threads_.size()) continue;
    if (threads_[thread].uncertain) --uncertain_;
    threads_[thread] = Thread();
  }
  occupancy_.fold(*event.fold);
  spans_.fold(*event.fold);
}

void Share::Impl::take(const RoleEvent& event) {
  if (event.fold != nullptr) return fold(event);
  if (event.role == Role::kNone && !event.lost && !event.jump) return;
  advance(event.ns);
  if (event.lost) lose(event);
  if (event.jump) ++doubts_.jumps;
  if (event.thread < Actor::kOthers) grown(&threads_, event.thread).stream = event.stream->id;
  const bool is_followed = event.thread != Actor::kOthers;
  if (model_ == ShareModel::kRunning) {
    follow_running(event);  // the others may run where another did
  } else if (is_followed) {
    follow_existing(event);
  }
  if (!is_followed) return;
  switch (event.role) {
    case Role::kSpanBegin:
    case Role::kCallBegin:
      open(event, event.role == Role::kCallBegin);
      break;
    case Role::kSpanEnd:
    case Role::kCallEnd:
      close(event, event.role == Role::kCallEnd);
      break;
    case Role::kSpan:
    case Role::kCall:
      complete(event, event.role == Role::kCall);
      break;
    case Role::kThreadExit:
      // Its number may be used again.
      spans_.close_all(event.thread);
      if (by_open_spans()) spans_.deactivate(event.thread);
      know(event.thread);
      break;
    default:
      break;
  }
}

// No event recorded a run until now; that turns out to mean that no thread ran.
void Share::Impl::follow_running(const RoleEvent& event) {
  const bool is_of_running = event.role == Role::kThreadRun || event.role == Role::kThreadStop;
  if (is_of_running && !has_runs_) {
    has_runs_ = true;
    spans_.forget_active();
  }
  const Occupancy::Change& change = occupancy_.take(event);
  if (change.stopped != Actor::kNone) spans_.deactivate(change.stopped);
  if (change.replaced != Actor::kNone) spans_.deactivate(change.replaced);
  if (change.started != Actor::kNone) spans_.activate(change.started);
  if (is_of_running) know(event.thread);
  if (change.replaced != Actor::kNone) know(change.replaced);
}

void Share::Impl::follow_existing(const RoleEvent& event) {
  switch (event.role) {
    case Role::kThreadCreate:
    case Role::kThreadRun:
      exist(event.thread, true);
      break;
    case Role::kThreadRunnable:
    case Role::kThreadWake:
    case Role::kThreadMigrate:
    case Role::kSpanBegin:
    case Role::kCallBegin:
      exist(event.thread, false);
      break;
    case Role::kThreadExit:
    case Role::kThreadStop: {
      const bool ends =
          event.role == Role::kThreadExit || reasons_.all()[reasons_.of(*event.event)].state == ThreadState::kEnded;
      if (!ends) exist(event.thread, false);
      if (ends) spans_.deactivate(event.thread);
      if (ends) threads_[event.thread].ended = true;
      know(event.thread);
      break;
    }
    default:
      break;
  }
}

// An event of a thread that has ended does not revive it, unless the event creates or runs it.
void Share::Impl::exist(std::uint32_t thread, bool again) {
  if (threads_[thread].ended && !again) return;
  threads_[thread].ended = false;
  spans_.activate(thread);
}

void Share::Impl::open(const RoleEvent& event, bool is_call) {
  spans_.open(event.thread, names_.of(*event.event, is_call ? Role::kFunction : Role::kName), is_call);
  if (by_open_spans()) spans_.activate(event.thread);
}

void Share::Impl::close(const RoleEvent& event, bool is_call) {
  const std::uint32_t name = is_call ? names_.said_by(*event.event, Role::kFunction) : Actor::kNone;
  spans_.close(event.thread, name, is_call);
  if (spans_.has_open(event.thread)) return;
  if (by_open_spans()) spans_.deactivate(event.thread);
  know(event.thread);
}

void Share::Impl::complete(const RoleEvent& event, bool is_call) {
  const std::optional<Duration> said = duration_of(*event.event, event.recorded_ns);
  if (!said || said->is_negative) {
    ++doubts_.not_timed;
    return;
  }
  const bool is_known = model_ == ShareModel::kRunning ? !by_open_spans() || spans_.has_open(event.thread)
                                                       : spans_.is_active(event.thread);
  if (!is_known) ++doubts_.recorded_late;
  if (model_ != ShareModel::kRunning) exist(event.thread, false);
  spans_.complete(event.thread, names_.of(*event.event, is_call ? Role::kFunction : Role::kName), is_call,
                  static_cast<std::int64_t>(said->ns));
}

// Threads that the stream recorded may have stopped among what was lost, and their spans ended, until it records more.
void Share::Impl::lose(const RoleEvent& event) {
  const std::int64_t from = std::max({event.previous_ns, certain_ns_, spans_.clock().start_ns()});
  if (uncertain_ == 0 && from < event.ns) doubts_.uncertain_ns += length(from, event.ns);
  certain_ns_ = event.ns;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    Thread& thread = threads_[i];
    if (thread.uncertain || thread.stream != event.stream->id) continue;
    if (!spans_.is_active(i) && !spans_.has_open(i)) continue;
    thread.uncertain = true;
    ++uncertain_;
  }
}

void Share::Impl::know(std::uint32_t thread) {
  if (thread >= threads_.size() || !threads_[thread].uncertain || spans_.has_open(thread)) return;
  threads_[thread].uncertain = false;
  --uncertain_;
}

void Share::Impl::restart(std::int64_t ns) {
  advance(ns);
  spans_.restart(ns);
  occupancy_.forget_doubts();
  doubts_ = Doubts();
  certain_ns_ = ns;
}

Share::Doubts Share::Impl::doubts(std::int64_t ns) const {
  Doubts doubts = spans_.doubts();
  doubts.jumps = doubts_.jumps;
  doubts.uncertain_ns = doubts_.uncertain_ns;
  doubts.recorded_late = doubts_.recorded_late;
  doubts.not_timed = doubts_.not_timed;
  if (uncertain_ > 0) doubts.uncertain_ns += length(spans_.clock().now_ns(), ns);
  return doubts;
}

Share::Share(const Session& session, ShareModel model) : impl_(std::make_unique<Impl>(session, model)) {}
Share::Share(Share&&) noexcept = default;
Share& Share::operator=(Share&&) noexcept = default;
Share::~Share() = default;

void Share::take(const RoleEvent& event) { impl_->take(event); }
void Share::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Share::Row> Share::rows(std::int64_t ns) const { return impl_->spans().rows(ns); }
std::uint64_t Share::idle_ns(std::int64_t ns) const { return impl_->spans().clock().idle_ns(ns); }
const EventNames& Share::names() const { return impl_->names(); }
ShareModel Share::model() const { return impl_->model(); }
bool Share::by_open_spans() const { return impl_->by_open_spans(); }
std::uint64_t Share::open_now() const { return impl_->spans().open_now(); }
std::uint64_t Share::never_active() const { return impl_->spans().never_active(); }
Share::Doubts Share::doubts(std::int64_t ns) const { return impl_->doubts(ns); }
const CpuTime::Doubts& Share::thread_doubts() const { return impl_->thread_doubts(); }

}  // namespace evt

#include <evt/analysis/extent.h>

#include <algorithm>
#include <utility>

#include "timeline_impl.h"

namespace evt {
namespace {

constexpr Role kSpanRoles[] = {Role::kSpanBegin, Role::kSpanEnd, Role::kSpan,
                               Role::kCallBegin, Role::kCallEnd, Role::kCall};

// Events before a range make the state at its beginning, except those before a known state.
EventOptions events_until(const Timeline::Options& options, std::int64_t known_ns) {
  EventOptions wanted;
  wanted.markers = true;
  wanted.range = [&options, known_ns](const Session& session) {
    const TimeRange asked = options.range ? options.range(session) : TimeRange();
    if (asked.from_ns > asked.to_ns) return asked;
    const TimeRange range = within_cut(session, asked);
    return TimeRange{known_ns, range.to_ns < session.last_ns ? range.to_ns : INT64_MAX};
  };
  return wanted;
}

}  // namespace

TimeRange cut_of(const Session& session) {
  if (!session.left_out || !session.left_out->has_range) return {};
  return {session.left_out->from_ns, session.left_out->to_ns};
}

bool has_twins(const Session& session) {
  return std::ranges::any_of(session.types, [](const EventType& type) { return !type.meaning().twin_of.empty(); });
}

TimeRange within_cut(const Session& session, TimeRange range) {
  const TimeRange cut = cut_of(session);
  return {std::max(range.from_ns, cut.from_ns), std::min(range.to_ns, cut.to_ns)};
}

std::int64_t first_event_ns(const Session& session) {
  std::int64_t first_ns = session.last_ns;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first_ns = std::min(first_ns, stream.first_ns);
  }
  return first_ns;
}

std::int64_t end_ns_of(const Session& session) {
  const std::int64_t to_ns = cut_of(session).to_ns;
  return to_ns == INT64_MAX ? session.last_ns : to_ns;
}

Timeline::Impl::Impl(Trace& trace, Options options, std::int64_t known_ns)
    : trace_(&trace),
      options_(std::move(options)),
      events_(trace.events(events_until(options_, known_ns))),
      roles_(trace, events_),
      in_roles_(RoleEvents::Impl::of(roles_)),
      late_(trace, options_) {}

bool Timeline::Impl::next_session() {
  if (!roles_.next_session()) return false;
  begin_session(sessions_, Actors(session(), options_.most_threads));
  return true;
}

void Timeline::Impl::begin_session(std::size_t number, Actors from) {
  sessions_ = number + 1;
  roles_.begin_session(number, std::move(from));
  names_.emplace(session());
  state_.emplace(session(), in_actors());
  follow_what_is_wanted();
  begin_range();
  records_runs_.reset();
  looks_ahead_ = end_ns_ != INT64_MAX;
  is_late_read_ = false;
  now_ns_ = INT64_MIN;
  counted_ = 0;
  late_.begin_session();
}

// A pseudo-thread that was taken for a thread may have had spans then, and has them in another way as an idle one.
bool Timeline::Impl::depends_on_idle() {
  const bool has_spans = may_have(session(), {Role::kSpanBegin, Role::kSpanEnd, Role::kSpan, Role::kCallBegin,
                                              Role::kCallEnd, Role::kCall, Role::kObjectOpen});
  const std::vector<Actor>& all = in_actors().threads().all();
  return std::ranges::any_of(all, [&](const Actor& thread) {
    return thread.number == 0 && !thread.is_stream && (has_spans || !thread.is_idle);
  });
}

bool Timeline::Impl::can_be_kept() {
  return roles_.coming_ns() > now_ns_ && !roles_.actors().has_others() && !has_many_names() &&
         late_.can_be_kept(now_ns_);
}

void Timeline::Impl::archive(Archive& archive, Past& past) {
  names_->archive(archive);
  in_actors().archive(archive);
  const std::size_t threads = in_actors().threads().size();
  const std::size_t names = names_->size();
  state_->threads.archive(archive);
  state_->spans.archive(archive, threads, names);
  state_->async.archive(archive, session(), names);
  state_->collectors.archive(archive, threads, names);
  state_->stops.archive(archive, names);
  late_.archive(archive);
  past.archive(archive, threads, names);
  now_ns_ = in_actors().now();
}

// Not before it is known what is requested.
void Timeline::Impl::read_late() {
  is_late_read_ = true;
  has_spans_ = kinds_.has_any({ItemKind::kBegan, ItemKind::kEnded, ItemKind::kStopBegan, ItemKind::kStopEnded});
  late_.read(roles_.actors(), &*names_, options_.range ? options_.range(session()) : TimeRange(), has_spans_);
  first_ns_ = std::min(first_event_ns(session()), late_.first_ns());
}

void Timeline::Impl::follow_what_is_wanted() {
  follows_threads_ = depends_on_threads();
  follows_spans_ = depends_on_spans();
}

// Also to place those that are recorded as a whole among the others. True if there is nothing to follow.
bool Timeline::Impl::depends_on_spans() {
  return kinds_.has_any({ItemKind::kBegan, ItemKind::kEnded, ItemKind::kUnmatchedEnd}) ||
         may_have(session(), {Role::kSpan, Role::kCall, Role::kStopped}) ||
         !may_have(session(), {Role::kSpanBegin, Role::kSpanEnd, Role::kCallBegin, Role::kCallEnd});
}

// A thread that ends also ends the spans on it.
bool Timeline::Impl::depends_on_threads() {
  if (kinds_.has_any({ItemKind::kThread, ItemKind::kState, ItemKind::kUncertain, ItemKind::kWake, ItemKind::kMigrate,
                      ItemKind::kIdleThread, ItemKind::kIdleBegan, ItemKind::kIdleEnded})) {
    return true;
  }
  const auto is_of_span = [](const EventType& type) {
    return std::ranges::any_of(kSpanRoles, [&](Role role) { return type.has_role(role); });
  };
  return kinds_.has_any({ItemKind::kBegan, ItemKind::kEnded, ItemKind::kUnmatchedEnd}) &&
         std::any_of(session().types.begin(), session().types.end(), is_of_span);
}

// How far the session is read.
void Timeline::Impl::begin_range() {
  const TimeRange range = options_.range ? options_.range(session()) : TimeRange();
  from_ns_ = options_.begins_with_range ? within_cut(session(), range).from_ns : range.from_ns;
  const std::int64_t to_ns = within_cut(session(), range).to_ns;
  const bool is_cut = cut_of(session()).to_ns != INT64_MAX;
  end_ns_ = is_cut || to_ns < session().last_ns ? to_ns : INT64_MAX;
  has_reached_from_ = from_ns_ == INT64_MIN;
  show_ns_ = INT64_MAX;
  due_ns_ = has_reached_from_ ? INT64_MAX : from_ns_;
  is_before_ = options_.begins_with_range && !has_reached_from_;
  items_.want(is_before_ ? kBefore : kinds_);
  is_finished_ = false;
}

// The part that is read may not show which threads are idle.
void Timeline::Impl::look_ahead() {
  looks_ahead_ = false;
  state_->threads.know_idle(idle_threads(*trace_, sessions_ - 1, options_.most_threads, end_ns_));
}

inline void Timeline::Impl::reach(std::int64_t ns) {
  now_ns_ = std::max(now_ns_, ns);
  if (now_ns_ >= due_ns_) [[unlikely]]
    reach_due();
}

void Timeline::Impl::reach_due() {
  if (!has_reached_from_ && now_ns_ >= from_ns_) {
    has_reached_from_ = true;
    state_->threads.occupancy().forget_doubts();
    if (is_before_) begin_with_range();
  }
  if (show_every_ > 0 && now_ns_ >= show_ns_) {  // an event may be as late as the time that means never
    State passing(*state_, in_actors());
    TimelineItem at;
    at.ns = show_ns_;
    at.goes_on = true;
    end_all(at, &passing);
    show_after(now_ns_, show_ns_);
  }
  due_ns_ = has_reached_from_ ? show_ns_ : std::min(from_ns_, show_ns_);
}

void Timeline::Impl::begin_with_range() {
  is_before_ = false;
  items_.want(kinds_);
  TimelineItem at;
  at.ns = from_ns_;
  begin_all(at);
}

void Timeline::Impl::begin_with_past() {
  TimelineItem at;
  at.ns = now_ns_;
  if (!follows_threads_) state_->threads.forget_idle();
  begin_all(at);
  past_.reset();
}

void Timeline::Impl::begin_all(TimelineItem at) {
  state_->threads.begin(at, past_.has_value(), &items_);
  state_->stops.begin(at, &items_);
  state_->collectors.begin(at, &items_);
  state_->spans.begin(at, &items_);
  state_->async.begin(at, &items_);
  if (!past_) return;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    TimelineItem& item = items_[i];
    if (item.kind != ItemKind::kBegan || !item.is_call) continue;
    calls_.emplace_back().resource = past_->resource(item.thread, item.depth);
    item.call = &calls_.back();
  }
  past_->begin(at, &items_);
}

// Sets show_ns_ to the end of the first stretch that ends after `ns`. `end_ns`: the end of an earlier one.
void Timeline::Impl::show_after(std::int64_t ns, std::int64_t end_ns) {
  std::int64_t by = 0;
  const std::int64_t stretches = (ns - end_ns) / show_every_ + 1;
  const bool is_beyond =
      __builtin_mul_overflow(stretches, show_every_, &by) || __builtin_add_overflow(end_ns, by, &show_ns_);
  if (is_beyond) show_ns_ = INT64_MAX;
  due_ns_ = std::min(due_ns_, show_ns_);
}

TimelineItem Timeline::Impl::item_at(std::int64_t ns) {
  reach(ns);
  TimelineItem item = new_;
  item.ns = now_ns_;
  return item;
}

void Timeline::Impl::take_late_before(const RoleEvent& event) {
  while (const LateEvent* const late = late_.next_before(event, state_->spans, in_actors())) take_late(*late, event.ns);
}

void Timeline::Impl::take_late(const LateEvent& late, std::int64_t most_ns) {
  TimelineItem at = item_at(std::min(late.at_ns, most_ns));
  at.is_wanted = late.is_wanted;
  at.began_ns = late.began_ns();
  at.ended_ns = late.ended_ns();
  at.stream = &session().streams[late.stream];
  if (late.role == Role::kStopped) return state_->stops.take(late, at, &items_);
  const std::uint32_t thread = in_actors().thread(late.number, late.part, late.is_stream);
  if (thread == Actor::kOthers) return;
  if (late.is_end) {
    state_->spans.end_complete(thread, late.order, at, &items_);
    return;
  }
  state_->threads.meet(thread, *at.stream, at, &items_);
  if (!has_spans_) return;
  OpenSpans::Open open;
  open.began_ns = late.at_ns;
  open.order = late.order;
  open.name = late.name;
  open.stream = late.stream;
  open.is_call = late.role == Role::kCall;
  open.is_named = true;
  open.is_wanted = late.is_wanted;
  open.ends_with_event = late.ends_with_event;
  at.value = late.step_ns;
  if (open.is_call) at.call = &calls_.emplace_back(static_cast<const LateCall&>(late).facts);
  at.is_negative = late.is_negative;
  state_->spans.begin(thread, open, at, &items_);
}

[[gnu::always_inline]] inline void Timeline::Impl::take_row(Role role, bool counts) {
  counted_ += counts && has_reached_from_ && at_.is_wanted ? 1 : 0;
  if (!has_rows_ || !rows_.has(role)) return;
  // Usually nothing is before it.
  if (items_.empty()) {
    row_ = &at_;
  } else {
    items_.append(at_);
  }
}

inline void Timeline::Impl::end_with_thread(const RoleEvent& event, const TimelineItem& at) {
  if (event.thread == Actor::kOthers || !state_->threads.has_ended(event.thread)) return;
  state_->spans.end_of_thread(event.thread, at, &items_);
}

// The compiler may know the event's role, and mostly that it is an ordinary one: not lost rows, a jump or a facet.
[[gnu::always_inline]] inline void Timeline::Impl::take(Role role, bool is_ordinary, const RoleEvent& event) {
  if (event.ns > end_ns_) return finish();
  const bool is_event = is_ordinary || event.event != nullptr;
  const bool is_marker = !is_ordinary && (event.lost || event.jump);
  if (is_event) late_.count_event();
  // The number belongs to the new one already, also for what ended before this event.
  if (role == Role::kThreadCreate) state_->spans.lose_number(in_actors().succeeded());
  if (!late_.is_empty()) take_late_before(event);
  if (is_marker && event.jump) late_.count_jump();
  reach(event.ns);
  TimelineItem& at = at_;
  at.ns = now_ns_;
  at.event = &event;
  at.stream = event.stream;
  if (options_.wanted || options_.wanted_thread) {
    at.is_wanted = !is_event || is_marker || evt::is_wanted(options_, event, in_actors().threads());
  }
  at.began_ns = at.ended_ns = event.recorded_ns;
  at.thread = event.thread;
  if (is_event) take_row(role, is_ordinary || (!is_marker && !event.is_facet));
  if (role == Role::kNone) {
    take_without_role(event, at);
  } else if (role == Role::kThreadRun) {
    if (!follows_threads_) return;
    if (looks_ahead_ && in_actors().threads()[event.thread].number == 0 && !in_actors().threads()[event.thread].is_idle)
      look_ahead();
    state_->threads.run(event, at, &items_);
  } else if (role == Role::kThreadStop) {
    if (!follows_threads_) return;
    state_->threads.stop(event, at, &items_);
    end_with_thread(event, at);
  } else {
    state_->threads.take_other(event, at, &items_);
    take_span(event, at);
  }
}

[[gnu::always_inline]] inline void Timeline::Impl::read_ordinary(Role role, const Event& event) {
  take(role, true, in_actors().understand_as(role, event));
}

// `event`: one without a role, or null if the next one is not ordinary.
void Timeline::Impl::read_other(const Event* event) {
  const RoleEvent* const next =
      event != nullptr ? &in_actors().understand_as(Role::kNone, *event) : in_roles_.next_other();
  next != nullptr ? take(next->role, false, *next) : finish();
}

// Nearly all events have one of a few roles, each with separate code.
[[gnu::always_inline]] inline void Timeline::Impl::read() {
  const Event* const event = in_roles_.next_ordinary();
  const Role role = event != nullptr ? event->type().role() : Role::kNone;
  if (role == Role::kNone) {
    read_other(event);
  } else if (role == Role::kThreadRun) {
    read_ordinary(Role::kThreadRun, *event);
  } else if (role == Role::kThreadStop) {
    read_ordinary(Role::kThreadStop, *event);
  } else {
    read_ordinary(role, *event);
  }
}

const TimelineItem* Timeline::Impl::next_items(const TimelineItem** others, const TimelineItem** end) {
  if (!is_late_read_) {
    read_late();
    if (past_) begin_with_past();
    *others = items_.begin();
    *end = items_.end();
    if (!items_.empty()) return (*others)++;
  }
  row_ = nullptr;
  items_.clear();
  if (is_finished_) return nullptr;
  do {
    if (!calls_.empty()) calls_.clear();
    if (is_before_) at_.is_wanted = true;  // the state comes from events that are
    read();
    if (row_ != nullptr) break;
  } while (items_.empty() && !is_finished_);
  if (is_before_) {
    at_.is_wanted = false;
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].is_wanted = false;
  }
  *others = items_.begin();
  *end = items_.end();
  if (row_ != nullptr) return row_;
  return *others != *end ? (*others)++ : nullptr;
}

// Usually it means nothing.
void Timeline::Impl::take_without_role(const RoleEvent& event, const TimelineItem& at) {
  if (event.fold != nullptr) {
    for (const std::uint32_t thread : event.fold->all()) state_->spans.forget(thread, at, &items_);
    state_->threads.take(event, at, &items_);
    items_.append(at, ItemKind::kFold);
  } else if (event.jump) {
    state_->threads.take(event, at, &items_);
    items_.append(at, ItemKind::kJump);
  } else if (event.lost) {
    const std::size_t before = items_.size();
    state_->threads.take(event, at, &items_);
    // For a loss that began before the range, the part in it.
    for (std::size_t i = before; has_reached_from_ && i < items_.size(); ++i) {
      items_[i].began_ns = std::max(items_[i].began_ns, from_ns_);
    }
    state_->spans.lose(static_cast<std::uint32_t>(event.stream - session().streams.data()));
    state_->async.lose(in_actors().part_of(*event.stream));
    items_.append(at, ItemKind::kLost).began_ns = event.previous_ns;
  }
}

void Timeline::Impl::take_span(const RoleEvent& event, const TimelineItem& at) {
  switch (event.role) {
    case Role::kSpanBegin:
    case Role::kCallBegin:
      return begin(event, event.role == Role::kCallBegin, at);
    case Role::kSpanEnd:
    case Role::kCallEnd:
      return end(event, event.role == Role::kCallEnd, at);
    case Role::kSpan:
    case Role::kCall:
    case Role::kStopped:
      return end_complete(event, at);
    case Role::kThreadExit:
      return end_with_thread(event, at);
    case Role::kAsyncBegin:
    case Role::kAsyncEnd:
      return take_async(event, at);
    case Role::kObjectOpen:
      // A thread that opens an object between runs of threads does not count as another one.
      if (event.thread < Actor::kOthers && !in_actors().threads()[event.thread].is_stream) {
        state_->threads.meet(event.thread, *event.stream, at, &items_);
      }
      [[fallthrough]];
    case Role::kObjectName:
    case Role::kObjectClose:
      items_.append(at, ItemKind::kObject);
      return;
    case Role::kLockRelease:
      return release(event, at);
    case Role::kGcStart:
    case Role::kGcEnd:
    case Role::kGcIdle:
    case Role::kGcWork:
    case Role::kGcDone:
    case Role::kGcSync:
    case Role::kGcStatistics:
      return take_collector(event, at);
    default:
      if (event.role >= Role::kSparkCreate && event.role <= Role::kSparkCounters) items_.append(at, ItemKind::kSpark);
      return;
  }
}

void Timeline::Impl::release(const RoleEvent& event, const TimelineItem& at) {
  if (event.thread == Actor::kOthers) return;
  state_->threads.meet(event.thread, *event.stream, at, &items_);
  TimelineItem& item = items_.append(at, ItemKind::kLockRelease);
  item.value = event.event->number(Role::kObject).value_or(0);
  item.part = in_actors().part_of_ids(*event.event, Role::kObject);
}

void Timeline::Impl::take_async(const RoleEvent& event, TimelineItem at) {
  if (!kinds_.has_any({ItemKind::kAsyncBegan, ItemKind::kAsyncEnded, ItemKind::kAsyncUnmatched})) return;
  if (!event.event->get_number(Role::kSpanId, &at.value)) {
    items_.append(at, ItemKind::kAsyncUnmatched);
    return;
  }
  at.part = in_actors().part_of_ids(*event.event, Role::kSpanId);
  at.name = names_->said_by(*event.event, Role::kName);
  if (event.role == Role::kAsyncEnd) return state_->async.end(at, &items_);
  const bool is_named = at.name != EventNames::kNone;
  if (!is_named) at.name = names_->of(*event.event, Role::kName);
  state_->async.begin(at, is_named, &items_);
}

void Timeline::Impl::take_collector(const RoleEvent& event, TimelineItem at) {
  at.name = names_->said_by(*event.event, Role::kReason);
  state_->collectors.take(event, at, &items_);
}

// Its event ends it; it may have ended before.
void Timeline::Impl::end_complete(const RoleEvent& event, TimelineItem at) {
  if (!has_spans_ && !kinds_.has(ItemKind::kNotTimed)) return;
  if (state_->spans.is_ending(event.thread, late_.order())) {
    state_->spans.end_complete(event.thread, late_.order(), at, &items_);
    return;
  }
  const std::optional<Extent> extent = extent_of(*event.event, event.recorded_ns);
  at.is_call = event.role == Role::kCall;
  if (!extent) {
    items_.append(at, ItemKind::kNotTimed);
    return;
  }
  at.ended_ns = extent->ended_ns;
  const bool ends_now = event.role != Role::kStopped && extent->ended_ns == event.recorded_ns;
  if (ends_now && event.thread != Actor::kOthers) {
    if (state_->spans.end_complete(event.thread, late_.order(), at, &items_)) return;
    // It began on the thread that has the number now, and its stream still shows the one that had it before.
    const Actor& thread = in_actors().threads()[event.thread];
    const std::uint32_t has_number = in_actors().thread(thread.number, thread.part, thread.is_stream);
    state_->spans.end_complete(has_number, late_.order(), at, &items_);
  }
}

void Timeline::Impl::begin(const RoleEvent& event, bool is_call, const TimelineItem& at) {
  if (event.thread == Actor::kOthers) return;
  state_->threads.meet(event.thread, *event.stream, at, &items_);
  if (!follows_spans_) {
    in_actors().other_thread(*event.event, Role::kHolder);  // a thread exists from its first mention on
    return;
  }
  const Role naming = is_call ? Role::kFunction : Role::kName;
  const std::uint32_t stated = names_->said_by(*event.event, naming);
  OpenSpans::Open open;
  open.is_named = stated != EventNames::kNone;
  open.name = open.is_named ? stated : names_->of(*event.event, naming);
  open.began_ns = event.recorded_ns;
  open.stream = static_cast<std::uint32_t>(event.stream - session().streams.data());
  open.is_call = is_call;
  open.is_wanted = at.is_wanted;
  if (event.event->type().field(Role::kHolder) == nullptr) [[likely]]
    return state_->spans.begin(event.thread, open, at, &items_);
  TimelineItem held = at;
  held.other = in_actors().other_thread(*event.event, Role::kHolder);
  state_->spans.begin(event.thread, open, held, &items_);
}

void Timeline::Impl::end(const RoleEvent& event, bool is_call, const TimelineItem& at) {
  if (event.thread == Actor::kOthers) return;
  state_->threads.meet(event.thread, *event.stream, at, &items_);
  if (!follows_spans_) return;
  const std::uint32_t name = names_->said_by(*event.event, is_call ? Role::kFunction : Role::kName);
  state_->spans.end(event.thread, is_call, name, at, &items_);
}

// Open ones have not ended, within the requested range.
void Timeline::Impl::finish() {
  is_finished_ = true;
  if (leaves_open_) return;
  if (end_ns_ == INT64_MAX) end_ns_ = std::max(now_ns_, session().last_ns);
  while (const LateEvent* const late = late_.next_until(end_ns_)) take_late(*late, end_ns_);
  end_all(item_at(end_ns_), &*state_);
}

void Timeline::Impl::end_all(TimelineItem at, State* state) {
  at.is_open = true;
  at.ended_ns = at.ns;
  state->spans.finish(at, &items_);
  state->async.finish(at, &items_);
  state->collectors.finish(at, &items_);
  state->stops.finish(at, &items_);
  state->threads.finish(at, &items_);
}

Timeline::Timeline(Trace& trace, Options options) : impl_(std::make_unique<Impl>(trace, std::move(options))) {}
Timeline::Timeline(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::int64_t Timeline::first_ns() const { return impl_->first_ns(); }
std::int64_t Timeline::end_ns() const { return impl_->end_ns(); }
void Timeline::hand_out_rows(const RoleSet& roles) { impl_->hand_out_rows(roles); }
void Timeline::hand_out(const ItemKinds& kinds) { impl_->hand_out(kinds); }
void Timeline::show_open_every(std::int64_t length, std::int64_t from_ns) { impl_->show_open_every(length, from_ns); }
bool Timeline::next_session() {
  next_ = end_ = nullptr;
  return impl_->next_session();
}
const TimelineItem* Timeline::next_of_events() { return impl_->next_items(&next_, &end_); }
Actors& Timeline::actors() { return impl_->actors(); }
EventNames& Timeline::names() { return impl_->names(); }
const std::vector<StopReason>& Timeline::reasons() const { return impl_->threads().reasons().all(); }
const Timeline::Doubts& Timeline::doubts() const { return impl_->threads().occupancy().doubts(); }
bool Timeline::records_runs() { return impl_->records_runs(); }
std::uint64_t Timeline::events() const { return impl_->events(); }
const Status& Timeline::status() const { return impl_->status(); }

}  // namespace evt

#include "wait_log.h"

#include <algorithm>
#include <utility>

#include "libtrace-read/analyze/src/call_facts.h"
#include "libtrace-read/analyze/src/shows_runs.h"

namespace evt {
namespace {

bool begins_with_any(std::string_view name, std::span<const std::string_view> begins) {
  return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

// Functions of the C library that write, or read, by their names.
bool is_writing(std::string_view function) {
  static constexpr std::string_view kBegins[] = {"write",  "fwrite",  "send",    "put",     "fput",
                                                 "printf", "fprintf", "vprintf", "vfprintf"};
  return begins_with_any(function, kBegins);
}

bool is_reading(std::string_view function) {
  static constexpr std::string_view kBegins[] = {"read", "recv", "pread", "fread", "fget", "get", "fscanf"};
  return begins_with_any(function, kBegins);
}

}  // namespace

WaitLog::WaitLog(Timeline& timeline, TimeRange range, std::size_t most_bytes)
    : timeline_(&timeline),
      range_(range),
      changes_(most_bytes),
      collections_(timeline.actors(), range.from_ns),
      stops_(timeline.actors().session().parts.size() + 1),
      only_ended_{timeline.names().of_text("condition"), timeline.names().of_text("semaphore"),
                  timeline.names().of_text("barrier")},
      lock_(timeline.names().of_text("lock")),
      pipe_(timeline.names().of_text("pipe")),
      descriptors_(timeline.names().of_text("descriptors")),
      never_sent_{timeline.names().of_text("file"), timeline.names().of_text("sleep")},
      is_before_(range.from_ns != INT64_MIN) {}

void WaitLog::take(const TimelineItem& item) {
  if (is_before_ && item.ns >= range_.from_ns) reach_from(range_.from_ns);
  if (!is_after_ && item.ns >= range_.to_ns) reach_to();
  switch (item.kind) {
    case ItemKind::kRow:
      return take_row(*item.event);
    case ItemKind::kObject: {
      const std::uint32_t part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
      objects_.take(*item.event, part, false, &timeline_->names());
      return note_connection(*item.event, part);
    }
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      return stop(item);
    case ItemKind::kCollectorBegan:
    case ItemKind::kCollectorEnded:
      return collections_.take(item);
    case ItemKind::kFold:
      return fold(*item.event->fold, item.ns);
    default:
      break;
  }
  if (!follows(item.thread) || item.is_open) return;
  grown(&threads_, item.thread);
  switch (item.kind) {
    case ItemKind::kThread:
      return begin_thread(item);
    case ItemKind::kState:
      return change_state(item);
    case ItemKind::kWake:
      threads_[item.thread].waker = item.other;
      return;
    case ItemKind::kUncertain:
      return doubt(item);
    case ItemKind::kBegan:
      return begin(item);
    case ItemKind::kEnded:
      return end(item);
    case ItemKind::kLockRelease:
      return release(item);
    case ItemKind::kIdleThread:
      threads_[item.thread].state = ThreadState::kEnded;
      return become(item.thread, item.ns);
    default:
      return;
  }
}

void WaitLog::reach_from(std::int64_t ns) {
  is_before_ = false;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].exists) become(i, ns);
  }
}

void WaitLog::reach_to() {
  is_after_ = true;
  for (Thread& thread : threads_) {
    thread.is_pending = thread.exists && (thread.waits() || thread.is_runnable());
    pending_ += thread.is_pending ? 1 : 0;
  }
}

void WaitLog::settle(Thread* thread) {
  if (!std::exchange(thread->is_pending, false)) return;
  --pending_;
}

std::uint32_t WaitLog::place_of(const Thread& thread) {
  WhyPlace place;
  if (!thread.open.empty()) {
    place.name = thread.open.back().name;
    place.is_call = thread.open.back().is_call;
    place.target = thread.open.back().target;
  }
  if (thread.state == ThreadState::kWaiting) {
    place.reason = thread.reason;
    if (place.target == kNone) place.target = thread.stop_target;
  }
  const std::uint32_t reason = place.reason + 1;  // few; 0: none
  std::size_t& known =
      known_places_[{place.name | std::uint64_t{place.target} << 32, reason << 1 | (place.is_call ? 1U : 0U)}];
  if (known == 0) {
    places_.push_back(place);
    known = places_.size();
  }
  return static_cast<std::uint32_t>(known - 1);
}

Change WaitLog::change_of(std::uint32_t thread, Change::Kind kind, std::int64_t ns) {
  const Thread& t = threads_[thread];
  Change change;
  change.ns = ns;
  change.kind = kind;
  change.thread = thread;
  change.previous = t.latest;
  change.state_at = t.state_at;
  change.state = t.waits() ? ThreadState::kWaiting : t.state;
  change.is_collecting = t.is_collecting;
  change.collector = t.collector;
  change.part = timeline_->actors().threads()[thread].part;
  change.is_uncertain = t.is_uncertain;
  change.place = place_of(t);
  change.within = t.open.empty() ? std::uint16_t{0} : t.open.back().within;
  return change;
}

// After the interval only waits that were in progress at its end matter, and what may end them: releases, and threads
// that are new.
std::uint64_t WaitLog::add(std::uint32_t thread, Change change) {
  Thread& t = threads_[thread];
  const bool may_end_waits = change.kind == Change::Kind::kRelease || change.kind == Change::Kind::kBegins;
  const bool is_kept = !is_after_ || t.is_pending || may_end_waits;
  if (is_before_ || !is_kept) return t.latest;
  t.latest = changes_.add(change);
  return t.latest;
}

void WaitLog::begin_thread(const TimelineItem& item) {
  Thread& thread = threads_[item.thread];
  Thread begun;
  begun.latest = thread.latest;
  begun.first = thread.first;
  begun.exists = true;
  thread = std::move(begun);
  Change begins = change_of(item.thread, Change::Kind::kBegins, item.ns);
  const bool is_created = item.event != nullptr && item.event->role == Role::kThreadCreate;
  std::uint32_t creator = is_created ? timeline_->actors().running_on(*item.event->stream) : kNone;
  if (is_created && creator == kNone && item.stream->thread != 0) creator = timeline_->actors().thread_of(*item.stream);
  if (creator != item.thread && follows(creator)) {
    begins.cause_thread = creator;
    begins.cause_at = latest(creator);
  }
  thread.state_at = add(item.thread, begins);
}

void WaitLog::change_state(const TimelineItem& item) {
  Thread& thread = threads_[item.thread];
  has_runs_ |= shows_runs(item);
  const bool was_runnable = thread.is_runnable();
  const bool has_waited = thread.waits();
  if (has_waited) end_wait(item.thread, item.ns);
  thread.waker = kNone;
  thread.waits_since = INT64_MAX;
  if (item.state == ThreadState::kEnded) thread.ended_ns = item.ns;
  thread.state = shown_state(item, *timeline_);
  note_cpu(item);
  thread.is_collecting = item.is_collecting;
  thread.collector = kNone;
  if (item.is_collecting && item.event != nullptr) thread.collector = collections_.index_of(*item.event->stream);
  thread.is_uncertain = false;
  thread.cpu = item.state == ThreadState::kRunning || item.is_collecting ? item.cpu : kNone;
  if (item.state == ThreadState::kWaiting) {
    has_waits_ = true;
    thread.reason = item.other;
    thread.stop_target = kNone;
    thread.stop_object = {};
    const std::uint64_t object = item.event != nullptr ? item.event->event->number(Role::kObject).value_or(0) : 0;
    if (object != 0) {
      const std::uint32_t part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
      thread.stop_object = {object, part};
      thread.stop_target = objects_.find(object, part, kNone).target;
    }
  }
  if (was_runnable && thread.is_runnable()) {
    add(item.thread, change_of(item.thread, Change::Kind::kPlace, item.ns));
    return;
  }
  const std::uint64_t runnable_at = was_runnable ? thread.state_at : Change::kNone;
  become(item.thread, item.ns);
  const bool runs = thread.cpu != kNone || thread.state == ThreadState::kRunning;
  if (runnable_at != Change::kNone && runs && thread.state_at != runnable_at) {
    changes_.edit(runnable_at).link = thread.state_at;
  }
  // Until it waits again, a later event may still name the cause.
  const bool rests = thread.waits() || thread.state == ThreadState::kEnded;
  if (is_after_ && (was_runnable ? thread.unexplained == Change::kNone : rests && !has_waited)) settle(&thread);
}

// Before the thread's own changes.
void WaitLog::note_cpu(const TimelineItem& item) {
  const std::uint32_t before = threads_[item.thread].cpu;
  if (before < Actor::kOthers) grown(&left_, before) = {item.thread, item.other};
  if (item.state != ThreadState::kRunning || item.cpu >= Actor::kOthers) return;
  grown(&left_, item.cpu) = {};
  collections_.run_on(item.cpu, item.ns);
}

// It is in its state from now on.
void WaitLog::become(std::uint32_t thread, std::int64_t ns) {
  Thread& t = threads_[thread];
  if (t.on_cpu_at != Change::kNone) changes_.edit(t.on_cpu_at).cause_ns = ns;
  t.on_cpu_at = Change::kNone;
  if (t.waits() && t.waits_since == INT64_MAX) t.waits_since = ns;
  if (is_before_ || (is_after_ && !t.is_pending)) return;
  Change change = change_of(thread, Change::Kind::kState, ns);
  change.state_at = changes_.size();
  change.cpu = t.cpu;
  if (t.cpu < Actor::kOthers) {
    if (t.cpu >= cpus_.size()) cpus_.resize(t.cpu + std::size_t{1}, Change::kNone);
    change.link = std::exchange(cpus_[t.cpu], changes_.size());
    t.on_cpu_at = changes_.size();
  }
  t.state_at = add(thread, change);
}

void WaitLog::doubt(const TimelineItem& item) {
  Thread& thread = threads_[item.thread];
  if (!thread.exists) return;
  thread.is_uncertain = true;
  Change change = change_of(item.thread, Change::Kind::kUncertain, item.ns);
  change.cause_ns = item.began_ns;
  add(item.thread, change);
}

void WaitLog::begin(const TimelineItem& item) {
  Thread& thread = threads_[item.thread];
  Frame frame;
  frame.name = item.name;
  frame.is_call = item.is_call;
  frame.holder = item.other;
  CallFacts facts;
  std::uint32_t part = timeline_->actors().threads()[item.thread].part;
  if (item.call != nullptr) {
    facts = *item.call;
  } else if (item.is_call && item.event != nullptr) {
    facts = facts_of(*item.event->event, &timeline_->names());
    part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
  }
  frame.has_object = facts.object != 0 || facts.resource != kNone;
  if (frame.has_object) frame.target = objects_.find(facts.object, part, facts.resource).target;
  if (facts.object != 0) frame.object = {facts.object, part};
  if (frame.has_object) frame.channel = channel_of(frame, part);
  frame.writes = frame.channel && is_writing(timeline_->names().text(frame.name));
  if (frame.writes) begin_write(item.thread, frame, item.ns);
  if (thread.has_polled && frame.object.first != 0) explain_poll(item.thread, frame);
  const bool waited = thread.waits();
  thread.calls += frame.has_object ? 1 : 0;
  const auto place = thread.open.begin() + std::min<std::ptrdiff_t>(item.depth, std::ssize(thread.open));
  if (groups_of_) {
    const unsigned around = place == thread.open.begin() ? 0U : (place - 1)->within;
    frame.within = static_cast<std::uint16_t>(groups_of_(item.name) | around);
  }
  thread.open.insert(place, frame);
  change_place(item, waited);
}

void WaitLog::end(const TimelineItem& item) {
  Thread& thread = threads_[item.thread];
  if (item.depth >= thread.open.size()) return;
  const bool waited = thread.waits();
  const bool was_about_object = thread.open[item.depth].has_object;
  // A call that waits for a process may name it when the process has ended.
  const bool is_its_own = item.is_call && item.event != nullptr && item.event->role == Role::kCallEnd && !item.is_cut;
  const std::uint32_t by =
      is_its_own ? timeline_->actors().other_thread(*item.event->event, Role::kHolder) : std::uint32_t{kNone};
  if (waited && thread.calls == 1 && was_about_object && thread.state == ThreadState::kUnknown) {
    end_wait(item.thread, item.ns);
  }
  if (follows(by) && thread.unexplained != Change::kNone) {
    const std::int64_t ended_ns = by < threads_.size() ? threads_[by].ended_ns : INT64_MAX;
    explain(item.thread, Change::Cause::kEnded, by, latest(by), std::min(item.ns, ended_ns));
  }
  if (thread.open[item.depth].writes) end_write(item.thread, thread.open[item.depth], item.ns);
  const std::uint32_t target = thread.open[item.depth].target;
  if (never_sent(target)) thread.unexplained = Change::kNone;
  if (is_any(target, {&descriptors_, 1})) {
    const std::uint64_t ready = is_its_own ? item.event->event->number(Role::kAmount).value_or(0) : 0;
    thread.has_polled = ready > 0 && thread.unexplained != Change::kNone;
  }
  thread.open.erase(thread.open.begin() + item.depth);
  thread.calls -= was_about_object ? 1 : 0;
  change_place(item, waited);
}

// Ends of a connection differ in the lowest bit.
void WaitLog::note_connection(const RoleEvent& event, std::uint32_t part) {
  const NumberPair object{event.event->number(Role::kObject).value_or(0), part};
  std::uint64_t end = 0;
  if (event.role == Role::kObjectName && object.first != 0 && event.event->get_number(Role::kFlow, &end)) {
    ends_[object] = {end, timeline_->actors().part_of_ids(*event.event, Role::kFlow)};
  } else if (const NumberPair* const known = ends_.find(object)) {
    ends_.erase(known);
  }
}

// Both ends of a pipe have its name, which is the system's. Other objects have one if their connection is known.
std::optional<WaitLog::Channel> WaitLog::channel_of(const Frame& frame, std::uint32_t part) const {
  if (const NumberPair* const end = ends_.find(frame.object)) return Channel{*end, {end->first ^ 1, end->second}};
  const Usage::Target& of = targets()[frame.target];
  if (of.resource != pipe_ || of.name == kNone) return {};
  const std::vector<MergedPart>& parts = timeline_->actors().session().parts;
  const bool shares_boot = part < parts.size() && (parts[part].alignment == EVT_ALIGNED_SAME_CLOCK ||
                                                   parts[part].alignment == EVT_ALIGNED_SAME_BOOT);
  const NumberPair pipe{of.name, shares_boot ? 0 : part};
  return Channel{pipe, pipe};
}

void WaitLog::begin_write(std::uint32_t thread, const Frame& frame, std::int64_t ns) {
  if (written_.size() >= kMostSent) {
    written_before_ = std::move(written_);
    written_.clear();
  }
  written_[frame.channel->out] = {thread, ns, Change::kNone, INT64_MAX};
}

void WaitLog::end_write(std::uint32_t thread, const Frame& frame, std::int64_t ns) {
  Written* const latest_one = written(frame.channel->out);
  if (latest_one == nullptr || latest_one->thread != thread) return;
  latest_one->at = latest(thread);
  latest_one->ended_ns = ns;
}

WaitLog::Written* WaitLog::written(NumberPair channel) {
  Written* const latest_one = written_.find(channel);
  return latest_one != nullptr ? latest_one : written_before_.find(channel);
}

// The first call about an object since: it has found this one, or another.
void WaitLog::explain_poll(std::uint32_t thread, const Frame& frame) {
  threads_[thread].has_polled = false;
  const bool reads = is_reading(timeline_->names().text(frame.name));
  if (reads && threads_[thread].unexplained != Change::kNone) explain_by_writer(thread, frame);
}

// By who wrote what the call reads, if that began and ended in time.
void WaitLog::explain_by_writer(std::uint32_t thread, const Frame& frame) {
  const Thread& t = threads_[thread];
  const Written* const by = frame.channel && !frame.writes ? written(frame.channel->in) : nullptr;
  if (by == nullptr || by->thread == thread || latest(by->thread) == Change::kNone) return;
  if (by->ended_ns < t.unexplained_since || by->began_ns > t.unexplained_until) return;
  const bool goes_on = by->ended_ns == INT64_MAX;
  explain(thread, Change::Cause::kSent, by->thread, goes_on ? latest(by->thread) : by->at,
          std::min(t.unexplained_until, by->ended_ns));
}

// Its innermost span or call is another one.
void WaitLog::change_place(const TimelineItem& item, bool waited) {
  Thread& thread = threads_[item.thread];
  if (thread.state == ThreadState::kUnknown) thread.is_uncertain = false;
  if (!thread.waits()) thread.waits_since = INT64_MAX;
  if (thread.waits() == waited) {
    add(item.thread, change_of(item.thread, Change::Kind::kPlace, item.ns));
  } else {
    has_waits_ |= thread.waits();
    become(item.thread, item.ns);
  }
}

void WaitLog::stop(const TimelineItem& item) {
  if (item.depth > 0) return;  // overlapping ones
  Stops& stops = stops_[item.part + std::uint32_t{1}];
  if (item.kind == ItemKind::kStopBegan) {
    stops.push_back({item.ns});
  } else if (!stops.empty()) {
    stops.back().to_ns = std::min(stops.back().to_ns, item.ns);
  }
}

void WaitLog::release(const TimelineItem& item) {
  Release& release = releases_[{item.value, item.part}];
  Change change = change_of(item.thread, Change::Kind::kRelease, item.ns);
  change.link = release.at;
  const std::uint64_t at = add(item.thread, change);
  release = {is_before_ ? Change::kNone : at, item.thread, item.ns};
}

// A thread that has no room left stops, and then its cpu asks.
void WaitLog::ask_for_collection(const RoleEvent& event) {
  const bool is_thread = follows(event.thread) && !timeline_->actors().threads()[event.thread].is_stream;
  std::uint32_t asker = is_thread ? event.thread : kNone;
  for (std::uint32_t cpu = 0; asker == kNone && cpu < left_.size(); ++cpu) {
    if (left_[cpu].reason >= timeline_->reasons().size()) continue;
    const bool is_there = collections_.stream_of_cpu(cpu) == collections_.index_of(*event.stream);
    if (is_there && timeline_->reasons()[left_[cpu].reason].text == "heap_overflow") asker = left_[cpu].thread;
  }
  collections_.ask(*event.stream, asker, event.ns);
}

void WaitLog::take_row(const RoleEvent& event) {
  if (event.role == Role::kGcRequest) return ask_for_collection(event);
  if (event.role == Role::kGcSync || event.role == Role::kGcStatistics) return collections_.lead(*event.stream);
  if (!Why::rows().has(event.role) || !follows(event.thread) || event.thread >= threads_.size()) return;
  const Event& of = *event.event;
  std::uint64_t id = 0;
  if (!of.get_number(Role::kFlow, &id)) return;
  const NumberPair key{id, timeline_->actors().part_of_ids(of, Role::kFlow)};
  if (event.role == Role::kFlowOut || event.role == Role::kMessageSend) {
    if (sent_.size() >= kMostSent) {
      sent_before_ = std::move(sent_);
      sent_.clear();
    }
    sent_[key] = {latest(event.thread), event.thread, event.ns};
    return;
  }
  const Thread& thread = threads_[event.thread];
  const Sent* const latest_sent = sent_.find(key);
  const Sent* const sent = latest_sent != nullptr ? latest_sent : sent_before_.find(key);
  if (sent == nullptr || sent->thread == event.thread || thread.unexplained == Change::kNone) return;
  if (sent->ns >= thread.unexplained_since)
    explain(event.thread, Change::Cause::kSent, sent->thread, sent->at, sent->ns);
}

// Indexes of these threads will belong to others.
void WaitLog::fold(const FoldedActors& gone, std::int64_t ns) {
  collections_.fold(gone);
  for (Left& left : left_) left.thread = gone(left.thread);
  for (const std::uint32_t i : gone.all()) {
    if (i >= threads_.size()) continue;
    settle(&threads_[i]);
    threads_[i].state = ThreadState::kEnded;
    threads_[i].exists = false;
    become(i, ns);
    threads_[i] = Thread();
    threads_[i].first = changes_.size();
  }
}

void WaitLog::end_wait(std::uint32_t thread, std::int64_t ns) {
  Thread& t = threads_[thread];
  if (t.state_at == Change::kNone || (is_after_ && !t.is_pending)) return;
  const Frame* const frame = t.open.empty() ? nullptr : &t.open.back();
  const NumberPair object = frame != nullptr && frame->object.first != 0 ? frame->object : t.stop_object;
  const std::uint32_t target = places_[place_of(t)].target;
  const Release* const release = object.first != 0 ? releases_.find(object) : nullptr;
  const bool is_released = release != nullptr && release->ns >= t.waits_since;
  const bool ends_only = is_any(target, only_ended_);
  const std::uint32_t holder = frame != nullptr ? frame->holder : kNone;
  const auto is_another = [&](std::uint32_t other) { return other != thread && latest(other) != Change::kNone; };
  t.unexplained = t.state_at;
  t.unexplained_since = t.waits_since;
  t.unexplained_until = ns;
  t.has_polled = false;
  if (is_released && !ends_only) {
    Change& wait = changes_.edit(t.state_at);
    wait.link = release->at;
    wait.is_released = ns != INT64_MAX;
  }
  if (is_another(t.waker)) {
    explain(thread, Change::Cause::kWoke, t.waker, latest(t.waker), ns);
  } else if (is_released && ends_only && ns != INT64_MAX) {
    explain(thread, Change::Cause::kWoke, release->thread, release->at, release->ns);
  } else if (is_released && !ends_only) {
    t.unexplained = Change::kNone;
    settle(&t);
  } else if (is_another(holder)) {
    const std::int64_t ended_ns = threads_[holder].ended_ns;
    const bool is_its_end = ended_ns != INT64_MAX && !is_any(target, {&lock_, 1});
    explain(thread, is_its_end ? Change::Cause::kEnded : Change::Cause::kHeld, holder, latest(holder),
            std::min(ns, ended_ns));
  } else if (frame != nullptr) {
    explain_by_writer(thread, *frame);
  }
}

// What ended the latest wait of a thread.
void WaitLog::explain(std::uint32_t thread, Change::Cause cause, std::uint32_t by, std::uint64_t at, std::int64_t ns) {
  Change& wait = changes_.edit(std::exchange(threads_[thread].unexplained, Change::kNone));
  wait.cause = cause;
  wait.cause_thread = by;
  wait.cause_at = at;
  wait.cause_ns = ns;
  settle(&threads_[thread]);
}

void WaitLog::finish() {
  const std::uint32_t all = std::min(timeline_->actors().threads().size(), Actor::kOthers);
  if (all > 0) grown(&threads_, all - 1);
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].exists && threads_[i].waits()) end_wait(i, INT64_MAX);
  }
}

}  // namespace evt

#include "thread_lives.h"

#include <algorithm>

#include "actor_names.h"
#include "collector_key.h"
#include "shares.h"

namespace evt::view {
namespace {

Key shown(ThreadState state) {
  switch (state) {
    case ThreadState::kRunning:
      return key_of(RowState::kRunning);
    case ThreadState::kRunnable:
      return key_of(RowState::kRunnable);
    case ThreadState::kWaiting:
      return key_of(RowState::kWaiting);
    case ThreadState::kOutside:
      return key_of(RowState::kOutside);
    case ThreadState::kUnknown:
      return key_of(RowState::kUnknown);
    default:
      return kNothing;
  }
}

// What is uncertain of its state until now.
void add_uncertain(const ThreadLives::Life& life, const Scale& scale, std::int64_t ns, Bands* bands) {
  const std::int64_t since = std::max(life.uncertain_since, life.course.since_ns());
  if (since < ns) bands->add(scale, since, ns);
}

}  // namespace

// A thread may be known by its samples only, as in files of other programs.
void ThreadLives::take_event(const TimelineItem& item) {
  groups_.take(item);
  if (is_sample(item) && latest_of(item.event->thread) == kNone) begin(item.event->thread, item);
}

void ThreadLives::take_change(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kThread:
      return begin(item.thread, item);
    case ItemKind::kState:
      return item.is_open ? void() : change(item);
    case ItemKind::kCollectorPhase:
      return change_phase(item);
    case ItemKind::kUncertain: {
      const std::size_t life = life_of(item.thread, item);
      if (life != kNone) lives_[life].uncertain_since = std::min(lives_[life].uncertain_since, item.began_ns);
      return;
    }
    case ItemKind::kIdleThread:
      if (item.thread < threads_.size() && threads_[item.thread].goes_on) {
        lives_[threads_[item.thread].life].is_thread = false;
        end(item.thread, item.ns);
      }
      return;
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) end(thread, item.ns);
      return;
    default:
      return;
  }
}

std::size_t ThreadLives::life_of(std::uint32_t thread, const TimelineItem& item) {
  if (thread >= Actor::kOthers) return kNone;
  if (thread >= threads_.size() || threads_[thread].life == kNone) begin(thread, item);
  add_stream(&lives_[threads_[thread].life], item.stream);
  return threads_[thread].life;
}

std::size_t ThreadLives::life_at(const RoleEvent& event) const {
  if (event.thread >= threads_.size() || threads_[event.thread].life == kNone) return lives_.size();
  const Thread& thread = threads_[event.thread];
  const bool begins = event.role == Role::kThreadCreate || event.role == Role::kThreadRun;
  return thread.goes_on || !begins ? thread.life : lives_.size();
}

void ThreadLives::begin(std::uint32_t thread, const TimelineItem& item) {
  if (thread >= Actor::kOthers) return;
  end(thread, item.ns);
  if (thread >= threads_.size()) threads_.resize(thread + std::size_t{1});
  threads_[thread] = {lives_.size(), true};
  Life& life = lives_.emplace_back();
  life.thread = thread;
  life.part = actors_->threads()[thread].part;
  life.began_ns = item.ns;
  add_stream(&life, item.stream);
  life.course.become(*scale_, key_of(RowState::kUnknown), item.ns);
}

void ThreadLives::add_stream(Life* life, const StreamInfo* stream) const {
  if (stream == nullptr) return;
  life->streams.insert(static_cast<std::uint32_t>(stream - streams_));
}

void ThreadLives::change(const TimelineItem& item) {
  if (item.state == ThreadState::kEnded) return end(item.thread, item.ns);
  const std::size_t place = life_of(item.thread, item);
  if (place == kNone) return;
  Life& life = lives_[place];
  add_uncertain(life, *scale_, item.ns, &life.uncertain);
  life.uncertain_since = INT64_MAX;
  life.course.become(*scale_, item.is_collecting ? key_of(CollectorPhase::kWork) : shown(item.state), item.ns);
}

// Of one that works in the thread's place.
void ThreadLives::change_phase(const TimelineItem& item) {
  if (item.phase == CollectorPhase::kNone || item.thread >= threads_.size() || !threads_[item.thread].goes_on) return;
  Course& course = lives_[threads_[item.thread].life].course;
  const bool collects = course.key() == key_of(item.phase_before);
  if (collects) course.become(*scale_, key_of(item.phase), item.ns);
}

void ThreadLives::end(std::uint32_t thread, std::int64_t ns) {
  if (thread >= threads_.size() || !threads_[thread].goes_on) return;
  Life& life = lives_[threads_[thread].life];
  add_uncertain(life, *scale_, ns, &life.uncertain);
  life.uncertain_since = INT64_MAX;
  life.course.become(*scale_, kNothing, ns);
  life.ended_ns = ns;
  life.name = name_of(life);
  life.group = group_of(life);
  life.thread = Actor::kNone;
  threads_[thread].goes_on = false;
}

std::string ThreadLives::name_of(const Life& life) const {
  if (life.thread == Actor::kNone) return life.name;
  return view::name_of(actors_->threads()[life.thread], "thread", groups_.has_system_threads());
}

std::uint32_t ThreadLives::group_of(const Life& life) const {
  if (life.thread == Actor::kNone) return life.group;
  return groups_.of_thread(actors_->threads()[life.thread], life.streams);
}

Bands ThreadLives::uncertain_of(const Life& life, const Zoom& zoom, std::int64_t until_ns) const {
  Bands bands = life.uncertain.seen(zoom);
  add_uncertain(life, zoom.as(), until_ns, &bands);
  return bands;
}

void ThreadLives::go_on_from(const ThreadLives& other) {
  threads_ = other.threads_;
  for (const Life& life : other.lives_) {
    lives_.push_back({{life}, {}, {}});
    lives_.back().course.go_on_from(life.course);
  }
}

void ThreadLives::coarsen() {
  for (Life& life : lives_) {
    life.course.coarsen(*scale_);
    life.uncertain.coarsen();
  }
}

std::size_t ThreadLives::size() const {
  std::size_t size = 0;
  for (const Life& life : lives_) size += life.course.size() + life.uncertain.size();
  return size;
}

}  // namespace evt::view

#include "thread_lives.h"

#include <algorithm>

#include "actor_names.h"
#include "row_state.h"

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

}  // namespace

void ThreadLives::take(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kThread:
      return begin(item.thread, item);
    case ItemKind::kState:
      return item.is_open ? void() : change(item);
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
  life.part = actors_->threads()[thread].part;
  life.began_ns = item.ns;
  add_stream(&life, item.stream);
  life.course.become(*scale_, key_of(RowState::kUnknown), item.ns);
}

void ThreadLives::add_stream(Life* life, const StreamInfo* stream) const {
  if (stream == nullptr) return;
  life->streams.insert(static_cast<std::uint32_t>(stream - actors_->session().streams.data()));
}

void ThreadLives::change(const TimelineItem& item) {
  if (item.state == ThreadState::kEnded) return end(item.thread, item.ns);
  const std::size_t place = life_of(item.thread, item);
  if (place == kNone) return;
  Life& life = lives_[place];
  end_uncertainty(&life, item.ns);
  life.course.become(*scale_, shown(item.state), item.ns);
}

void ThreadLives::end_uncertainty(Life* life, std::int64_t ns) const {
  const std::int64_t since = std::max(life->uncertain_since, life->course.since_ns());
  if (since < ns) life->uncertain.add(*scale_, since, ns);
  life->uncertain_since = INT64_MAX;
}

void ThreadLives::end(std::uint32_t thread, std::int64_t ns) {
  if (thread >= threads_.size() || !threads_[thread].goes_on) return;
  Life& life = lives_[threads_[thread].life];
  end_uncertainty(&life, ns);
  life.course.become(*scale_, kNothing, ns);
  life.ended_ns = ns;
  life.name = name_of(actors_->session(), actors_->threads()[thread], "thread");
  threads_[thread].goes_on = false;
}

void ThreadLives::finish(std::int64_t ns) {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) end(thread, ns);
}

}  // namespace evt::view

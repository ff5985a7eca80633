// Marks: the state of a timeline at a moment, and timelines that continue from there.
#include <utility>

#include "timeline_impl.h"

namespace evt {

// The state of a timeline at a moment, without its names, which only grow.
class Timeline::Mark::Impl {
 public:
  Impl(const Timeline::Impl& at, const Actors& of, std::int64_t coming, LateQueue::Mark late_mark)
      : actors(of),
        state(*at.state_, Actors::Impl::of(actors)),
        late(std::move(late_mark)),
        session(at.sessions_ - 1),
        first_ns(at.first_ns_),
        now_ns(at.now_ns_),
        coming_ns(coming) {}

  Actors actors;
  Timeline::Impl::State state;
  LateQueue::Mark late;
  std::size_t session;
  std::int64_t first_ns;
  std::int64_t now_ns;
  std::int64_t coming_ns;  // recorded time of the next event
};

std::unique_ptr<const Timeline::Mark::Impl> Timeline::Impl::mark() {
  if (is_finished_ || !state_ || !follows_threads_ || !follows_spans_ || !has_reached_from_) return nullptr;
  const std::int64_t coming_ns = roles_.coming_ns();
  std::optional<LateQueue::Mark> late = late_.mark(now_ns_);
  if (coming_ns == INT64_MAX || coming_ns <= now_ns_ || !late) return nullptr;
  return std::make_unique<const Mark::Impl>(*this, roles_.actors(), coming_ns, std::move(*late));
}

std::unique_ptr<Timeline::Impl> Timeline::Impl::behind(const Mark::Impl& mark, std::int64_t to_ns) const {
  const Session& session = trace_->sessions()[mark.session];
  Options options = options_;
  options.range = [&session, to_ns](const Session& each) {
    return &each == &session ? TimeRange{INT64_MIN, to_ns} : TimeRange{1, 0};
  };
  auto later = std::make_unique<Impl>(*trace_, options, mark.coming_ns);
  later->begin_session(mark.session, Actors(mark.actors));
  later->names_.emplace(*names_);
  later->state_.emplace(mark.state, later->in_actors());
  later->late_.go_on(late_, mark.late);
  later->is_late_read_ = true;
  later->looks_ahead_ = false;
  later->first_ns_ = mark.first_ns;
  later->now_ns_ = mark.now_ns;
  return later;
}

Timeline::Mark::Mark(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
std::int64_t Timeline::Mark::ns() const { return impl_->now_ns; }

std::optional<Timeline::Mark> Timeline::mark() {
  if (next_ != end_) return std::nullopt;
  std::unique_ptr<const Mark::Impl> mark = impl_->mark();
  return mark != nullptr ? std::optional(Mark(std::move(mark))) : std::nullopt;
}

Timeline Timeline::behind(const Mark& mark, std::int64_t to_ns) { return Timeline(impl_->behind(*mark.impl_, to_ns)); }

}  // namespace evt

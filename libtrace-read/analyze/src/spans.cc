#include <algorithm>

#include "duration.h"
#include "parts.h"
#include "spans_impl.h"

namespace evt {
namespace {

constexpr std::uint32_t kNone = Actor::kNone;

bool has_type_of(const Session& session, Role role) {
  return std::any_of(session.types.begin(), session.types.end(),
                     [&](const EventType& type) { return type.has_role(role); });
}

}  // namespace

Spans::Impl::Impl(const Session& session, const Options& options)
    : first_stream_(session.streams.data()),
      by_thread_(options.by_thread),
      kinds_{OfKind{Role::kName, EventNames(session), {}, {}, {}, {}},
             OfKind{Role::kFunction, EventNames(session), {}, {}, {}, {}}},
      streams_(
          session.streams.size(),
          OfStream{{SpanStack(has_type_of(session, Role::kSpan)), SpanStack(has_type_of(session, Role::kCall))}, {}}) {
  if (options.subtract_event_ps) cost_.emplace(session, *options.subtract_event_ps);
}

std::uint32_t Spans::Impl::row_of(std::uint32_t name, std::uint32_t thread, OfKind* kind) const {
  std::uint32_t* place = nullptr;
  if (by_thread_) {
    place = &kind->by_pair.try_emplace(std::uint64_t{name} << 32 | thread, kNone).first->second;
  } else {
    if (name >= kind->by_name.size()) kind->by_name.resize(std::size_t{name} + 1, kNone);
    place = &kind->by_name[name];
  }
  if (*place == kNone) {
    *place = static_cast<std::uint32_t>(kind->rows.size());
    Row& row = kind->rows.emplace_back();
    row.name = name;
    if (by_thread_) row.thread = thread;
  }
  return *place;
}

void Spans::Impl::fold(const FoldedActors& gone) {
  for (std::size_t i = 0; i < kKinds; ++i) {
    OfKind& kind = kinds_[i];
    std::vector<std::uint32_t> to;
    if (by_thread_) {
      const std::vector<Row> before = std::move(kind.rows);
      kind.rows.clear();
      kind.by_pair.clear();
      for (const Row& row : before) {
        to.push_back(row_of(row.name, gone(row.thread), &kind));
        kind.rows[to.back()].add(row);
      }
    }
    for (OfStream& stream : streams_) {
      for (SpanStack::Open& open : stream.stacks[i].open()) {
        open.thread = gone(open.thread);
        if (by_thread_) open.row = to[open.row];
      }
    }
  }
}

void Spans::Impl::take(const RoleEvent& event) {
  if (event.fold != nullptr) return fold(*event.fold);
  if (cost_) cost_->take(event);
  switch (event.role) {
    case Role::kSpanBegin:
      begin(event, SpanKind::kSpan);
      break;
    case Role::kCallBegin:
      begin(event, SpanKind::kCall);
      break;
    case Role::kSpanEnd:
      end(event, SpanKind::kSpan);
      break;
    case Role::kCallEnd:
      end(event, SpanKind::kCall);
      break;
    case Role::kSpan:
      complete(event, SpanKind::kSpan);
      break;
    case Role::kCall:
      complete(event, SpanKind::kCall);
      break;
    default:
      if (!event.lost && !event.jump) break;
      for (SpanStack& stack : of(*event.stream).stacks) {
        event.lost ? stack.lose(event.recorded_ns) : stack.jump(event.recorded_ns);
      }
      break;
  }
  if (cost_) of(*event.stream).spent.add(event.recorded_ns, spent_on(*event.stream));
}

void Spans::Impl::begin(const RoleEvent& event, SpanKind kind) {
  OfKind& all = of(kind);
  SpanStack::Open open;
  const std::uint32_t said = all.names.said_by(*event.event, all.naming);
  open.is_named = said != EventNames::kNone;
  open.name = open.is_named ? said : all.names.of(*event.event, all.naming);
  open.thread = event.thread;
  open.row = row_of(open.name, event.thread, &all);
  open.began = open.start = event.recorded_ns;
  open.spent_ps = spent_on(*event.stream);
  all.doubts.too_deep += stack(event, kind).begin(open);
  ++all.rows[open.row].unfinished;
}

void Spans::Impl::end(const RoleEvent& event, SpanKind kind) {
  OfKind& all = of(kind);
  SpanStack& spans = stack(event, kind);
  const std::uint32_t name = all.names.said_by(*event.event, all.naming);
  const std::size_t open = spans.open().size();
  const std::optional<std::size_t> found = name != EventNames::kNone ? spans.find(name)
                                           : open > 0                ? std::optional(open - 1)
                                                                     : std::nullopt;
  if (!found) {
    ++all.doubts.unmatched_ends;
    return;
  }
  while (spans.open().size() > *found + 1) {
    ++all.doubts.left_open;
    spans.leave();
  }
  const SpanStack::Open& span = spans.open().back();
  const std::uint32_t row = span.row;
  if (span.began < span.start) ++all.doubts.clipped;
  --all.rows[row].unfinished;
  count(spans.end(event.recorded_ns, spent_on(*event.stream)), row, &all);
}

void Spans::Impl::complete(const RoleEvent& event, SpanKind kind) {
  OfKind& all = of(kind);
  const std::optional<Duration> duration = duration_of(*event.event, event.recorded_ns);
  if (!duration) {
    ++all.doubts.without_duration;
    return;
  }
  if (duration->is_negative) ++all.doubts.negative;
  SpanStack::Complete span;
  span.end = event.recorded_ns;
  span.start = begin_of(duration->ns, span.end);
  span.step_ns = duration->step_ns;
  if (span.start < since_) {
    ++all.doubts.clipped;
    span.start = std::min(since_, span.end);
  }
  if (cost_) {
    const std::uint64_t before = of(*event.stream).spent.until(span.start);
    const std::uint64_t now = spent_on(*event.stream) - std::min(cost_->event_ps(), spent_on(*event.stream));
    span.spent_ps = now - std::min(now, before);
  }
  const std::uint32_t row = row_of(all.names.of(*event.event, all.naming), event.thread, &all);
  count(stack(event, kind).complete(span), row, &all);
}

void Spans::Impl::count(const SpanStack::Ended& ended, std::uint32_t row, OfKind* kind) const {
  Row& of = kind->rows[row];
  of.lengths.add(ended.ns);
  of.self_ns += ended.self_ns;
  of.subtracted_ns += ended.subtracted_ns;
  if (ended.is_uncertain) ++of.uncertain;
  if (ended.overlaps) ++kind->doubts.overlaps;
  if (ended.off_ns > 0) {
    ++kind->doubts.self_off;
    kind->doubts.self_off_ns += ended.off_ns;
  }
}

void Spans::Impl::restart(std::int64_t ns) {
  since_ = ns;
  for (OfKind& kind : kinds_) {
    for (Row& row : kind.rows) {
      Row empty;
      empty.name = row.name;
      empty.thread = row.thread;
      row = std::move(empty);
    }
    kind.doubts = Doubts();
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      SpanStack& stack = streams_[i].stacks[kind];
      stack.restart(ns, spent_on(first_stream_[i]));
      for (const SpanStack::Open& open : stack.open()) ++kinds_[kind].rows[open.row].unfinished;
    }
  }
}

std::vector<Spans::Open> Spans::Impl::open() const {
  std::vector<Open> all;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const SpanStack& stack = streams_[i].stacks[kind];
      for (std::size_t at = 0; at < stack.open().size(); ++at) {
        const SpanStack::Open& open = stack.open()[at];
        all.push_back({&first_stream_[i], static_cast<SpanKind>(kind), open.name, open.thread, open.began,
                       stack.is_uncertain(at)});
      }
    }
  }
  return all;
}

void Spans::Row::add(const Row& other) {
  lengths.add(other.lengths);
  self_ns += other.self_ns;
  subtracted_ns += other.subtracted_ns;
  unfinished += other.unfinished;
  uncertain += other.uncertain;
}

Spans::Spans(const Session& session, const Options& options) : impl_(std::make_unique<Impl>(session, options)) {}
Spans::~Spans() = default;

void Spans::take(const RoleEvent& event) { impl_->take(event); }
void Spans::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<Spans::Row>& Spans::rows(SpanKind kind) const { return impl_->of(kind).rows; }
const EventNames& Spans::names(SpanKind kind) const { return impl_->of(kind).names; }
const Spans::Doubts& Spans::doubts(SpanKind kind) const { return impl_->of(kind).doubts; }
std::vector<Spans::Open> Spans::open() const { return impl_->open(); }

}  // namespace evt

#include <evt/analysis/spans.h>

#include <algorithm>
#include <array>
#include <optional>

#include "flat_map.h"
#include "length_places.h"
#include "longest_spans.h"
#include "parts.h"
#include "stopped_time.h"
#include "tracing_cost.h"

namespace evt {

class Spans::Impl {
 public:
  Impl(Timeline& timeline, const Options& options);

  void take(const TimelineItem& item);
  void restart(std::int64_t ns);
  const std::vector<Row>& rows(SpanKind kind) const { return of(kind).rows; }
  const Doubts& doubts(SpanKind kind) const { return of(kind).doubts; }
  const std::vector<Open>& open() const { return open_; }
  const LengthPlaces& places(SpanKind kind) const { return of(kind).places; }
  const LongestSpans& longest() const { return longest_; }

 private:
  struct OfKind {
    std::vector<Row> rows;
    FlatMap<std::uint32_t> by_key;  // of a name and, by thread, a thread
    LengthPlaces places;            // of rows
    Doubts doubts;
  };
  // As the Timeline has it open, at the same place of its thread.
  struct Frame {
    std::int64_t start = 0;         // counted from
    std::uint64_t spent_ps = 0;     // by tracing on its stream, when it began
    std::uint64_t children_ns = 0;  // of those directly in it
    std::uint64_t given_ns = 0;     // of its own time, to what was around it before
    std::uint64_t lost_ns = 0;      // its thread, to stops, when it began
    const StreamInfo* stream = nullptr;
    std::uint32_t row = 0;  // its place among those of its kind
    bool is_call = false;
    bool sleeps = false;
  };
  using Stack = std::vector<Frame>;

  const OfKind& of(SpanKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  OfKind& of(bool is_call) { return kinds_[is_call ? 1 : 0]; }
  std::uint32_t row_of(const TimelineItem& item);
  static std::uint64_t key_of(const TimelineItem& item) {
    return std::uint64_t{item.thread} << 32 | item.name << 1 | std::uint32_t{item.is_call};
  }
  std::uint64_t spent_on(const StreamInfo& stream) const { return cost_ ? cost_->spent_ps(stream) : 0; }
  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  void count(const TimelineItem& item, const Frame& frame, bool is_outermost, Stack* around);
  void note_innermost_call(std::uint32_t thread, std::int64_t ns);
  void fold(const FoldedActors& gone);

  bool by_thread_;
  std::function<void(const TimelineItem&, const Instance&)> each_;
  StoppedTime stopped_;
  std::optional<TracingCost> cost_;
  std::array<OfKind, 2> kinds_;
  std::vector<Stack> threads_;
  FlatMap<std::uint32_t> open_of_name_;  // how many, by thread and name
  std::vector<Open> open_;
  LongestSpans longest_;
  std::int64_t since_ = INT64_MIN;  // counting began
};

namespace {

std::uint64_t length_from(std::int64_t from, std::int64_t to) { return to > from ? length(from, to) : 0; }

}  // namespace

Spans::Impl::Impl(Timeline& timeline, const Options& options)
    : by_thread_(options.by_thread), each_(options.each), stopped_(timeline), longest_(options.longest) {
  if (options.subtract_event_ps) cost_.emplace(timeline.actors().session(), *options.subtract_event_ps);
}

std::uint32_t Spans::Impl::row_of(const TimelineItem& item) {
  OfKind& kind = of(item.is_call);
  const std::uint32_t thread = by_thread_ ? item.thread : Actor::kNone;
  const auto [place, is_new] = kind.by_key.add(std::uint64_t{item.name} << 32 | thread);
  if (is_new) {
    *place = static_cast<std::uint32_t>(kind.rows.size());
    Row& row = kind.rows.emplace_back();
    row.name = item.name;
    row.thread = thread;
  }
  return *place;
}

void Spans::Impl::take(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kRow:
      if (cost_) cost_->take(*item.event);
      break;
    case ItemKind::kBegan:
      begin(item);
      break;
    case ItemKind::kEnded:
      end(item);
      break;
    case ItemKind::kUnmatchedEnd:
      if (item.thread != Actor::kNone && item.is_wanted) ++of(item.is_call).doubts.unmatched_ends;
      break;
    case ItemKind::kNotTimed:
      if (item.event->role != Role::kStopped && item.is_wanted) ++of(item.is_call).doubts.without_duration;
      break;
    case ItemKind::kThread:
    case ItemKind::kState:
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      stopped_.take(item);
      break;
    case ItemKind::kFold:
      stopped_.take(item);
      fold(*item.event->fold);
      break;
    default:
      break;
  }
}

void Spans::Impl::note_innermost_call(std::uint32_t thread, std::int64_t ns) {
  const Stack& stack = threads_[thread];
  const auto call = std::find_if(stack.rbegin(), stack.rend(), [](const Frame& frame) { return frame.is_call; });
  stopped_.set_sleeping(thread, call != stack.rend() && call->sleeps, ns);
}

void Spans::Impl::begin(const TimelineItem& item) {
  Frame frame;
  frame.row = row_of(item);
  frame.is_call = item.is_call;
  if (item.is_negative && item.is_wanted) ++of(item.is_call).doubts.negative;
  frame.start = std::max(item.began_ns, since_);
  frame.spent_ps = spent_on(*item.stream);
  frame.stream = item.stream;
  frame.lost_ns = stopped_.ns(item.thread, item.ns);
  frame.sleeps = item.is_call && stopped_.sleeps(item);
  grown(&threads_, item.thread).push_back(frame);
  if (item.is_call) note_innermost_call(item.thread, item.ns);
  ++open_of_name_[key_of(item)];
}

void Spans::Impl::end(const TimelineItem& item) {
  std::uint32_t& of_name = open_of_name_[key_of(item)];
  const bool is_outermost = --of_name == 0;
  if (is_outermost) open_of_name_.erase(key_of(item));
  Stack& stack = threads_[item.thread];
  const auto place = stack.begin() + static_cast<std::ptrdiff_t>(item.depth);
  const Frame frame = *place;
  stack.erase(place);
  if (item.is_call) note_innermost_call(item.thread, item.ns);
  if (item.is_open || item.is_cut) {
    // What was inside it was inside what is around it, which may end.
    if (item.depth > 0) stack[item.depth - 1].children_ns += frame.children_ns;
    if (!item.is_wanted) return;
    ++of(item.is_call).rows[frame.row].unfinished;
    if (item.is_cut) ++of(item.is_call).doubts.left_open;
    if (item.is_open) {
      open_.push_back({item.stream, item.is_call ? SpanKind::kCall : SpanKind::kSpan, item.name, item.thread,
                       item.began_ns, item.is_uncertain});
    }
    return;
  }
  count(item, frame, is_outermost, &stack);
}

void Spans::Impl::count(const TimelineItem& item, const Frame& frame, bool is_outermost, Stack* around) {
  const std::uint64_t whole = length_from(frame.start, item.ended_ns);
  const std::uint64_t event_ps = cost_ ? cost_->event_ps() : 0;
  std::uint64_t spent = spent_on(*item.stream) - std::min(frame.spent_ps, spent_on(*item.stream));
  // One event records a whole span when it is over.
  if (item.is_complete) spent -= std::min(spent, event_ps);
  const std::uint64_t subtracted = std::min(whole, spent / kPsInNs);
  const std::uint64_t lost_ns = stopped_.ns(item.thread, item.ns);
  const std::uint64_t stopped = std::min(whole - subtracted, lost_ns - frame.lost_ns);
  const std::uint64_t ns = whole - subtracted - stopped;
  // What goes on, and began in it, had this much in it.
  std::uint64_t overlap = 0;
  if (item.depth < around->size()) {
    Frame& inner = (*around)[item.depth];
    const std::uint64_t all = length_from(inner.start, item.ended_ns);
    const std::uint64_t had = all - std::min(all, lost_ns - inner.lost_ns);
    overlap = had - std::min(had, inner.given_ns);
    inner.given_ns = had;
  }
  const std::uint64_t inside = frame.children_ns + overlap;
  if (item.depth > 0) (*around)[item.depth - 1].children_ns += ns - std::min(ns, frame.given_ns);
  OfKind& kind = of(item.is_call);
  if (!item.is_wanted) return;
  Row& row = kind.rows[frame.row];
  row.lengths.add(ns);
  row.sum_ns += is_outermost ? ns : 0;
  const std::uint64_t self_ns = ns - std::min(ns, inside);
  row.self_ns += self_ns;
  row.subtracted_ns += subtracted;
  row.stopped_ns += stopped;
  row.uncertain += item.is_uncertain ? 1 : 0;
  const Place place{ns, item.began_ns, item.thread, frame.stream};
  kind.places.add(frame.row, place);
  const Instance instance{item.name, item.is_call ? SpanKind::kCall : SpanKind::kSpan, place, self_ns};
  longest_.add(instance);
  if (each_) each_(item, instance);
  if (item.overlaps) ++kind.doubts.overlaps;
  if (item.began_ns < since_) ++kind.doubts.clipped;
}

void Spans::Impl::fold(const FoldedActors& gone) {
  longest_.fold(gone);
  for (OfKind& kind : kinds_) {
    const std::vector<Row> before = std::move(kind.rows);
    kind.rows.clear();
    kind.by_key.clear();
    const bool is_of_calls = &kind == &kinds_[1];
    std::vector<std::uint32_t> now;  // indexes of rows
    for (const Row& row : before) {
      TimelineItem item;
      item.name = row.name;
      item.thread = gone(row.thread);
      item.is_call = is_of_calls;
      now.push_back(row_of(item));
      kind.rows[now.back()].add(row);
    }
    kind.places.fold(gone, now);
    for (Stack& stack : threads_) {
      for (Frame& frame : stack) {
        if (frame.is_call == is_of_calls) frame.row = now[frame.row];
      }
    }
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
    kind.places.clear();
    kind.doubts = Doubts();
  }
  longest_.clear();
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    for (Frame& frame : threads_[thread]) {
      frame.start = std::max(frame.start, ns);
      frame.children_ns = frame.given_ns = 0;
      frame.lost_ns = stopped_.ns(thread, ns);
      frame.spent_ps = spent_on(*frame.stream);
    }
  }
}

void Spans::Row::add(const Row& other) {
  lengths.add(other.lengths);
  sum_ns += other.sum_ns;
  self_ns += other.self_ns;
  subtracted_ns += other.subtracted_ns;
  stopped_ns += other.stopped_ns;
  unfinished += other.unfinished;
  uncertain += other.uncertain;
}

Spans::Spans(Timeline& timeline, const Options& options) : impl_(std::make_unique<Impl>(timeline, options)) {}
Spans::Spans(Spans&&) noexcept = default;
Spans::~Spans() = default;

void Spans::take(const TimelineItem& item) { impl_->take(item); }
void Spans::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<Spans::Row>& Spans::rows(SpanKind kind) const { return impl_->rows(kind); }
const Spans::Doubts& Spans::doubts(SpanKind kind) const { return impl_->doubts(kind); }
std::vector<Spans::Instance> Spans::longest() const { return impl_->longest().all(); }

std::optional<Spans::Place> Spans::at_most(SpanKind kind, std::size_t row, std::uint64_t ns) const {
  const Place* const found = impl_->places(kind).at_most(static_cast<std::uint32_t>(row), ns);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<Spans::Place> Spans::above(SpanKind kind, std::size_t row, std::uint64_t ns) const {
  const std::uint64_t most_ns = impl_->rows(kind)[row].lengths.max();
  const Place* const found = impl_->places(kind).above(static_cast<std::uint32_t>(row), ns, most_ns);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}
const std::vector<Spans::Open>& Spans::open() const { return impl_->open(); }

}  // namespace evt

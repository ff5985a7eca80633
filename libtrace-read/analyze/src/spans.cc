#include <evt/analysis/spans.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "account.h"
#include "first_few.h"
#include "flat_map.h"
#include "length_places.h"
#include "objects.h"
#include "parts.h"

namespace evt {

namespace {

SpanKind kind_of(const TimelineItem& item) {
  if (item.kind == ItemKind::kAsyncEnded) return SpanKind::kAsync;
  return item.is_call ? SpanKind::kCall : SpanKind::kSpan;
}

}  // namespace

// The longest of many spans and calls. Prefers equal ones that began first, then those that ended first. Memory grows
// with the number of those kept.
class LongestSpans {
 public:
  using Instance = Spans::Instance;

  explicit LongestSpans(std::size_t most) : kept_(most) {}

  void add(const Instance& instance) { kept_.add({instance, ended_++}); }

  // The longest first.
  std::vector<Instance> all() const {
    std::vector<Instance> all;
    for (const Kept& kept : kept_.in_order()) all.push_back(kept.instance);
    return all;
  }

  void fold(const FoldedActors& gone) {
    for (Kept& kept : kept_.kept()) kept.instance.place.thread = gone(kept.instance.place.thread);
  }

  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Instance instance;
    std::uint64_t order = 0;  // in which they ended
  };

  static bool comes_before(const Kept& a, const Kept& b) {
    return std::tuple(b.instance.place.ns, a.instance.place.began_ns, a.order) <
           std::tuple(a.instance.place.ns, b.instance.place.began_ns, b.order);
  }

  std::uint64_t ended_ = 0;
  FirstFew<Kept, comes_before> kept_;
};

namespace {

bool has_stops(const Session& session) {
  return std::ranges::any_of(session.types, [](const EventType& type) { return type.has_role(Role::kStopped); });
}

std::uint64_t length_from(std::int64_t from, std::int64_t to) { return to > from ? length(from, to) : 0; }

}  // namespace

class Spans::Impl {
 public:
  Impl(Timeline& timeline, const Options& options)
      : timeline_(&timeline),
        by_thread_(options.by_thread),
        has_objects_(options.longest > 0),
        each_(options.each),
        account_(timeline,
                 {.has_times = has_stops(timeline.actors().session()), .subtract_event_ps = options.subtract_event_ps}),
        longest_(options.longest) {}

  void take(const TimelineItem& item) {
    switch (item.kind) {
      case ItemKind::kBegan:
        return begin(item);
      case ItemKind::kEnded:
        return end(item);
      case ItemKind::kAsyncEnded:
        return end_async(item);
      case ItemKind::kObject:
        if (!has_objects_) break;
        objects_.take(*item.event, timeline_->actors().part_of_ids(*item.event->event, Role::kObject), false,
                      &timeline_->names());
        break;
      case ItemKind::kFold:
        account_.take(item);
        return fold(*item.event->fold);
      default:
        return account_.take(item);
    }
  }

  void restart(std::int64_t ns) {
    since_ = ns;
    for (OfKind& kind : kinds_) {
      for (Row& row : kind.rows) {
        Row empty;
        empty.name = row.name;
        empty.thread = row.thread;
        row = std::move(empty);
      }
      kind.places.clear();
    }
    longest_.clear();
    account_.restart(ns);
  }

  const std::vector<Row>& rows(SpanKind kind) const { return of(kind).rows; }
  const LengthPlaces& places(SpanKind kind) const { return of(kind).places; }
  struct OfKind {
    std::vector<Row> rows;
    FlatMap<std::uint32_t> by_key;  // key: a name and, if by thread, a thread
    LengthPlaces places;            // by row
  };
  const OfKind& of(SpanKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  OfKind& of(const TimelineItem& item) { return kinds_[static_cast<std::size_t>(kind_of(item))]; }

  std::uint32_t row_of(const TimelineItem& item) {
    OfKind& kind = of(item);
    const std::uint32_t thread = by_thread_ && item.kind != ItemKind::kAsyncEnded ? item.thread : Actor::kNone;
    const auto [place, is_new] = kind.by_key.add(std::uint64_t{item.name} << 32 | thread);
    if (is_new) {
      *place = static_cast<std::uint32_t>(kind.rows.size());
      Row& row = kind.rows.emplace_back();
      row.name = item.name;
      row.thread = thread;
    }
    return *place;
  }

  void begin(const TimelineItem& item) {
    const std::uint32_t row = row_of(item);
    Account::Frame& frame = account_.begin(item);
    frame.row = row;
    frame.start_ns = std::max(item.began_ns, since_);
    frame.spent_ps = account_.spent_ps(*item.stream);
    if (has_objects_ && item.is_call) begin_about(item, &frame);
  }

  void end(const TimelineItem& item) {
    const Account::Frame& frame = account_.end(item);
    if (!item.is_open && !item.is_cut) return count(item, frame);
    // Spans inside it are now inside its enclosing one, which may end.
    if (item.depth > 0) account_.threads()[item.thread].open[item.depth - 1].children_ns += frame.children_ns;
    if (!item.is_wanted) return;
    ++of(item).rows[frame.row].unfinished;
    if (item.is_open) {
      open_.push_back({item.stream, kind_of(item), item.name, item.thread, item.began_ns, item.is_uncertain});
    }
  }

  void end_async(const TimelineItem& item) {
    if (!item.is_wanted) return;
    OfKind& kind = of(item);
    const std::uint32_t row_index = row_of(item);
    Row& row = kind.rows[row_index];
    if (item.is_open || item.is_cut) {
      ++row.unfinished;
      if (item.is_open) {
        open_.push_back({item.stream, SpanKind::kAsync, item.name, Actor::kNone, item.began_ns, item.is_uncertain});
      }
      return;
    }
    const std::uint64_t ns = length_from(std::max(item.began_ns, since_), item.ended_ns);
    row.lengths.add(ns);
    row.sum_ns += ns;
    row.self_ns += ns;
    row.uncertain += item.is_uncertain ? 1 : 0;
    const Place place{ns, item.began_ns, Actor::kNone, item.stream};
    kind.places.add(row_index, place);
    const Instance instance{item.name, SpanKind::kAsync, place, ns, Actor::kNone};
    longest_.add(instance);
    if (each_) each_(item, instance);
  }

  void count(const TimelineItem& item, const Account::Frame& frame) {
    Account::Thread& thread = account_.threads()[item.thread];
    const std::uint64_t whole = length_from(frame.start_ns, item.ended_ns);
    std::uint64_t spent_ps = account_.spent_ps(*frame.stream) - frame.spent_ps;
    // One event records a whole span when it is over.
    if (item.is_complete) spent_ps -= std::min(spent_ps, account_.event_ps());
    const std::uint64_t subtracted = std::min(whole, spent_ps / kPsInNs);
    const std::uint64_t stopped = std::min(whole - subtracted, thread.inside.stopped_ns - frame.stopped_before_ns);
    const std::uint64_t ns = whole - subtracted - stopped;
    // The overlap with an open one that began in it.
    std::uint64_t overlap = 0;
    if (item.depth < thread.open.size()) {
      Account::Frame& inner = thread.open[item.depth];
      const std::uint64_t all = length_from(inner.start_ns, item.ended_ns);
      const std::uint64_t had = all - std::min(all, thread.inside.stopped_ns - inner.stopped_before_ns);
      overlap = had - std::min(had, inner.given_ns);
      inner.given_ns = had;
    }
    const std::uint64_t inside = frame.children_ns + overlap;
    if (item.depth > 0) thread.open[item.depth - 1].children_ns += ns - std::min(ns, frame.given_ns);
    if (!item.is_wanted) return;
    OfKind& kind = of(item);
    Row& row = kind.rows[frame.row];
    row.lengths.add(ns);
    if (frame.is_outermost) {
      // It was nested in another of its name until then.
      const std::uint64_t before = length_from(frame.start_ns, frame.outer_since_ns);
      const std::uint64_t stopped_before = frame.outer_before.stopped_ns - frame.stopped_before_ns;
      row.sum_ns += ns - std::min(ns, before - std::min(before, stopped_before));
    }
    const std::uint64_t self_ns = ns - std::min(ns, inside);
    row.self_ns += self_ns;
    row.subtracted_ns += subtracted;
    row.stopped_ns += stopped;
    row.uncertain += item.is_uncertain ? 1 : 0;
    const Place place{ns, item.began_ns, item.thread, frame.stream};
    kind.places.add(frame.row, place);
    const Instance instance{item.name, kind_of(item), place, self_ns, object_of(item, frame)};
    longest_.add(instance);
    if (each_) each_(item, instance);
  }

  void fold(const FoldedActors& gone) {
    longest_.fold(gone);
    for (const SpanKind of_kind : {SpanKind::kSpan, SpanKind::kCall}) {
      OfKind& kind = kinds_[static_cast<std::size_t>(of_kind)];
      const std::vector<Row> before = std::move(kind.rows);
      kind.rows.clear();
      kind.by_key.clear();
      const bool is_of_calls = of_kind == SpanKind::kCall;
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
      for (Account::Thread& thread : account_.threads()) {
        for (Account::Frame& frame : thread.open) {
          if (frame.is_call == is_of_calls) frame.row = now[frame.row];
        }
      }
    }
  }

  // If an event records it when it is over, the part is known only then.
  void begin_about(const TimelineItem& item, Account::Frame* frame) {
    frame->object = item.call != nullptr ? item.call->object : 0;
    frame->object_part = Actor::kNone;
    if (item.call != nullptr || item.event == nullptr) return;
    frame->object = item.event->event->number(Role::kObject).value_or(0);
    frame->object_part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
  }

  std::uint32_t object_of(const TimelineItem& item, const Account::Frame& frame) {
    if (!has_objects_ || !item.is_call || frame.object == 0) return Actor::kNone;
    std::uint32_t part = frame.object_part;
    if (item.is_complete && item.event != nullptr) {
      part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
    }
    return objects_.find(frame.object, part, Objects::kNone).target;
  }

  Timeline* timeline_;
  bool by_thread_;
  bool has_objects_;  // someone needs to know what calls are about
  Objects objects_;
  std::function<void(const TimelineItem&, const Instance&)> each_;
  Account account_;
  std::array<OfKind, 3> kinds_;
  std::vector<Open> open_;
  LongestSpans longest_;
  std::int64_t since_ = INT64_MIN;  // counting began
};

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

void Spans::take(const TimelineItem& item) { impl_->take(item); }
void Spans::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<Spans::Row>& Spans::rows(SpanKind kind) const { return impl_->rows(kind); }
std::vector<Spans::Instance> Spans::longest() const { return impl_->longest_.all(); }
const std::vector<Usage::Target>& Spans::objects() const { return impl_->objects_.targets(); }

std::optional<Spans::Place> Spans::at_most(SpanKind kind, std::size_t row, std::uint64_t ns) const {
  const Place* const found = impl_->places(kind).at_most(static_cast<std::uint32_t>(row), ns);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<Spans::Place> Spans::above(SpanKind kind, std::size_t row, std::uint64_t ns) const {
  const std::uint64_t most_ns = impl_->rows(kind)[row].lengths.max();
  const Place* const found = impl_->places(kind).above(static_cast<std::uint32_t>(row), ns, most_ns);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}
const std::vector<Spans::Open>& Spans::open() const { return impl_->open_; }

}  // namespace evt

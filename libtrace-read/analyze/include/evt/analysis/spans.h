// Durations of things that begin and end: a program's own spans, calls of functions, and asynchronous spans.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/analysis/usage.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <functional>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class SpanKind : std::uint8_t {
  kSpan,  // spanBegin, spanEnd, span
  kCall,  // callBegin, callEnd, call
  // asyncBegin, asyncEnd. They belong to no thread and are in no other span; neither stops nor tracing time are
  // subtracted.
  kAsync,
};

// Takes the items of one session in order; memory grows with names and threads, with the range of lengths, and with the
// depth of nesting. Times are as recorded, so that streams may differ a little; without those in which the process was
// stopped (role stopped) and the thread neither waited nor was in a call for the resource `sleep`.
class Spans {
 public:
  // One that ended: how long it took, when, and where it began.
  struct Place {
    std::uint64_t ns = 0;
    std::int64_t began_ns = 0;
    std::uint32_t thread = Actor::kNone;
    const StreamInfo* stream = nullptr;
  };
  struct Instance {
    std::uint32_t name = 0;
    SpanKind kind = SpanKind::kSpan;
    Place place;
    std::uint64_t self_ns = 0;
    std::uint32_t object = Actor::kNone;  // that a call is about: index in objects()
  };
  struct Options {
    bool by_thread = false;
    // Subtracts tracing time: so many picoseconds for each event, and durations of events of role overhead.
    std::optional<std::uint64_t> subtract_event_ps;
    std::size_t longest = 0;  // number of those listed
    // Called for each that ended and is counted, by the item that ends it.
    std::function<void(const TimelineItem&, const Instance&)> each{};
  };
  struct Row {
    std::uint32_t name = 0;               // index in Timeline::names()
    std::uint32_t thread = Actor::kNone;  // kNone: on any
    Histogram lengths;                    // lengths of those that ended
    std::uint64_t sum_ns = 0;             // without those inside one of the same name; asynchronous ones: all
    std::uint64_t self_ns = 0;            // without spans and calls within them
    std::uint64_t subtracted_ns = 0;      // tracing time, not included in lengths
    std::uint64_t stopped_ns = 0;         // and stops this
    std::uint64_t unfinished = 0;         // began and did not end; not counted elsewhere
    std::uint64_t uncertain = 0;          // ended, but events were lost meanwhile

    bool is_empty() const { return lengths.count() == 0 && unfinished == 0; }
    void add(const Row& other);
  };
  // Those that have not ended at the end of the range.
  struct Open {
    const StreamInfo* stream = nullptr;  // where it began
    SpanKind kind = SpanKind::kSpan;
    std::uint32_t name = 0;
    std::uint32_t thread = 0;
    std::int64_t began_ns = 0;
    bool is_uncertain = false;  // its end may have been lost
  };

  // The timeline of the items must outlive it.
  Spans(Timeline& timeline, const Options& options);

  void take(const TimelineItem& item);
  // Counts only from this moment on. Open ones count from then.
  void restart(std::int64_t ns);

  // In the order in which they were first met; those that is_empty() carry no information.
  const std::vector<Row>& rows(SpanKind kind) const;
  // For the row with this index: the longest that is not longer than `ns`, or one that the histogram counts as equal;
  // nothing if there is none. above() is the shortest of those that are longer.
  std::optional<Place> at_most(SpanKind kind, std::size_t row, std::uint64_t ns) const;
  std::optional<Place> above(SpanKind kind, std::size_t row, std::uint64_t ns) const;
  // The longest first.
  std::vector<Instance> longest() const;
  // With `longest`.
  const std::vector<Usage::Target>& objects() const;
  // Thread by thread, the innermost first; then asynchronous ones, the latest first. REQUIRES: all items were taken.
  const std::vector<Open>& open() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop

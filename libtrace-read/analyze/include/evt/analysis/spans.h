// How long things took that begin and end: spans of a program's own, calls of functions, and asynchronous spans.
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
  // asyncBegin, asyncEnd. They are of no thread and in no other; neither stops nor what tracing took is subtracted.
  kAsync,
};

// Takes the items of one session in order; memory grows with names and threads, with how far lengths lie apart, and
// with how deep things lie within one another. Times are as recorded, so that streams may differ a little; without
// those in which the process was stopped (role stopped) and the thread neither waited nor was in a call for the
// resource `sleep`.
class Spans {
 public:
  // Of one that ended: how long it took, when, and where it began.
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
    std::uint32_t object = Actor::kNone;  // that a call is about: of objects()
  };
  struct Options {
    bool by_thread = false;
    // What tracing took is subtracted: of each event this many picoseconds, and durations of events of role overhead.
    std::optional<std::uint64_t> subtract_event_ps;
    std::size_t longest = 0;  // that many are listed
    // Called for each that ended and is counted, by the item that ends it.
    std::function<void(const TimelineItem&, const Instance&)> each{};
  };
  struct Row {
    std::uint32_t name = 0;               // of Timeline::names()
    std::uint32_t thread = Actor::kNone;  // kNone: on any
    Histogram lengths;                    // of those that ended
    std::uint64_t sum_ns = 0;             // of those that are in no other of their name; of asynchronous ones, all
    std::uint64_t self_ns = 0;            // without spans and calls within them
    std::uint64_t subtracted_ns = 0;      // of what lengths would be else, tracing took this
    std::uint64_t stopped_ns = 0;         // and stops this
    std::uint64_t unfinished = 0;         // that began and did not end; not counted else
    std::uint64_t uncertain = 0;          // that ended, and events were lost meanwhile

    bool is_empty() const { return lengths.count() == 0 && unfinished == 0; }
    void add(const Row& other);
  };
  // What has not ended where the range does.
  struct Open {
    const StreamInfo* stream = nullptr;  // where it began
    SpanKind kind = SpanKind::kSpan;
    std::uint32_t name = 0;
    std::uint32_t thread = 0;
    std::int64_t began_ns = 0;
    bool is_uncertain = false;  // its end may have been lost
  };

  // The timeline of the items, which must outlive it.
  Spans(Timeline& timeline, const Options& options);

  void take(const TimelineItem& item);
  // Counts from this moment on alone. What is open counts from then.
  void restart(std::int64_t ns);

  // In the order in which they were first met; those that is_empty() say nothing.
  const std::vector<Row>& rows(SpanKind kind) const;
  // Of the row with this index: the longest that is no longer than so much, or one that the histogram counts as equal;
  // nothing if there is none. The same of those that are longer, of which it is the shortest.
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

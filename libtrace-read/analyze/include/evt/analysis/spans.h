// How long things took that begin and end: spans of a program's own, and calls of functions.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/event_names.h>
#include <evt/analysis/histogram.h>

#include <memory>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class SpanKind : std::uint8_t {
  kSpan,  // spanBegin, spanEnd, span
  kCall,  // callBegin, callEnd, call
};

// Takes the events of one session in order; memory grows with names and threads, and with how deep things lie within
// one another. Spans lie within spans of their stream, calls within calls. Times are as recorded, so that streams may
// differ a little. An end is that of the innermost that began; an end with a name of the innermost with that name:
// those within it are left open for ever.
class Spans {
 public:
  struct Options {
    bool by_thread = false;
    // What tracing took is subtracted: of each event this many picoseconds, and durations of events of role overhead.
    std::optional<std::uint64_t> subtract_event_ps;
  };
  struct Row {
    std::uint32_t name = 0;               // of names()
    std::uint32_t thread = Actor::kNone;  // on which it began; kNone: on any
    Histogram lengths;                    // of those that ended
    std::uint64_t self_ns = 0;            // without what was within them
    std::uint64_t subtracted_ns = 0;      // of what lengths would be else
    std::uint64_t unfinished = 0;         // that began and did not end; not counted else
    std::uint64_t uncertain = 0;          // that ended, and events were lost meanwhile

    bool is_empty() const { return lengths.count() == 0 && unfinished == 0; }
    void add(const Row& other);
  };
  struct Doubts {
    std::uint64_t unmatched_ends = 0;    // of nothing that was seen to begin
    std::uint64_t left_open = 0;         // when one around them ended
    std::uint64_t too_deep = 0;          // the outermost of too many, which were forgotten; unfinished
    std::uint64_t overlaps = 0;          // with another, neither of which is within the other
    std::uint64_t without_duration = 0;  // complete spans that do not say how long they were; not counted
    std::uint64_t negative = 0;          // they say less than nothing; counted as nothing
    std::uint64_t clipped = 0;           // began before counting did, and count from then
    std::uint64_t self_off = 0;          // what was within them is not known exactly
    std::uint64_t self_off_ns = 0;       // all their self times are right to so much
  };
  struct Open {
    const StreamInfo* stream = nullptr;
    SpanKind kind = SpanKind::kSpan;
    std::uint32_t name = 0;
    std::uint32_t thread = 0;
    std::int64_t began_ns = 0;
    bool is_uncertain = false;  // its end may have been lost
  };

  // The session must outlive it.
  Spans(const Session& session, const Options& options);
  ~Spans();

  void take(const RoleEvent& event);
  // Counts from this moment on alone. What is open counts from then, and so does a complete span that began before.
  void restart(std::int64_t ns);

  // In the order in which they were first met; those that is_empty() say nothing.
  const std::vector<Row>& rows(SpanKind kind) const;
  const EventNames& names(SpanKind kind) const;
  const Doubts& doubts(SpanKind kind) const;
  // What is open, stream by stream, the outermost first.
  std::vector<Open> open() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop

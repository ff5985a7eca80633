// Open asynchronous spans: those that may end on another stream than the one they began on.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>

#include "libtrace-read/analyze/src/archive.h"
#include "timeline_items.h"

namespace evt {

// An end belongs to the latest open span of its part, id and name; a span or an end without a name matches any. Spans
// of one id may overlap: an end ends only one of them. Memory: at most 65536 spans are open; the oldest one is cut to
// make room.
class AsyncSpans {
 public:
  // `at`: with the part of its id, its id as the value, and its name. Items are appended.
  void begin(const TimelineItem& at, bool is_named, TimelineItems* items);
  // The name is kNone if the end has none.
  void end(const TimelineItem& at, TimelineItems* items);
  // Events of a stream of this part were lost: any span of the part may have ended there.
  void lose(std::uint32_t part);
  // A range begins: begins the spans that are open then, the oldest first.
  void begin(TimelineItem at, TimelineItems* items) const;
  // Time ends; the latest comes first.
  void finish(const TimelineItem& at, TimelineItems* items);
  // For a session, and so many names.
  void archive(Archive& archive, const Session& session, std::size_t names);

 private:
  static constexpr std::size_t kMaxOpen = 65536;
  static constexpr std::size_t kMaxSearched = 4096;

  using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;  // part, id, and which begin it was
  struct Open {
    std::int64_t began_ns = 0;
    std::uint64_t losses = 0;  // there were before
    const StreamInfo* stream = nullptr;
    std::uint32_t name = 0;
    bool is_named = false;
    bool is_wanted = false;
  };
  using Spans = std::map<Key, Open>;

  // Losses on streams on which a span of this part may end.
  std::uint64_t losses(std::uint32_t part) const;
  void close(Spans::iterator span, TimelineItem at, TimelineItems* items);

  Spans open_;
  std::map<std::uint64_t, Key> by_age_;  // the same spans, in the order of their begins
  std::uint64_t begun_ = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> losses_;  // by part
  std::uint64_t all_losses_ = 0;
};

}  // namespace evt

// The events of a trace that grows, each once.
#pragma once

#include <evt/trace.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

namespace evt::tools {

inline constexpr std::chrono::milliseconds kBetweenLooks(100);
// A writer that is about to close may be found neither living nor closed.
inline constexpr int kLooksWithoutWriter = 2;
// Some session's writer runs.
bool has_writer(const Trace& trace);

// Which events of a trace that grows were shown, from one opening of it to the next.
class SeenRows {
 public:
  // What to read of this opening so that each event is met that `all` asks for and is_new() is true of. Times in `all`
  // are those of the first opening that has the session. Refers to the trace and to `all`.
  EventOptions narrowed(const Trace& trace, const EventOptions& all);
  // True once for each row. REQUIRES: called with all events that narrowed() asks for.
  bool is_new(const Event& event);
  // All that narrowed() asked for was read.
  void end(const Trace& trace);

 private:
  struct Stream {
    std::uint64_t next = 0;   // ordinal of the first that no opening before this one had
    std::uint64_t after = 0;  // of the first that this one does not have: behind a jump, events are not in their order
    std::uint64_t rows = 0;   // that the stream had
    std::int64_t last_ns = INT64_MIN;
    bool jumps = false;  // so that rows may come for any time
  };
  using Key = std::pair<Session::Uuid, std::uint32_t>;

  bool has_more(const Session& session, const StreamInfo& stream) const;
  // From when on a session has rows that were not seen.
  std::int64_t first_new_ns(const Session& session) const;

  std::map<Key, Stream> streams_;
  std::map<Session::Uuid, TimeRange> ranges_;
};

}  // namespace evt::tools

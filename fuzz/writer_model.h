// What a session must hold: what was committed, stream by stream, and what was lost.
#pragma once

#include <evt/trace.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fuzz_target.h"
#include "getters.h"
#include "order.h"
#include "tests/support/row_sizes.h"

namespace fuzz {

struct Recorded {
  std::string type;
  std::uint64_t ticks;
  std::string payload;
  bool behind_a_jump;

  bool operator==(const Recorded&) const = default;
};

struct StreamModel {
  std::vector<Recorded> events;
  std::array<std::uint64_t, EVT_LOST_CAUSES> lost{};
};

// Events that find the ring full when they grow, and are in the flusher's hands for a moment.
enum class MayMiss : std::uint8_t {
  kNothing,
  kThese,
  kFromThese,  // and what is behind them: whether it is, a living writer's ring cannot say yet
};

class SessionModel {
 public:
  StreamModel& stream(std::uint32_t id) { return streams_[id]; }
  void intern(std::uint32_t id, const std::string& text) { strings_[id] = text; }

  // The trace has exactly this: every event of each stream in its order, every loss, every string.
  void check(evt::Trace& trace, MayMiss may_miss = MayMiss::kNothing) const {
    std::map<std::uint32_t, std::vector<Shown>> shown;
    OrderCheck order;
    evt::Events events = trace.events({.markers = true});
    while (const evt::Event* event = events.next()) {
      order.add(*event);
      use_every_getter(*event);
      FUZZ_CHECK(event->type().declared() || event->is_lost() || event->is_jump());
      shown[event->stream().id].push_back(shown_of(*event));
    }
    FUZZ_CHECK(trace.sessions().size() == 1);
    const evt::Session& session = trace.sessions().front();
    FUZZ_CHECK((may_miss == MayMiss::kThese || session.missing == 0) && session.not_decodable == 0);
    for (const auto& [id, stream] : streams_) {
      FUZZ_CHECK(session.stream(id) != nullptr && session.stream(id)->declared);
      check_stream(shown[id], stream, may_miss);
    }
    FUZZ_CHECK(shown.size() == streams_.size());
    for (const auto& [id, text] : strings_) {
      const std::string* const read = session.text({id});
      FUZZ_CHECK(read != nullptr && *read == text);
    }
  }

 private:
  struct Shown {
    std::uint64_t ordinal;
    bool is_jump;
    std::uint64_t lost;  // this many events, of this cause
    std::uint64_t cause;
    Recorded event;
  };

  static Shown shown_of(const evt::Event& event) {
    Shown shown = {event.ordinal(), event.is_jump(), 0, 0, {}};
    if (event.is_jump()) return shown;
    if (event.is_lost()) {
      shown.lost = event.value("count")->as_unsigned();
      shown.cause = event.value("cause")->as_unsigned();
      return shown;
    }
    const auto* const payload = reinterpret_cast<const char*>(event.payload().data());
    shown.event = {event.type().name(), event.ticks(), std::string(payload, event.payload().size()), false};
    return shown;
  }

  // What was behind a step back in time came where its time is: here it goes back to where it was recorded.
  static void check_stream(std::vector<Shown>& shown, const StreamModel& stream, MayMiss may_miss) {
    std::stable_sort(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.ordinal < b.ordinal; });
    std::array<std::uint64_t, EVT_LOST_CAUSES> lost{};
    std::size_t next = 0;
    bool jumped = false;
    for (Shown& each : shown) {
      jumped |= each.is_jump;
      if (each.lost > 0) lost.at(each.cause) += each.lost;
      if (each.is_jump || each.lost > 0) continue;
      each.event.behind_a_jump = std::exchange(jumped, false);
      while (may_miss == MayMiss::kThese && next < stream.events.size() && !is(each.event, stream.events[next])) {
        FUZZ_CHECK(has_grown(stream.events[next++]));
      }
      FUZZ_CHECK(next < stream.events.size());
      // Losses may have been recorded between the jump and an event that is missing.
      if (may_miss == MayMiss::kThese) each.event.behind_a_jump = stream.events[next].behind_a_jump;
      FUZZ_CHECK(each.event == stream.events[next]);
      ++next;
    }
    if (may_miss == MayMiss::kFromThese && next < stream.events.size()) {
      FUZZ_CHECK(has_grown(stream.events[next]));
      return;  // losses behind it may be missing too
    }
    while (may_miss == MayMiss::kThese && next < stream.events.size()) FUZZ_CHECK(has_grown(stream.events[next++]));
    FUZZ_CHECK(next == stream.events.size());
    FUZZ_CHECK(lost == stream.lost);
  }

  static bool is(Recorded event, const Recorded& wanted) {
    event.behind_a_jump = wanted.behind_a_jump;
    return event == wanted;
  }

  // Beyond what any slot has room for that an event was begun in.
  static bool has_grown(const Recorded& event) { return event.payload.size() > 64 - evt::testing::kLargeRowHeader; }

  std::map<std::uint32_t, StreamModel> streams_;
  std::map<std::uint32_t, std::string> strings_;
};

}  // namespace fuzz

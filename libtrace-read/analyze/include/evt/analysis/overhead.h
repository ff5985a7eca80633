// What tracing itself took: what events of role overhead say, and how many events each stream emitted.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/event_names.h>
#include <evt/analysis/histogram.h>

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order; memory grows with reasons, streams, and threads that run on them. Who pays
// is who emits: a stream, and the thread that runs on it.
class Overhead {
 public:
  struct Emitter {
    const StreamInfo* stream = nullptr;
    std::uint32_t thread = Actor::kNone;  // that ran there; kNone: no event recorded one
  };
  struct Emitted {
    Emitter by;
    std::uint64_t events = 0;
  };
  struct Stall {
    std::uint32_t reason = 0;  // of reasons()
    Emitter of;                // the thread: also one that the event names
    Histogram lengths;
  };
  struct Doubts {
    std::uint64_t without_duration = 0;  // events of role overhead that do not say how long it took
    std::uint64_t negative = 0;          // they say less than nothing; counted as nothing
    std::uint64_t clipped = 0;           // it began before counting did, and counts from then
    std::uint64_t losses = 0;            // so often events were lost, which took time too
  };

  // The actors of the events, which must outlive it.
  explicit Overhead(Actors& actors)
      : actors_(&actors), reasons_(actors.session()), latest_(actors.session().streams.size()) {}

  void take(const RoleEvent& event);
  // Counts from this moment on alone.
  void restart(std::int64_t ns);

  // In the order in which they were first met.
  const std::vector<Emitted>& emitted() const { return emitted_; }
  const std::vector<Stall>& stalls() const { return stalls_; }
  const EventNames& reasons() const { return reasons_; }
  const Doubts& doubts() const { return doubts_; }

 private:
  struct Latest {
    std::uint32_t thread = Actor::kNone;
    std::uint32_t emitted = Actor::kNone;  // the place of both in emitted_
  };

  void fold(const FoldedActors& gone);
  void count(const RoleEvent& event);
  void stall(const RoleEvent& event);
  std::uint32_t place_of(const Emitter& who);                        // in emitted_
  std::uint32_t place_of(const Emitter& who, std::uint32_t reason);  // in stalls_

  Actors* actors_;
  EventNames reasons_;
  std::vector<Latest> latest_;  // of each stream
  std::vector<Emitted> emitted_;
  std::vector<Stall> stalls_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_emitter_;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> by_reason_;  // stream, thread, reason
  Doubts doubts_;
  std::int64_t since_ = INT64_MIN;
};

}  // namespace evt
#pragma GCC visibility pop

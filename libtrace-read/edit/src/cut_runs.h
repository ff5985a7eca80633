// Which threads run when a part of a session begins, by what its streams say before that.
#pragma once

#include <evt/session.h>

#include <compare>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cut_state.h"

namespace evt {

// As the analyses have it: a thread runs on one cpu at a time, and a cpu has one thread. Who and where are the fields
// of these roles, or the stream. Streams may come in any order, as their blocks are in the file; the events of each in
// its own. Refers to the session while it lives.
class CutRuns {
 public:
  explicit CutRuns(const Session& session) : session_(session) {}

  static bool knows(const EventType& type);

  // An event of a type that it knows, at this moment of the session. False: there is more than can be kept, and who
  // runs is not known of any stream up to here.
  bool take(std::uint32_t stream, const EventType& type, std::uint16_t clock, std::int64_t ns, const RowView& row);
  // What the stream recorded up to this moment may not hold any more.
  void forget(std::uint32_t stream, std::int64_t ns);

  // What began and goes on, by stream; once all streams are known.
  std::map<std::uint32_t, std::vector<CutState::Open>> open() const;

 private:
  static constexpr std::size_t kMaxThreads = std::size_t{1} << 16;

  // A thread or a cpu: by its number, or the stream that it is, in a part of a merged session.
  struct Actor {
    std::uint64_t number = 0;
    std::uint32_t part = 0;
    bool is_stream = false;
    auto operator<=>(const Actor&) const = default;
  };
  // A place in the order of the session.
  struct Time {
    std::int64_t ns = INT64_MIN;
    std::uint32_t stream = 0;
    std::uint64_t number = 0;  // of the event
    auto operator<=>(const Time&) const = default;
  };
  struct Run {
    Time since;
    Actor who;
  };
  struct Thread {
    Time since;  // its latest run
    Actor cpu;
    CutState::Open run{};
    Time stopped;                   // the latest run that its own stream has ended
    Time left;                      // where another stream ended one, or the thread itself
    std::optional<Actor> left_cpu;  // on this cpu alone
  };
  struct Stream {
    std::optional<std::uint32_t> part;
    std::optional<Actor> running;
    bool has_threads = false;  // they run on it
    Time latest;
    std::int64_t lost_ns = INT64_MIN;
    std::map<Actor, Time> runs;  // that it has not ended
  };

  std::uint32_t part_of(std::uint32_t stream) const;
  Actor thread_of(std::uint32_t id, const Stream& stream, const EventType& type, Bytes fields) const;
  Thread* thread(const Actor& who);
  void run(Thread& thread, const Time& now, const Actor& who, const Actor& cpu, CutState::Open open);
  static void stop(Stream& stream, Thread& thread, const Actor& who, const std::optional<Actor>& cpu);
  bool goes_on(const Actor& who, const Thread& thread) const;
  void drop_ended();
  void forget_all();

  const Session& session_;
  std::map<Actor, Thread> threads_;
  std::map<Actor, Run> cpus_;  // the latest on each
  std::unordered_map<std::uint32_t, Stream> streams_;
  std::uint64_t events_ = 0;
};

}  // namespace evt

// Events that record sending and receiving -> their times, and the clocks.
#pragma once

#include <evt/merge.h>

#include <map>
#include <unordered_map>

#include "clock_fit.h"

namespace evt {

// Messages seen in traces, each on a numbered scale of time. Memory is bounded: if there are too many messages, those
// with high hashes are forgotten, on both sides alike.
class SeenMessages {
 public:
  explicit SeenMessages(const std::vector<PairedEvents>& matched) : matched_(matched) {}

  // Reads all events of one session.
  void read(Trace& trace, const Session& session, std::size_t scale);

  struct Pair {
    std::size_t from;
    std::int64_t sent_ns;
    std::size_t to;
    std::int64_t received_ns;
  };
  // Between different scales; the order depends only on what was read.
  std::vector<Pair> pairs() const;

 private:
  struct Sighting {
    std::size_t scale = 0;
    std::int64_t ns = 0;
    bool again = false;
  };
  using Sightings = std::map<std::uint64_t, Sighting>;

  void note(Sightings& sightings, std::uint64_t value, std::size_t scale, std::int64_t ns);

  static constexpr std::size_t kMax = 1 << 19;

  const std::vector<PairedEvents>& matched_;
  std::uint64_t highest_ = UINT64_MAX;
  Sightings sent_;
  Sightings received_;
};

}  // namespace evt

// The state of a session as numbers, for a checkpoint; and back.
#pragma once

#include <evt/analysis/state_history.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "checkpoint_message.h"
#include "libtrace-read/analyze/src/timeline/occupancy.h"

namespace evt {

// A SessionState whose parts are somewhere else.
struct CheckpointParts {
  Actors& actors;
  Occupancy& occupancy;
  CpuTime& cpu;
  EventCounts& counts;
};

class CheckpointWords {
 public:
  static constexpr std::size_t kSizes = 7;     // how long the lists are, in front of what is in them
  static constexpr std::size_t kColumns = 31;  // which follow

  // How long they are, in their order, by the sizes in front of the words.
  static std::array<std::size_t, kColumns> column_sizes(std::span<const std::uint64_t> words, std::size_t streams);

  // Whether the numbers of one column are never less than in a checkpoint before.
  static bool only_grows(std::size_t column);
  // How many there are at most of a session and its directory.
  static std::size_t most(const Session& session, const CheckpointDirectory::OfSession& directory);

  // About how many there will be.
  static std::size_t size(const CheckpointParts& state);
  // Numbers of one kind side by side, so that they pack well. Who the actors are, and which of them are in which cell,
  // is not in it: that only grows, and the directory has it.
  static std::vector<std::uint64_t> save(const CheckpointParts& state);
  // Into an empty state. False when the numbers make no sense: then it is not to be used.
  static bool restore(std::span<const std::uint64_t> words, const CheckpointDirectory::OfSession& directory,
                      const CheckpointParts& state);
  // What the directory has to say of the actors and cells of a state whose words begin with these sizes: of a later one
  // it is enough.
  using Sizes = std::array<std::uint64_t, kSizes>;
  static void describe(const CheckpointParts& state, const Sizes& sizes, CheckpointDirectory::OfSession* directory);
  // About how many bytes that takes, if it is all of them.
  static std::size_t directory_size(const CheckpointParts& state);

 private:
  // Goes over all that is kept, in one order for both directions.
  template <typename Each>
  static void visit(const CheckpointParts& state, Each& each);
  static bool is_consistent(const CpuTime& time, const Occupancy& occupancy);
};

}  // namespace evt

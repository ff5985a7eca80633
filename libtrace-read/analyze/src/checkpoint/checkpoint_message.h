// The directory of a file of checkpoints, as a Cap'n Proto message (checkpoint.capnp).
#pragma once

#include <evt/analysis/actors.h>

#include <cstdint>
#include <vector>

namespace evt {

struct StoredCheckpoint {
  std::int64_t ns = 0;
  std::uint64_t offset = 0;
  std::uint32_t size = 0;
  std::uint32_t words = 0;
  std::uint32_t crc = 0;
  bool is_delta = false;
};

struct CheckpointDirectory {
  struct OfSession {
    Session::Uuid uuid{};
    std::uint64_t rows = 0;
    std::vector<Actor> threads;
    std::vector<Actor> cpus;
    std::vector<std::uint32_t> cell_threads;
    std::vector<std::uint32_t> cell_cpus;
    std::vector<StoredCheckpoint> checkpoints;
  };

  std::uint64_t trace_size = 0;
  std::vector<OfSession> sessions;
};

std::vector<std::byte> encode(const CheckpointDirectory& directory);
// False when the message is damaged, or of another number of sessions. What is made of it, then too, is no more than
// three times its bytes.
bool decode(Bytes message, std::size_t sessions, CheckpointDirectory* directory);

// What an actor takes in the message, about.
std::size_t bytes_of(const Actor& actor);

}  // namespace evt

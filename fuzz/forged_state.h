// A side file of statistics that lies: an honest one, of which anything was changed, with right checksums.
#pragma once

#include <evt/little_endian.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/analyze/src/checkpoint/state_file.h"

namespace fuzz {

struct ForgedState {
  // Of each checkpoint of the first session, as they stand in the file.
  using Words = std::vector<std::vector<std::uint64_t>>;

  evt::StateDirectory directory;
  Words words;
};

// What an honest file of a trace with one session has; nothing if it is none.
inline ForgedState state_in(const std::string& path) {
  ForgedState state;
  evt::StateFile file;
  if (!file.open(path, evt::rights_of(""), 1)) return state;
  state.directory = file.directory();
  for (const evt::StateCheckpoint& each : state.directory.sessions.front().checkpoints) {
    state.words.push_back(file.words(each, each.words));
  }
  return state;
}

// Where checkpoints are, and their checksums, is put right; then `lie` may change the directory once more.
inline bool write_state(
    const std::string& path, ForgedState state, const std::function<void(evt::StateDirectory*)>& lie = [](auto*) {}) {
  evt::StateFileWriter writer;
  if (!writer.open(path, evt::rights_of("")).ok()) return false;
  std::vector<evt::StateCheckpoint>& checkpoints = state.directory.sessions.front().checkpoints;
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const evt::StateCheckpoint made = writer.append(state.words[i]);
    checkpoints[i] = {checkpoints[i].ns, made.offset, made.size, made.words, made.crc, checkpoints[i].is_delta};
  }
  lie(&state.directory);
  return writer.complete(std::move(state.directory)).ok();
}

// The same checkpoints, and any bytes as what says where they are.
inline std::string with_directory(std::string honest, std::string_view message) {
  constexpr std::size_t kTail = 32;
  std::string tail = honest.substr(honest.size() - kTail);
  auto* const to = reinterpret_cast<std::uint8_t*>(tail.data());
  honest.resize(static_cast<std::size_t>(evt_load_u64(to)));
  evt_store_u64(to + 8, message.size());
  evt_store_u32(to + 16, evt::crc32c(0, message.data(), message.size()));
  return honest.append(message).append(tail);
}

}  // namespace fuzz

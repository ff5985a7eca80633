// Checks whether a trace is as FORMAT.md asks of writers of this version; reading does not need it. What no reader can
// read, or what differs between two places, is damage and not looked at here.
#pragma once

#include <unordered_map>

#include "breach_list.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/session/session_data.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Refers to its arguments while it lives.
class WriterCheck {
 public:
  WriterCheck(ByteSource& source, BlockReader& blocks) : source_(source), blocks_(blocks), decoder_(blocks) {}

  // A block that was found, in the order of the file. `session`: what it and those before it have; null: it was
  // refused.
  void add(const Block& block, const SessionData* session);
  // Once all blocks are known.
  std::vector<Damage> finish();

 private:
  // What is known of a session so far.
  struct State {
    bool has_rows = false;
    bool has_index = false;
    std::uint16_t before = 0;                          // the type of the block before
    std::uint64_t begin = 0;                           // where its segment begins
    std::uint64_t repeated_at = 0;                     // the latest SESSION block
    std::uint64_t metadata = 0;                        // bytes from there on
    std::uint64_t rows_end = 0;                        // behind the latest rows
    std::uint64_t rows = 0;                            // that headers of the segment count
    std::size_t types = 0;                             // that were looked at
    std::map<std::uint16_t, std::uint64_t> synced_at;  // by clock
  };

  void check_header(const Block& block, const State& state);
  void check_order(const Block& block, const SessionData& session, State& state);
  void check_repeat(const Block& block, State& state);
  void check_end(const Block& block, const SessionData& session, const State& state);
  void check_rows(const Block& block, const SessionData& session);
  void check_private(const Block& block);
  void say(const Block& block, std::string what) { breaches_.add(block, std::move(what)); }

  ByteSource& source_;
  BlockReader& blocks_;
  BlockDecoder decoder_;
  BreachList breaches_;
  std::vector<std::byte> payload_;
  std::unordered_map<std::uint64_t, State> states_;  // by session
};

}  // namespace evt

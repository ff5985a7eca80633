// Blocks -> sessions: who is recorded, what the words mean, and where each stream's rows are.
#pragma once

#include <evt/session.h>

#include <map>
#include <memory>
#include <unordered_map>

#include "block_reader.h"
#include "clock_map.h"
#include "cursor.h"

namespace evt {

// The blocks of one stream, in the order of the file, whose rows this version can decode.
struct StreamBlocks {
  StreamInfo* info = nullptr;
  std::uint64_t next_ordinal = 0;  // behind the last block
  std::vector<Block> blocks;
};

// A session with what the later stages need of it.
struct SessionData {
  Session* session = nullptr;  // lives in TraceData
  std::uint64_t id = 0;
  std::map<std::uint32_t, StreamBlocks> streams;  // by id
  std::map<std::uint16_t, ClockMap> clocks;       // by id
  std::vector<EventType*> types_by_number;        // up to 0xFFFF
  std::unordered_map<std::uint32_t, EventType*> wide_types;
  std::uint64_t offset = 0;  // of its first block

  EventType* find_type(std::uint32_t number) const {
    if (number < types_by_number.size()) return types_by_number[number];
    const auto found = wide_types.find(number);
    return found == wide_types.end() ? nullptr : found->second;
  }
};

// Refers to all it is given for its whole life.
class SessionBuilder {
 public:
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data,
                 std::vector<Damage>& damage)
      : blocks_(blocks), sessions_(sessions), data_(data), damage_(damage) {}

  // Reads every header and all metadata. The status says whether the trace is whole.
  Status build();

 private:
  void add(const Block& block);
  void begin_session(const Block& block);
  void add_session(const Block& block);
  void add_clock(const Block& block);
  void add_sync();
  void add_types(const Block& block);
  void add_type(const Block& block, Bytes record);
  void set_type_number(EventType& type);
  void add_streams(const Block& block);
  void add_strings(const Block& block);
  void add_events(const Block& block);
  void add_trailer(const Block& block);
  StreamBlocks& stream(std::uint32_t id);
  void note(const Block& block, std::string reason);
  void finish_session();
  Status summary() const;

  BlockReader& blocks_;
  std::deque<Session>& sessions_;
  std::deque<SessionData>& data_;
  std::vector<Damage>& damage_;
  std::vector<std::byte> payload_;

  SessionData* now_ = nullptr;
  std::unordered_map<std::uint64_t, SessionData*> by_id_;
  std::unordered_map<std::uint64_t, bool> ended_;  // sessions of which no more is to be read
  bool newer_ = false;
  std::string newer_version_;
};

}  // namespace evt

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

// Event types by number, in pages: a session that declares little costs little, whatever its numbers.
class TypeIndex {
 public:
  EventType* find(std::uint32_t number) const {
    if (number <= 0xFFFF) return (*(*pages_)[number >> 8])[number & 0xFF];
    const auto found = wide_.find(number);
    return found == wide_.end() ? nullptr : found->second;
  }
  void add(EventType* type, std::uint32_t number) {
    if (number > 0xFFFF) {
      wide_[number] = type;
      return;
    }
    if (declared_ == nullptr) pages_ = &(declared_ = std::make_unique<Declared>())->pages;
    std::unique_ptr<Page>& page = declared_->owned[number >> 8];
    if (page == nullptr) declared_->pages[number >> 8] = (page = std::make_unique<Page>()).get();
    (*page)[number & 0xFF] = type;
  }

 private:
  using Page = std::array<EventType*, 256>;
  using Pages = std::array<const Page*, 256>;
  // Pages without a type, so that looking up takes no branch.
  static constexpr Page kNone{};
  static constexpr Pages kNoneOfAny = [] {
    Pages pages{};
    pages.fill(&kNone);
    return pages;
  }();
  struct Declared {
    Pages pages = kNoneOfAny;
    std::array<std::unique_ptr<Page>, 256> owned;
  };

  const Pages* pages_ = &kNoneOfAny;
  std::unique_ptr<Declared> declared_;
  std::unordered_map<std::uint32_t, EventType*> wide_;
};

// A session with what the later stages need of it.
struct SessionData {
  struct Sync {
    std::uint16_t clock_id;
    std::uint64_t ticks;
    std::int64_t ns;
    std::int64_t utc_ns;
  };

  Session* session = nullptr;  // lives in TraceData
  std::uint64_t id = 0;
  std::map<std::uint32_t, StreamBlocks> streams;                // by id
  std::map<std::uint16_t, ClockMap> clocks;                     // by id
  std::unordered_map<std::uint16_t, std::size_t> clock_places;  // by id, in session->clocks
  std::vector<Sync> syncs;
  TypeIndex types;
  std::uint64_t offset = 0;  // of its first block
};

class IndexCheck;
class IndexedBlocks;

// Refers to all it is given for its whole life.
class SessionBuilder {
 public:
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data,
                 std::vector<Damage>& damage)
      : blocks_(blocks), sessions_(sessions), data_(data), damage_(damage) {}

  // Reads every header and all metadata. The status says whether the trace is whole. `check`: is told of the blocks.
  Status build(IndexCheck* check = nullptr);
  // The same of blocks that an index tells of.
  Status build(IndexedBlocks& blocks);

 private:
  void add(const Block& block);
  void begin_session(const Block& block);
  void add_session(const Block& block);
  void add_clock(const Block& block);
  void add_sync();
  static void build_clocks(SessionData& data);
  void add_types(const Block& block);
  void add_type(const Block& block, Bytes record);
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
  bool newer_ = false;
  std::string newer_version_;
};

}  // namespace evt

// Blocks -> sessions: who is recorded, what the words mean, and where each stream's rows are.
#pragma once

#include <evt/capped.h>
#include <evt/session.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "clock_map.h"
#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/base/cursor.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/index/index_payload.h"

namespace evt {

// Rows of one stream that stand together: a block of them, or a piece of one.
struct StreamPart {
  static constexpr std::uint32_t kWhole = UINT32_MAX;
  std::uint32_t block;           // in SessionData::blocks
  std::uint32_t piece = kWhole;  // of gathered rows
};

// The rows of one stream, in the order of the file, that this version can decode. A stream that says little may have
// a great many parts: each is as small as it can be.
struct StreamParts {
  StreamInfo* info = nullptr;
  std::uint64_t next_ordinal = 0;  // behind the last part
  std::uint64_t torn_rows = 0;     // behind that, of the block inside which the file ends
  std::uint64_t latest_ticks = 0;  // of the parts so far; by the clock of the last one
  std::uint16_t latest_clock = 0;
  std::vector<StreamPart> parts;
  // Of the pieces, where it is known.
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
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
    std::uint32_t uncertainty_ns;
  };

  Session* session = nullptr;  // lives in TraceData
  std::uint64_t id = 0;
  std::uint32_t number = 0;                                     // which of the trace's sessions
  std::vector<Block> blocks;                                    // of events, in the order of the file
  std::map<std::uint32_t, StreamParts> streams;                 // by id
  std::map<std::uint16_t, ClockMap> clocks;                     // by id
  std::unordered_map<std::uint16_t, std::size_t> clock_places;  // by id, in session->clocks
  std::vector<Sync> syncs;
  TypeIndex types;
  std::uint64_t offset = 0;       // of its first block
  std::uint64_t untold_rows = 0;  // of blocks that do not tell of which streams
  std::optional<Block> index;     // the last INDEX block
  // By TRAILER and SYNC blocks, which say how many there are before them.
  std::uint64_t gone_rows = 0;
  std::uint64_t gone_told_at = 0;
  std::uint64_t told_lost = 0;

  // Rows between two parts of a stream, or of a block that does not tell of which streams; by their clocks.
  struct Gap {
    bool untold = false;
    std::uint32_t stream = 0;
    std::uint64_t rows = 0;
    std::uint64_t offset = 0;
    bool from_start = false;
    std::uint16_t from_clock = 0;
    std::uint64_t from_ticks = 0;
    std::uint16_t to_clock = 0;
    std::uint64_t to_ticks = 0;
    bool or_later = false;  // where they end is not known
  };
  std::vector<Gap> gaps;
};

// When a stream's first and last row are, as far as it is known.
void settle_times(const SessionData& data, StreamParts& stream);

class IndexCheck;
class IndexedBlocks;

// Refers to all it is given for its whole life.
class SessionBuilder {
 public:
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data, Ledger& ledger)
      : blocks_(blocks), sessions_(sessions), data_(data), ledger_(ledger) {}

  // Reads every header and all metadata. The status says whether the trace is whole. `check`: is told of the blocks.
  Status build(IndexCheck* check = nullptr);
  // The same of blocks that an index tells of.
  Status build(IndexedBlocks& blocks);

 private:
  // `told`: what an index says of the streams of gathered rows.
  void add(Block& block, const std::vector<Piece>* told);
  void begin_session(const Block& block);
  void forget_if_empty();
  void add_session(const Block& block);
  void add_clock(const Block& block);
  void add_sync(const Block& block);
  static void build_clocks(SessionData& data);
  void add_types(const Block& block);
  void add_type(const Block& block, Bytes record);
  void add_streams(const Block& block);
  void add_strings(const Block& block);
  void add_events(Block& block, const std::vector<Piece>* told);
  bool add_piece(const Block& block, const Piece& piece, std::uint32_t number);
  void add_trailer(const Block& block);
  StreamParts& stream(std::uint32_t id);
  void finish_session();
  void count_gone(const Block& block, std::uint64_t rows_before, std::uint64_t lost_before);
  bool lacks_something() const;
  void add_gap(StreamParts& to, const SessionData::Gap& gap);
  void add_lost(StreamParts& to, std::uint64_t lost);
  void add_tails();
  void add_tail(const IndexedStream& told);
  void add_torn();
  void add_torn_piece(const Block& block, const Piece& piece);
  void add_unknown_tail();
  void tell_gaps(const SessionData& data);
  Status summary() const;

  BlockReader& blocks_;
  std::deque<Session>& sessions_;
  std::deque<SessionData>& data_;
  Ledger& ledger_;
  std::vector<std::byte> payload_;
  std::vector<Piece> pieces_;

  SessionData* now_ = nullptr;
  std::unordered_map<std::uint64_t, SessionData*> by_id_;
  std::optional<std::uint64_t> forgotten_;  // where the first session of nothing was
  bool newer_ = false;
  std::string newer_version_;
};

}  // namespace evt

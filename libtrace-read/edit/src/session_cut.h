// One session -> the part of it that is wanted.
#pragma once

#include <evt/cut.h>

#include "cut_rows.h"
#include "cut_runs.h"
#include "cut_state.h"
#include "source_blocks.h"

namespace evt {

// Refers to its arguments while it lives.
class SessionCut {
 public:
  SessionCut(Trace& trace, SessionData& data, const CutOptions& options, const TakeBytes& take);

  Status run();

 private:
  // The first and last ticks of a clock that are wanted.
  struct TickRange {
    std::uint64_t from = 0;
    std::uint64_t to = UINT64_MAX;
    bool is_empty = false;
    bool contains(std::uint64_t ticks) const { return !is_empty && ticks >= from && ticks <= to; }
  };
  using Gaps = std::multimap<std::int64_t, std::uint64_t>;  // how many rows, by when they are missing at last
  struct Stream {
    const StreamInfo* info = nullptr;
    bool is_wanted = false;
    bool has_begun = false;   // a row of the range was met, or its state put
    std::uint16_t clock = 0;  // of the latest row before the range
    CutState state;
    std::vector<CutState::Open> runs;  // of threads on it, which go on
    Gaps gaps;                         // in the range or before it, that were not written yet
  };

  void begin();
  void put_clocks();
  void plan_streams();
  void plan_state(std::uint32_t id, const StreamParts& parts);
  void take_gaps();
  void read_state();
  void read_state(const SourceBlocks& blocks, std::size_t piece);
  void forget_gaps(std::uint32_t id, Stream& stream, std::uint16_t clock, std::uint64_t ticks);
  void forget(std::uint32_t id, Stream& stream, std::uint16_t clock, std::uint64_t ticks);
  bool wants_block(const Block& block) const;
  void copy_block(const SourceBlocks& blocks);
  bool wants_all(const SourceBlocks& blocks);
  void put_whole(const SourceBlocks& blocks);
  void copy_piece(const SourceBlocks& blocks, std::size_t piece);
  void tell_gaps(std::uint32_t id, Stream& stream, std::uint16_t clock, std::uint64_t ticks);
  void tell_unknown();
  void tell_without_clock(std::uint32_t stream);
  void before_range(std::uint32_t id, Stream& stream, std::uint16_t clock, const RowView& row);
  void begin_stream(std::uint32_t id, Stream& stream);
  void put_open(std::uint32_t id, const Stream& stream, const CutState::Open& open);
  std::uint32_t twin_of(const EventType& type);
  std::uint32_t unknown_type();
  static std::uint64_t lost_at_end(LossTotals& totals, const StreamInfo& info);
  void finish();

  const EventType& type_of(std::uint32_t number);
  bool wants_type(std::uint32_t number);
  bool wants(const Stream& stream, std::uint32_t number, Bytes fields, std::uint64_t ticks, std::uint16_t clock);
  std::int64_t ns_of(std::uint16_t clock, std::uint64_t ticks) const;

  Trace& trace_;
  SessionData& data_;
  const Session& session_;
  const CutOptions& options_;
  TimeRange range_;
  bool keeps_state_ = false;
  Session::Uuid uuid_{};
  std::optional<TraceOutput> out_;
  std::optional<UsedMetadata> words_;
  std::optional<CutRows> rows_;
  std::map<std::uint16_t, TickRange> ticks_;  // by clock
  std::map<std::uint32_t, Stream> streams_;
  CutRuns runs_;
  std::vector<bool> for_state_;  // blocks before the range that are read, by their place in the session
  std::size_t taken_gaps_ = 0;
  Gaps unknown_gaps_;  // of unknown streams
  std::unordered_map<std::uint32_t, bool> wanted_types_;
  std::unordered_map<std::uint32_t, EventType> undeclared_;
  std::unordered_map<std::uint32_t, std::uint32_t> twins_;  // by number; 0: of what is not known
};

// Of the part of a session.
Session::Uuid cut_uuid(const SessionData& data, const std::string& what, const TimeRange& range);

// The least ticks that are not before a moment of the session's scale; false when all are.
bool ticks_at(const ClockMap& clock, std::int64_t ns, std::uint64_t* ticks);

}  // namespace evt

// One session -> the wanted part of it.
#pragma once

#include <evt/cut.h>
#include <evt/trace.h>

#include <cstdint>
#include <unordered_map>

#include "carried_state.h"
#include "cut_rows.h"
#include "cut_twins.h"
#include "late_rows.h"
#include "libtrace-read/core/src/session/clock_map.h"
#include "libtrace-read/core/src/session/session_data.h"
#include "source_blocks.h"

namespace evt {

// The first and last wanted ticks of one of a session's clocks.
struct TickRange {
  // `range`: since the session's start.
  static TickRange of(const TimeRange& range, std::int64_t start_ns, const ClockMap& clock);

  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
  bool is_empty = false;
  bool contains(std::uint64_t ticks) const { return !is_empty && ticks >= from && ticks <= to; }
};

// Decides which events of a session are wanted. Asks the options once for each type. Refers to its arguments while it
// lives.
class CutFilter {
 public:
  CutFilter(const SessionData& data, const CutOptions& options) : data_(data), options_(options) {}

  // The type of a number in a row, declared or not.
  const EventType& type_of(std::uint32_t number);
  bool wants_type(std::uint32_t number);
  // An event with these fields and this ordinal, at these ticks of a clock.
  bool wants(const StreamInfo& stream, std::uint32_t number, Bytes fields, std::uint64_t ordinal, std::uint64_t ticks,
             std::uint16_t clock);

 private:
  const SessionData& data_;
  const CutOptions& options_;
  std::unordered_map<std::uint32_t, bool> wanted_types_;
  std::unordered_map<std::uint32_t, EventType> undeclared_;
};

// Refers to its arguments while it lives.
class SessionCut {
 public:
  // kSnapshot: all that the session has, by <evt/snapshot.h>. REQUIRES: the options leave out nothing.
  enum class Shape { kPart, kSnapshot };
  SessionCut(Trace& trace, SessionData& data, const CutOptions& options, const TakeBytes& take,
             Shape shape = Shape::kPart);

  Status run();

 private:
  using Gaps =
      std::multimap<std::int64_t, std::uint64_t>;  // number of rows, by the latest time when they may be missing
  struct Stream {
    const StreamInfo* info = nullptr;
    bool is_wanted = false;
    bool has_begun = false;   // a row of the range was met, or its state put
    std::uint16_t clock = 0;  // the latest row's before the range
    std::vector<CarriedState::Carried> carried;
    Gaps gaps;  // in the range or before it, not written yet
  };

  bool is_snapshot() const { return shape_ == Shape::kSnapshot; }
  void begin_part();
  void begin_snapshot(SourceBlocks* blocks);
  void plan_streams();
  void take_gaps();
  void read_state();
  bool wants_block(const Block& block) const;
  void copy_block(SourceBlocks& blocks);
  bool wants_all(const SourceBlocks& blocks);
  void put_whole(const SourceBlocks& blocks);
  void copy_piece(const SourceBlocks& blocks, std::size_t piece);
  void tell_gaps(std::uint32_t id, Stream& stream, std::uint16_t clock, std::uint64_t ticks);
  void tell_unknown();
  void tell_without_clock(std::uint32_t stream);
  void begin_stream(std::uint32_t id, Stream& stream);
  void carry_loss(std::uint32_t stream, std::int64_t ns);
  std::uint16_t clock_of(const ClockMap& clock) const;
  void put_late_rows();
  static std::uint64_t lost_at_end(LossTotals& totals, const StreamInfo& info);
  void finish();

  Trace& trace_;
  SessionData& data_;
  const Session& session_;
  const CutOptions& options_;
  Shape shape_;
  TimeRange range_;
  Session::Uuid uuid_{};
  std::optional<TraceOutput> out_;
  std::optional<UsedMetadata> words_;
  std::optional<CutRows> rows_;
  std::optional<CutTwins> twins_;
  std::map<std::uint16_t, TickRange> ticks_;  // by clock
  std::map<std::uint32_t, Stream> streams_;
  CutFilter filter_;
  std::size_t taken_gaps_ = 0;
  Gaps unknown_gaps_;  // in unknown streams
};

}  // namespace evt

// Data of a session for the stages after the structure of a trace.
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "clock_map.h"
#include "libtrace-read/core/src/block/block.h"
#include "row_gaps.h"
#include "span_list.h"
#include "type_index.h"

namespace evt {

// The rows of one stream that this version can decode; once all blocks were taken, in the order of their ordinals. A
// stream that records little may have a great many parts: so each is as small as possible.
struct StreamParts {
  StreamInfo* info = nullptr;
  std::uint64_t next_ordinal = 0;  // after its latest row
  std::uint64_t latest_ticks = 0;  // latest of the parts so far; by the clock of the last one
  std::uint32_t segment = 0;       // SegmentData::begun when the latest of the parts was added
  std::uint16_t latest_clock = 0;
  RowGap::Edge latest() const { return {latest_clock, latest_ticks}; }
  SpanList parts;
  // Times of the pieces, if known.
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
};

// The rows to read from a part that is not read completely.
struct Extract {
  OrdinalRange rows;
  bool is_late = false;  // its block is after one that has later rows of the stream
};

// Kept only for a session in several files, or one with repeated or unordered rows.
struct SegmentData {
  // Where blocks continue after another segment, or the first that is present, and what is known of earlier rows.
  std::uint64_t offset = 0;  // its first block's
  std::uint64_t first_block_no = 0;
  std::uint32_t begun = 0;        // segments so far that continued the session
  bool is_unkept_before = false;  // blocks before it are absent, which is not damage
  bool is_stated = true;          // SEGMENT states what is before it
  std::uint64_t not_kept = 0;     // else: rows of streams that have later rows

  std::uint64_t rows_so_far = 0;  // the session's, from the latest TRAILER after which it continues
  std::uint64_t lost_so_far = 0;
  std::uint64_t lost_not_kept = 0;

  // Before a part of a stream, a segment began after rows that are absent.
  struct Gap {
    std::size_t part = 0;
    std::uint64_t segment = 0;          // the segment's first block
    std::uint64_t next_ordinal = 0;     // after the absent rows
    std::uint64_t lost_not_kept = 0;    // events that LOST rows among them count
    std::uint64_t lost_up_to_here = 0;  // lost_not_kept of this gap and of those before
    bool has_time = false;
    std::uint16_t clock = 0;
    std::uint64_t ticks = 0;  // the largest time of a row before
  };
  std::map<std::uint32_t, std::vector<Gap>> gaps;  // by stream
  std::span<const Gap> gaps_of(std::uint32_t stream) const {
    const auto found = gaps.find(stream);
    return found == gaps.end() ? std::span<const Gap>() : found->second;
  }
  void add_gap(std::uint32_t stream, const Gap& gap);
  // For parts of which not all rows are read: those that are, by stream and part.
  std::map<std::pair<std::uint32_t, std::size_t>, Extract> extracts;
  // Rows of gaps that a later block has, by stream: they become parts once all blocks were taken.
  struct LateRows {
    std::size_t part = 0;  // the part after them
    StreamSpan span;
    OrdinalRange rows;
  };
  std::map<std::uint32_t, std::vector<LateRows>> late_rows;
};

// A session with the data that later stages need.
struct SessionData {
  struct Sync {
    std::uint16_t clock_id;
    std::uint64_t ticks;
    std::int64_t ns;
    std::int64_t utc_ns;
    std::uint64_t uncertainty_ns;
    bool is_anchor = true;
  };

  Session* session = nullptr;  // lives in TraceData
  std::uint64_t id = 0;
  std::uint32_t number = 0;                      // among the trace's sessions
  std::vector<Block> blocks;                     // blocks of events, in the order of the file
  std::map<std::uint32_t, StreamParts> streams;  // by id
  // By stream: rows after its latest one, in the block inside which the file ends.
  std::map<std::uint32_t, std::uint64_t> torn_rows;
  std::map<std::uint16_t, ClockMap> clocks;                     // by id
  std::unordered_map<std::uint16_t, std::size_t> clock_places;  // by id, in session->clocks
  std::vector<Sync> syncs;
  TypeIndex types;
  // The latest for each scope, id and key so far.
  struct FactValue {
    std::string value;
    std::int64_t ns = 0;
  };
  std::map<std::tuple<std::uint16_t, std::uint64_t, std::string>, FactValue> facts;
  std::map<std::uint32_t, std::uint64_t> string_rows;  // by the id of a string that holds a row: where its block is
  std::uint64_t offset = 0;                            // its first block's
  bool is_refused = false;                             // its version is not supported: it is not reported
  std::uint64_t unattributed_rows = 0;                 // in blocks that do not name their streams
  std::optional<Block> index;                          // the last INDEX block
  std::vector<Block> copyable;                         // among the skipped blocks

  std::uint64_t first_block_no = 0;       // that of the first one that has a number
  std::uint64_t next_block_no = 0;        // after the latest one that has a number
  bool is_paused = false;                 // that one states that another segment follows
  bool ends_with_ring = false;            // its rows end with those of a ring, which has its SESSION block behind them
  std::unique_ptr<SegmentData> segments;  // nearly always null: the session is in one file, each row once
  SegmentData& in_segments() {
    if (segments == nullptr) segments = std::make_unique<SegmentData>();
    return *segments;
  }
  std::uint64_t recovered_bytes = 0;  // size of recovered blocks in the present segment
  // Totals that TRAILER and SYNC blocks state of earlier rows.
  std::uint64_t gone_rows = 0;
  std::uint64_t gone_declared_at = 0;
  std::uint64_t declared_lost = 0;

  // Rows before the latest of their stream.
  RowGaps gaps;
  // Rows of a block that does not name their streams.
  struct Unattributed {
    std::uint64_t rows = 0;
    std::uint64_t offset = 0;
    RowGap::Edge from;
    RowGap::Edge to;
  };
  std::vector<Unattributed> unattributed;

  // Rows that come after later ones of their stream.
  struct LatePiece {
    StreamSpan span;
    OrdinalRange rows;
    RowGap::Edge first;
    RowGap::Edge last;
  };

  // Since the session's start. REQUIRES: a clock that it has.
  std::int64_t ns_of(std::uint16_t clock, std::uint64_t ticks) const {
    return distance_ns(session->start_ns, clocks.at(clock).to_ns(ticks));
  }
  // Data about a stream, which the session has from then on.
  StreamParts& stream(std::uint32_t stream_id);
  // Rows of this stream with these ordinals that were not kept.
  std::uint64_t not_kept_in(std::uint32_t stream_id, std::uint64_t from, std::uint64_t to) const {
    return gaps.count(RowGap::Why::kNotKept, stream_id, {from, to});
  }
  // The number of missing rows, if none of these is present.
  std::uint64_t missing_in(std::uint32_t stream_id, std::uint64_t from, std::uint64_t to) const {
    return to <= from ? 0 : to - from - not_kept_in(stream_id, from, to);
  }
  // Counts rows of a stream from `begin` on, which is after its latest, that are absent.
  void add_gap(std::uint32_t stream_id, StreamParts& to, std::uint64_t begin, const RowGap& gap);
  // Rows before the latest of a stream: those in gaps are read, and counted as found; returns their number.
  std::uint64_t fill_gaps(std::uint32_t stream_id, StreamParts& to, const LatePiece& piece);
  // What is read from a part of a stream; null: all of it.
  const Extract* extract_of(std::uint32_t stream_id, std::size_t part) const;
  // `lost`: by the stream, up to here, including rows that were not kept.
  void add_lost(StreamParts& to, std::uint64_t lost);
  // Those of the losses of a stream that are in absent segments.
  std::uint64_t lost_not_kept_of(std::uint32_t stream_id) const;
  // A block states the number of rows, and losses, of the session before it.
  void count_gone(const Block& block, std::uint64_t rows_before, std::uint64_t lost_before);
};

// Called once all clocks are known: the CLOCK block that was read may be a repeat, after the first SYNC blocks.
void build_clocks(SessionData& data);

// Called once all blocks were taken: the session gets the last facts, and streams get their names from them.
void settle_facts(SessionData& data);

// Sets the times of a stream's first and last row, as far as known.
void settle_times(const SessionData& data, StreamParts& stream);

}  // namespace evt

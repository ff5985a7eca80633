// A whole log, walked once: how it is split into blocks, what the log records about its program, and which bytes cannot
// be read.
//
// 1. Events are in blocks of one capability each; those of one capability are combined into parts of a good size
//    for a block of rows.
// 2. A part ends where no later event of its capability is earlier than one in it: so the parts are in order of time,
//    and each is put in order by itself. It is enough to wait for a few events to know.
// 3. After bytes that are not valid reading continues at the next block. The size of this one shows where that is, if
//    it is right; else the next mark that looks like the beginning of a block is searched.
// 4. What was skipped is a loss in its stream, after what was read of that before. Its number of events is unknown: it
//    counts as one.
#pragma once

#include <evt/session.h>

#include <map>
#include <string>
#include <vector>

#include "log_rows.h"

namespace evt::eventlog {

// Statements of events about the whole session.
struct LogFacts {
  std::string runtime;  // "GHC-9.0.2 rts_thr_l"
  std::vector<std::string> arguments;
  std::uint32_t pid = 0;
  bool has_wall_clock = false;
  std::int64_t start_utc_ns = 0;
};

// Refers to the log and its types while it lives. Memory: parts and segments, 16 bytes for a block of the log or an
// unreadable place in it.
class LogScan {
 public:
  LogScan(ByteSource& log, const Dictionary& types) : log_(log), types_(types), rows_(log, types) {}

  void run();

  const std::vector<Part>& parts() const { return parts_; }
  std::span<const Segment> segments_of(const Part& part) const {
    return std::span(segments_).subspan(part.first_segment, part.segment_count);
  }
  const std::vector<Damage>& damage() const { return damage_; }
  const LogFacts& facts() const { return facts_; }
  // The mark that ends the events was there.
  bool closed() const { return closed_; }
  // Streams that have events, in order.
  std::vector<std::uint32_t> streams() const;

  // Streams are numbered from 1: the global one, which belongs to no capability, then capability 0 and so on.
  static constexpr std::uint16_t kNoCap = 0xFFFF;
  static std::uint32_t stream_of(std::uint16_t cap) { return cap == kNoCap ? 1 : std::uint32_t{cap} + 2; }

 private:
  // Events of one capability that have not become parts yet.
  struct Open {
    std::vector<Segment> segments;
    std::uint64_t bytes = 0;
    std::uint64_t latest = 0;  // time of any event so far
    // A place to end the part, if the next events confirm it.
    bool may_end = false;
    std::size_t end_segments = 0;
    std::uint64_t end_size = 0;  // size of the last segment before it
    std::uint64_t end_latest = 0;
    unsigned seen = 0;  // events after it
    std::uint64_t ordinal = 0;
    std::uint64_t lost = 0;
  };

  const std::uint8_t* look(std::uint64_t offset, std::size_t* size);
  void take(const LogEvent& event, std::uint64_t offset);
  void begin_block(const LogEvent& marker, std::uint64_t offset);
  void learn(const LogEvent& event);
  void append(Open& open, std::uint64_t offset, std::uint64_t size);
  void end_part(std::uint32_t stream, Open& open, std::size_t segments, std::uint64_t last_size);
  void note(Damage damage);
  void lose(std::uint16_t cap);
  std::uint64_t go_on_behind(std::uint64_t offset, std::string reason);
  bool leaves_block(std::uint64_t offset, std::size_t size);
  bool is_block(std::uint64_t offset);
  bool leads_on(std::uint64_t offset, const std::uint8_t* marker);
  std::uint64_t find_block(std::uint64_t from);

  ByteSource& log_;
  const Dictionary& types_;
  LogRows rows_;
  std::vector<std::byte> window_;
  std::uint64_t window_at_ = 0;
  std::uint16_t cap_ = kNoCap;
  std::uint64_t block_begin_ticks_ = 0;
  std::uint64_t block_end_ = 0;  // 0: unknown
  std::uint64_t ticks_ = 0;      // the latest event's that was read
  std::map<std::uint32_t, Open> open_;
  std::uint32_t latest_stream_ = 0;
  Open* latest_open_ = nullptr;
  std::vector<Part> parts_;
  std::vector<Segment> segments_;
  std::vector<Damage> damage_;
  LogFacts facts_;
  bool closed_ = false;
};

}  // namespace evt::eventlog

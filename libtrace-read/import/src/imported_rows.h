// Rows of a trace in another format, in order of time -> EVENTS blocks.
#pragma once

#include <evt/describe.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/edit/src/trace_output.h"

namespace evt {

// The session of a trace in another format, on a clock of nanoseconds.
constexpr std::uint16_t kImportedClock = 1;  // its id
// Ticks are unsigned: these are 0 ns.
constexpr std::uint64_t kZeroTicks = std::uint64_t{1} << 62;

// Adds the session and its clock to the metadata. The session starts at `start_ticks`.
template <typename Out>
void add_imported_session(const evt_session_info& session, std::uint64_t start_ticks, Out* out) {
  Buffer payload;
  append_session(payload, session, 0);
  out->add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));
  payload.clear();
  ClockRecord clock;
  clock.id = kImportedClock;
  clock.hz = 1'000'000'000;
  clock.start_ticks = start_ticks;
  append_clock(payload, clock, session);
  out->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
}

// Gathers rows of all streams, a piece for each stream that has some, and passes them on as one block when there are
// enough. All ticks are of the clock that add_imported_session() declares. Refers to the output while it lives.
class ImportedRows {
 public:
  explicit ImportedRows(TraceOutput& out) : out_(out) {}

  // The ticks of a stream never decrease.
  void event(std::uint32_t stream, std::uint64_t ticks, std::uint32_t type, Bytes fields);
  // `count` events of the stream are lost, the last of them at `ticks`, the first `duration` ticks before.
  void lost(std::uint32_t stream, std::uint64_t ticks, evt_lost_cause cause, std::uint64_t count,
            std::uint64_t duration);
  // Passes on what has been gathered: call it after the last row.
  void flush();

 private:
  static constexpr std::size_t kBlock = 256 << 10;  // bytes of rows

  // For one stream in the current block.
  struct Gathered {
    Piece piece;
    std::vector<std::byte> rows;
    std::uint64_t base = 0;
  };

  Gathered& gathered(std::uint32_t stream, std::uint64_t ticks);
  template <typename Write>
  void add(std::uint32_t stream, std::uint64_t ticks, std::size_t most, Write write);

  TraceOutput& out_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // index of a stream in gathered_
  std::vector<Gathered> gathered_;
  std::size_t used_ = 0;  // in gathered_
  std::size_t size_ = 0;
};

}  // namespace evt

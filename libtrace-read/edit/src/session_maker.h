// Data of a session -> its blocks, in memory: for code that makes a trace from something else. SessionEncoder plus what
// the caller need not remember: the metadata, which is repeated, and the table of streams.
#pragma once

#include <evt/session.h>

#include <map>
#include <span>
#include <vector>

#include "format-spec/src/session/metadata_records.h"
#include "format-spec/src/session/segment_record.h"
#include "format-spec/src/session/session_encoder.h"

namespace evt {

// Appends to `out`, which it refers to while it lives; the caller may remove bytes from it at any time. Metadata blocks
// are kept in memory, because they are repeated.
class SessionMaker {
 public:
  SessionMaker(std::uint64_t session_id, std::vector<std::byte>& out);
  SessionMaker(const SessionMaker&) = delete;
  SessionMaker& operator=(const SessionMaker&) = delete;

  // The session's first segments are left out: this one states what they had. REQUIRES: no block was added; number and
  // first_block_no are not 0. The caller adds SEGMENT, directly behind SESSION.
  void begin_later(const SegmentRecord& segment, std::span<const SegmentStream> streams);

  // A block of a type that is repeated. SESSION is the first of all.
  void add_metadata(std::uint16_t type, Bytes payload);
  // Any other, but EVENTS.
  void add(std::uint16_t type, Bytes payload);
  // Adds a block that readers skip, copied from another trace.
  void add_copy(const BlockHeader& original, Bytes payload) { encoder_.write_copy(original, payload.data()); }
  // Adds only the header of an EVENTS block: the caller appends `stored.size` bytes, and the padding. `counts`: number
  // of its rows of each type. `pieces`: the rows of each stream, if they are of several.
  void add_events(const EventsHeader& events, const StoredRows& stored, std::span<const TypeCount> counts,
                  std::span<const Piece> pieces = {});
  // `count` events of a stream are missing: some LOST row of it counts them.
  void count_lost(std::uint32_t stream, std::uint16_t cause, std::uint64_t count);
  // INDEX and TRAILER. A session without them was cut.
  void end();

  // Bytes of the session so far, including the caller's.
  std::uint64_t size() const { return encoder_.bytes(); }
  // The totals that its TRAILER records.
  std::uint64_t rows() const { return rows_; }
  std::uint64_t lost() const { return lost_; }

 private:
  struct Metadata {
    std::uint16_t type;
    std::vector<std::byte> payload;
  };

  static bool put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count);
  void repeat_metadata();
  IndexedStream* stream(std::uint32_t id);
  void note(const Piece& piece);

  std::vector<std::byte>& out_;
  SessionEncoder encoder_;
  std::uint64_t rows_ = 0;
  std::uint64_t lost_ = 0;
  std::vector<Metadata> metadata_;
  std::map<std::uint32_t, IndexedStream> streams_;
};

}  // namespace evt

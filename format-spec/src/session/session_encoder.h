// The blocks of one session, in their order: numbered, with INDEX blocks between them, INDEX and TRAILER at the end
// (FORMAT.md, sections 5 and 6). Everything that makes a trace goes through it: the recorder, and tools that make one
// from others.
#pragma once

#include "format-spec/src/block/block_framer.h"
#include "index_log.h"
#include "metadata_repeat.h"

namespace evt {

// One thread at a time. Allocates nothing between begin() and end(), because the flusher must not.
class SessionEncoder {
 public:
  struct Part {
    const std::uint8_t* data;  // may be null in an EVENTS block, whose owner stores these bytes
    std::size_t size;
  };
  // Sink of blocks: takes a front and the parts of its payload, and adds the padding of padding_after(). Returns false
  // if the trace does not have the block: the next one gets its number.
  using PutBlock = bool (*)(void* context, const BlockFront& front, const Part* parts, std::size_t count);

  SessionEncoder(PutBlock put_block, void* context) : put_block_(put_block), context_(context) {}
  SessionEncoder(const SessionEncoder&) = delete;
  SessionEncoder& operator=(const SessionEncoder&) = delete;
  ~SessionEncoder() { index_.close(); }

  // Without memory for it the session has no index.
  void begin(std::uint64_t session_id, bool with_index);
  std::uint64_t session_id() const { return framer_.session_id(); }

  // Any block but EVENTS, INDEX and TRAILER. Returns false if the sink refused it, or an index that had to come before.
  bool write(std::uint16_t type, const void* payload, std::size_t size);

  // Writes a block that readers skip, copied from another trace, with its payload of `original.payload_size` bytes as
  // stored.
  bool write_copy(const BlockHeader& original, const void* payload);

  // Where to count the rows of the next EVENTS block by type; null if there is no index.
  TypeCounts* begin_counts() { return index_.begin_counts(); }
  // `table`: before rows of several streams; `pieces`: the rows of each stream.
  bool write_events(const EventsHeader& events, const StoredRows& stored, Part table, Part rows, const Piece* pieces,
                    std::uint32_t count);

  // A session is readable from its middle on: its metadata is written again every EVT_REPEAT_METADATA_EVERY bytes, and
  // at the end of a session that is not tiny; but where it is large, only behind EVT_REPEAT_METADATA_RATIO times as
  // many bytes. The caller, who has it, asks and writes it: between `from` and bytes().
  bool repeat_is_due() const { return is_due(EVT_REPEAT_METADATA_EVERY); }
  bool last_repeat_is_due() const { return is_due(EVT_REPEAT_METADATA_AT_END); }
  void repeated(std::uint64_t from) {
    repeated_at_ = bytes();
    metadata_ = bytes() - from;
  }

  // Writes the last INDEX, with a table of these streams, unless the session is tiny; then TRAILER. Without memory for
  // the first, or for the table (null), it is left out; false if there is none for TRAILER, and if the sink refused.
  // `rows`, `lost`: of the session.
  bool end(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost) {
    return end(streams, count, rows, lost, 0);
  }
  // Like end(), for a segment after which the session continues.
  bool end_segment(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost) {
    return end(streams, count, rows, lost, EVT_FLAG_MORE);
  }
  // Later blocks belong to another segment, for a sink that begins with the session's totals so far. The segment begins
  // with SESSION and SEGMENT, whose number and first block this knows.
  void begin_segment(std::uint64_t rows_before, std::uint64_t lost_before);
  // For a session whose first segments are not written: its first block is this one, of a later segment. REQUIRES:
  // segment > 0, first_block_no > 0, and nothing was written.
  void begin_later(std::uint64_t segment, std::uint64_t first_block_no, std::uint64_t rows_before,
                   std::uint64_t lost_before);
  std::uint64_t segment() const { return segment_; }
  std::uint64_t next_block_no() const { return framer_.next_block_no(); }
  std::uint64_t segment_bytes() const { return bytes() - segment_at_; }

  // Releases the memory of the index.
  void close() { index_.close(); }

  // Bytes of the session so far, including padding. Any thread.
  std::uint64_t bytes() const { return __atomic_load_n(&bytes_, __ATOMIC_RELAXED); }

 private:
  bool put(const BlockFront& front, const Part* parts, std::size_t count, std::uint64_t* total);
  bool put_plain(std::uint16_t type, const void* payload, std::size_t size, std::uint16_t flags = 0);
  bool put_other(const BlockFront& front, std::uint16_t type, const void* payload, std::size_t size);
  bool put_due_index();
  bool put_last_index(const IndexedStream* streams, std::uint32_t count);
  bool end(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost,
           std::uint16_t flags);
  bool is_due(std::uint64_t least) const { return bytes() - repeated_at_ >= bytes_to_repeat(metadata_, least); }

  PutBlock put_block_;
  void* context_;
  BlockFramer framer_;
  IndexLog index_;
  std::uint64_t bytes_ = 0;
  std::uint64_t repeated_at_ = 0;
  std::uint64_t metadata_ = 0;    // bytes that a repeat takes
  std::uint64_t segment_ = 0;     // its number
  std::uint64_t segment_at_ = 0;  // bytes, rows and losses before it
  std::uint64_t rows_before_ = 0;
  std::uint64_t lost_before_ = 0;
};

}  // namespace evt

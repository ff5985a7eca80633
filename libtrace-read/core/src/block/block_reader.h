// Bytes -> blocks: steps from header to header, and resumes after damage (FORMAT.md, sections 5, 10 and 11).
#pragma once

#include <evt/status.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "block_order.h"
#include "block_search.h"
#include "header_reader.h"
#include "ledger.h"
#include "seen_blocks.h"

namespace evt {

// The status of a `payload`, or of `rows`, whose checksum differs from their header.
Status wrong_checksum(const char* of, std::uint32_t found, std::uint32_t expected);

// Refers to the source and the ledger as long as it lives.
class BlockReader {
 public:
  // `salvage`: a trace need not begin in the first megabyte, nor a session with a SESSION block.
  BlockReader(ByteSource& source, Ledger& ledger, bool salvage = false);

  // The next block with a valid header, of a known or unknown type; null at the end. Valid until the next call.
  const Block* next();
  // kTruncated if the file ends inside a block; kNotATrace, kNewerFormat if there was nothing to read.
  const Status& status() const { return status_; }
  // Blocks of another header generation were met.
  bool met_newer() const { return met_newer_ || search_.met_newer(); }
  // The block inside which the file ends, if its header is complete and valid; else null.
  const Block* truncated() const { return truncated_ ? &*truncated_ : nullptr; }
  // True if something that was written is absent, or misplaced.
  bool met_damage() const { return met_damage_; }
  // True if a block came after one of its session that was written later, or a session continued after another one.
  bool met_disorder() const { return met_disorder_; }
  // Begins again, once all blocks were met: next() returns the same ones.
  void begin_again() { order_.begin_again(); }
  // Like begin_again(), session by session and in the order in which they were written. Rebuilds the list of damage: it
  // then has the damage between and around blocks, by offset, and not what was found in them.
  void sort() { order_.sort(); }
  // Blocks that were out of place, once they are sorted.
  const std::vector<Damage>& misplaced() const { return order_.misplaced(); }

  // Continues with the same file when it has grown, once all blocks were met: next() resumes after the last whole one.
  // Returns false if earlier blocks may have to be read differently; the reader is of no use then.
  bool go_on(ByteSource& source);

  // The header at an offset, if it is valid; else null. Valid until the next call.
  const Block* header_at(std::uint64_t offset);
  std::uint64_t size() const { return headers_.size(); }
  // Another reader of the same file, from its beginning.
  BlockReader anew(Ledger& ledger) const { return {headers_.source(), ledger, salvage_}; }

  // Reads the payload into `out`, and its checksum; false if the checksum is not that of the header.
  bool read_whole(const Block& block, std::vector<std::byte>* out, std::uint32_t* crc);
  // Like read_whole(), without the checksum; false with the damage noted.
  bool load(const Block& block, std::vector<std::byte>* out);
  // Reads bytes of the payload as stored, unchecked; returns how many there were. Several threads may do this at a
  // time.
  std::size_t read(const Block& block, std::uint64_t start, std::byte* out, std::size_t size);
  // By all of these functions, and by another reader of the same file.
  std::uint64_t bytes_read() const { return headers_.bytes_read(); }
  void count_read(std::uint64_t bytes) { headers_.count_read(bytes); }
  // Bytes that unpacking blocks produced.
  std::uint64_t bytes_unpacked() const { return bytes_unpacked_; }
  void count_unpacked(std::uint64_t bytes) { bytes_unpacked_ += bytes; }
  // The payload's checksum, computed in small steps.
  std::uint32_t checksum(const Block& block);

 private:
  bool begins_trace();
  bool ends_well(const Block& block, std::uint64_t* next);
  bool payload_is_right(const Block& block);
  void skip(std::uint64_t from, std::uint64_t to, std::string reason);
  static std::string why_not(SeenBlocks::State seen, std::uint64_t number, std::uint64_t latest);
  const Block* accept(const Block& block, std::uint64_t next);
  void note_place(const Block& block);
  void note_jump(const Block& block);
  void note_gap(const Block& block, std::uint64_t expected);
  const Block* next_again();

  HeaderReader headers_;
  std::atomic<std::uint64_t> bytes_unpacked_ = 0;
  Ledger& ledger_;
  Status status_;
  Block block_;
  std::optional<Block> truncated_;
  std::uint64_t at_ = 0;
  std::uint64_t skipped_to_ = 0;  // after the last bytes that are not a block of this session
  bool salvage_;
  bool started_ = false;
  bool met_newer_ = false;
  bool met_damage_ = false;
  bool met_disorder_ = false;
  BlockSearch::Session latest_;  // in progress
  std::uint64_t numbered_ = 0;   // the session of the latest block that has a number
  std::uint64_t number_ = 0;     // that block's
  bool numbered_ends_ = false;   // it is a TRAILER
  std::unordered_set<std::uint64_t>
      paused_;  // sessions that continue in another segment, with the latest block of each
  SeenBlocks seen_;
  BlockSearch search_;
  BlockOrder order_;
};

}  // namespace evt

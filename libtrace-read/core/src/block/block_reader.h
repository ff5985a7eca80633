// Bytes -> blocks: hops from header to header, and finds its way after damage (FORMAT.md, sections 5, 10 and 11).
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

// The status of a `payload`, or of `rows`, with another checksum than their header has.
Status wrong_checksum(const char* of, std::uint32_t found, std::uint32_t expected);

// Refers to the source and the ledger as long as it lives.
class BlockReader {
 public:
  // `salvage`: a trace need not begin in the first megabyte, nor a session with a SESSION block.
  BlockReader(ByteSource& source, Ledger& ledger, bool salvage = false);

  // The next block whose header can be believed, of a type known or not; null at the end. Holds until the next call.
  const Block* next();
  // kTruncated when the file ends inside a block; kNotATrace, kNewerFormat when there was nothing to read.
  const Status& status() const { return status_; }
  // Blocks of another header generation were met.
  bool met_newer() const { return met_newer_ || search_.met_newer(); }
  // The block inside which the file ends, where its header is there and can be believed; null when not.
  const Block* truncated() const { return truncated_ ? &*truncated_ : nullptr; }
  // Something that was written is not there any more, or not where it was written.
  bool met_damage() const { return met_damage_; }
  // A block came after one of its session that was written later, or a session went on behind another one.
  bool met_disorder() const { return met_disorder_; }
  // Begins again, once all blocks were met: next() gives the same ones.
  void begin_again() { order_.begin_again(); }
  // The same, session by session and in the order in which they were written. The list of damage is made anew: it has
  // what is wrong with the file between and around blocks, by place, and not what was found in them.
  void sort() { order_.sort(); }
  // Which blocks were not where they belong, once they are sorted.
  const std::vector<Damage>& misplaced() const { return order_.misplaced(); }

  // The same file when there is more of it, once all blocks were met: next() goes on behind the last whole one. False
  // if what was met so far may have to be read another way; then the reader is of no use.
  bool go_on(ByteSource& source);

  // The header at a place, if it can be believed; null when not. Holds until the next call.
  const Block* header_at(std::uint64_t offset);
  std::uint64_t size() const { return headers_.size(); }
  // Another reader of the same file, from its beginning.
  BlockReader anew(Ledger& ledger) const { return {headers_.source(), ledger, salvage_}; }

  // The payload into `out`, and its checksum; false when that is not what the header has.
  bool read_whole(const Block& block, std::vector<std::byte>* out, std::uint32_t* crc);
  // The same; false with the damage noted.
  bool load(const Block& block, std::vector<std::byte>* out);
  // Bytes of the payload as stored, unchecked; how many there were. Several threads may do this at a time.
  std::size_t read(const Block& block, std::uint64_t start, std::byte* out, std::size_t size);
  // By all of these functions, and by another reader of the same file.
  std::uint64_t bytes_read() const { return headers_.bytes_read(); }
  void count_read(std::uint64_t bytes) { headers_.count_read(bytes); }
  // How many bytes unpacking blocks produced.
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
  std::uint64_t skipped_to_ = 0;  // behind the last bytes that are no block of this session
  bool salvage_;
  bool started_ = false;
  bool met_newer_ = false;
  bool met_damage_ = false;
  bool met_disorder_ = false;
  BlockSearch::Session latest_;               // in progress
  std::uint64_t numbered_ = 0;                // the session of the latest block that has a number
  std::uint64_t number_ = 0;                  // of that block
  std::unordered_set<std::uint64_t> paused_;  // sessions that go on in another segment, by the latest block of each
  SeenBlocks seen_;
  BlockSearch search_;
  BlockOrder order_;
};

}  // namespace evt

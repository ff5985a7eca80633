// Bytes -> blocks: hops from header to header, and finds its way after damage (FORMAT.md, sections 5, 10 and 11).
#pragma once

#include <evt/session.h>
#include <evt/status.h>

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "block.h"
#include "ledger.h"
#include "libtrace-read/core/src/source/byte_source.h"
#include "seen_blocks.h"

namespace evt {

// The status of a `payload`, or of `rows`, with another checksum than their header has.
Status wrong_checksum(const char* of, std::uint32_t found, std::uint32_t expected);

// The sentence for blocks from one number up to, and without, another.
std::string missing_blocks(std::uint64_t begin, std::uint64_t end);

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
  bool met_newer() const { return met_newer_; }
  // The block inside which the file ends, where its header is there and can be believed; null when not.
  const Block* truncated() const { return truncated_ ? &*truncated_ : nullptr; }
  // Something that was written is not there any more, or not where it was written.
  bool met_damage() const { return met_damage_; }
  // A block came after one of its session that was written later, or a session went on behind another one.
  bool met_disorder() const { return met_disorder_; }
  // Begins again, once all blocks were met: next() gives the same ones.
  void begin_again() { again_ = 0; }
  // The same, session by session and in the order in which they were written. The list of damage is made anew: it has
  // what is wrong with the file between and around blocks, by place, and not what was found in them.
  void sort();

  // The same file when there is more of it, once all blocks were met: next() goes on behind the last whole one. False
  // if what was met so far may have to be read another way; then the reader is of no use.
  bool go_on(ByteSource& source);

  // The header at a place, if it can be believed; null when not. Holds until the next call.
  const Block* header_at(std::uint64_t offset);
  // Reads the header of a block that an index describes. An error when its rows cannot be read. Other differences are
  // noted as damage, and the order is kept that the index promised.
  Status verify(Block* block);
  std::uint64_t size() const { return source_->size(); }

  // The payload into `out`, and its checksum; false when that is not what the header has.
  bool read_whole(const Block& block, std::vector<std::byte>* out, std::uint32_t* crc);
  // The same; false with the damage noted.
  bool load(const Block& block, std::vector<std::byte>* out);
  // Bytes of the payload as stored, unchecked; how many there were. Several threads may do this at a time.
  std::size_t read(const Block& block, std::uint64_t start, std::byte* out, std::size_t size);
  // By all of these functions.
  std::uint64_t bytes_read() const { return bytes_read_; }
  // How many bytes unpacking blocks produced.
  std::uint64_t bytes_unpacked() const { return bytes_unpacked_; }
  void count_unpacked(std::uint64_t bytes) { bytes_unpacked_ += bytes; }
  // The payload's checksum, computed in small steps.
  std::uint32_t checksum(const Block& block);

 private:
  struct Probe {
    HeaderState state = HeaderState::kNotABlock;
    Block block;
    std::uint16_t checked = 0;  // bytes that a checksum was computed over
    const char* why = "";       // a good checksum, but a claim that breaks a limit
  };

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size);
  Probe probe(std::uint64_t offset);
  bool begins_trace();
  bool ends_well(const Block& block, std::uint64_t* next);
  bool payload_is_right(const Block& block);
  bool is_candidate(const Block& block) const;
  std::uint64_t search(std::uint64_t from);
  using Places = std::unordered_map<std::uint64_t, std::uint64_t>;  // of the last good header of each session
  std::uint64_t search_for(std::uint64_t from, bool (BlockReader::*fits)(const Block&) const, Places* met = nullptr);
  bool continues_session(const Block& block) const;
  bool may_go_on_behind(std::uint64_t offset) const;
  void skip(std::uint64_t from, std::uint64_t to, std::string reason);
  static std::string why_not(SeenBlocks::State seen, std::uint64_t number, std::uint64_t latest);
  const Block* accept(const Block& block, std::uint64_t next);
  void note_gap(const Block& block, std::uint64_t expected);
  const Block* next_again();
  struct Place;
  std::vector<Place> places_met();
  void find_misplaced(const std::vector<Place>& places);
  std::vector<Damage> damage_between() const;
  void add_gaps(const std::vector<Place>& places, std::uint64_t first_session, std::vector<Damage>* damage);
  // Where blocks of rows are, by their sessions and numbers.
  struct Moved {
    struct Place {
      std::uint64_t session;
      std::uint64_t number;
      std::uint64_t offset;
      auto operator<=>(const Place&) const = default;
    };
    std::vector<Place> places;      // in order
    std::vector<Damage> misplaced;  // what was not in order in the file
    bool is_noted = false;
  };
  Moved find_all_moved();
  bool find_moved(const Block& indexed, Block* found);

  ByteSource* source_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
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
  std::uint64_t session_ = 0;   // in progress
  bool ended_ = false;          // it, by a TRAILER
  std::uint64_t numbered_ = 0;  // the session of the latest block that has a number
  SeenBlocks seen_;
  std::uint64_t work_left_;  // bytes of searching and checking
  Places last_of_session_;   // of all from searched_from_ to the end
  std::uint64_t searched_from_ = UINT64_MAX;
  std::vector<std::uint64_t> places_;  // of the blocks that were met
  struct Skip {
    std::uint64_t from;
    std::uint64_t to;
    std::size_t damage;  // in the list; SIZE_MAX: it is none
  };
  std::vector<Skip> skips_;           // by next()
  std::vector<Damage> misplaced_;     // which blocks were not where they belong, once they are sorted
  std::optional<std::size_t> again_;  // of the places: next() gives that one
  std::optional<Moved> moved_;        // once a block was not where an index has it
  Probe ahead_;                       // the last probe, as it is often asked twice
  std::uint64_t ahead_at_ = UINT64_MAX;
};

}  // namespace evt

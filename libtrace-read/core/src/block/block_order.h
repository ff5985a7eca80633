// Restores the order in which blocks were written, if the file has them in another one (FORMAT.md, section 10).
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "header_reader.h"
#include "ledger.h"

namespace evt {

// The sentence for blocks from one number up to, but not including, another.
std::string missing_blocks(std::uint64_t begin, std::uint64_t end);

// The offsets of the blocks of a file, first in the order of the file. Refers to the headers and the ledger while it
// lives.
class BlockOrder {
 public:
  // Bytes that are not a block of the surrounding session.
  struct Skip {
    std::uint64_t from;
    std::uint64_t to;
    std::size_t damage;  // index in the list; SIZE_MAX: not damage
  };

  BlockOrder(HeaderReader& headers, Ledger& ledger) : headers_(headers), ledger_(ledger) {}

  // Adds what was met, in the order of the file.
  void add(std::uint64_t block) { places_.push_back(block); }
  void add(const Skip& skip) { skips_.push_back(skip); }
  const std::vector<std::uint64_t>& places() const { return places_; }
  const std::vector<Skip>& skips() const { return skips_; }
  void forget_skips() { skips_.clear(); }

  // Called once all blocks were met: next() returns them again, from the first.
  void begin_again() { again_ = 0; }
  // Like begin_again(), session by session and in the order in which they were written. Rebuilds the list of damage: it
  // then has the damage between and around blocks, by offset, and not what was found in them.
  void sort();
  // True if next() has blocks, or had all.
  bool has_begun_again() const { return again_.has_value(); }
  // The offset of the next block; nothing at the end. REQUIRES: it has begun again.
  std::optional<std::uint64_t> next();
  // Blocks that were out of place, once they are sorted.
  const std::vector<Damage>& misplaced() const { return misplaced_; }

 private:
  struct Place;
  std::vector<Place> places_met();
  bool begins_segment_behind_end(const Place* before, const Place& place);
  bool is_not_kept(const Place* before, const Place& place);
  void find_misplaced(const std::vector<Place>& places);
  std::vector<Damage> damage_between() const;
  void add_gaps(const std::vector<Place>& places, std::uint64_t first_session, std::vector<Damage>* damage);

  HeaderReader& headers_;
  Ledger& ledger_;
  std::vector<std::uint64_t> places_;
  std::vector<Skip> skips_;
  std::vector<Damage> misplaced_;
  std::optional<std::size_t> again_;  // index in the places: next() returns it
};

}  // namespace evt

// Verifies headers that were not looked at when the trace was opened, because an index described their blocks.
#pragma once

#include <evt/session.h>
#include <evt/status.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "block_reader.h"

namespace evt {

// True if it is a block of rows of that session and size.
bool is_indexed(const Block& found, const Block& indexed);

// One per trace, because it remembers where blocks are that are not where an index has them. Refers to the blocks and
// the ledger while it lives.
class IndexedBlockVerifier {
 public:
  IndexedBlockVerifier(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger) {}

  // Reads the header of a block that an index describes. Returns an error if its rows cannot be read. Other differences
  // are noted as damage, and the index's order is kept.
  Status verify(Block* block);

 private:
  // Places of blocks of rows, by their sessions and numbers.
  struct Moved {
    struct Place {
      std::uint64_t session;
      std::uint64_t number;
      std::uint64_t offset;
      auto operator<=>(const Place&) const = default;
    };
    std::vector<Place> places;      // in order
    std::vector<Damage> misplaced;  // blocks out of order in the file
    bool is_noted = false;
  };
  Moved find_all_moved();
  bool find_moved(const Block& indexed, Block* found);

  BlockReader& blocks_;
  Ledger& ledger_;
  std::optional<Moved> moved_;  // set once a block was not where an index has it
};

}  // namespace evt

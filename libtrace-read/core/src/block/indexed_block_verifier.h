// Headers that were not looked at when the trace was opened, because an index described their blocks.
#pragma once

#include <evt/session.h>
#include <evt/status.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "block_reader.h"

namespace evt {

// One for a trace, as it remembers where blocks are that are not where an index has them. Refers to the blocks and the
// ledger while it lives.
class IndexedBlockVerifier {
 public:
  IndexedBlockVerifier(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger) {}

  // Reads the header of a block that an index describes. An error when its rows cannot be read. Other differences are
  // noted as damage, and the order is kept that the index promised.
  Status verify(Block* block);

 private:
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

  BlockReader& blocks_;
  Ledger& ledger_;
  std::optional<Moved> moved_;  // once a block was not where an index has it
};

}  // namespace evt

// Known damage and missing rows of a trace: each loss once, whichever stage finds it.
#pragma once

#include <evt/session.h>
#include <evt/status.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "block.h"

namespace evt {

// Rows of a block that cannot be read: the whole block, or a piece of a block of several streams.
struct UnreadableRows {
  const Block* block = nullptr;  // must not move in memory
  std::uint32_t piece = 0;
  std::uint32_t session_number = 0;
  Session* session = nullptr;
  std::uint32_t stream = 0;    // 0: their streams are unknown
  StreamInfo* info = nullptr;  // that stream's, if there is one
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;  // events that LOST rows among these would count
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};

// Entries never change once they exist, except by reset() and replace_damage(), which start over. One thread at a time.
class Ledger {
 public:
  const std::vector<Damage>& damage() const { return damage_; }
  const std::vector<MissingRows>& missing() const { return missing_; }

  void add(Damage damage) { damage_.push_back(std::move(damage)); }
  // Adds the whole block, unless the latest entry is about it already.
  void add(const Block& block, std::string reason);
  // Rows that the structure of the file shows to be missing, which the session counts already.
  void add(const MissingRows& missing) { missing_.push_back(missing); }
  // Notes the block as damaged, once, and counts the rows as missing in session and stream: once for each piece,
  // however often and in whatever way it is read. Rows that a later version stored in its own way (kNewerFormat) are
  // not decodable: neither damaged nor missing.
  void lose(const UnreadableRows& rows, const Status& why);

  // Before all others: damage that was met before there was a structure.
  void add_first(const std::vector<Damage>& damage);
  // Called when the structure is read again.
  void reset();
  void reset_missing() { missing_.clear(); }
  // Replaces the damage by the same in another order of blocks.
  void replace_damage(std::vector<Damage> damage) { damage_ = std::move(damage); }
  void sort_damage();

 private:
  std::vector<Damage> damage_;
  std::vector<MissingRows> missing_;
  std::set<std::pair<std::uintptr_t, std::uint32_t>> unreadable_;  // blocks in memory, pieces
};

}  // namespace evt

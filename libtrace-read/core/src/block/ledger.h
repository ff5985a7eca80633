// What is known to be damaged in a trace, and which rows are missing: each loss once, whichever stage meets it.
#pragma once

#include <evt/session.h>
#include <evt/status.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "block.h"

namespace evt {

// Rows of a block that cannot be read: all of it, or a piece of a block of several streams.
struct UnreadableRows {
  const Block* block = nullptr;  // which stays where it is in memory
  std::uint32_t piece = 0;
  std::uint32_t session_number = 0;
  Session* session = nullptr;
  std::uint32_t stream = 0;    // 0: of which streams they are is not known
  StreamInfo* info = nullptr;  // of that stream, if there is one
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;  // events, which LOST rows among these would name
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};

// Entries are never changed once they are there, but for reset() and replace_damage(), which begin anew. One thread at
// a time.
class Ledger {
 public:
  const std::vector<Damage>& damage() const { return damage_; }
  const std::vector<MissingRows>& missing() const { return missing_; }

  void add(Damage damage) { damage_.push_back(std::move(damage)); }
  // All of a block, unless the latest entry is about that block already.
  void add(const Block& block, std::string reason);
  // Rows that the structure of the file shows to be missing, which the session counts already.
  void add(const MissingRows& missing) { missing_.push_back(missing); }
  // Notes the block as damaged, once, and counts the rows as missing in session and stream: once for each piece,
  // however often and by whichever way it is read. Rows that a later version stored in a way of its own (kNewerFormat)
  // are not decodable: no damage, and not missing.
  void lose(const UnreadableRows& rows, const Status& why);

  // In front of all others: what was met before there was a structure.
  void add_first(const std::vector<Damage>& damage);
  // The structure is read again.
  void reset();
  void reset_missing() { missing_.clear(); }
  // The same damage, in another order of blocks.
  void replace_damage(std::vector<Damage> damage) { damage_ = std::move(damage); }
  void sort_damage();

 private:
  std::vector<Damage> damage_;
  std::vector<MissingRows> missing_;
  std::set<std::pair<std::uintptr_t, std::uint32_t>> unreadable_;  // blocks in memory, pieces
};

}  // namespace evt

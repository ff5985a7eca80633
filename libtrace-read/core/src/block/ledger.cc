#include "ledger.h"

#include <evt/saturating_add.h>

#include <algorithm>

namespace evt {

void Ledger::add(const Block& block, std::string reason) {
  if (!damage_.empty() && damage_.back().offset == block.offset) return;
  damage_.push_back({block.offset, block.end() - block.offset, std::move(reason)});
}

void Ledger::lose(const UnreadableRows& rows, const Status& why) {
  const Block& block = *rows.block;
  // By its address in memory: it may be elsewhere in the file than an index first said.
  const auto key = reinterpret_cast<std::uintptr_t>(&block);
  const auto next = unreadable_.lower_bound({key, 0});
  const bool is_new_block = next == unreadable_.end() || next->first != key;
  const bool is_new_piece = unreadable_.insert({key, rows.piece}).second;
  if (why.code() == Code::kNewerFormat) {
    if (rows.stream == 0 ? is_new_block : is_new_piece) saturating_add(&rows.session->not_decodable, rows.rows);
    return;
  }
  if (is_new_block) damage_.push_back({block.offset, block.end() - block.offset, why.message()});
  if (rows.rows == 0 || !(rows.stream == 0 ? is_new_block : is_new_piece)) return;
  if (rows.info != nullptr) saturating_add(&rows.info->missing, rows.rows);
  saturating_add(&rows.session->missing, rows.rows);
  missing_.push_back(
      {rows.session_number, rows.stream, rows.rows, rows.from_ns, rows.to_ns, block.offset, false, rows.lost});
}

void Ledger::add_first(const std::vector<Damage>& damage) {
  damage_.insert(damage_.begin(), damage.begin(), damage.end());
}

void Ledger::reset() {
  damage_.clear();
  missing_.clear();
}

void Ledger::sort_damage() { std::ranges::stable_sort(damage_, {}, &Damage::offset); }

}  // namespace evt

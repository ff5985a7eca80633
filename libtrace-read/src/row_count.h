// What rows come to: how many there are of each type, and what they say is lost.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "format-spec/src/index_entries.h"
#include "format-spec/src/piece_table.h"
#include "row_walk.h"

namespace evt {

class RowCount {
 public:
  struct Loss {
    std::size_t piece;
    std::uint16_t cause;
    std::uint64_t count;
  };

  RowCount() : types_(std::make_unique<TypeCounts>()) {
    types_->met = 0;
    for (std::uint32_t& rows : types_->rows) rows = 0;
  }

  // Begins anew.
  void clear() {
    types_->clear();
    losses_.clear();
  }
  // Adds the rows of a piece, the next one. How many there are before they break off; `size`: their bytes.
  std::uint32_t add(std::size_t piece, std::uint64_t base, Bytes rows, std::size_t* size) {
    RowWalk walk(rows, base);
    std::uint32_t count = 0;
    *size = 0;
    while (const WalkedRow* const row = walk.next()) {
      ++count;
      *size += row->bytes.size();
      types_->count(row->type);
      if (row->is_lost()) losses_.push_back({piece, row->lost_cause(), row->lost_count()});
    }
    return count;
  }

  std::span<const std::uint16_t> types() const { return {types_->types, types_->met}; }
  std::uint32_t rows_of(std::uint16_t type) const { return types_->rows[type]; }
  const std::vector<Loss>& losses() const { return losses_; }

 private:
  std::unique_ptr<TypeCounts> types_;
  std::vector<Loss> losses_;
};

}  // namespace evt

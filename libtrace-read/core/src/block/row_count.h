// The totals of rows: how many there are of each type, and what they report as lost.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "format-spec/src/base/zeroed_pages.h"
#include "format-spec/src/block/index_entries.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"

namespace evt {

class RowCount {
 public:
  struct Loss {
    std::size_t piece;
    std::uint16_t cause;
    std::uint64_t count;
  };

  // Begins anew.
  void clear() {
    types_->clear();
    losses_.clear();
  }
  // Adds the rows of a piece, the next one, no more than it states, and makes it state what they are: how many
  // before they break off, their bytes, when the first and the last were of those that are not later than possible.
  void add(std::size_t number, Bytes rows, std::uint64_t latest_possible, Piece* piece) {
    RowReader walk(rows, piece->base_ticks);
    std::uint32_t count = 0;
    std::size_t size = 0;
    std::uint64_t first = UINT64_MAX;
    std::uint64_t last = 0;
    while (const RowView* const row = count < piece->row_count ? walk.next() : nullptr) {
      ++count;
      size += row->bytes.size();
      types_->count(row->type);
      if (row->type == EVT_ROW_TIME_BASE) continue;
      if (row->ticks <= latest_possible) {
        first = std::min(first, row->ticks);
        last = std::max(last, row->ticks);
      }
      if (row->is_lost()) losses_.push_back({number, row->lost_cause(), row->lost_count()});
    }
    piece->row_count = count;
    piece->rows_size = static_cast<std::uint32_t>(size);
    if (first > last) return;
    piece->first_ticks = first;
    piece->last_ticks = last;
  }

  std::span<const std::uint16_t> types() const { return {types_->types, types_->met}; }
  std::uint32_t rows_of(std::uint16_t type) const { return types_->rows[type]; }
  const std::vector<Loss>& losses() const { return losses_; }

 private:
  struct Free {
    void operator()(TypeCounts* counts) const { unmap_zeroed(counts); }
  };
  static TypeCounts* no_rows() {
    auto* const counts = map_zeroed<TypeCounts>();
    if (counts == nullptr) throw std::bad_alloc();
    return counts;
  }

  std::unique_ptr<TypeCounts, Free> types_{no_rows()};
  std::vector<Loss> losses_;
};

}  // namespace evt

// Rows of a window that is too large to be shown at once.
#pragma once

#include <memory>

#include "row_buffer.h"

namespace evt {

// Copies the next rows in their order, as many as an index of rows::Ordered can tell apart.
class RowPortion {
 public:
  // `order`: `count` entries of the rows' order, at most rows::Ordered::kMax. Valid until the next call.
  rows::Ordered of(const RowBuffer& rows, const std::uint64_t* order, std::size_t count);

 private:
  struct Arrays {
    std::uint64_t order[rows::Ordered::kMax];
    rows::Row rows[rows::Ordered::kMax];
    rows::Piece pieces[rows::Ordered::kMax];
  };
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace evt

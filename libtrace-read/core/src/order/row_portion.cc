#include "row_portion.h"

#include <numeric>

namespace evt {

// Each row gets a piece of its own, because ordinals count from a row's place.
rows::Ordered RowPortion::of(const RowBuffer& rows, const std::uint64_t* order, std::size_t count) {
  if (arrays_ == nullptr) {
    arrays_ = std::make_unique<Arrays>();
    std::iota(std::begin(arrays_->order), std::end(arrays_->order), 0);
  }
  Arrays& to = *arrays_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = RowBuffer::index_of(order[i]);
    to.rows[i] = rows.rows()[from];
    to.pieces[i] = rows.pieces()[to.rows[i].piece];
    to.pieces[i].ordinal += std::uint64_t{from} - i;
    to.rows[i].piece = static_cast<std::uint32_t>(i);
  }
  return {to.order, to.order + count, to.rows, to.pieces};
}

}  // namespace evt

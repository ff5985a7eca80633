// Columns -> rows. Knows nothing about event types, trusts nothing.
#pragma once

#include <evt/status.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "column_directory.h"
#include "format-spec/src/row/row_writer.h"

namespace evt::columns {

// Keeps working memory between blocks, in proportion to the largest number of rows so far. One thread at a time.
class Decoder {
 public:
  // Writes exactly `rows_size` bytes, with exactly `row_count` rows. Returns kDamaged if the columns are not valid; the
  // content of `rows` is undefined then. REQUIRES: both are within the limits of the format.
  Status decode(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count, std::uint8_t* rows,
                std::size_t rows_size);

 private:
  using Shape = ColumnDirectory::Shape;
  using PlacedItem = ColumnDirectory::PlacedItem;
  // State of a shape while rows are laid out.
  struct NextRow {
    RowFront front;        // if rows have one size
    std::uint32_t offset;  // index in offsets_ for the place of the next row
    std::uint32_t offset_end;
    const std::uint32_t* size;  // the next row's
    std::uint32_t step;         // to the size of the row after it; 0: all are equal
    std::uint16_t type;
    bool wide;
  };

  bool prepare_rows();
  Status lay_out(std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size);
  template <bool kSimple, typename Index>
  Status lay_out_rows(Index shape_of, std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size);
  void fill(const Shape& shape, std::uint8_t* rows);
  template <typename T>
  void fill_fixed(const PlacedItem& item, const Shape& shape, std::uint8_t* rows);
  template <typename T>
  void fill_counted(const PlacedItem& item, const Shape& shape, std::uint8_t* rows);

  ColumnDirectory directory_;
  std::vector<NextRow> next_;           // by shape, while rows are laid out
  std::vector<std::uint32_t> offsets_;  // place of the next item in each row, by shape
};

}  // namespace evt::columns

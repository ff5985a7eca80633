// Columns -> rows. Knows nothing of event types, believes nothing.
#pragma once

#include <evt/status.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "format-spec/src/row/row_writer.h"
#include "layout.h"
#include "planes.h"

namespace evt::columns {

// Keeps memory for its work between blocks, in proportion to the largest number of rows so far. One thread at a time.
class Decoder {
 public:
  // Writes exactly `rows_size` bytes, of exactly `row_count` rows. kDamaged, if the columns are
  // none; the content of `rows` is undefined then. REQUIRES: both are within the limits of the format.
  Status decode(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count, std::uint8_t* rows,
                std::size_t rows_size);

 private:
  static Status wrong(const char* why) { return {Code::kDamaged, why}; }

  static constexpr std::size_t kChunk = 1024;  // values at a time
  // What a plane that is not stored reads as.
  struct Constants {
    std::uint8_t bytes[8][kChunk];
  };
  struct Column {
    std::uint8_t transform = kNone;
    std::uint8_t mask = 0;
    std::uint64_t first = 0;  // value, with a transform
    std::uint8_t constants[8] = {};
    const std::uint8_t* planes[8] = {};
  };
  struct PlacedItem {
    Item item;
    Column column;
    const std::uint8_t* bytes = nullptr;
  };
  struct Shape {
    std::uint32_t rows = 0;
    std::uint32_t first_row = 0;  // in offsets_
    std::uint16_t type = 0;
    bool wide = false;
    bool varies = false;           // in size
    std::uint32_t size = 0;        // of the whole row, without what varies
    std::uint32_t first_item = 0;  // in items_
    std::uint32_t items = 0;
    std::uint32_t first_size = 0;  // in sizes_, if it varies
  };
  // What laying out rows needs of a shape.
  struct NextRow {
    RowFront front;        // where rows are of one size
    std::uint32_t offset;  // where in offsets_ the place of the next row goes
    std::uint32_t offset_end;
    const std::uint32_t* size;  // of the next row
    std::uint32_t step;         // to that of the one behind; 0: they are all the same
    std::uint16_t type;
    bool wide;
  };
  class Input;

  Status read_directory(Input& in, std::uint32_t row_count);
  Status read_shape(Input& in, Shape& shape);
  static void read_column(Input& in, Column& column, std::size_t width);
  static void find_planes(Input& in, Column& column, std::size_t width, std::size_t count);
  Status find_data(Input& in, std::uint32_t row_count, std::size_t rows_size);
  Status find_items(Input& in, const Shape& shape, std::size_t rows_size);
  template <typename T>
  bool add_counts(const PlacedItem& item, const Shape& shape, std::size_t rows_size, std::uint64_t* bytes);
  bool prepare_rows();
  Status lay_out(std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size);
  template <bool kSimple, typename Index>
  Status lay_out_rows(Index shape_of, std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size);
  Status check_sizes(const Shape& shape) const;
  void fill(const Shape& shape, std::uint8_t* rows);
  template <typename T>
  void fill_fixed(const PlacedItem& item, const Shape& shape, std::uint8_t* rows);
  template <typename T>
  void fill_counted(const PlacedItem& item, const Shape& shape, std::uint8_t* rows);
  template <typename T, typename Use>
  static void for_each_chunk(const Column& column, std::uint32_t count, Use use);

  std::vector<Shape> shapes_;
  std::vector<PlacedItem> items_;
  std::uint32_t first_ticks_ = 0;
  Column steps_;                        // of ticks, from row to row
  const std::uint8_t* index_[2] = {};   // of the shape of each row, by plane; null: there is one shape
  std::vector<NextRow> next_;           // by shape, while rows are laid out
  std::vector<std::uint32_t> offsets_;  // of what is filled in next in each row, by shape
  std::vector<std::uint32_t> sizes_;    // of the rows of shapes that vary
};

// Passes the values to `use`, at most kChunk at a time, until it returns false.
template <typename T, typename Use>
void Decoder::for_each_chunk(const Column& column, std::uint32_t count, Use use) {
  Constants constants;
  T values[kChunk];
  const std::size_t width = std::min<std::size_t>(kChunk, count);
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (column.planes[plane] == nullptr) std::memset(constants.bytes[plane], column.constants[plane], width);
  }
  std::uint8_t first[8];
  std::memcpy(first, &column.first, sizeof first);
  T last = load<T>(first);
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::uint8_t* planes[8] = {};
    for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
      const std::uint8_t* const stored = column.planes[plane];
      planes[plane] = stored != nullptr ? stored + begin : constants.bytes[plane];
    }
    const std::size_t chunk = std::min<std::size_t>(kChunk, count - begin);
    join_planes<T>(planes, chunk, values);
    if (column.transform == kDelta) {
      if (begin == 0) values[0] = 0;
      for (std::size_t i = 0; i < chunk; ++i) values[i] = last = static_cast<T>(last + unfold(values[i]));
    }
    if (!use(values, chunk)) return;
  }
}

}  // namespace evt::columns

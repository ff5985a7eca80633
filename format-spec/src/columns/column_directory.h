// Columns -> their shapes of rows, and the place of each shape's columns. Trusts nothing.
#pragma once

#include <evt/status.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "layout.h"
#include "planes.h"

namespace evt::columns {

// One column in its stored form -> its values. Refers to the block's bytes while it lives.
struct StoredColumn {
  std::uint8_t transform = kNone;
  std::uint8_t mask = 0;
  std::uint64_t first = 0;  // value, with a transform
  std::uint8_t constants[8] = {};
  const std::uint8_t* planes[8] = {};

  // Passes the values to `use`, a chunk at a time, until it returns false.
  template <typename T, typename Use>
  void for_each_chunk(std::uint32_t count, Use use) const;

 private:
  static constexpr std::size_t kChunk = 1024;  // values at a time
  // The bytes of planes that are not stored.
  struct Constants {
    std::uint8_t bytes[8][kChunk];
  };
};

template <typename T, typename Use>
void StoredColumn::for_each_chunk(std::uint32_t count, Use use) const {
  Constants fill;
  T values[kChunk];
  const std::size_t width = std::min<std::size_t>(kChunk, count);
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (planes[plane] == nullptr) std::memset(fill.bytes[plane], constants[plane], width);
  }
  std::uint8_t first_bytes[8];
  std::memcpy(first_bytes, &first, sizeof first_bytes);
  T last = load<T>(first_bytes);
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::uint8_t* from[8] = {};
    for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
      const std::uint8_t* const stored = planes[plane];
      from[plane] = stored != nullptr ? stored + begin : fill.bytes[plane];
    }
    const std::size_t chunk = std::min<std::size_t>(kChunk, count - begin);
    join_planes<T>(from, chunk, values);
    if (transform == kDelta) {
      if (begin == 0) values[0] = 0;
      for (std::size_t i = 0; i < chunk; ++i) values[i] = last = static_cast<T>(last + unfold(values[i]));
    }
    if (!use(values, chunk)) return;
  }
}

// Holds one block at a time; refers to its bytes until the next. Keeps its memory between blocks.
class ColumnDirectory {
 public:
  struct PlacedItem {
    Item item;
    StoredColumn column;
    const std::uint8_t* bytes = nullptr;
  };
  // Rows of one type that have the same items.
  struct Shape {
    std::uint32_t rows = 0;
    std::uint32_t first_row = 0;  // counted over all shapes, one after another
    std::uint16_t type = 0;
    bool wide = false;
    bool varies = false;           // in size
    std::uint32_t size = 0;        // size of a row without the items that vary
    std::uint32_t first_item = 0;  // in items_
    std::uint32_t items = 0;
    std::uint32_t first_size = 0;  // in sizes_, if it varies
  };

  // Returns kNewerFormat if a shape or one of its items is stored in a way that this version does not know. kDamaged if
  // these are not columns of exactly `row_count` rows, or if a row would be longer than `rows_size`.
  Status read(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count, std::size_t rows_size);

  const std::vector<Shape>& shapes() const { return shapes_; }
  const PlacedItem* items(const Shape& shape) const { return items_.data() + shape.first_item; }
  // Size of each row of a shape that varies.
  const std::uint32_t* sizes(const Shape& shape) const { return sizes_.data() + shape.first_size; }
  std::uint32_t first_ticks() const { return first_ticks_; }
  const StoredColumn& steps() const { return steps_; }  // differences of ticks from row to row
  // A plane of the shapes of all rows, by row; null: all are 0.
  const std::uint8_t* index(std::size_t plane) const { return index_[plane]; }

 private:
  class Input;

  Status read_shapes(Input& in, std::uint32_t row_count);
  Status read_shape(Input& in, Shape& shape);
  static void read_column(Input& in, StoredColumn& column, std::size_t width);
  static void find_planes(Input& in, StoredColumn& column, std::size_t width, std::size_t count);
  Status find_data(Input& in, std::uint32_t row_count, std::size_t rows_size);
  Status find_items(Input& in, const Shape& shape, std::size_t rows_size);
  template <typename T>
  bool add_counts(const PlacedItem& item, const Shape& shape, std::size_t rows_size, std::uint64_t* bytes);
  Status check_sizes(const Shape& shape) const;

  std::vector<Shape> shapes_;
  std::vector<PlacedItem> items_;
  std::uint32_t first_ticks_ = 0;
  StoredColumn steps_;
  const std::uint8_t* index_[2] = {};
  std::vector<std::uint32_t> sizes_;  // sizes of rows whose shape varies
};

}  // namespace evt::columns

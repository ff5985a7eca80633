#include "column_directory.h"

#include "format-spec/src/row/row_writer.h"

namespace evt::columns {
namespace {

constexpr const char* kMorePlanes = "a column has planes that its width has not";

Status wrong(const char* why) { return {Code::kDamaged, why}; }
// A later version, because the checksum of the block is right.
Status unknown(const char* why) { return {Code::kNewerFormat, why}; }

}  // namespace

// The columns, from the start. Missing bytes read as 0 or null, and ok() is false then.
class ColumnDirectory::Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : at_(bytes), left_(size) {}
  bool ok() const { return ok_; }
  bool at_end() const { return left_ == 0; }

  const std::uint8_t* bytes(std::uint64_t size) {
    if (size > left_) {
      ok_ = false;
      left_ = 0;
      return nullptr;
    }
    const std::uint8_t* const front = at_;
    at_ += size;
    left_ -= static_cast<std::size_t>(size);
    return front;
  }
  template <typename T>
  T number() {
    const std::uint8_t* const p = bytes(sizeof(T));
    return p == nullptr ? T{0} : load<T>(p);
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
  bool ok_ = true;
};

Status ColumnDirectory::read(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count,
                             std::size_t rows_size) {
  Input in(columns, size);
  Status status = read_shapes(in, row_count);
  return status.ok() ? find_data(in, row_count, rows_size) : status;
}

Status ColumnDirectory::read_shapes(Input& in, std::uint32_t row_count) {
  shapes_.clear();
  items_.clear();
  const std::size_t count = in.number<std::uint16_t>();
  in.number<std::uint16_t>();
  first_ticks_ = in.number<std::uint32_t>();
  steps_ = {};
  read_column(in, steps_, sizeof(std::uint32_t));
  if (steps_.mask >> sizeof(std::uint32_t) != 0) return wrong(kMorePlanes);
  std::uint64_t rows = 0;
  std::uint32_t sizes = 0;
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    Shape shape;
    if (Status status = read_shape(in, shape); !status.ok()) return status;
    shape.first_row = static_cast<std::uint32_t>(rows);
    rows += shape.rows;
    if (rows > row_count) break;
    shape.first_size = sizes;
    if (shape.varies) sizes += shape.rows;
    shapes_.push_back(shape);
  }
  if (!in.ok()) return wrong("the directory of its columns goes beyond their end");
  if (rows != row_count) return wrong("its shapes have another number of rows than its header");
  sizes_.resize(sizes);
  return {};
}

Status ColumnDirectory::read_shape(Input& in, Shape& shape) {
  shape.rows = in.number<std::uint32_t>();
  shape.type = in.number<std::uint16_t>();
  const std::uint8_t flags = in.number<std::uint8_t>();
  shape.items = in.number<std::uint8_t>();
  shape.wide = (flags & kWideSize) != 0;
  if ((flags & ~kWideSize) != 0) return unknown("a shape of its columns has a flag that is not known");
  shape.size = static_cast<std::uint32_t>(RowFront::header_size(shape.wide));
  shape.first_item = static_cast<std::uint32_t>(items_.size());
  for (std::uint32_t i = 0; i < shape.items && in.ok(); ++i) {
    PlacedItem placed;
    placed.item.kind = in.number<std::uint8_t>();
    placed.column.transform = in.number<std::uint8_t>();
    placed.item.width = in.number<std::uint16_t>();
    const std::size_t width = column_width(placed.item);
    if (placed.item.kind > kRest) return unknown("an item of its columns has a kind that is not known");
    if (placed.column.transform > (width == 0 ? kNone : kDelta)) {
      return unknown("an item of its columns has a transform that is not known");
    }
    if (width != 0) read_column(in, placed.column, width);
    if (placed.column.mask >> width != 0) return wrong(kMorePlanes);
    shape.varies |= placed.item.kind != kFixed;
    const std::size_t fixed = placed.item.kind == kFixed ? placed.item.width : count_width(placed.item.kind);
    shape.size += static_cast<std::uint32_t>(fixed);
    items_.push_back(placed);
  }
  return {};
}

void ColumnDirectory::read_column(Input& in, StoredColumn& column, std::size_t width) {
  if (column.transform == kDelta) {
    if (const std::uint8_t* const first = in.bytes(width)) std::memcpy(&column.first, first, width);
  }
  column.mask = in.number<std::uint8_t>();
  for (std::size_t plane = 0; plane < width; ++plane) {
    if ((column.mask >> plane & 1) == 0) column.constants[plane] = in.number<std::uint8_t>();
  }
}

void ColumnDirectory::find_planes(Input& in, StoredColumn& column, std::size_t width, std::size_t count) {
  for (std::size_t plane = 0; plane < width; ++plane) {
    if ((column.mask >> plane & 1) != 0) column.planes[plane] = in.bytes(count);
  }
}

Status ColumnDirectory::find_data(Input& in, std::uint32_t row_count, std::size_t rows_size) {
  index_[0] = shapes_.size() > 1 ? in.bytes(row_count) : nullptr;
  index_[1] = shapes_.size() > kShapesOfOneByte ? in.bytes(row_count) : nullptr;
  find_planes(in, steps_, sizeof(std::uint32_t), row_count);
  for (const Shape& shape : shapes_) {
    if (!in.ok()) break;
    if (Status status = find_items(in, shape, rows_size); !status.ok()) return status;
  }
  if (!in.ok()) return wrong("its columns go beyond their end");
  if (!in.at_end()) return wrong("bytes are left behind its columns");
  return {};
}

Status ColumnDirectory::find_items(Input& in, const Shape& shape, std::size_t rows_size) {
  if (shape.varies) std::fill_n(sizes_.begin() + shape.first_size, shape.rows, shape.size);
  for (std::uint32_t i = 0; i < shape.items && in.ok(); ++i) {
    PlacedItem& placed = items_[shape.first_item + i];
    const std::size_t width = column_width(placed.item);
    find_planes(in, placed.column, width, shape.rows);
    if (!in.ok()) break;
    if (placed.item.kind == kFixed) {
      if (width == 0) placed.bytes = in.bytes(std::uint64_t{shape.rows} * placed.item.width);
      continue;
    }
    std::uint64_t bytes = 0;
    const bool fits = width == 2 ? add_counts<std::uint16_t>(placed, shape, rows_size, &bytes)
                                 : add_counts<std::uint32_t>(placed, shape, rows_size, &bytes);
    if (!fits) return wrong("the counts of its columns add up to more than its rows");
    placed.bytes = in.bytes(bytes);
  }
  return in.ok() ? check_sizes(shape) : Status();
}

// No sum here may exceed the bytes of all rows, so none overflows.
template <typename T>
bool ColumnDirectory::add_counts(const PlacedItem& placed, const Shape& shape, std::size_t rows_size,
                                 std::uint64_t* bytes) {
  std::uint32_t* size = sizes_.data() + shape.first_size;
  bool fits = true;
  std::uint64_t sum = 0;
  const std::uint64_t width = placed.item.width;
  placed.column.for_each_chunk<T>(shape.rows, [&](const T* counts, std::size_t count) {
    for (std::size_t i = 0; i < count && fits; ++i) {
      const std::uint64_t more = counts[i] * width;
      sum += more;
      fits = more <= rows_size && sum <= rows_size && *size + more <= rows_size;
      *size++ += static_cast<std::uint32_t>(more);
    }
    return fits;
  });
  *bytes = sum;
  return fits;
}

Status ColumnDirectory::check_sizes(const Shape& shape) const {
  constexpr const char* kTooLong = "a row of its columns is longer than its size can say";
  if (shape.wide) return {};
  if (!shape.varies) return shape.size > RowFront::kMaxSmall ? wrong(kTooLong) : Status();
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < shape.rows; ++i) all |= sizes_[shape.first_size + i];
  return all > RowFront::kMaxSmall ? wrong(kTooLong) : Status();
}

}  // namespace evt::columns

#include "column_decoder.h"

#include <algorithm>
#include <cstring>

#include "planes.h"

namespace evt::columns {
namespace {

constexpr std::size_t kChunk = 1024;  // values at a time

// What a plane that is not stored reads as.
struct Constants {
  std::uint8_t bytes[8][kChunk];
};

// Most are short, and a call would take longer than they do.
void copy_short(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  if (size > 16) {
    std::memcpy(to, from, size);
  } else if (size >= 8) {
    const auto front = evt_load_u64(from);
    const auto back = evt_load_u64(from + size - 8);
    evt_store_u64(to, front);
    evt_store_u64(to + size - 8, back);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
}

}  // namespace

// The columns, from the front. What is not there reads as nothing, and ok() says so.
class Decoder::Input {
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

const char* Decoder::decode(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count, std::uint8_t* rows,
                            std::size_t rows_size) {
  Input in(columns, size);
  if (const char* wrong = read_directory(in, row_count)) return wrong;
  if (const char* wrong = find_data(in, row_count, rows_size)) return wrong;
  const std::uint8_t* const low = index_[0];
  const std::uint8_t* const high = index_[1];
  const auto one = [](std::size_t) { return std::size_t{0}; };
  const auto byte = [low](std::size_t i) { return std::size_t{low[i]}; };
  const auto two = [low, high](std::size_t i) { return low[i] | std::size_t{high[i]} << 8; };
  const char* const wrong = low == nullptr    ? lay_out(one, row_count, rows, rows_size)
                            : high == nullptr ? lay_out(byte, row_count, rows, rows_size)
                                              : lay_out(two, row_count, rows, rows_size);
  if (wrong != nullptr) return wrong;
  for (const Shape& shape : shapes_) fill(shape, rows);
  return nullptr;
}

const char* Decoder::read_directory(Input& in, std::uint32_t row_count) {
  shapes_.clear();
  items_.clear();
  const std::size_t count = in.number<std::uint16_t>();
  in.number<std::uint16_t>();
  first_ticks_ = in.number<std::uint32_t>();
  steps_ = {};
  read_column(in, steps_, sizeof(std::uint32_t));
  std::uint64_t rows = 0;
  std::uint32_t sizes = 0;
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    Shape shape;
    if (const char* wrong = read_shape(in, shape)) return wrong;
    shape.first_row = static_cast<std::uint32_t>(rows);
    rows += shape.rows;
    if (rows > row_count) break;
    shape.first_size = sizes;
    if (shape.varies) sizes += shape.rows;
    shapes_.push_back(shape);
  }
  if (!in.ok()) return "the directory of its columns goes beyond their end";
  if (rows != row_count) return "its shapes have another number of rows than its header";
  offsets_.resize(row_count);
  sizes_.resize(sizes);
  return nullptr;
}

const char* Decoder::read_shape(Input& in, Shape& shape) {
  shape.rows = in.number<std::uint32_t>();
  shape.type = in.number<std::uint16_t>();
  const std::uint8_t flags = in.number<std::uint8_t>();
  shape.items = in.number<std::uint8_t>();
  shape.wide = (flags & kWideSize) != 0;
  if ((flags & ~kWideSize) != 0) return "a shape of its columns has a flag that is not known";
  shape.size = static_cast<std::uint32_t>(row_header(shape.wide));
  shape.first_item = static_cast<std::uint32_t>(items_.size());
  for (std::uint32_t i = 0; i < shape.items && in.ok(); ++i) {
    PlacedItem placed;
    placed.item.kind = in.number<std::uint8_t>();
    placed.column.transform = in.number<std::uint8_t>();
    placed.item.width = in.number<std::uint16_t>();
    const std::size_t width = column_width(placed.item);
    if (placed.item.kind > kRest) return "an item of its columns has a kind that is not known";
    if (placed.column.transform > (width == 0 ? kNone : kDelta)) {
      return "an item of its columns has a transform that is not known";
    }
    if (width != 0) read_column(in, placed.column, width);
    if (placed.column.mask >> width != 0) return "a column has planes that its width has not";
    shape.varies |= placed.item.kind != kFixed;
    const std::size_t fixed = placed.item.kind == kFixed ? placed.item.width : count_width(placed.item.kind);
    shape.size += static_cast<std::uint32_t>(fixed);
    items_.push_back(placed);
  }
  return nullptr;
}

void Decoder::read_column(Input& in, Column& column, std::size_t width) {
  if (column.transform == kDelta) {
    if (const std::uint8_t* const first = in.bytes(width)) std::memcpy(&column.first, first, width);
  }
  column.mask = in.number<std::uint8_t>();
  for (std::size_t plane = 0; plane < width; ++plane) {
    if ((column.mask >> plane & 1) == 0) column.constants[plane] = in.number<std::uint8_t>();
  }
}

void Decoder::find_planes(Input& in, Column& column, std::size_t width, std::size_t count) {
  for (std::size_t plane = 0; plane < width; ++plane) {
    if ((column.mask >> plane & 1) != 0) column.planes[plane] = in.bytes(count);
  }
}

const char* Decoder::find_data(Input& in, std::uint32_t row_count, std::size_t rows_size) {
  index_[0] = shapes_.size() > 1 ? in.bytes(row_count) : nullptr;
  index_[1] = shapes_.size() > kShapesOfOneByte ? in.bytes(row_count) : nullptr;
  find_planes(in, steps_, sizeof(std::uint32_t), row_count);
  for (const Shape& shape : shapes_) {
    if (!in.ok()) break;
    if (const char* wrong = find_items(in, shape, rows_size)) return wrong;
  }
  if (!in.ok()) return "its columns go beyond their end";
  if (!in.at_end()) return "bytes are left behind its columns";
  return nullptr;
}

const char* Decoder::find_items(Input& in, const Shape& shape, std::size_t rows_size) {
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
    if (!fits) return "the counts of its columns come to more than its rows";
    placed.bytes = in.bytes(bytes);
  }
  return in.ok() ? check_sizes(shape) : nullptr;
}

// No sum here may come to more than all rows have, so none overflows.
template <typename T>
bool Decoder::add_counts(const PlacedItem& placed, const Shape& shape, std::size_t rows_size, std::uint64_t* bytes) {
  std::uint32_t* size = sizes_.data() + shape.first_size;
  bool fits = true;
  std::uint64_t sum = 0;
  const std::uint64_t width = placed.item.width;
  for_each_chunk<T>(placed.column, shape.rows, [&](const T* counts, std::size_t count) {
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

const char* Decoder::check_sizes(const Shape& shape) const {
  constexpr const char* kTooLong = "a row of its columns is longer than its size can say";
  if (shape.wide) return nullptr;
  if (!shape.varies) return shape.size > 0xFFFF ? kTooLong : nullptr;
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < shape.rows; ++i) all |= sizes_[shape.first_size + i];
  return all > 0xFFFF ? kTooLong : nullptr;
}

// True when all shapes are simple: short rows of one size each.
bool Decoder::prepare_rows() {
  next_.clear();
  bool simple = true;
  for (const Shape& shape : shapes_) {
    const bool is_simple = !shape.varies && !shape.wide;
    simple &= is_simple;
    next_.push_back({std::uint64_t{shape.type} << 32 | (is_simple ? std::uint64_t{shape.size} << 48 : 0),
                     shape.first_row, shape.first_row + shape.rows,
                     shape.varies ? sizes_.data() + shape.first_size : &shape.size, shape.varies ? 1U : 0U,
                     shape.wide});
  }
  return simple;
}

template <typename Index>
const char* Decoder::lay_out(Index shape_of, std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size) {
  return prepare_rows() ? lay_out_rows<true>(shape_of, row_count, rows, rows_size)
                        : lay_out_rows<false>(shape_of, row_count, rows, rows_size);
}

// Finds the place of each row, and writes its first bytes: the time, the type, the size.
template <bool kSimple, typename Index>
const char* Decoder::lay_out_rows(Index shape_of, std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size) {
  // In variables of our own: what is stored below could be any of the members, for all that a compiler knows.
  NextRow* const shapes = next_.data();
  const std::size_t shape_count = next_.size();
  std::uint32_t* const offsets = offsets_.data();
  std::uint64_t at = 0;
  std::size_t row = 0;
  std::uint32_t ticks = first_ticks_;
  const char* wrong = nullptr;
  for_each_chunk<std::uint32_t>(steps_, row_count, [&](std::uint32_t* steps, std::size_t count) {
    if (row == 0) steps[0] = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = shape_of(row + i);
      if (number >= shape_count) {
        wrong = "a row of its columns has a shape that they do not have";
        return false;
      }
      NextRow& next = shapes[number];
      const std::uint32_t offset = next.offset;
      if (offset == next.offset_end) {
        wrong = "a shape of its columns has more rows than it says";
        return false;
      }
      next.offset = offset + 1;
      const std::uint64_t head = next.head;
      const std::uint64_t size = kSimple ? head >> 48 : *next.size;
      if (size > rows_size - at) {
        wrong = "its columns have more bytes of rows than its header says";
        return false;
      }
      ticks += steps[i];
      if (kSimple) {
        evt_store_u64(rows + at, ticks | head);
        offsets[offset] = static_cast<std::uint32_t>(at + EVT_ROW_HEADER_SIZE);
      } else {
        next.size += next.step;
        const std::uint64_t short_size = next.wide ? 0 : size;
        evt_store_u64(rows + at,
                      ticks | std::uint64_t{static_cast<std::uint32_t>(head >> 32) & 0xFFFF} << 32 | short_size << 48);
        if (next.wide) evt_store_u32(rows + at + EVT_ROW_HEADER_SIZE, static_cast<std::uint32_t>(size));
        offsets[offset] = static_cast<std::uint32_t>(at + row_header(next.wide));
      }
      at += size;
    }
    row += count;
    return true;
  });
  if (wrong == nullptr && at != rows_size) return "its columns have fewer bytes of rows than its header says";
  return wrong;
}

// The size of each row is the sum of what is put into it here, so nothing goes beyond it.
void Decoder::fill(const Shape& shape, std::uint8_t* rows) {
  std::uint32_t* const at = offsets_.data() + shape.first_row;
  for (std::uint32_t i = 0; i < shape.items; ++i) {
    const PlacedItem& placed = items_[shape.first_item + i];
    const std::size_t width = column_width(placed.item);
    if (placed.item.kind != kFixed) {
      width == 2 ? fill_counted<std::uint16_t>(placed, shape, rows) : fill_counted<std::uint32_t>(placed, shape, rows);
    } else if (width == 1) {
      fill_fixed<std::uint8_t>(placed, shape, rows);
    } else if (width == 2) {
      fill_fixed<std::uint16_t>(placed, shape, rows);
    } else if (width == 4) {
      fill_fixed<std::uint32_t>(placed, shape, rows);
    } else if (width == 8) {
      fill_fixed<std::uint64_t>(placed, shape, rows);
    } else {
      const std::size_t bytes = placed.item.width;
      for (std::uint32_t row = 0; row < shape.rows; ++row) {
        std::memcpy(rows + at[row], placed.bytes + row * bytes, bytes);
        at[row] += static_cast<std::uint32_t>(bytes);
      }
    }
  }
}

template <typename T>
void Decoder::fill_fixed(const PlacedItem& placed, const Shape& shape, std::uint8_t* rows) {
  std::uint32_t* at = offsets_.data() + shape.first_row;
  for_each_chunk<T>(placed.column, shape.rows, [&](const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t place = at[i];
      store<T>(rows + place, values[i]);
      at[i] = place + static_cast<std::uint32_t>(sizeof(T));
    }
    at += count;
    return true;
  });
}

template <typename T>
void Decoder::fill_counted(const PlacedItem& placed, const Shape& shape, std::uint8_t* rows) {
  std::uint32_t* at = offsets_.data() + shape.first_row;
  const std::uint8_t* from = placed.bytes;
  const std::size_t count_size = count_width(placed.item.kind);
  const std::size_t width = placed.item.width;
  for_each_chunk<T>(placed.column, shape.rows, [&](const T* counts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t place = at[i];
      const std::size_t bytes = counts[i] * width;
      if (count_size != 0) store<T>(rows + place, counts[i]);
      copy_short(rows + place + count_size, from, bytes);
      from += bytes;
      at[i] = place + static_cast<std::uint32_t>(count_size + bytes);
    }
    at += count;
    return true;
  });
}

// Hands the values to `use`, so many at a time, until it says no.
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

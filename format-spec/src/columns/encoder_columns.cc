// What the directory and the data contain, shape by shape. How rows are sorted into shapes is in encoder.cc.
#include <cstring>

#include "encoder.h"
#include "planes.h"
#include "transform.h"

namespace evt::columns {
namespace {

// How a column is best transformed does not change from block to block.
constexpr std::uint32_t kDecideEvery = 8;

}  // namespace

void Encoder::put_index(std::uint32_t row_count) {
  if (shape_count_ <= 1) return;
  for (std::size_t plane = 0; plane < (shape_count_ > kShapesOfOneByte ? 2 : 1); ++plane) {
    split_plane(index_.data(), row_count, plane, data_.data() + data_size_);
    end_part(row_count);
  }
}

void Encoder::put_shape(const std::uint8_t* rows, Shape& shape) {
  directory_.append_u32(shape.rows);
  directory_.append_u16(shape.number);
  const std::uint8_t flags_and_items[] = {shape.wide ? kWideSize : std::uint8_t{0},
                                          static_cast<std::uint8_t>(shape.items + (shape.rest ? 1 : 0))};
  directory_.append(flags_and_items, sizeof flags_and_items);
  Type& type = *shape.type;
  decides_ = type.decided++ % kDecideEvery == 0;
  for (std::uint8_t i = 0; i < shape.items; ++i) put_item(rows, shape, type.item[i], &type.transform[i]);
  if (shape.rest) put_item(rows, shape, Item{kRest, 1}, &type.transform[type.items]);
}

void Encoder::put_item(const std::uint8_t* rows, const Shape& shape, const Item& item, std::uint8_t* transform) {
  const std::size_t at = directory_.size();
  if (std::uint8_t* const p = directory_.extend(kItemSize)) {
    p[0] = item.kind;
    evt_store_u16(p + 2, item.width);
  }
  const std::size_t width = column_width(item);
  if (item.kind != kFixed) {
    width == 2 ? put_counted<std::uint16_t>(rows, shape, item, transform)
               : put_counted<std::uint32_t>(rows, shape, item, transform);
  } else if (width == 1) {
    put_fixed<std::uint8_t>(rows, shape, transform);
  } else if (width == 2) {
    put_fixed<std::uint16_t>(rows, shape, transform);
  } else if (width == 4) {
    put_fixed<std::uint32_t>(rows, shape, transform);
  } else if (width == 8) {
    put_fixed<std::uint64_t>(rows, shape, transform);
  } else {
    for (std::uint32_t i = 0; i < shape.rows; ++i) sizes_[i] = item.width;
    put_bytes(rows, shape, 0, sizes_.data());
  }
  if (directory_.ok()) directory_.data()[at + 1] = width != 0 ? *transform : std::uint8_t{kNone};
}

template <typename T>
void Encoder::put_fixed(const std::uint8_t* rows, const Shape& shape, std::uint8_t* transform) {
  T* const values = reinterpret_cast<T*>(values_.data());
  std::uint32_t* const places = places_.data() + shape.first_row;
  for (std::uint32_t i = 0; i < shape.rows; ++i) {
    values[i] = load<T>(rows + places[i]);
    places[i] += sizeof(T);
  }
  put_values(values, shape.rows, transform);
}

template <typename T>
void Encoder::put_counted(const std::uint8_t* rows, const Shape& shape, const Item& item, std::uint8_t* transform) {
  T* const values = reinterpret_cast<T*>(values_.data());
  const std::uint32_t* const places = places_.data() + shape.first_row;
  const std::uint32_t* const ends = ends_.data() + shape.first_row;
  for (std::uint32_t i = 0; i < shape.rows; ++i) {
    values[i] = item.kind == kRest ? static_cast<T>(ends[i] - places[i]) : load<T>(rows + places[i]);
    sizes_[i] = static_cast<std::uint32_t>(values[i]) * item.width;
  }
  put_values(values, shape.rows, transform);
  put_bytes(rows, shape, count_width(item.kind), sizes_.data());
}

void Encoder::put_bytes(const std::uint8_t* rows, const Shape& shape, std::size_t count_size,
                        const std::uint32_t* sizes) {
  std::uint32_t* const places = places_.data() + shape.first_row;
  std::uint8_t* const begin = data_.data() + data_size_;
  std::uint8_t* out = begin;
  for (std::uint32_t i = 0; i < shape.rows; ++i) {
    const std::uint32_t from = places[i] + static_cast<std::uint32_t>(count_size);
    std::memcpy(out, rows + from, sizes[i]);
    out += sizes[i];
    places[i] = from + sizes[i];
  }
  end_part(static_cast<std::size_t>(out - begin));
}

template <typename T>
void Encoder::put_values(T* values, std::size_t count, std::uint8_t* transform) {
  if (decides_) *transform = difference_pays(values, count) ? kDelta : kNone;
  if (*transform == kDelta) put_differences(values, count);
  put_column(values, count);
}

// The first value into the directory, the differences in place of the values.
template <typename T>
void Encoder::put_differences(T* values, std::size_t count) {
  std::uint8_t first[sizeof(T)];
  store<T>(first, values[0]);
  directory_.append(first, sizeof first);
  T last = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    const T value = values[i];
    values[i] = fold(static_cast<T>(value - last));
    last = value;
  }
  values[0] = count > 1 ? values[1] : T{0};  // it has no meaning, so it shall not differ
}

template <typename T>
void Encoder::put_column(const T* values, std::size_t count) {
  const T first = count > 0 ? values[0] : T{0};
  T differs = 0;
  for (std::size_t i = 0; i < count; ++i) differs |= static_cast<T>(values[i] ^ first);
  std::uint8_t header[1 + sizeof(T)] = {};
  std::size_t header_size = 1;
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (static_cast<std::uint8_t>(differs >> (8 * plane)) == 0) {
      header[header_size++] = static_cast<std::uint8_t>(first >> (8 * plane));
      continue;
    }
    header[0] = static_cast<std::uint8_t>(header[0] | 1U << plane);
    split_plane(values, count, plane, data_.data() + data_size_);
    end_part(count);
  }
  directory_.append(header, header_size);
}

// The caller has appended `size` bytes of one kind to the data.
void Encoder::end_part(std::size_t size) {
  data_size_ += size;
  if (part_count_ == kMaxParts) {
    parts_[part_count_ - 1] += static_cast<std::uint32_t>(size);
  } else {
    parts_[part_count_++] = static_cast<std::uint32_t>(size);
  }
}

}  // namespace evt::columns

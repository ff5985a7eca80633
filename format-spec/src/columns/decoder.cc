#include "decoder.h"

#include <cstring>

namespace evt::columns {
namespace {

// Most are short: a call would take longer than copying them.
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

Status Decoder::decode(const std::uint8_t* columns, std::size_t size, std::uint32_t row_count, std::uint8_t* rows,
                       std::size_t rows_size) {
  if (Status status = directory_.read(columns, size, row_count, rows_size); !status.ok()) return status;
  offsets_.resize(row_count);
  if (Status status = lay_out(row_count, rows, rows_size); !status.ok()) return status;
  for (const Shape& shape : directory_.shapes()) fill(shape, rows);
  return {};
}

// True when all shapes are simple: short rows of one size each.
bool Decoder::prepare_rows() {
  next_.clear();
  bool simple = true;
  for (const Shape& shape : directory_.shapes()) {
    const bool is_simple = !shape.varies && !shape.wide;
    simple &= is_simple;
    next_.push_back({RowFront(shape.type, shape.size, shape.wide), shape.first_row, shape.first_row + shape.rows,
                     shape.varies ? directory_.sizes(shape) : &shape.size, shape.varies ? 1U : 0U, shape.type,
                     shape.wide});
  }
  return simple;
}

Status Decoder::lay_out(std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size) {
  const std::uint8_t* const low = directory_.index(0);
  const std::uint8_t* const high = directory_.index(1);
  const auto by = [&](auto shape_of) {
    return prepare_rows() ? lay_out_rows<true>(shape_of, row_count, rows, rows_size)
                          : lay_out_rows<false>(shape_of, row_count, rows, rows_size);
  };
  if (low == nullptr) return by([](std::size_t) { return std::size_t{0}; });
  if (high == nullptr) return by([low](std::size_t i) { return std::size_t{low[i]}; });
  return by([low, high](std::size_t i) { return low[i] | std::size_t{high[i]} << 8; });
}

// Finds the place of each row, and writes its first bytes: the time, the type, the size.
template <bool kSimple, typename Index>
Status Decoder::lay_out_rows(Index shape_of, std::uint32_t row_count, std::uint8_t* rows, std::size_t rows_size) {
  // Local copies: the stores below could alias any member.
  NextRow* const shapes = next_.data();
  const std::size_t shape_count = next_.size();
  std::uint32_t* const offsets = offsets_.data();
  std::uint64_t at = 0;
  std::size_t row = 0;
  std::uint32_t ticks = directory_.first_ticks();
  const char* why = nullptr;
  directory_.steps().for_each_chunk<std::uint32_t>(row_count, [&](std::uint32_t* steps, std::size_t count) {
    if (row == 0) steps[0] = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = shape_of(row + i);
      if (number >= shape_count) {
        why = "a row of its columns has a shape that they do not have";
        return false;
      }
      NextRow& next = shapes[number];
      const std::uint32_t offset = next.offset;
      if (offset == next.offset_end) {
        why = "a shape of its columns has more rows than it claims";
        return false;
      }
      next.offset = offset + 1;
      const std::uint64_t size = kSimple ? next.front.size() : *next.size;
      if (size > rows_size - at) {
        why = "its columns have more bytes of rows than its header has";
        return false;
      }
      ticks += steps[i];
      if (kSimple) {
        next.front.write_small(rows + at, ticks);
      } else {
        next.size += next.step;
        RowFront(next.type, static_cast<std::size_t>(size), next.wide).write(rows + at, ticks);
      }
      offsets[offset] = static_cast<std::uint32_t>(at + RowFront::header_size(!kSimple && next.wide));
      at += size;
    }
    row += count;
    return true;
  });
  if (why == nullptr && at != rows_size) why = "its columns have fewer bytes of rows than its header has";
  return why == nullptr ? Status() : Status{Code::kDamaged, why};
}

// The size of each row is the sum of the items that are stored here, so nothing exceeds it.
void Decoder::fill(const Shape& shape, std::uint8_t* rows) {
  std::uint32_t* const at = offsets_.data() + shape.first_row;
  const PlacedItem* const items = directory_.items(shape);
  for (std::uint32_t i = 0; i < shape.items; ++i) {
    const PlacedItem& placed = items[i];
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
  placed.column.for_each_chunk<T>(shape.rows, [&](const T* values, std::size_t count) {
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
  placed.column.for_each_chunk<T>(shape.rows, [&](const T* counts, std::size_t count) {
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

}  // namespace evt::columns

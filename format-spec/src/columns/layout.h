// Layout 1 of an EVENTS block (FORMAT.md, section 7.2): what both sides must agree on.
//
//   columns   = directory data
//   directory = u16 shapes, u16 reserved, u32 ticks of the first row, column of the steps from row to row, shape...
//   shape     = u32 rows, u16 type, u8 flags, u8 items, item...
//   item      = u8 kind, u8 transform, u16 width, column unless it is fixed and of no plain width
//   column    = with a transform the first value; u8 mask of the planes that are stored, then for each
//               other plane the byte that it consists of
//   data      = shape index, planes of steps, then by shape, by item: planes of its column, its bytes
#pragma once

#include <evt/format.h>

#include <cstddef>
#include <cstdint>

namespace evt::columns {

enum ItemKind : std::uint8_t {
  kFixed = 0,      // `width` bytes in each row
  kCounted16 = 1,  // a u16 count, then as many elements of `width` bytes
  kCounted32 = 2,  // like kCounted16, with a u32 count
  kRest = 3,       // the row's bytes to its end; their number is a column that the rows themselves do not have
};

enum Transform : std::uint8_t {
  kNone = 0,
  kDelta = 1,  // the difference from the value before in the same column, the sign in the lowest bit; the planes hold
               // nothing for the first value, which is in the directory
};

constexpr std::uint8_t kWideSize = 1;  // flag of a shape: the rows' size is the u32 at 8
constexpr std::size_t kMaxItems = 255;
constexpr std::size_t kMaxShapes = 65535;
constexpr std::size_t kItemSize = 4;
// With more shapes than this, a shape index takes two bytes.
constexpr std::size_t kShapesOfOneByte = 256;

struct Item {
  std::uint8_t kind = kRest;
  std::uint16_t width = 1;
};

// Widths of values that are stored by planes.
constexpr bool is_plain(std::size_t width) { return width == 1 || width == 2 || width == 4 || width == 8; }
// Bytes of the column of an item: its value, or its count.
constexpr std::size_t column_width(const Item& item) {
  if (item.kind == kFixed) return is_plain(item.width) ? item.width : 0;
  return item.kind == kCounted16 ? 2 : 4;
}
// Bytes of the count in a row.
constexpr std::size_t count_width(std::uint8_t kind) { return kind == kCounted16 ? 2 : kind == kCounted32 ? 4 : 0; }

}  // namespace evt::columns

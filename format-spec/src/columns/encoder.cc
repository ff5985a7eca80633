#include "encoder.h"

#include <cstring>

#include "format-spec/src/row/row_writer.h"
#include "planes.h"
#include "type_items.h"

namespace evt::columns {
namespace {

// The best transform of a column rarely changes from block to block.
constexpr std::uint32_t kDecideEvery = 8;

}  // namespace

Encoder::~Encoder() {
  for (Type* page : pages_) {
    for (int i = 0; page != nullptr && i < 256; ++i) {
      std::free(page[i].item);
      std::free(page[i].transform);
    }
    std::free(page);
  }
}

Encoder::Type* Encoder::type_of(std::uint16_t number) {
  Type*& page = pages_[number >> 8];
  if (page == nullptr) page = static_cast<Type*>(std::calloc(256, sizeof(Type)));
  return page == nullptr ? nullptr : &page[number & 0xFF];
}

bool Encoder::set_items(std::uint16_t number, const Item* items, std::size_t count) {
  Type* const type = type_of(number);
  if (count > kMaxItems - 1) count = kMaxItems - 1;  // and the rest
  auto* const item = static_cast<Item*>(std::malloc((count + 1) * sizeof(Item)));
  auto* const transform = static_cast<std::uint8_t*>(std::calloc(count + 1, 1));
  if (type == nullptr || item == nullptr || transform == nullptr) {
    std::free(item);
    std::free(transform);
    return false;
  }
  std::free(type->item);
  std::free(type->transform);
  *type = {};
  type->item = item;
  type->transform = transform;
  type->items = static_cast<std::uint8_t>(count);
  type->fixed_size = static_cast<std::uint32_t>(RowFront::header_size(false));
  bool varies = false;
  for (std::size_t i = 0; i < count; ++i) {
    item[i] = items[i];
    varies |= items[i].kind != kFixed;
    type->fixed_size += items[i].width;
  }
  if (varies) type->fixed_size = 0;
  return true;
}

bool Encoder::learn(const std::uint8_t* types_payload, std::size_t size) {
  TypeRecords records(types_payload, size);
  while (records.next()) {
    Item items[kMaxItems];
    const std::size_t count = items_of_extension(records.extension(), records.extension_size(), items, kMaxItems);
    if (records.number() >= EVT_TYPE_FIRST_RESERVED) continue;
    if (!set_items(static_cast<std::uint16_t>(records.number()), items, count)) return false;
  }
  return true;
}

bool Encoder::prepare() {
  if (prepared_) return true;
  static constexpr Item kTimeBase[] = {{kFixed, 8}, {kFixed, 4}};
  static constexpr Item kLost[] = {{kFixed, 8}, {kFixed, 2}, {kFixed, 8}};
  static constexpr Item kWide[] = {{kFixed, 4}};
  prepared_ = set_items(EVT_ROW_TIME_BASE, kTimeBase, 2) && set_items(EVT_ROW_LOST, kLost, 3) &&
              set_items(EVT_ROW_WIDE, kWide, 1) && shapes_.reserve(kMaxShapes);
  return prepared_;
}

bool Encoder::reserve(std::size_t size, std::size_t row_count) {
  // At most the bytes of each row, two for its shape and two for the length of what follows its items.
  const std::size_t most_data = size + 4 * row_count;
  return prepare() && steps_.reserve(row_count) && index_.reserve(row_count) && rows_at_.reserve(row_count) &&
         places_.reserve(row_count) && ends_.reserve(row_count) && values_.reserve(row_count) &&
         sizes_.reserve(row_count) && out_.begin(most_data);
}

bool Encoder::encode(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count) {
  if (!reserve(size, row_count)) return false;
  if (!find_shapes(rows, size, row_count)) return false;
  bring_together(row_count, size);
  out_.directory().append_u16(static_cast<std::uint16_t>(shape_count_));
  out_.directory().append_u16(0);
  out_.directory().append_u32(row_count > 0 ? steps_[0] : 0);
  put_index(row_count);
  if (row_count > 1) steps_[0] = steps_[1];  // it has no meaning, so it should not differ
  out_.put_column(steps_.data(), row_count);
  for (std::uint32_t i = 0; i < shape_count_; ++i) put_shape(rows, shapes_[i]);
  return out_.directory().ok();
}

bool Encoder::find_shapes(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count) {
  shape_count_ = 0;
  ++block_;
  std::uint32_t found = 0;
  std::uint32_t last = 0;
  const auto note = [&](std::uint32_t delta, const std::byte* row) {
    steps_[found] = delta - last;
    last = delta;
    rows_at_[found] = static_cast<std::uint32_t>(reinterpret_cast<const std::uint8_t*>(row) - rows);
    ++shapes_[index_[found]].rows;
    ++found;
  };
  constexpr std::size_t kHeader = RowFront::header_size(false);
  bool all_known = true;
  RowReader reader(rows, size, 0);
  for (;;) {
    reader.each_ordinary(
        [&](std::uint32_t delta, std::uint16_t number, const std::byte* payload, std::size_t payload_size) {
          if (found == row_count) return false;
          const Type* const page = pages_[number >> 8];
          const Type* const type = page == nullptr ? nullptr : &page[number & 0xFF];
          if (type != nullptr && type->fixed_block == block_ && type->fixed_size == kHeader + payload_size) {
            index_[found] = type->fixed_shape;
          } else if (!classify(number, false, {payload, payload_size}, &index_[found])) {
            return all_known = false;
          }
          note(delta, payload - kHeader);
          return true;
        });
    if (!all_known) return false;
    if (found == row_count) return reader.at_end();
    const RowView* const row = reader.next();
    if (row == nullptr || !classify(row->type, row->is_large, row->payload, &index_[found])) return false;
    note(row->delta, row->bytes.data());
  }
}

void Encoder::bring_together(std::uint32_t row_count, std::size_t size) {
  std::uint32_t first = 0;
  for (std::uint32_t s = 0; s < shape_count_; ++s) {
    shapes_[s].first_row = first;
    first += shapes_[s].rows;
    shapes_[s].rows = 0;
  }
  for (std::uint32_t i = 0; i < row_count; ++i) {
    Shape& shape = shapes_[index_[i]];
    const std::uint32_t place = shape.first_row + shape.rows++;
    places_[place] = rows_at_[i] + static_cast<std::uint32_t>(RowFront::header_size(shape.wide));
    ends_[place] = i + 1 < row_count ? rows_at_[i + 1] : static_cast<std::uint32_t>(size);
  }
}

// Number of complete items of its type in a row, and whether more follows.
bool Encoder::classify(std::uint16_t number, bool wide, Bytes row, std::uint16_t* shape) {
  const std::byte* const payload = row.data();
  const std::size_t size = row.size();
  Type* const type = type_of(number);
  if (type == nullptr || (type->item == nullptr && !set_items(number, nullptr, 0))) return false;
  std::size_t at = 0;
  std::uint8_t items = 0;
  for (; items < type->items; ++items) {
    const Item& item = type->item[items];  // NOLINT(clang-analyzer-core.NullDereference): set_items() gave it some
    const std::size_t count_size = item.kind == kFixed ? 0 : count_width(item.kind);
    if (size - at < count_size) break;
    std::uint64_t bytes = item.width;
    if (item.kind == kCounted16) bytes *= evt_load_u16(payload + at);
    if (item.kind == kCounted32) bytes *= evt_load_u32(payload + at);
    if (size - at - count_size < bytes) break;
    at += count_size + static_cast<std::size_t>(bytes);
  }
  const bool rest = at != size;
  if (type->shapes_block != block_) type->last_shape = 0;
  type->shapes_block = block_;
  for (std::uint16_t s = type->last_shape; s != 0; s = shapes_[s - 1U].next) {
    const Shape& known = shapes_[s - 1U];
    *shape = static_cast<std::uint16_t>(s - 1);
    if (known.items == items && known.rest == rest && known.wide == wide) return true;
  }
  if (shape_count_ == kMaxShapes) return false;
  *shape = static_cast<std::uint16_t>(shape_count_);
  shapes_[shape_count_++] = {type, number, items, rest, wide, type->last_shape, 0, 0};
  type->last_shape = static_cast<std::uint16_t>(shape_count_);
  if (!wide && type->fixed_size == RowFront::header_size(false) + size) {
    type->fixed_block = block_;
    type->fixed_shape = *shape;
  }
  return true;
}

void Encoder::put_index(std::uint32_t row_count) {
  if (shape_count_ <= 1) return;
  for (std::size_t plane = 0; plane < (shape_count_ > kShapesOfOneByte ? 2 : 1); ++plane) {
    out_.put_plane(index_.data(), row_count, plane);
  }
}

void Encoder::put_shape(const std::uint8_t* rows, Shape& shape) {
  out_.directory().append_u32(shape.rows);
  out_.directory().append_u16(shape.number);
  const std::uint8_t flags_and_items[] = {shape.wide ? kWideSize : std::uint8_t{0},
                                          static_cast<std::uint8_t>(shape.items + (shape.rest ? 1 : 0))};
  out_.directory().append(flags_and_items, sizeof flags_and_items);
  Type& type = *shape.type;
  decides_ = type.decided++ % kDecideEvery == 0;
  for (std::uint8_t i = 0; i < shape.items; ++i) put_item(rows, shape, type.item[i], &type.transform[i]);
  if (shape.rest) put_item(rows, shape, Item{kRest, 1}, &type.transform[type.items]);
}

void Encoder::put_item(const std::uint8_t* rows, const Shape& shape, const Item& item, std::uint8_t* transform) {
  const std::size_t at = out_.directory().size();
  if (std::uint8_t* const p = out_.directory().extend(kItemSize)) {
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
  if (out_.directory().ok()) out_.directory().data()[at + 1] = width != 0 ? *transform : std::uint8_t{kNone};
}

template <typename T>
void Encoder::put_fixed(const std::uint8_t* rows, const Shape& shape, std::uint8_t* transform) {
  T* const values = reinterpret_cast<T*>(values_.data());
  std::uint32_t* const places = places_.data() + shape.first_row;
  for (std::uint32_t i = 0; i < shape.rows; ++i) {
    values[i] = load<T>(rows + places[i]);
    places[i] += sizeof(T);
  }
  out_.put_values(values, shape.rows, decides_, transform);
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
  out_.put_values(values, shape.rows, decides_, transform);
  put_bytes(rows, shape, count_width(item.kind), sizes_.data());
}

void Encoder::put_bytes(const std::uint8_t* rows, const Shape& shape, std::size_t count_size,
                        const std::uint32_t* sizes) {
  std::uint32_t* const places = places_.data() + shape.first_row;
  std::uint8_t* const begin = out_.end();
  std::uint8_t* out = begin;
  for (std::uint32_t i = 0; i < shape.rows; ++i) {
    const std::uint32_t from = places[i] + static_cast<std::uint32_t>(count_size);
    std::memcpy(out, rows + from, sizes[i]);
    out += sizes[i];
    places[i] = from + sizes[i];
  }
  out_.end_part(static_cast<std::size_t>(out - begin));
}

}  // namespace evt::columns

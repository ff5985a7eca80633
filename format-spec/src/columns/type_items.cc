#include "type_items.h"

#include <evt/little_endian.h>
#include <evt/schema.h>

namespace evt::columns {
namespace {

// Offsets of the needed members in the data of metadata.capnp's FieldInfo; and the pointer to the fields in
// EventTypeInfo.
constexpr std::size_t kShapeAt = 2;
constexpr std::size_t kWidthAt = 4;
constexpr std::size_t kFieldsPointer = 0;

constexpr std::uint32_t kKindMask = 3;
constexpr std::uint32_t kStructPointer = 0;
constexpr std::uint32_t kListPointer = 1;
constexpr std::uint32_t kCompositeElements = 7;

// A message of Cap'n Proto, read as far as a list of structs in its root: a writer links no library for it.
struct Message {
  const std::uint8_t* bytes;
  std::size_t words;

  std::uint64_t word(std::size_t index) const { return index < words ? evt_load_u64(bytes + index * 8) : 0; }
  // Index of the object that the pointer at `from` points to.
  static std::size_t target(std::size_t from, std::uint64_t pointer) {
    return from + 1 + static_cast<std::size_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(pointer)) >> 2);
  }
};

struct StructList {
  std::size_t first = 0;  // word
  std::size_t count = 0;
  std::size_t data_words = 0;
  std::size_t stride = 0;  // words
};

StructList fields_of(const Message& message) {
  const std::uint64_t root = message.word(0);
  const auto root_data = static_cast<std::size_t>(root >> 32 & 0xFFFF);
  const auto root_pointers = static_cast<std::size_t>(root >> 48);
  if (root == 0 || (root & kKindMask) != kStructPointer || root_pointers <= kFieldsPointer) return {};
  const std::size_t at = Message::target(0, root) + root_data + kFieldsPointer;
  const std::uint64_t pointer = message.word(at);
  if ((pointer & kKindMask) != kListPointer || (pointer >> 32 & 7) != kCompositeElements) return {};
  const std::size_t tag_at = Message::target(at, pointer);
  const std::uint64_t tag = message.word(tag_at);
  StructList list;
  list.first = tag_at + 1;
  list.count = static_cast<std::uint32_t>(tag) >> 2;
  list.data_words = static_cast<std::size_t>(tag >> 32 & 0xFFFF);
  list.stride = list.data_words + static_cast<std::size_t>(tag >> 48);
  const bool fits = tag_at < message.words && list.stride > 0 && list.count <= (message.words - tag_at) / list.stride;
  return fits ? list : StructList{};
}

bool item_of_field(std::uint16_t shape, std::uint32_t width, Item* out) {
  switch (shape) {
    case EVT_SHAPE_FIXED:
      *out = {kFixed, static_cast<std::uint16_t>(width)};
      return width <= 0xFFFF;
    case EVT_SHAPE_COUNTED16:
      *out = {kCounted16, 1};
      return true;
    case EVT_SHAPE_COUNTED32:
      *out = {kCounted32, 1};
      return true;
    case EVT_SHAPE_ARRAY:
      *out = {kCounted16, static_cast<std::uint16_t>(width)};
      return width <= 0xFFFF;
    default:
      return false;  // a list, or a shape of a later version: the rest of the row
  }
}

}  // namespace

std::size_t items_of_extension(const std::uint8_t* extension, std::size_t size, Item* out, std::size_t most) {
  const Message message{extension, size / 8};
  const StructList fields = fields_of(message);
  if (fields.data_words == 0) return 0;
  std::size_t count = 0;
  for (; count < fields.count && count < most; ++count) {
    const std::uint64_t data = message.word(fields.first + count * fields.stride);
    const auto shape = static_cast<std::uint16_t>(data >> (8 * kShapeAt));
    const auto width = static_cast<std::uint32_t>(data >> (8 * kWidthAt));
    if (!item_of_field(shape, width, &out[count])) break;
  }
  return count;
}

TypeRecords::TypeRecords(const std::uint8_t* payload, std::size_t size) : at_(payload), left_(size) {
  if (size < 4) return;
  records_ = evt_load_u32(payload);
  at_ += 4;
  left_ -= 4;
}

bool TypeRecords::next() {
  if (records_ == 0 || left_ < EVT_TYPE_RECORD_SIZE) return false;
  const std::uint32_t size = evt_load_u32(at_);
  number_ = evt_load_u32(at_ + 4);
  const std::size_t before = std::size_t{EVT_TYPE_RECORD_SIZE} + evt_load_u16(at_ + 10) + evt_load_u16(at_ + 12);
  const std::uint32_t extension = evt_load_u32(at_ + 16);
  if (size > left_ || before > size || extension > size - before) return false;
  extension_ = at_ + before;
  extension_size_ = extension;
  at_ += size;
  left_ -= size;
  --records_;
  return true;
}

}  // namespace evt::columns

#include "capnp_message.h"

#include <evt/format.h>

#include "shorten_text.h"

namespace evt {
namespace {

// Pointer kinds and element sizes of the encoding.
constexpr std::uint32_t kStruct = 0;
constexpr std::uint32_t kList = 1;
constexpr std::uint32_t kElementByte = 2;
constexpr std::uint32_t kElementPointer = 6;
constexpr std::uint32_t kElementComposite = 7;

constexpr std::uint32_t sizes(StructSize size) { return size.data_words | std::uint32_t{size.pointers} << 16; }
constexpr std::uint32_t list_high(std::uint32_t element, std::uint32_t count) { return element | count << 3; }
constexpr std::uint32_t words_of(StructSize size) { return std::uint32_t{size.data_words} + size.pointers; }

}  // namespace

// Returns the word where the new object begins. Nothing may be written after memory has run out, so every writer asks
// ok().
std::uint32_t CapnpMessage::allocate(std::uint64_t words) {
  const std::size_t before = out_.size() - start_;
  out_.extend(words <= SIZE_MAX / 8 ? static_cast<std::size_t>(words) * 8 : SIZE_MAX);
  return static_cast<std::uint32_t>(before / 8);
}

void CapnpMessage::point(Slot from, std::uint32_t to, std::uint32_t low_bits, std::uint32_t high) {
  if (!out_.ok()) return;
  evt_store_u32(at(from), (to - from - 1) << 2 | low_bits);
  evt_store_u32(at(from) + 4, high);
}

CapnpMessage::Struct CapnpMessage::root(StructSize size) {
  const Slot pointer = allocate(1);
  return set_struct(pointer, size);
}

CapnpMessage::Struct CapnpMessage::set_struct(Slot slot, StructSize size) {
  const Struct made{allocate(words_of(size)), size};
  point(slot, made.word, kStruct, sizes(size));
  return made;
}

void CapnpMessage::set_u16(Struct s, std::uint32_t byte, std::uint16_t value) {
  if (out_.ok()) evt_store_u16(at(s.word) + byte, value);
}

void CapnpMessage::set_u32(Struct s, std::uint32_t byte, std::uint32_t value) {
  if (out_.ok()) evt_store_u32(at(s.word) + byte, value);
}

void CapnpMessage::set_u64(Struct s, std::uint32_t byte, std::uint64_t value) {
  if (out_.ok()) evt_store_u64(at(s.word) + byte, value);
}

CapnpMessage::Struct CapnpMessage::element(List list, std::uint32_t index) {
  return {list.word + index * words_of(list.element_size), list.element_size};
}

void CapnpMessage::set_text(Slot slot, const char* text) {
  if (text == nullptr || *text == '\0') return;
  const auto size = static_cast<std::uint32_t>(shorten_at_character(text, std::strlen(text), EVT_MAX_MESSAGE_TEXT));
  const std::uint32_t word = allocate(size / 8 + 1);  // a zero byte ends it
  if (!out_.ok()) return;
  point(slot, word, kList, list_high(kElementByte, size + 1));
  std::memcpy(at(word), text, size);
}

void CapnpMessage::set_data(Slot slot, const void* bytes, std::uint32_t size) {
  const std::uint32_t word = allocate((std::uint64_t{size} + 7) / 8);
  if (!out_.ok()) return;
  point(slot, word, kList, list_high(kElementByte, size));
  std::memcpy(at(word), bytes, size);
}

CapnpMessage::List CapnpMessage::set_struct_list(Slot slot, std::uint32_t count, StructSize element) {
  const std::uint32_t words = count * words_of(element);
  const std::uint32_t tag = allocate(std::uint64_t{words} + 1);
  point(slot, tag, kList, list_high(kElementComposite, words));
  if (out_.ok()) {
    evt_store_u32(at(tag), count << 2);
    evt_store_u32(at(tag) + 4, sizes(element));
  }
  return {tag + 1, element};
}

CapnpMessage::List CapnpMessage::set_pointer_list(Slot slot, std::uint32_t count) {
  const std::uint32_t word = allocate(count);
  point(slot, word, kList, list_high(kElementPointer, count));
  return {word, {0, 1}};
}

}  // namespace evt

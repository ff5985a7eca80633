// A small encoder for Cap'n Proto messages, so that the writer library needs no Cap'n Proto.
//
// It makes one segment without a segment table: objects in the order of the calls (so pre-order, if the caller goes
// depth first), pointers that only point forward, structs of the schema's full size. libcapnp, filling in the same
// order, makes the same bytes; a test compares them. Layout: capnproto.org, "Encoding Spec".
#pragma once

#include <cstdint>

#include "buffer.h"

namespace evt {

// The size of a struct in the schema, in words of data and in pointers.
struct StructSize {
  std::uint16_t data_words;
  std::uint16_t pointers;
};

class CapnpMessage {
 public:
  // A struct inside the message; a plain handle that stays valid while the message lives.
  struct Struct {
    std::uint32_t word = 0;  // where its data section begins, from the start of the message
    StructSize size{};
  };
  // A list of structs (elements by `element`) or of pointers (slots by `slot`).
  struct List {
    std::uint32_t word = 0;  // where the first element is
    StructSize element_size{};
  };
  // A place in the message that holds a pointer.
  using Slot = std::uint32_t;

  // Appends to `out`, which must outlive the message; the message begins at the buffer's present end.
  explicit CapnpMessage(Buffer& out) : out_(out), start_(out.size()) {}

  Struct root(StructSize size);

  void set_u16(Struct at, std::uint32_t byte, std::uint16_t value);
  void set_u32(Struct at, std::uint32_t byte, std::uint32_t value);
  void set_u64(Struct at, std::uint32_t byte, std::uint64_t value);

  static Slot slot(Struct at, std::uint32_t pointer) { return at.word + at.size.data_words + pointer; }
  static Slot slot(List list, std::uint32_t index) { return list.word + index; }
  static Struct element(List list, std::uint32_t index);

  // Empty text is omitted: a null pointer reads as empty.
  void set_text(Slot slot, const char* text);
  void set_data(Slot slot, const void* bytes, std::uint32_t size);
  Struct set_struct(Slot slot, StructSize size);
  List set_struct_list(Slot slot, std::uint32_t count, StructSize element);
  List set_pointer_list(Slot slot, std::uint32_t count);

 private:
  std::uint8_t* at(std::uint32_t word) { return out_.data() + start_ + std::size_t{word} * 8; }
  std::uint32_t allocate(std::uint64_t words);
  void point(Slot from, std::uint32_t to, std::uint32_t low_bits, std::uint32_t high);

  Buffer& out_;
  std::size_t start_;
};

}  // namespace evt

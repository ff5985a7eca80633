// Structures in Thrift's compact protocol, for Parquet's metadata.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

// Writes fields in the order of their ids. Source of the layout: thrift-compact-protocol.md of Apache Thrift.
class ThriftWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  void number(int id, std::int64_t value, bool is_wide) {
    field(id, is_wide ? kI64 : kI32);
    zigzag(value);
  }
  void i32(int id, std::int64_t value) { number(id, value, false); }
  void i64(int id, std::int64_t value) { number(id, value, true); }
  void i8(int id, std::int8_t value) {
    field(id, kByte);
    bytes_ += static_cast<char>(value);
  }
  void truth(int id, bool value) { field(id, value ? kTrue : kFalse); }
  void text(int id, std::string_view value) {
    field(id, kBinary);
    append(value);
  }
  void begin(int id) {  // a structure
    field(id, kStruct);
    begin_element();
  }
  void end() {
    bytes_ += '\0';
    last_ = outer_.back();
    outer_.pop_back();
  }
  // Lists: the head, then the elements; use begin_element() and end() for structures.
  void list_of_structs(int id, std::size_t size) { list(id, kStruct, size); }
  void list_of_texts(int id, const std::vector<std::string>& texts) {
    list(id, kBinary, texts.size());
    for (const std::string& each : texts) append(each);
  }
  void list_of_i32(int id, const std::vector<int>& numbers) {
    list(id, kI32, numbers.size());
    for (const int each : numbers) zigzag(each);
  }
  void begin_element() {
    outer_.push_back(last_);
    last_ = 0;
  }
  // Ends the outermost structure.
  void finish() { bytes_ += '\0'; }

 private:
  enum Type : unsigned {
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI32 = 5,
    kI64 = 6,
    kBinary = 8,
    kList = 9,
    kStruct = 12,
  };

  void field(int id, Type type) {
    const int delta = id - last_;
    bytes_ += static_cast<char>(static_cast<unsigned>(delta) << 4 | type);
    last_ = id;
  }
  void list(int id, Type type, std::size_t size) {
    field(id, kList);
    if (size < 15) {
      bytes_ += static_cast<char>(size << 4 | type);
    } else {
      bytes_ += static_cast<char>(0xF0u | type);
      varint(size);
    }
  }
  void append(std::string_view text) {
    varint(text.size());
    bytes_ += text;
  }
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
  int last_ = 0;  // id of the structure's previous field; ids may differ by at most 15
  std::vector<int> outer_;
};

}  // namespace evt

// Fields of a message of protobuf, in their order (protobuf.dev, Encoding). Never reads outside, whatever the bytes.
#pragma once

#include "libtrace-read/core/src/base/cursor.h"

namespace evt::samples {

class ProtoFields {
 public:
  explicit ProtoFields(Bytes message) : size_(message.size()), in_(message) {}

  // Returns false at the end, and where a field does not fit: ok() tells them apart.
  bool next() {
    begin_ = size_ - in_.size();
    if (in_.size() == 0) return false;
    const std::uint64_t key = in_.number();
    tag_ = key >> 3;
    bytes_ = {};
    number_ = 0;
    switch (key & 7) {
      case 0:
        number_ = in_.number();
        break;
      case 1:
        number_ = in_.u64();
        break;
      case 2:
        bytes_ = in_.bytes_of(in_.number(), 1);
        break;
      case 5:
        number_ = in_.u32();
        break;
      default:
        in_.bytes(SIZE_MAX);
    }
    is_bytes_ = (key & 7) == 2;
    return in_.ok();
  }
  bool ok() const { return in_.ok(); }
  std::size_t begin() const { return begin_; }            // offset of the field
  std::size_t end() const { return size_ - in_.size(); }  // and behind it
  std::uint64_t tag() const { return tag_; }
  bool is_bytes() const { return is_bytes_; }
  std::uint64_t number() const { return number_; }  // 0 for a field of bytes
  Bytes bytes() const { return bytes_; }            // empty for a number

  // Each number of a repeated field, packed or not.
  template <typename Visit>
  void each_number(Visit visit) const {
    if (!is_bytes_) return visit(number_);
    Cursor in(bytes_);
    while (in.size() > 0) {
      const std::uint64_t number = in.number();
      if (in.ok()) visit(number);
    }
  }

 private:
  std::size_t size_;
  Cursor in_;
  std::size_t begin_ = 0;
  std::uint64_t tag_ = 0;
  std::uint64_t number_ = 0;
  Bytes bytes_;
  bool is_bytes_ = false;
};

}  // namespace evt::samples

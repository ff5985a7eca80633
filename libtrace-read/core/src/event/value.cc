#include <evt/decode.h>
#include <evt/little_endian.h>
#include <evt/value.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "libtrace-read/core/src/base/cursor.h"

namespace evt {
namespace {

std::string describe_kind(Kind kind, Shape shape, std::uint32_t width) {
  static constexpr const char* kKinds[] = {"an unknown kind", "unsigned", "signed", "float",    "bool",
                                           "enumeration",     "text",     "bytes",  "interned", "ticks",
                                           "tick delta",      "reference"};
  const auto number = static_cast<std::size_t>(kind);
  std::string text = number < std::size(kKinds) ? kKinds[number] : fmt::format("kind {}", number);
  if (shape == Shape::kArray) text += " array";
  if (shape == Shape::kList) text += " list";
  if (width != 0) text += fmt::format(" of {} bytes", width);
  return text;
}

}  // namespace

const Field::Label* Field::label(std::uint64_t value) const {
  const auto found = std::ranges::lower_bound(labels, value, {}, &Label::value);
  return found != labels.end() && found->value == value ? &*found : nullptr;
}

std::uint64_t Value::as_odd_unsigned() const {
  std::uint64_t value = 0;
  for (std::size_t i = std::min<std::size_t>(content_.size(), 8); i > 0; --i) {
    value = value << 8 | static_cast<std::uint8_t>(content_[i - 1]);
  }
  return value;
}

double Value::as_double() const {
  if (kind() == Kind::kFloat) {
    if (content_.size() == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(as_unsigned()));
    return std::bit_cast<double>(as_unsigned());
  }
  return kind() == Kind::kSigned ? static_cast<double>(as_signed()) : static_cast<double>(as_unsigned());
}

Value Value::element_at(std::size_t* at) const {
  if (!is_sequence()) return *this;
  std::size_t size = field_->width;
  if (shape_ == Shape::kList) {
    size = evt_load_u16(content_.data() + *at);
    *at += 2;
  }
  const Bytes bytes = content_.subspan(*at, size);
  *at += size;
  return {*field_, shape_ == Shape::kList ? Shape::kCounted16 : Shape::kFixed, bytes, 1};
}

bool FieldWalker::take_other(const Field& field, Bytes* content, std::size_t* count) {
  Cursor in(rest_);
  switch (field.shape) {
    case Shape::kFixed:
      *content = in.bytes(field.width);
      break;
    case Shape::kArray:
      *count = in.u16();
      if (field.width == 0) *count = 0;  // elements of no bytes are not worth counting to 65535
      *content = in.bytes_of(*count, field.width);
      break;
    case Shape::kList: {
      *count = in.u16();
      const Bytes from = in.rest();
      for (std::size_t i = 0; i < *count && in.ok(); ++i) in.bytes(in.u16());
      *content = from.first(from.size() - in.size());
      break;
    }
    default: {
      const std::size_t count_size = count_width(field.shape);
      if (count_size == 0) return false;
      *content = in.bytes(count_size == 2 ? in.u16() : in.u32());
    }
  }
  if (!in.ok()) {
    index_ = fields_->size();  // the row ends inside this field: it has no later ones
    return false;
  }
  rest_ = in.rest();
  return true;
}

namespace decoding {

bool compatible(const Field& file, Wire program) {
  // References are of a kind that the text forms show as bytes.
  const bool is_known = file.known() || file.kind == Kind::kReference;
  if (!is_known || file.kind != program.kind) return false;
  const bool text_like = program.kind == Kind::kText || program.kind == Kind::kBytes;
  const bool counted = program.shape == Shape::kCounted16 || program.shape == Shape::kCounted32;
  if (text_like && counted) return file.shape == Shape::kCounted16 || file.shape == Shape::kCounted32;
  if (file.shape != program.shape) return false;
  return text_like ? file.width == program.width : file.width <= program.width;
}

std::string describe_mismatch(const EventType& type, const Field& file, Wire program) {
  return fmt::format("event type {}: field {} is {} in the trace, {} in this program", type.name(), file.name,
                     describe_kind(file.kind, file.shape, file.width),
                     describe_kind(program.kind, program.shape, program.width));
}

}  // namespace decoding
}  // namespace evt

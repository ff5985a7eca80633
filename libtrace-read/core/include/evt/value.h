// One field of an event type, and its value in one event.
#pragma once

#include <evt/little_endian.h>
#include <evt/schema.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

namespace decoding {

// Valid widths for a kind and a shape: bit w means w bytes, the last bit all larger ones.
inline constexpr std::uint32_t kAny = UINT32_MAX;
inline constexpr std::uint32_t kNumber = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8;
inline constexpr std::uint32_t kWidths[][5] = {
    // fixed, counted16, counted32, array, list
    {},                                               // unknown
    {kNumber, 0, 0, kNumber, 0},                      // unsigned
    {kNumber, 0, 0, kNumber, 0},                      // signed
    {1u << 4 | 1u << 8, 0, 0, 1u << 4 | 1u << 8, 0},  // float
    {1u << 1, 0, 0, 1u << 1, 0},                      // bool
    {kNumber, 0, 0, kNumber, 0},                      // enumeration
    {0, kAny, kAny, 0, kAny},                         // text
    {kAny, kAny, kAny, 0, kAny},                      // bytes
    {1u << 4, 0, 0, 1u << 4, 0},                      // interned
    {1u << 4 | 1u << 8, 0, 0, 0, 0},                  // ticks
    {1u << 4 | 1u << 8, 0, 0, 0, 0},                  // tick delta
};

}  // namespace decoding

// Bytes of the count before a value that is stepped over as a whole; 0: the shape has none.
inline std::size_t count_width(Shape shape) {
  const auto number = static_cast<unsigned>(shape);
  if (shape == Shape::kCounted16 || (number >= EVT_SHAPES_COUNTED16_FROM && number < EVT_SHAPES_COUNTED32_FROM))
    return 2;
  const bool is_wide = number >= EVT_SHAPES_COUNTED32_FROM && number < EVT_SHAPES_UNSIZED_FROM;
  return shape == Shape::kCounted32 || is_wide ? 4 : 0;
}

// A field as declared by the trace. Kind, shape, role and unit may be numbers that this version has no name for.
struct Field {
  struct Label {
    std::uint64_t value;
    std::string text;
    bool shared = false;  // another value has the same text
  };

  std::string name;
  std::string description;
  Kind kind = Kind::kUnknown;
  Shape shape = Shape::kFixed;
  std::uint32_t width = 0;  // bytes of a fixed value, or of an array's element
  Role role = Role::kNone;
  Unit unit = Unit::kNone;
  std::vector<Label> labels;            // for an enumeration, in order of their values
  bool is_flags = false;                // for an enumeration: its labels are bits
  std::int8_t scale = 0;                // for an integer: times 10 to this power
  Scope scope = Scope::kNotStated;      // for ids: where equal ones mean the same thing
  std::optional<std::uint64_t> absent;  // the value for "none", zero-extended from the width
  std::string unit_text;                // a unit that is not in Unit, in UCUM
  std::vector<std::string> tags;        // private roles, in reverse DNS

  // The label of an enumeration's value, or null.
  const Label* label(std::uint64_t value) const;
  // True if kind, shape and width are a valid combination (FORMAT.md, section 8). If not, values are only bytes.
  bool known() const {
    const auto k = static_cast<std::size_t>(kind);
    const auto s = static_cast<std::size_t>(shape);
    return k < std::size(decoding::kWidths) && s < std::size(decoding::kWidths[0]) &&
           (decoding::kWidths[k][s] >> std::min(width, 31u) & 1) != 0;
  }
};

// A view of a field's bytes in an event; valid as long as the event.
class Value {
 public:
  Value() = default;
  Value(const Field& field, Shape shape, Bytes content, std::size_t count)
      : field_(&field), shape_(shape), count_(count), content_(content) {}

  const Field& field() const { return *field_; }
  // The bytes, if the field's kind is unknown.
  Kind kind() const { return field_->known() ? field_->kind : Kind::kBytes; }

  // The bytes of the value without its count; for a list, with the counts of its elements.
  Bytes bytes() const { return content_; }

  // REQUIRES: the value is fixed. Zero-extended; the bits of a float.
  std::uint64_t as_unsigned() const {
    const std::byte* const p = content_.data();
    switch (content_.size()) {
      case 1:
        return static_cast<std::uint8_t>(*p);
      case 2:
        return evt_load_u16(p);
      case 4:
        return evt_load_u32(p);
      case 8:
        return evt_load_u64(p);
      default:
        return as_odd_unsigned();
    }
  }
  // Sign-extended from its width.
  std::int64_t as_signed() const {
    const std::size_t width = std::min<std::size_t>(content_.size(), 8);
    if (width == 0) return 0;
    const auto unused = static_cast<unsigned>(64 - width * 8);
    return static_cast<std::int64_t>(as_unsigned() << unused) >> unused;
  }
  // Any number as a double; a float of 4 bytes is widened.
  double as_double() const;
  // True if it is the value that means none (Field::absent).
  bool is_absent() const {
    return field_->absent && !is_sequence() && content_.size() <= 8 && as_unsigned() == *field_->absent;
  }
  std::string_view as_text() const { return {reinterpret_cast<const char*>(content_.data()), content_.size()}; }

  bool is_sequence() const { return shape_ == Shape::kArray || shape_ == Shape::kList; }
  // Number of elements of a sequence; 1 otherwise.
  std::size_t count() const { return count_; }
  // Calls f(Value) with each element of a sequence, in order.
  template <typename F>
  void for_each(F f) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < count_; ++i) f(element_at(&at));
  }

 private:
  Value element_at(std::size_t* at) const;
  std::uint64_t as_odd_unsigned() const;  // for widths that no number has

  const Field* field_ = nullptr;
  Shape shape_ = Shape::kFixed;
  std::size_t count_ = 1;
  Bytes content_;
};

// Steps over the fields of one payload, using only shapes.
class FieldWalker {
 public:
  FieldWalker(const std::vector<Field>& fields, Bytes payload) : fields_(&fields), rest_(payload) {}

  // The next field's value; nothing at the end of the fields or of the payload, inside a field that the payload does
  // not contain completely, and at an unknown shape.
  std::optional<Value> next() {
    if (index_ >= fields_->size()) return std::nullopt;
    const Field& field = (*fields_)[index_];
    Bytes content;
    std::size_t count = 1;
    if (field.shape == Shape::kFixed && field.width <= rest_.size()) {
      content = rest_.first(field.width);
      rest_ = rest_.subspan(field.width);
    } else if (!take_other(field, &content, &count)) {
      return std::nullopt;
    }
    ++index_;
    return Value(field, field.shape, content, count);
  }
  // The index of the field that next() will return.
  std::size_t index() const { return index_; }
  // The bytes not stepped over: after the last value, those that no field describes.
  Bytes rest() const { return rest_; }

 private:
  bool take_other(const Field& field, Bytes* content, std::size_t* count);  // not fixed, or cut

  const std::vector<Field>* fields_;
  std::size_t index_ = 0;
  Bytes rest_;
};

}  // namespace evt
#pragma GCC visibility pop

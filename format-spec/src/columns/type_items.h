// Layout of the fields of event types in a row, from TYPES records: all that coding rows as columns needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout.h"

namespace evt::columns {

// Stores the items of a type's fields, in order, up to the first that has no such form; returns their number.
std::size_t items_of_extension(const std::uint8_t* extension, std::size_t size, Item* out, std::size_t most);

// The records of a TYPES payload, one after another. Stops at the first that cannot be read.
class TypeRecords {
 public:
  TypeRecords(const std::uint8_t* payload, std::size_t size);
  bool next();

  std::uint32_t number() const { return number_; }
  const std::uint8_t* extension() const { return extension_; }
  std::size_t extension_size() const { return extension_size_; }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
  std::uint32_t records_ = 0;
  std::uint32_t number_ = 0;
  const std::uint8_t* extension_ = nullptr;
  std::size_t extension_size_ = 0;
};

}  // namespace evt::columns

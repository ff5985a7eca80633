// Rows -> columns. What it knows of event types makes columns small; they mean the same without.
#pragma once

#include <cstddef>
#include <cstdint>

#include "column_output.h"
#include "format-spec/src/row/row_reader.h"
#include "layout.h"

namespace evt::columns {

// Keeps memory for its work between blocks. Uses no C++ runtime. One thread at a time.
class Encoder {
 public:
  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder();

  // What the rows of a type look like; what is behind these items is stored as it is. False: no memory.
  bool set_items(std::uint16_t type, const Item* items, std::size_t count);
  // The same for all types of a TYPES payload.
  bool learn(const std::uint8_t* types_payload, std::size_t size);

  // False when there is no memory, or these are no rows; nothing below means anything then.
  bool encode(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count);

  // The columns are the directory and the data behind it. Valid until the next call.
  const Buffer& directory() const { return out_.directory(); }
  const std::uint8_t* data() { return out_.data(); }
  std::size_t data_size() const { return out_.data_size(); }
  // The sizes of the planes and runs of bytes that the data consists of: what belongs together compresses together.
  const std::uint32_t* parts() { return out_.parts(); }
  std::size_t part_count() const { return out_.part_count(); }

 private:
  struct Type {
    Item* item = nullptr;
    std::uint8_t* transform = nullptr;  // of each item, and of the rest
    std::uint32_t decided = 0;          // how often the transforms were used
    std::uint8_t items = 0;
    std::uint16_t last_shape = 0;  // of this type in the block shapes_block, plus one
    std::uint32_t shapes_block = 0;
    std::uint32_t fixed_size = 0;   // of a short row that ends behind its items; 0: it varies
    std::uint32_t fixed_block = 0;  // in which fixed_shape is the shape of such rows
    std::uint16_t fixed_shape = 0;
  };
  struct Shape {
    Type* type;
    std::uint16_t number;  // of the type
    std::uint8_t items;    // that the rows have
    bool rest;             // something is behind them
    bool wide;
    std::uint16_t next;  // shape of the type, plus one
    std::uint32_t rows;
    std::uint32_t first_row;  // in places_
  };

  Type* type_of(std::uint16_t number);
  bool prepare();
  bool reserve(std::size_t size, std::size_t row_count);
  bool find_shapes(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count);
  void bring_together(std::uint32_t row_count, std::size_t size);
  bool classify(std::uint16_t number, bool wide, Bytes payload, std::uint16_t* shape);
  void put_index(std::uint32_t row_count);
  void put_shape(const std::uint8_t* rows, Shape& shape);
  void put_item(const std::uint8_t* rows, const Shape& shape, const Item& item, std::uint8_t* transform);
  template <typename T>
  void put_fixed(const std::uint8_t* rows, const Shape& shape, std::uint8_t* transform);
  template <typename T>
  void put_counted(const std::uint8_t* rows, const Shape& shape, const Item& item, std::uint8_t* transform);
  void put_bytes(const std::uint8_t* rows, const Shape& shape, std::size_t count_size, const std::uint32_t* sizes);

  Type* pages_[256] = {};
  bool prepared_ = false;
  std::uint32_t block_ = 0;
  Scratch<Shape> shapes_;
  std::uint32_t shape_count_ = 0;
  Scratch<std::uint32_t> steps_;    // of ticks, from row to row
  Scratch<std::uint16_t> index_;    // the shape of each row
  Scratch<std::uint32_t> rows_at_;  // where each row is
  Scratch<std::uint32_t> places_;   // by shape: where each row's next item is
  Scratch<std::uint32_t> ends_;     // by shape: where each row ends
  Scratch<std::uint64_t> values_;   // of one column
  Scratch<std::uint32_t> sizes_;    // in bytes, of one item
  bool decides_ = false;            // whether the transforms of this shape are chosen anew
  ColumnOutput out_;
};

}  // namespace evt::columns

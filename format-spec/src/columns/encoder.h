// Rows -> columns. Knowledge of event types makes columns smaller, but does not change their meaning.
#pragma once

#include <cstddef>
#include <cstdint>

#include "column_output.h"
#include "format-spec/src/row/row_reader.h"
#include "layout.h"

namespace evt::columns {

// Keeps working memory between blocks. Uses no C++ runtime. One thread at a time.
class Encoder {
 public:
  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder();

  // Describes the rows of a type; bytes after these items are stored unchanged. False: no memory.
  bool set_items(std::uint16_t type, const Item* items, std::size_t count);
  // Like set_items(), for all types of a TYPES payload.
  bool learn(const std::uint8_t* types_payload, std::size_t size);

  // Returns false if there is no memory, or these are not rows; the results below are not valid then.
  bool encode(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count);

  // The columns are the directory followed by the data. Valid until the next call.
  const Buffer& directory() const { return out_.directory(); }
  const std::uint8_t* data() { return out_.data(); }
  std::size_t data_size() const { return out_.data_size(); }
  // The sizes of the planes and runs of bytes that the data consists of: each is best compressed on its own.
  const std::uint32_t* parts() { return out_.parts(); }
  std::size_t part_count() const { return out_.part_count(); }

 private:
  struct Type {
    Item* item = nullptr;
    std::uint8_t* transform = nullptr;  // one per item, and one for the rest
    std::uint32_t decided = 0;          // number of uses of the transforms
    std::uint8_t items = 0;
    std::uint16_t last_shape = 0;  // this type's latest shape in the block shapes_block, plus one
    std::uint32_t shapes_block = 0;
    std::uint32_t fixed_size = 0;   // size of a short row that ends after its items; 0: it varies
    std::uint32_t fixed_block = 0;  // in which fixed_shape is the shape of such rows
    std::uint16_t fixed_shape = 0;
  };
  struct Shape {
    Type* type;
    std::uint16_t number;  // the type's
    std::uint8_t items;    // items that the rows have
    bool rest;             // more bytes follow them
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
  Scratch<std::uint32_t> steps_;    // differences of ticks from row to row
  Scratch<std::uint16_t> index_;    // the shape of each row
  Scratch<std::uint32_t> rows_at_;  // where each row is
  Scratch<std::uint32_t> places_;   // by shape: where each row's next item is
  Scratch<std::uint32_t> ends_;     // by shape: where each row ends
  Scratch<std::uint64_t> values_;   // values in one column
  Scratch<std::uint32_t> sizes_;    // in bytes, of one item
  bool decides_ = false;            // choose the transforms of this shape again
  ColumnOutput out_;
};

}  // namespace evt::columns

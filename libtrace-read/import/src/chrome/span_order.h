// Rows in order of time -> the same, with ends of spans where their spans are open.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chrome_types.h"
#include "libtrace-read/import/src/row_sort.h"

namespace evt::chrome {

// Where a span begins at the time at which another of its thread ends, files have them in either order. An end whose
// name is that of no span which began at its time comes in front of these.
//
// An end without a name is that of the innermost span, but never that of a span that is known to be unfinished: inside
// of one of these it is given the name of the span around.
class SpanOrder {
 public:
  // A row is the number of its type, the place of its thread, and the fields: a name is the first of these.
  static constexpr std::size_t kRowFront = 8;

  SpanOrder(RowSort& rows, const ChromeTypes& types) : rows_(rows), types_(types) {}

  // As RowSort.
  const RowSort::Row* next();
  bool ok() const { return rows_.ok(); }

 private:
  // Of rows of one time; of more than that the rest comes as it does.
  static constexpr std::size_t kMaxHeld = 4 << 20;
  // Of names of open spans; behind that ends keep what they have.
  static constexpr std::size_t kMaxOpen = 4 << 20;

  struct Held {
    RowSort::Row row;  // without its bytes
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Open {
    std::string name;
    bool is_unfinished = false;
  };

  const RowSort::Row* next_in_order();
  const RowSort::Row* give();
  void hold(const RowSort::Row& row);
  void sort();
  bool begins(Bytes row) const;
  EventKind kind_of(Bytes row) const;
  std::string_view name_of(Bytes row) const;
  Bytes bytes_of(const Held& held) const { return Bytes(bytes_).subspan(held.at, held.size); }
  const RowSort::Row* named(const RowSort::Row& row);
  void end(std::vector<Open>* stack, std::size_t place);

  RowSort& rows_;
  const ChromeTypes& types_;
  const RowSort::Row* pending_ = nullptr;
  // Those of one time, from the first that begins a span on.
  std::vector<Held> held_;
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> order_;
  std::size_t given_ = 0;
  RowSort::Row row_;
  // By thread.
  std::unordered_map<std::uint32_t, std::vector<Open>> open_;
  std::size_t open_size_ = 0;
  std::vector<std::byte> named_;
  RowSort::Row named_row_;
};

}  // namespace evt::chrome

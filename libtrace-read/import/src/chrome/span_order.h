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

// If spans of a thread begin and end at one time, files have those in any order. An end that names none of the spans
// that began at its time comes before these, and of several ends that of the innermost span comes first.
//
// An end without a name belongs to the innermost span, but never to a span that is known to be unfinished: inside of
// one of these it gets the name of the enclosing span.
class SpanOrder {
 public:
  // A row is the number of its type, the index of its thread, and the fields: a name is the first of these.
  static constexpr std::size_t kRowFront = 8;

  SpanOrder(RowSort& rows, const ChromeTypes& types) : rows_(rows), types_(types) {}

  // See RowSort.
  const RowSort::Row* next();
  bool ok() const { return rows_.ok(); }

 private:
  // Limit for rows of one time; beyond it the rest keeps its order.
  static constexpr std::size_t kMaxHeld = 4 << 20;
  // For data about open spans; beyond it ends of one time keep their order.
  static constexpr std::size_t kMaxOpen = 8 << 20;

  struct Held {
    RowSort::Row row;  // without its bytes
    std::size_t at = 0;
    std::size_t size = 0;
    std::size_t name = 0;  // the number of names_ up to its assigned name; 0: none
  };
  struct Open {
    std::size_t hash = 0;         // hash of its name; 0: any end fits
    bool has_unfinished = false;  // such a span began in it
    std::string name{};           // if ends get names
  };
  using Stack = std::vector<Open>;

  const RowSort::Row* give();
  void hold(const RowSort::Row& row);
  void put_ends_first();
  void put_inner_ends_first();
  void put_inner_end(std::size_t place, const Stack& stack);
  void begin(Bytes row, Stack* stack);
  void end(Held* held, Stack* stack);
  static bool fits(const Open& open, std::string_view name);
  bool begins(Bytes row) const;
  bool ends(Bytes row) const { return kind_of(row) == EventKind::kSpanEnd; }
  EventKind kind_of(Bytes row) const;
  std::string_view name_of(Bytes row) const;
  Bytes bytes_of(const Held& held) const { return Bytes(bytes_).subspan(held.at, held.size); }
  Bytes named(Bytes row, std::string_view name);

  RowSort& rows_;
  const ChromeTypes& types_;
  const RowSort::Row* pending_ = nullptr;
  // Rows of one time, from the first that begins or ends a span on.
  std::vector<Held> held_;
  std::vector<std::byte> bytes_;
  std::vector<std::string> names_;
  std::vector<std::size_t> order_;
  std::size_t given_ = 0;
  RowSort::Row row_;
  std::vector<std::byte> named_;
  std::unordered_map<std::uint32_t, Stack> open_;  // by thread
  std::size_t open_size_ = 0;
};

}  // namespace evt::chrome

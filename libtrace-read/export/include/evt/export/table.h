// Rows of a table, as columns: a form that other table engines accept unchanged.
#pragma once

#include <evt/schema.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class ColumnKind : std::uint8_t {
  kBool,
  kSigned,    // 64 bits
  kUnsigned,  // 64 bits
  kFloat,     // 64 bits
  kTime,      // UTC in ns since 1970, signed, 64 bits
  kText,      // UTF-8: an invalid byte of the trace becomes U+FFFD
  kBytes,
};

struct Column {
  std::string name;  // unique in its table
  ColumnKind kind = ColumnKind::kUnsigned;
  bool is_list = false;        // a list of values of this kind
  bool is_dictionary = false;  // text with few distinct values: a row has an index in a list of them
  std::string unit;            // "ns", "B", "%" ...; empty for none
  std::string description;
  bool may_be_null = true;  // false: each row has a value
};

struct Table {
  std::string name;  // unique among its tables
  std::string description;
  std::vector<Column> columns;
};

// The values of one column in some rows, in Arrow's layout (Columnar Format 1.3), except for truth values.
class ColumnValues {
 public:
  // `has_values`: if false, it only counts rows, whatever is added.
  explicit ColumnValues(const Column& column, bool has_values = true);
  ColumnValues(ColumnValues&&) noexcept;
  ColumnValues& operator=(ColumnValues&&) noexcept;
  ~ColumnValues();

  // Room for this number of rows, except the space of texts and lists.
  void reserve(std::size_t rows);

  // Adds a row. REQUIRES: the column's kind, and not a list.
  void add_null();
  void add_bool(bool value) { add_number(value ? 1 : 0); }
  void add_signed(std::int64_t value) { add_number(static_cast<std::uint64_t>(value)); }
  void add_unsigned(std::uint64_t value) { add_number(value); }
  void add_float(double value);
  void add_text(std::string_view text);
  void add_bytes(Bytes bytes);
  // Ends a row of a list: its elements are those added to elements() since the row before; a null one has none.
  ColumnValues& elements() { return *elements_; }
  void end_list();

  std::size_t size() const { return size_; }
  std::size_t nulls() const { return nulls_; }
  bool is_null(std::size_t row) const { return nulls_ > 0 && (valid_[row / 8] >> row % 8 & 1) == 0; }
  // Bits of the rows that are not null, the first the lowest; empty if no row is null.
  std::span<const std::uint8_t> valid() const;
  // One per row: a number, or a float's bits, or the index of a text in the dictionary. A null's is 0.
  std::span<const std::uint64_t> numbers() const { return numbers_; }
  // For text, bytes and lists: a 0, then the end of each row, in bytes(), and in elements().
  std::span<const std::int32_t> ends() const { return ends_; }
  std::string_view bytes() const { return bytes_; }
  const ColumnValues& elements() const { return *elements_; }
  // Each text once, in the order of the rows.
  const ColumnValues& dictionary() const;

  // The value of a row that is not null. REQUIRES: the column is of that kind.
  std::uint64_t number(std::size_t row) const { return numbers_[row]; }
  double float_at(std::size_t row) const;
  std::string_view text(std::size_t row) const;

  // Size in bytes, as far as it grows with texts and lists; and whether any of these is long.
  std::size_t variable_size() const;
  bool has_long() const { return has_long_ || (elements_ != nullptr && elements_->has_long()); }

 private:
  struct Dictionary;

  void add_number(std::uint64_t value) {
    if (has_values_) numbers_.push_back(value);
    add_row();
  }
  // Not null.
  void add_row() {
    if (nulls_ > 0) add_validity(true);
    ++size_;
  }
  void add_validity(bool is_valid);
  std::string_view piece(std::size_t row) const;

  bool is_list_;
  bool has_values_;
  bool has_ends_;
  bool has_long_ = false;
  std::size_t size_ = 0;
  std::size_t nulls_ = 0;
  std::vector<std::uint8_t> valid_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::int32_t> ends_;
  std::string bytes_;
  std::unique_ptr<ColumnValues> elements_;
  std::unique_ptr<Dictionary> dictionary_;
};

// Consecutive rows of a table.
struct TableBatch {
  explicit TableBatch(const Table& of);
  // `has_values`: for each column.
  TableBatch(const Table& of, const std::vector<bool>& has_values);

  std::size_t rows() const { return columns.front().size(); }

  const Table* table;  // must outlive it
  std::vector<ColumnValues> columns;
};

}  // namespace evt
#pragma GCC visibility pop

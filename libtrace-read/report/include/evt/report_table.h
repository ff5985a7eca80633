// Tables of results.
#pragma once

#include <evt/cpp20.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt::report {

// The kind of a column's cells: it determines how people see them, and how programs name the column.
enum class CellKind : std::uint8_t {
  kText,
  kCount,
  kTime,      // nanoseconds since the session's start: 1.234567890; programs see `NAME_ns`
  kDuration,  // nanoseconds: 1.24 ms; `NAME_ns`
  kPercent,   // 12.3 %; `NAME_percent`
  kBytes,     // 1.24 MB; `NAME_bytes`
  kRate,      // per second: 1.24 M/s; `NAME_per_second`
  kNumber,    // 1.24
};

// Nothing (unknown, or meaningless), a text, an integer or another number.
class Cell {
 public:
  Cell() = default;
  Cell(std::string text) : kind_(Kind::kText), text_(std::move(text)) {}
  Cell(const char* text) : Cell(std::string(text)) {}
  Cell(std::int64_t number) : kind_(Kind::kSigned), signed_(number) {}
  Cell(std::uint64_t number) : kind_(Kind::kUnsigned), unsigned_(number) {}
  Cell(double number) : kind_(Kind::kDouble), double_(number) {}

  // This cell, shown like a cell of a column of this kind, wherever it is.
  Cell as(CellKind kind) const {
    Cell cell = *this;
    cell.seen_as_ = kind;
    return cell;
  }
  // This cell, marked for people as a lower bound.
  Cell or_more() const {
    Cell cell = *this;
    cell.is_or_more_ = true;
    return cell;
  }
  bool is_or_more() const { return is_or_more_; }
  CellKind seen_in(CellKind column) const { return seen_as_.value_or(column); }

  bool is_empty() const { return kind_ == Kind::kEmpty; }
  // Null if it is something else.
  const std::string* text() const { return kind_ == Kind::kText ? &text_ : nullptr; }
  const std::int64_t* as_signed() const { return kind_ == Kind::kSigned ? &signed_ : nullptr; }
  const std::uint64_t* as_unsigned() const { return kind_ == Kind::kUnsigned ? &unsigned_ : nullptr; }
  const double* as_fraction() const { return kind_ == Kind::kDouble ? &double_ : nullptr; }
  // 0 if it is not a number.
  double as_double() const;

 private:
  enum class Kind : std::uint8_t { kEmpty, kText, kSigned, kUnsigned, kDouble };

  Kind kind_ = Kind::kEmpty;
  std::optional<CellKind> seen_as_;
  bool is_or_more_ = false;
  std::string text_;
  union {  // by kind_
    std::int64_t signed_ = 0;
    std::uint64_t unsigned_;
    double double_;
  };
};

class Table {
 public:
  struct Column {
    std::string name;
    CellKind kind = CellKind::kText;
    bool keeps_case = false;      // others may differ only in case: its name comes from a trace
    bool is_hidden = false;       // from people; for programs the columns never change
    bool hides_if_empty = false;  // it is hidden until a row has a value other than 0 in it

    std::string key() const;  // for programs: lower case, _ for spaces, and the unit
  };
  using Row = std::vector<Cell>;

  // The first `key_columns` identify a row. `name` is the table's in JSON.
  Table(std::string name, std::size_t key_columns, std::vector<Column> columns)
      : name_(std::move(name)), key_columns_(key_columns), columns_(std::move(columns)) {}
  // One row, whose columns are shown to people one below another.
  static Table facts(std::string name, std::vector<Column> columns, Row row);

  // REQUIRES: a cell for each column.
  void add(Row row);
  // Largest numbers first, texts alphabetically; `up` reverses that. Equal rows keep their order.
  void sort(std::size_t column, bool up);
  // Sorts rows that a sort leaves equal: by their keys, the smallest numbers first.
  void sort_by_keys();
  void keep_first(std::size_t rows);
  // REQUIRES: they are there.
  void set(std::size_t row, std::size_t column, Cell cell) { rows_[row][column] = std::move(cell); }
  // Keeps the keys, and the other columns with these names or keys; these are not hidden.
  void keep_columns(const std::vector<std::string>& names);
  // Empty in all rows.
  void insert_column(Column column, std::size_t place);
  // The index of the column with this one's key, hidden if both are; if there is none, it is inserted.
  std::size_t shared_column(const Column& column, std::size_t place);
  void hide(const std::string& name);
  // Its rows are single things, which differ between traces: they are not compared.
  void set_of_single_things() { is_of_single_things_ = true; }
  bool is_of_single_things() const { return is_of_single_things_; }
  // Its first two columns are the begin and the end of a stretch of time: what it counts is of that stretch.
  void set_over_time() { is_over_time_ = true; }
  bool is_over_time() const { return is_over_time_; }
  // Hides a column in which all cells are empty or zero.
  void hide_if_empty(const std::string& name);

  const std::string& name() const { return name_; }
  std::size_t key_columns() const { return key_columns_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }
  bool is_facts() const { return is_facts_; }
  // By its name or its key, ignoring case.
  std::optional<std::size_t> column(const std::string& name) const;

 private:
  std::string name_;
  std::size_t key_columns_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  bool is_facts_ = false;
  bool is_of_single_things_ = false;
  bool is_over_time_ = false;
};

}  // namespace evt::report
#pragma GCC visibility pop

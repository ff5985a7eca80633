// Rows of a table, gathered in batches.
#pragma once

#include <evt/export/table.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>
#include <vector>

namespace evt {

// Its values, column by column. REQUIRES: one for each column.
class NewRow {
 public:
  explicit NewRow(TableBatch* batch) : column_(batch->columns.data()), end_(column_ + batch->columns.size()) {}
  NewRow(const NewRow&) = delete;
  NewRow& operator=(const NewRow&) = delete;
  ~NewRow() { assert(column_ == end_); }

  NewRow& number(std::uint64_t value) {
    next().add_unsigned(value);
    return *this;
  }
  NewRow& ns(std::int64_t value) {
    next().add_signed(value);
    return *this;
  }
  NewRow& time(std::int64_t utc_ns) { return ns(utc_ns); }
  NewRow& real(double value) {
    next().add_float(value);
    return *this;
  }
  NewRow& yes(bool value) {
    next().add_bool(value);
    return *this;
  }
  NewRow& text(std::string_view text) {
    next().add_text(text);
    return *this;
  }
  NewRow& null() {
    next().add_null();
    return *this;
  }
  // For 0, and an empty text, that mean none.
  NewRow& number_unless_0(std::uint64_t value) { return value != 0 ? number(value) : null(); }
  NewRow& text_unless_empty(std::string_view value) { return !value.empty() ? text(value) : null(); }
  template <typename Texts>
  NewRow& texts(const Texts& texts) {
    ColumnValues& column = next();
    for (const auto& text : texts) column.elements().add_text(text);
    column.end_list();
    return *this;
  }

 private:
  ColumnValues& next() { return *column_++; }

  ColumnValues* column_;
  ColumnValues* end_;
};

class RowsInMaking {
 public:
  using Batches = std::deque<TableBatch>;

  // Full batches are appended to `full`. Table and batches must outlive it. `has_values`: for each column.
  RowsInMaking(const Table& table, std::vector<bool> has_values, std::size_t most_rows, Batches* full)
      : table_(&table),
        has_values_(std::move(has_values)),
        most_rows_(most_rows),
        full_(full),
        batch_(table, has_values_) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      const bool is_variable = column.is_list || column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes;
      if (is_variable) variable_.push_back(i);
    }
  }

  // The batch for the next row.
  TableBatch& batch() {
    if (batch_.rows() >= most_rows_ || is_large()) flush();
    return batch_;
  }
  NewRow add() { return NewRow(&batch()); }
  // There are no more rows, for now.
  void flush() {
    const std::size_t rows = batch_.rows();
    if (rows == 0) return;
    full_->push_back(std::move(batch_));
    batch_ = TableBatch(*table_, has_values_);
    if (rows < most_rows_) return;
    // The next one usually has the same length.
    for (ColumnValues& column : batch_.columns) column.reserve(rows);
  }

 private:
  static constexpr std::size_t kMostBytes = 16 << 20;  // about, for texts and lists

  // A row has at most 16 MiB.
  bool is_large() const {
    const auto has_long = [this](std::size_t column) { return batch_.columns[column].has_long(); };
    if (batch_.rows() % 64 != 0 && std::ranges::none_of(variable_, has_long)) return false;
    std::size_t size = 0;
    for (const std::size_t column : variable_) size += batch_.columns[column].variable_size();
    return size >= kMostBytes;
  }

  const Table* table_;
  std::vector<bool> has_values_;
  std::size_t most_rows_;
  Batches* full_;
  std::vector<std::size_t> variable_;  // columns of texts and lists
  TableBatch batch_;
};

}  // namespace evt

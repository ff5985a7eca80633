#include <evt/report_table.h>

#include <algorithm>

#include "libtrace-read/text/letter_case.h"

namespace evt::report {
namespace {

// Texts before numbers before empty cells; texts alphabetically, the largest numbers first.
bool precedes(const Cell& a, const Cell& b) {
  const auto rank = [](const Cell& cell) { return cell.is_empty() ? 2 : cell.text() != nullptr ? 0 : 1; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (rank(a) == 0) return *a.text() < *b.text();
  const std::uint64_t* const u = a.as_unsigned();
  const std::uint64_t* const v = b.as_unsigned();
  return u != nullptr && v != nullptr ? *u > *v : a.as_double() > b.as_double();
}

bool is_blank(const Cell& cell) { return cell.text() != nullptr ? cell.text()->empty() : cell.as_double() == 0; }

}  // namespace

double Cell::as_double() const {
  if (kind_ == Kind::kSigned) return static_cast<double>(signed_);
  if (kind_ == Kind::kUnsigned) return static_cast<double>(unsigned_);
  return kind_ == Kind::kDouble ? double_ : 0;
}

std::string Table::Column::key() const {
  std::string key = keeps_case ? name : in_lower_case(name);
  if (key.ends_with(" %")) key.resize(key.size() - 2);
  std::ranges::replace_if(
      key, [](char c) { return c == ' ' || c == '-'; }, '_');
  switch (kind) {
    case CellKind::kTime:
    case CellKind::kDuration:
      return key + "_ns";
    case CellKind::kPercent:
      return key == "%" ? "percent" : key + "_percent";
    case CellKind::kBytes:
      return key + "_bytes";
    case CellKind::kRate:
      return key + "_per_second";
    default:
      return key;
  }
}

Table Table::facts(std::string name, std::vector<Column> columns, Row row) {
  Table table(std::move(name), 0, std::move(columns));
  table.is_facts_ = true;
  table.add(std::move(row));
  return table;
}

void Table::add(Row row) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].hides_if_empty && !is_blank(row[i])) columns_[i].is_hidden = false;
  }
  rows_.push_back(std::move(row));
}

void Table::sort(std::size_t column, bool up) {
  std::ranges::stable_sort(rows_, [&](const Row& a, const Row& b) {
    return up ? precedes(b[column], a[column]) : precedes(a[column], b[column]);
  });
}

void Table::sort_by_keys() {
  const auto is_before = [](const Cell& a, const Cell& b) {
    const bool are_numbers = !a.is_empty() && !b.is_empty() && a.text() == nullptr && b.text() == nullptr;
    return are_numbers ? precedes(b, a) : precedes(a, b);
  };
  std::ranges::stable_sort(rows_, [&](const Row& a, const Row& b) {
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(key_columns_);
    return std::lexicographical_compare(a.begin(), end, b.begin(),
                                        b.begin() + static_cast<std::ptrdiff_t>(key_columns_), is_before);
  });
}

void Table::keep_first(std::size_t rows) {
  if (rows < rows_.size()) rows_.resize(rows);
}

void Table::keep_columns(const std::vector<std::string>& names) {
  std::vector<bool> is_kept(columns_.size());
  for (std::size_t i = 0; i < key_columns_; ++i) is_kept[i] = true;
  for (const std::string& name : names) {
    const auto found = column(name);
    if (!found) continue;
    is_kept[*found] = true;
    columns_[*found].is_hidden = false;
  }
  for (std::size_t i = columns_.size(); i > 0; --i) {
    if (is_kept[i - 1]) continue;
    const auto at = static_cast<std::ptrdiff_t>(i - 1);
    columns_.erase(columns_.begin() + at);
    for (Row& row : rows_) row.erase(row.begin() + at);
  }
}

std::size_t Table::shared_column(const Column& column, std::size_t place) {
  const std::string key = column.key();
  const auto same = std::ranges::find_if(columns_, [&](const Column& each) { return each.key() == key; });
  if (same != columns_.end()) {
    same->is_hidden &= column.is_hidden;
    return static_cast<std::size_t>(same - columns_.begin());
  }
  insert_column(column, place);
  return place;
}

void Table::insert_column(Column column, std::size_t place) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  columns_.insert(columns_.begin() + at, std::move(column));
  for (Row& row : rows_) row.insert(row.begin() + at, Cell());
}

void Table::hide(const std::string& name) {
  if (const auto found = column(name)) columns_[*found].is_hidden = true;
}

void Table::hide_if_empty(const std::string& name) {
  const auto found = column(name);
  if (!found) return;
  columns_[*found].is_hidden = std::ranges::all_of(rows_, [&](const Row& row) { return is_blank(row[*found]); });
}

std::optional<std::size_t> Table::column(const std::string& name) const {
  const std::string wanted = in_lower_case(name);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (in_lower_case(columns_[i].name) == wanted || columns_[i].key() == wanted) return i;
  }
  return std::nullopt;
}

}  // namespace evt::report

// Shorthands for columns of tables.
#pragma once

#include <evt/export/table.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace evt {

inline Column column(ColumnKind kind, std::string name, std::string description, std::string unit = "") {
  return {std::move(name), kind, false, false, std::move(unit), std::move(description)};
}

inline Column count_column(std::string name, std::string description, std::string unit = "") {
  return column(ColumnKind::kUnsigned, std::move(name), std::move(description), std::move(unit));
}

// A column that has a value in each row.
inline Column never_null(Column column) {
  column.may_be_null = false;
  return column;
}

// Signed, because records from before a session's start are below 0.
inline Column ns_column(std::string name, std::string description) {
  return column(ColumnKind::kSigned, std::move(name), std::move(description), "ns");
}

inline Column text_column(std::string name, std::string description) {
  return column(ColumnKind::kText, std::move(name), std::move(description));
}

inline Column texts_column(std::string name, std::string description) {
  Column made = text_column(std::move(name), std::move(description));
  made.is_list = true;
  return made;
}

// A text of few.
inline Column word_column(std::string name, std::string description) {
  Column made = text_column(std::move(name), std::move(description));
  made.is_dictionary = true;
  return made;
}

inline Column time_column(std::string name, std::string description) {
  return never_null(column(ColumnKind::kTime, std::move(name), std::move(description)));
}

inline Column yes_column(std::string name, std::string description) {
  return column(ColumnKind::kBool, std::move(name), std::move(description));
}

// The first column of each table.
inline Column session_column() {
  return never_null(count_column("session", "number of the session: the first 8 bytes of its uuid"));
}

// One list of several.
inline std::vector<Column> joined(std::initializer_list<std::vector<Column>> parts) {
  std::vector<Column> all;
  for (const std::vector<Column>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace evt

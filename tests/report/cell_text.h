// A cell of a table, in words.
#pragma once

#include <evt/report_table.h>
#include <fmt/core.h>

#include <string>

namespace evt::report {

inline std::string text_of(const Cell& cell) {
  if (const std::string* const text = cell.text()) return *text;
  if (const std::int64_t* const number = cell.as_signed()) return std::to_string(*number);
  if (const std::uint64_t* const number = cell.as_unsigned()) return std::to_string(*number);
  return cell.is_empty() ? "-" : fmt::format("{}", cell.as_double());
}

}  // namespace evt::report

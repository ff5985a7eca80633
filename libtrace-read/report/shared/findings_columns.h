// Tables of findings in columns, for other table engines.
#pragma once

#include <evt/export/table.h>
#include <evt/report.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt::report {

// A table of all sessions, with the session's number first, named ANALYSIS.TABLE. Not movable: its rows refer to it.
struct FindingsColumns {
  explicit FindingsColumns(evt::Table of) : table(std::move(of)), rows(table) {}
  FindingsColumns(const FindingsColumns&) = delete;
  FindingsColumns& operator=(const FindingsColumns&) = delete;

  evt::Table table;
  TableBatch rows;
};

// Names of the tables that exist.
std::vector<std::string> tables_in(std::span<const SessionFindings> sessions);

// One of described_tables(), with the columns that any session has; with all possible ones, if none has the table. The
// name of an analysis means its first table. An error if there is none of this name, or its analysis was not selected.
Result<std::unique_ptr<FindingsColumns>> columns_of(std::span<const SessionFindings> sessions,
                                                    const std::vector<std::string>& analyses, std::string_view name);

}  // namespace evt::report

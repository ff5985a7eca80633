// Tables of findings in columns, as other engines of tables take them.
#pragma once

#include <evt/export/table.h>
#include <evt/report.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt::report {

// A table of all sessions, the session's number in front, named ANALYSIS.TABLE. Not to be moved: its rows refer to it.
struct FindingsColumns {
  explicit FindingsColumns(evt::Table of) : table(std::move(of)), rows(table) {}
  FindingsColumns(const FindingsColumns&) = delete;
  FindingsColumns& operator=(const FindingsColumns&) = delete;

  evt::Table table;
  TableBatch rows;
};

// Names of the tables that were found.
std::vector<std::string> tables_in(std::span<const SessionFindings> sessions);

// One of described_tables(), of the columns that any session has; of all that there may be, if none has the table. An
// analysis alone is its first table. An error if there is none of this name, or of an analysis that was not asked for.
Result<std::unique_ptr<FindingsColumns>> columns_of(std::span<const SessionFindings> sessions,
                                                    const std::vector<std::string>& analyses, std::string_view name);

}  // namespace evt::report

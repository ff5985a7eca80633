// What an assertion measures: a fact of a trace, or a column of a table that evt stats prints.
#pragma once

#include <evt/trace.h>

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "where/where_expression.h"

namespace evt::report {
struct DescribedTable;
}  // namespace evt::report

namespace evt::tools {

class Measure {
 public:
  // One of the values: an assertion is about each of them.
  struct Value {
    std::string row;  // the name of what it is of; empty: of the trace or of all that a table of facts is of
    Cell cell;        // empty: it is not known
  };

  // Errors: kInvalid, no trace has such a fact, table or column. REQUIRES: the subject is kMeasure.
  static Result<Measure> of(const WhereSubject& subject);

  CellKind kind() const { return kind_; }
  // Whether what is not there counts 0, as the analysis looked for it.
  bool is_count_in(const std::vector<SessionFindings>& sessions) const;
  // Whether it is known only when all of the trace was read.
  bool needs_all_read() const { return table_ == nullptr; }
  // Adds what run_sessions() must compute for it.
  void ask(RunOptions* options) const;
  // Of what ask() made run_sessions() compute for the trace, in the order of its sessions. None: no row has the name.
  std::vector<Value> values(const Trace& trace, const std::vector<SessionFindings>& sessions) const;
  // Why there are none, with names that are near or there: a part of a sentence.
  std::string absence(const std::vector<SessionFindings>& sessions) const;

 private:
  static std::string hint_of_span(const WhereSubject& subject);
  static Result<Measure> of_table(const WhereSubject& subject, const report::DescribedTable& table);
  std::vector<Value> fact(const Trace& trace, const std::vector<SessionFindings>& sessions) const;
  void add_rows(const Table& table, std::vector<Value>* values) const;
  // The tables that it is about.
  std::vector<const Table*> tables(const std::vector<SessionFindings>& sessions) const;
  // The name of a row that is asked for.
  std::optional<std::string> wanted_row(const Table& table, const Table::Row& row) const;

  const report::DescribedTable* table_ = nullptr;  // null: a fact of the trace
  std::string thing_;                              // what a row of the table is, in messages
  std::string name_;                               // of the fact, or of the column
  CellKind kind_ = CellKind::kCount;
  std::optional<std::string> row_;    // a pattern
  std::optional<double> percentile_;  // that no table has by itself
};

// The names of the facts of a trace, for messages.
std::vector<std::string> measured_facts();

}  // namespace evt::tools

// evt sql without a query: statements from standard input.
#pragma once

#include <string>

#include "base/report.h"
#include "sql/statement_output.h"
#include "sql/statements.h"
#include "sql/trace_relations.h"

namespace evt::tools {

// Reads statements to their semicolons, and the commands `.tables`, `.schema NAME`, `.help` and `.quit`. On a terminal
// it prints a prompt, goes on behind errors, and Ctrl-C ends the statement that runs, or drops the one that is typed;
// from a file it ends at the first error. Refers to all that it is made of.
class SqlShell {
 public:
  SqlShell(StatementOutput& output, const TraceRelations& relations, const Report& report)
      : output_(output), relations_(relations), report_(report) {}

  // Until the input ends; the error that ended it.
  Status run();

 private:
  Status read_all();
  Status talk();
  Status take_line(const std::string& line);
  Status run_command(const std::string& line);
  Status append_schema(const std::string& name);

  StatementOutput& output_;
  const TraceRelations& relations_;
  const Report& report_;
  Statements statements_;
  bool has_quit_ = false;
};

}  // namespace evt::tools

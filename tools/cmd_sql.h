// evt sql: traces as tables of DuckDB.
#pragma once

namespace evt::tools {

struct SqlArguments;

// The exit status.
int run_sql(SqlArguments& options);

}  // namespace evt::tools

// evt convert to what ClickHouse takes: statements, and rows of a table.
#pragma once

#include "cmd/commands.h"

namespace evt::tools {

// Of all its inputs together: their types of one name are one table. Returns the exit status. REQUIRES: a format that
// is_for_clickhouse().
int convert_to_clickhouse(const ConvertArguments& options);

}  // namespace evt::tools

// evt convert to tables in files of Parquet.
#pragma once

#include <string>

#include "cmd/commands.h"
#include "base/report.h"

namespace evt::tools {

// A file for each table and session: FOLDER/table=NAME/date=DAY/host=HOST/UUID.parquet, where the day is that on which
// the session began (UTC). A table without rows has none. Again it is the same files, byte for byte. Returns the exit
// status; `name` is how messages call the trace.
int convert_to_parquet(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name);

}  // namespace evt::tools

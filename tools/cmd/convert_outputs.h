// The outputs of evt convert that are neither a trace nor lines of events, each in a source file of its name. They
// return the exit status; `name` is how messages call the trace.
#pragma once

#include <functional>
#include <string>

#include "base/report.h"
#include "cmd/commands.h"

namespace evt::tools {

// Statements, and rows of a table. Of all inputs together: their types of one name are one table. REQUIRES: a format
// that is_for_clickhouse().
int convert_to_clickhouse(const ConvertArguments& options);

int convert_to_ctf(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name);

// A file for each table and session: FOLDER/table=NAME/date=DAY/host=HOST/UUID.parquet, where the day is that on which
// the session began (UTC). A table without rows has none. Again it is the same files, byte for byte.
int convert_to_parquet(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name);

// What other programs draw.
int convert_timeline(Trace& trace, TimelineExport& file, const ConvertArguments& options, Report& report,
                     const std::string& name);
// Appends all of it to `out`, as far as drain() is true, which is called again and again. What went wrong with reading.
Status write_timeline(Trace& trace, TimelineExport& file, const Selection& selection, TextBuffer& out,
                      const std::function<bool()>& drain);

}  // namespace evt::tools

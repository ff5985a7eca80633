// DuckDB, loaded when it is asked for: a shared library that is no part of evt.
#pragma once

#include <evt/status.h>

#include "duckdb_api.h"

namespace evt::tools {

// What $EVTRACE_DUCKDB names; without it libduckdb.so where the loader finds it, then in the user's folder for data
// (evtrace/libduckdb.so, where `./dev setup --sql` has it put). It stays loaded. Errors: kIo, a sentence that
// names where to get it, or what is wrong with the one that is there.
Result<duckdb::Api> load_duckdb();

// Whether functions of this version are as declared: v1.5.6, v1.4.0-dev123.
bool is_known_duckdb(const char* version);

}  // namespace evt::tools

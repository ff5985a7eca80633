// Strings that hold rows: which may be used, and in which order they depend on one another (FORMAT.md, section 8.5).
#pragma once

#include "libtrace-read/core/src/block/ledger.h"
#include "session_data.h"

namespace evt {

// Once all types and strings are known: the session's `row_strings`. Those that may not be used are noted as damage,
// and the session loses them.
void settle_string_rows(SessionData& data, Ledger& ledger);

}  // namespace evt

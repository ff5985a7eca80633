// Counted calls as a trace in memory: an event for each function and thread.
#pragma once

#include <evt/trace.h>

#include <memory>

#include "counts_file.h"

namespace evt::record {

// Errors: those of Trace::from_memory().
Result<std::shared_ptr<Trace>> trace_of_counts(const CountsFile& counts);

}  // namespace evt::record

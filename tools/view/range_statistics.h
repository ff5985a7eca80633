// Statistics of a range of a session, as evt stats --from --to has them, for the page of evt view.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::tools {

// As JSON: the tables of the analyses of cpus, threads, collections and asynchronous spans that have rows, with figures
// that are whole. REQUIRES: from_ns <= to_ns.
std::string range_statistics_json(Trace& trace, std::size_t session, TimeRange range);

}  // namespace evt::tools

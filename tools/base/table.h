// Tables of results, and what is asked of analyses, under the names that the command has for them.
#pragma once

#include <evt/report.h>

namespace evt::tools {

using report::AnalysisOptions;
using report::CallOptions;
using report::Cell;
using report::CellKind;
using report::Findings;
using report::RangeWanted;
using report::RunOptions;
using report::SessionFindings;
using report::Table;

}  // namespace evt::tools

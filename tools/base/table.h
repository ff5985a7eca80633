// Tables of results, and the analyses of the reader's reports, under the names that the command has for them.
#pragma once

#include <evt/report.h>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::tools {

using report::analysis_kind;
using report::analysis_kinds;
using report::analysis_options;
using report::AnalysisKind;
using report::AnalysisOptions;
using report::CallOptions;
using report::Cell;
using report::CellKind;
using report::counted;
using report::Findings;
using report::knows;
using report::length_of;
using report::percent_of;
using report::RangeWanted;
using report::rate_of;
using report::RunOptions;
using report::SessionFindings;
using report::Table;

}  // namespace evt::tools

// The analyses of the reader's reports, under the names that the command has for them.
#pragma once

#include "base/table.h"
#include "libtrace-read/report/src/analysis.h"

namespace evt::tools {

using report::analysis_kind;
using report::analysis_kinds;
using report::analysis_options;
using report::AnalysisKind;
using report::counted;
using report::knows;
using report::length_of;
using report::percent_of;

}  // namespace evt::tools

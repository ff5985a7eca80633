// What explains intervals in the reader's reports, under the names that the command has for it.
#pragma once

#include "base/table.h"
#include "libtrace-read/report/shared/why_answers.h"
#include "libtrace-read/report/shared/why_tree.h"

namespace evt::tools {

using report::mean_of;
using report::none_called;
using report::WhyAnswer;
using report::WhyAnswers;
using report::WhyAsked;
using report::WhyInterval;
using report::WhySearch;
using report::WhyTable;
using report::WhyTree;
using report::WhyWords;

}  // namespace evt::tools

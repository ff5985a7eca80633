// evt grep: the events of traces that have a text in them, or for which a condition holds.
#pragma once

namespace evt::tools {

struct GrepArguments;

int run_grep(GrepArguments& options);

}  // namespace evt::tools

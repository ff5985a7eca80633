// What evt stats --help has below its options, of all analyses and of each.
#pragma once

#include <string>

namespace evt::tools {

// Of evt stats itself.
std::string stats_footer();
// Of evt stats ANALYSIS: its columns, and an example with its output.
std::string analysis_footer(const std::string& analysis);
// Of evt stats diff.
std::string diff_footer();

}  // namespace evt::tools

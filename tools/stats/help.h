// What evt stats --help says below its options.
#pragma once

#include <string>

namespace evt::tools {

std::string stats_footer();

}  // namespace evt::tools

#include "part_title.h"

#include <fmt/core.h>

#include <algorithm>

namespace evt::tools {

std::string part_title(const Session& session, std::size_t part) {
  const MergedPart& of = session.parts[part];
  const auto is_namesake = [&](const MergedPart& each) { return each.name == of.name; };
  std::string title = of.name;
  if (std::count_if(session.parts.begin(), session.parts.end(), is_namesake) > 1) {
    title += fmt::format(" ({} of {})", part + 1, session.parts.size());
  }
  if (of.alignment == EVT_ALIGNED_NONE) return title;
  return title + (of.bound_ns == 0 ? ", clock exact" : fmt::format(", clock within {} ns", of.bound_ns));
}

}  // namespace evt::tools

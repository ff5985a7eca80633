#include "thread_text.h"

#include <fmt/core.h>

#include "base/table.h"
#include "base/table_forms.h"

namespace evt::tools {

std::string thread_text(const Actors& actors, std::uint32_t thread) {
  const std::string number = cell_text(report::actor_cell(actors, actors.threads(), thread), CellKind::kText, true);
  const std::string name = thread < actors.threads().size() ? actors.threads()[thread].name : "";
  return name.empty() ? number : fmt::format("{} ({})", name, number);
}

}  // namespace evt::tools

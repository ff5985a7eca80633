#include "stats/help.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "base/help_text.h"
#include "libtrace-read/report/shared/described_tables.h"

namespace evt::tools {
namespace {

// Each table of the analysis with those of its columns that none before it has.
std::string columns_of(const std::string& analysis) {
  constexpr std::size_t kNames = 13;
  std::set<std::pair<std::string_view, std::string_view>> explained;
  std::string text;
  for (const report::DescribedTable& table : report::described_tables()) {
    if (table.analysis != analysis) continue;
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", table.name, table.what);
    for (const report::DescribedColumn& column : table.columns) {
      if (!explained.insert({column.name, column.what}).second) continue;
      text += fmt::format("  {:<{}}  {}\n", column.name, kNames, column.what);
    }
  }
  return text;
}

}  // namespace

std::string stats_footer() {
  return "\n" + help_text("analyses") + "\n" + help_text("selections") +
         "\nExamples: evt stats app.evt\n"
         "          evt stats cpu --at 1.5 --by thread,cpu app.evt\n"
         "          evt stats usage --by object --limit disk=100M/s app.evt\n"
         "          evt stats threads,gc --json app.eventlog | jq .\n\n" +
         help_text("exit_status");
}

std::string analysis_footer(const std::string& analysis) {
  const std::string more = help_text(analysis);
  return "\n" + columns_of(analysis) + (more.empty() ? "" : "\n" + more) + "\n" + help_text("selections") +
         "\nExample:\n" + help_text(analysis + ".example") + "\n" + help_text("exit_status");
}

std::string diff_footer() { return "\n" + help_text("diff") + "\n" + help_text("exit_status"); }

}  // namespace evt::tools

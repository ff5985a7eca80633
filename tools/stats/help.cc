#include "stats/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "libtrace-read/report/shared/described_tables.h"

namespace evt::tools {
namespace {

struct Text {
  std::string_view name;
  const char* text;
};

// The files of the folder `help`: `cpu.example` is a command line and its output, `calls` what the descriptions of its
// columns do not say.
constexpr Text kTexts[] = {
#include "stats_texts.inc"
};

// Empty if there is none.
std::string text_called(const std::string& name) {
  const auto* const found = std::ranges::find_if(kTexts, [&](const Text& each) { return each.name == name; });
  return found != std::end(kTexts) ? found->text : "";
}

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
  return "\n" + text_called("analyses") + "\n" + text_called("selections") +
         "\nExamples: evt stats app.evt\n"
         "          evt stats cpu --at 1.5 --by thread,cpu app.evt\n"
         "          evt stats usage --by object --limit disk=100M/s app.evt\n"
         "          evt stats threads,gc --json app.eventlog | jq .\n\n" +
         text_called("exit_status");
}

std::string analysis_footer(const std::string& analysis) {
  const std::string more = text_called(analysis);
  return "\n" + columns_of(analysis) + (more.empty() ? "" : "\n" + more) + "\n" + text_called("selections") +
         "\nExample:\n" + text_called(analysis + ".example") + "\n" + text_called("exit_status");
}

std::string diff_footer() { return "\n" + text_called("diff") + "\n" + text_called("exit_status"); }

}  // namespace evt::tools

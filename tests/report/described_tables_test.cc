// What docs/TABLES.md has of the tables of analyses, and what analyses make.
#include "libtrace-read/report/shared/described_tables.h"

#include <evt/report.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace evt::report {
namespace {

const std::filesystem::path kSource = EVT_SOURCE_FOLDER;

std::string kind_word(const Column& column) {
  const std::string unit = column.unit.empty() ? "" : ", " + column.unit;
  switch (column.kind) {
    case ColumnKind::kText:
      return "text" + unit;
    case ColumnKind::kSigned:
      return "int64" + unit;
    case ColumnKind::kFloat:
      return "double" + unit;
    default:
      return "uint64" + unit;
  }
}

TEST(DescribedTables, AreThoseOfTheDocument) {
  std::ifstream file(kSource / "docs" / "TABLES.md");
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  for (const DescribedTable& table : described_tables()) {
    std::string section = fmt::format("### {}.{}\n\n{}\n\n| column | kind | what it is |\n|---|---|---|\n",
                                      table.analysis, table.name, table.what);
    for (const DescribedColumn& each : table.columns) {
      const Column column = described_column(each);
      section += fmt::format("| `{}` | {} | {} |\n", column.name, kind_word(column), column.description);
    }
    EXPECT_NE(document.find(section), document.npos) << section;
  }
}

// Whether the cell is kept by a column of such values.
bool fits(const Cell& cell, const Column& column) {
  if (cell.is_empty() || column.kind == ColumnKind::kText) return true;
  if (column.kind == ColumnKind::kFloat) return cell.text() == nullptr;
  if (column.kind == ColumnKind::kSigned) return cell.as_signed() != nullptr || cell.as_unsigned() != nullptr;
  return cell.as_unsigned() != nullptr;
}

void check(const std::string& analysis, const Table& table) {
  const DescribedTable* const described = described_table(analysis, table.name());
  ASSERT_NE(described, nullptr) << analysis << "." << table.name();
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const Column column = described_column(*described, table.columns()[i]);
    EXPECT_FALSE(column.description.empty()) << analysis << "." << table.name() << " " << column.name;
    for (const Table::Row& row : table.rows()) {
      EXPECT_TRUE(fits(row[i], column)) << analysis << "." << table.name() << " " << column.name;
    }
  }
}

// With the options that bring tables and columns of their own.
std::vector<AnalysisOptions> options_of(const std::string& analysis) {
  std::vector<AnalysisOptions> all(1);
  const auto add = [&](auto change) { change(all.emplace_back()); };
  if (analysis == "cpu") add([](AnalysisOptions& o) { o.by = {"cpu", "thread"}; });
  if (analysis != "summary" && analysis != "overview") add([](AnalysisOptions& o) { o.every = std::int64_t{1} << 62; });
  if (analysis == "spans") {
    add([](AnalysisOptions& o) {
      o.by = {"thread"};
      o.longest = 3;
      o.subtract = true;
      o.cost_ps = 1000;
    });
  }
  if (analysis == "calls") {
    add([](AnalysisOptions& o) { o.calls.fold = true; });
    add([](AnalysisOptions& o) {
      o.by = {"pattern"};
      o.calls.threads = o.calls.callers = o.calls.callees = {"*"};
    });
    add([](AnalysisOptions& o) { o.by = {"thread"}; });
  }
  if (analysis == "latency") add([](AnalysisOptions& o) { o.pairs = {"*", "*", ""}; });
  if (analysis == "gc") add([](AnalysisOptions& o) { o.by = {"reason"}; });
  if (analysis == "share") add([](AnalysisOptions& o) { o.share.compare = true; });
  if (analysis == "overhead") add([](AnalysisOptions& o) { o.cost_ps = 1000; });
  if (analysis == "usage") add([](AnalysisOptions& o) { o.limits = {{"disk", 1000}}; });
  if (analysis == "usage") add([](AnalysisOptions& o) { o.by = {"function", "object"}; });
  if (analysis == "threads") add([](AnalysisOptions& o) { o.by = {"process"}; });
  return all;
}

TEST(DescribedTables, HaveAllColumnsThatAnalysesMake) {
  std::set<std::string> checked;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "testdata")) {
    if (entry.path().extension() != ".evt" || entry.file_size() > 1'000'000) continue;
    for (const std::string& analysis : analysis_names()) {
      for (const AnalysisOptions& options : options_of(analysis)) {
        auto trace = Trace::open(entry.path().string());
        if (!trace) continue;
        RunOptions run;
        run.analysis = options;
        ASSERT_TRUE(ask({analysis}, &run).ok());
        for (const SessionFindings& session : run_sessions(*trace, run)) {
          for (const auto& [name, findings] : session.by_analysis) {
            for (const Table& table : findings.tables) {
              check(name, table);
              checked.insert(name + "." + table.name());
            }
          }
        }
      }
    }
  }
  EXPECT_GT(checked.size(), 40u);
}

}  // namespace
}  // namespace evt::report

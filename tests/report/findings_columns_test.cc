// Findings of sessions as one table in columns.
#include "libtrace-read/report/shared/findings_columns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace evt::report {
namespace {

std::string cell_of(const Column& column, const ColumnValues& values, std::size_t row) {
  if (values.is_null(row)) return "-";
  if (column.kind == ColumnKind::kText) return std::string(values.text(row));
  if (column.kind == ColumnKind::kFloat) return fmt::format("{}", values.float_at(row));
  return std::to_string(static_cast<std::int64_t>(values.number(row)));
}

std::string lines_of(const FindingsColumns& found) {
  std::string text;
  for (const Column& column : found.table.columns) text += column.name + " ";
  for (std::size_t row = 0; row < found.rows.rows(); ++row) {
    text += "\n";
    for (std::size_t i = 0; i < found.table.columns.size(); ++i) {
      text += cell_of(found.table.columns[i], found.rows.columns[i], row) + " ";
    }
  }
  return text;
}

std::string lines_of(std::span<const SessionFindings> sessions, const char* name) {
  const auto found = columns_of(sessions, {"usage", "gc"}, name);
  return found ? lines_of(**found) : found.status().message();
}

SessionFindings findings_of(const Session& session, const char* analysis, Table table) {
  SessionFindings findings;
  findings.session = &session;
  findings.by_analysis.emplace_back(analysis, Findings{{std::move(table)}, {}, {}, false, {}});
  return findings;
}

Table threads_table(const std::vector<const char*>& resources, Table::Row row) {
  std::vector<Table::Column> columns = {{"thread", CellKind::kCount}};
  for (const char* const resource : resources) columns.push_back({resource, CellKind::kDuration, true});
  columns.push_back({"stopped", CellKind::kDuration});
  Table table("threads", 1, std::move(columns));
  table.add(std::move(row));
  return table;
}

TEST(FindingsColumns, HaveTheColumnsOfAllSessions) {
  std::array<Session, 2> sessions;
  sessions[0].uuid[7] = 1;
  sessions[1].uuid[7] = 2;
  const std::uint64_t one = 1;
  const std::array all = {
      findings_of(sessions[0], "usage", threads_table({"in disk"}, {one, std::uint64_t{10}, std::uint64_t{20}})),
      findings_of(sessions[1], "usage", threads_table({"in net"}, {"b:1", std::uint64_t{30}, Cell()}))};
  EXPECT_EQ(lines_of(all, "usage.threads"),
            "session thread in_net_ns in_disk_ns stopped_ns \n"
            "1 1 - 10 20 \n"
            "2 b:1 30 - - ");
}

TEST(FindingsColumns, HaveNamesOfTracesAsNamesThatDiffer) {
  const Session session;
  const std::uint64_t one = 1;
  const std::array all = {
      findings_of(session, "usage",
                  threads_table({"in a b", "in a-b", "in \x01\xff", "in a b_ns"}, {one, one, one, one, one, one}))};
  EXPECT_EQ(lines_of(all, "usage.threads"),
            "session thread in_a_b_ns in_a_b_ns_2 in____ns in_a_b_ns_ns stopped_ns \n"
            "0 1 1 1 1 1 1 ");
}

TEST(FindingsColumns, OfATableThatNoSessionHasAreThoseOfTheDocument) {
  EXPECT_EQ(lines_of({}, "gc.sparks"), "session stream all converted overflowed dud collected fizzled ");
  EXPECT_EQ(lines_of({}, "gc"),
            "session total_ns mutator_ns collector_ns stopping_ns concurrent_ns collections productivity_percent ");
  EXPECT_EQ(lines_of({}, "gc.none"),
            "there is no table `gc.none`; there are gc.gc, gc.pauses, gc.reasons, gc.utilization, gc.longest, "
            "gc.capabilities, gc.sparks, usage.time, "
            "usage.stops, usage.resources, usage.limits, usage.threads, usage.calls, usage.objects, usage.functions, "
            "usage.uses");
}

}  // namespace
}  // namespace evt::report

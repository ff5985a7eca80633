// What ClickHouse takes of tables: rows by a count of bytes, statements in full. Whether it takes them,
// cluster_test.py asks it.
#include <evt/export/clickhouse_tables.h>
#include <evt/export/row_binary.h>
#include <evt/export/tables.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pictures.h"

namespace evt::testing {
namespace {

std::string hex_of(const TableBatch& rows) {
  TextBuffer out;
  append_row_binary(out, rows);
  std::string text;
  for (const char c : out.text())
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  return text;
}

Table table_of(Column column) { return {"t", "", {std::move(column)}}; }
Column column_for(ColumnKind kind) { return {"c", kind, false, false, "", "", false}; }
Column nullable(Column column) {
  column.may_be_null = true;
  return column;
}
Column list_of(Column column) {
  column.is_list = true;
  return column;
}
Column word() {
  Column column = column_for(ColumnKind::kText);
  column.is_dictionary = true;
  return column;
}

TEST(RowBinary, HasNumbersInTheirSizes) {
  const Table table = {"t",
                       "",
                       {column_for(ColumnKind::kUnsigned), column_for(ColumnKind::kSigned),
                        column_for(ColumnKind::kBool), column_for(ColumnKind::kFloat)}};
  TableBatch rows(table);
  rows.columns[0].add_unsigned(0x0102030405060708);
  rows.columns[1].add_signed(-2);
  rows.columns[2].add_bool(true);
  rows.columns[3].add_float(1.5);
  EXPECT_EQ(hex_of(rows),
            "08 07 06 05 04 03 02 01 "
            "fe ff ff ff ff ff ff ff "
            "01 "
            "00 00 00 00 00 00 f8 3f");
}

TEST(RowBinary, HasAByteInFrontOfWhatMayBeNull) {
  const Table table = {"t", "", {nullable(column_for(ColumnKind::kBool)), nullable(column_for(ColumnKind::kText))}};
  TableBatch rows(table);
  rows.columns[0].add_null();
  rows.columns[1].add_text("ab");
  rows.columns[0].add_bool(true);
  rows.columns[1].add_null();
  EXPECT_EQ(hex_of(rows), "01 00 02 61 62 00 01 01");
}

TEST(RowBinary, HasTextsBehindTheirSizes) {
  const Table table = table_of(column_for(ColumnKind::kText));
  TableBatch rows(table);
  rows.columns[0].add_text("");
  rows.columns[0].add_text(std::string(300, 'x'));
  std::string expected = "00 ac 02";
  for (int i = 0; i < 300; ++i) expected += " 78";
  EXPECT_EQ(hex_of(rows), expected);
}

TEST(RowBinary, HasTextsOfADictionaryAsTheyAre) {
  const Table table = table_of(nullable(word()));
  TableBatch rows(table);
  rows.columns[0].add_text("on");
  rows.columns[0].add_null();
  rows.columns[0].add_text("off");
  rows.columns[0].add_text("on");
  EXPECT_EQ(hex_of(rows), "00 02 6f 6e 01 00 03 6f 66 66 00 02 6f 6e");
}

TEST(RowBinary, HasListsBehindTheirLengths) {
  const Table table = {"t", "", {list_of(nullable(column_for(ColumnKind::kBytes))), list_of(nullable(word()))}};
  TableBatch rows(table);
  rows.columns[0].elements().add_text("a");
  rows.columns[0].elements().add_null();
  rows.columns[0].end_list();
  rows.columns[1].add_null();
  rows.columns[0].end_list();
  rows.columns[1].elements().add_text("b");
  rows.columns[1].end_list();
  EXPECT_EQ(hex_of(rows), "02 00 01 61 01 00 00 01 00 01 62");
}

std::string row_binary_of(const std::string& text, const std::string& name, std::size_t most_rows) {
  const std::string bytes = trace_from_text(std::string(kPictureTypes) + text);
  Trace trace = open_trace(bytes);
  Trace* const pointer = &trace;
  const Tables tables({&pointer, 1});
  const Table* const table = tables.find(name);
  Tables::Options options;
  options.most_rows = most_rows;
  Tables::Rows rows = tables.read({&table, 1}, options);
  TextBuffer out;
  while (const TableBatch* const batch = rows.next()) append_row_binary(out, *batch);
  return std::string(out.text());
}

TEST(RowBinary, IsTheSameInWhateverBatches) {
  for (const char* const name : {"thread_states", "spans", "thread.run", "types"}) {
    const std::string all = row_binary_of(kLife, name, 8192);
    EXPECT_NE(all, "");
    EXPECT_EQ(row_binary_of(kLife, name, 1), all) << name;
  }
}

std::string statements_of(const Table& table, const ClickHousePlace& place) {
  const Table* const pointer = &table;
  return text_from([&](TextBuffer& out) { append_clickhouse_tables(out, {&pointer, 1}, place); });
}

Table jobs() {
  Column session = column_for(ColumnKind::kUnsigned);
  session.name = "session";
  Column time = column_for(ColumnKind::kTime);
  time.name = "time";
  Column how = nullable(word());
  how.name = "how";
  Column sizes = list_of(nullable(column_for(ColumnKind::kFloat)));
  sizes.name = "sizes";
  Column second = nullable(column_for(ColumnKind::kBool));
  second.name = "second";
  return {"app.job", "", {session, time, how, sizes, second}};
}

TEST(ClickHouseTables, AreOfOneServerIfThereIsNoCluster) {
  EXPECT_EQ(statements_of(jobs(), {}),
            R"(CREATE DATABASE IF NOT EXISTS `evt`;

CREATE TABLE IF NOT EXISTS `evt`.`app.job` (
  `session` UInt64,
  `time` Int64,
  `how` LowCardinality(Nullable(String)),
  `sizes` Array(Nullable(Float64)),
  `second` Nullable(UInt8),
  `day` Date ALIAS toDate(intDiv(`time`, 86400000000000)),
  `time_second` DateTime('UTC') ALIAS toDateTime(intDiv(`time`, 1000000000), 'UTC')
) ENGINE = MergeTree()
PARTITION BY toDate(intDiv(`time`, 86400000000000)) ORDER BY (`session`, `time`);
SELECT toUInt8(if(count() = 5, '0', 'table app.job has other columns')) FROM system.columns
WHERE database = 'evt' AND table = 'app.job' AND (
  name = 'session' AND type = 'UInt64' OR
  name = 'time' AND type = 'Int64' OR
  name = 'how' AND type = 'LowCardinality(Nullable(String))' OR
  name = 'sizes' AND type = 'Array(Nullable(Float64))' OR
  name = 'second' AND type = 'Nullable(UInt8)') FORMAT Null;
)");
}

TEST(ClickHouseTables, AreReplicatedAndDistributedOverACluster) {
  Table table = jobs();
  table.columns.resize(1);
  EXPECT_EQ(statements_of(table, {"fleet", "main"}),
            R"(CREATE DATABASE IF NOT EXISTS `fleet` ON CLUSTER `main`;
CREATE DATABASE IF NOT EXISTS `fleet_local` ON CLUSTER `main`;

CREATE TABLE IF NOT EXISTS `fleet_local`.`app.job` ON CLUSTER `main` (
  `session` UInt64
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/fleet_local/app.job', '{replica}')
ORDER BY (`session`) SETTINGS replicated_deduplication_window = 10000;
CREATE TABLE IF NOT EXISTS `fleet`.`app.job` ON CLUSTER `main` AS `fleet_local`.`app.job`
ENGINE = Distributed('main', 'fleet_local', 'app.job', `session`);
SELECT toUInt8(if(count() = 1, '0', 'table app.job has other columns')) FROM system.columns
WHERE database = 'fleet' AND table = 'app.job' AND (
  name = 'session' AND type = 'UInt64') FORMAT Null;
)");
}

TEST(ClickHouseTables, HaveNamesThatEndNoQuotesAndNoPath) {
  Table table = jobs();
  table.columns.resize(1);
  table.name = ".`'\\{a}/\n\xFF\u00e4";
  table.columns[0].name = "";
  const std::string statements = statements_of(table, {"d", "c"});
  for (const char* const part :
       {R"(CREATE TABLE IF NOT EXISTS `d_local`.`.\`'\\{a}/\x0A\xFFä` ON CLUSTER)", R"(  `(empty)` UInt64)",
        R"('/clickhouse/tables/{shard}/d_local/%2E%60%27%5C%7Ba%7D%2F%0A%FF%C3%A4')",
        R"(Distributed('c', 'd_local', '.`\'\\{a}/\x0A\xFFä', `(empty)`))"}) {
    EXPECT_NE(statements.find(part), statements.npos) << part << " in\n" << statements;
  }
}

TEST(ClickHouseTables, AreInsertedIntoByTheNamesOfColumns) {
  EXPECT_EQ(text_from([](TextBuffer& out) { append_clickhouse_insert(out, jobs(), {}); }),
            "INSERT INTO `evt`.`app.job` (`session`, `time`, `how`, `sizes`, `second`) FORMAT RowBinary\n");
}

// Of all traces that are kept, also of those that are damaged.
TEST(ClickHouseTables, HaveAValueInEachRowWhereTheColumnsSaySo) {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(EVT_SOURCE_FOLDER "/testdata/v1")) {
    if (entry.path().extension() != ".evt") continue;
    auto trace = Trace::open(entry.path().string());
    if (!trace) continue;
    Trace* const pointer = &*trace;
    const Tables tables({&pointer, 1});
    std::vector<const Table*> all;
    for (const Table& table : tables.all()) all.push_back(&table);
    Tables::Rows rows = tables.read(all, {});
    while (const TableBatch* const batch = rows.next()) {
      for (std::size_t i = 0; i < batch->columns.size(); ++i) {
        const Column& column = batch->table->columns[i];
        if (!column.may_be_null) {
          EXPECT_EQ(batch->columns[i].nulls(), 0u) << entry.path() << " " << batch->table->name << "." << column.name;
        }
      }
      ++read;
    }
  }
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace evt::testing

// evt convert to what ClickHouse takes: of which traces, and where it goes.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTick =
    "type 1024 tick (n u8)\n"
    "stream 1 \"m\"\n"
    "0.000000001 1 tick n=1\n";

class ConvertForClickHouse : public AtTheShell {
 protected:
  ConvertForClickHouse() { given_trace("x.evt", kTick); }
};

TEST_F(ConvertForClickHouse, ARowHasItsColumnsOneBehindAnother) {
  // session, time, ns, stream, stream_thread and n; the last two may be null.
  EXPECT_EQ(run("evt convert --format rowbinary --table tick x.evt | wc -c"), prints("42\n"));
  EXPECT_EQ(run("evt convert --format rowbinary --table tick x.evt -o rows && cmp rows <(evt convert --format "
                "rowbinary --table "
                "tick x.evt)"),
            prints(""));
  EXPECT_EQ(run("tail -c 26 rows | od -An -v -t x1"), prints(" 01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n"
                                                             " 01 00 01 00 00 00 00 00 00 00\n"));
}

TEST_F(ConvertForClickHouse, SeveralTracesAreOneTableWithTheColumnsOfAll) {
  given_trace("y.evt", "type 1024 tick (m u8) (n u8)\nstream 1 \"m\"\n0.000000001 1 tick m=1 n=1\n");
  EXPECT_EQ(run("evt convert --format clickhouse-insert --table tick x.evt y.evt"),
            prints("INSERT INTO `evt`.`tick` (`session`, `time`, `ns`, `stream`, `stream_thread`, `n`, `m`) FORMAT "
                   "RowBinary\n"));
  EXPECT_EQ(run("evt convert --format rowbinary --table tick x.evt y.evt | wc -c"), prints("94\n"));
}

TEST_F(ConvertForClickHouse, TablesAreInADatabaseAndOnACluster) {
  EXPECT_EQ(
      run("evt convert --format clickhouse-ddl --database d --cluster c x.evt > ddl; head -2 ddl; grep -c TABLE ddl"),
      prints("CREATE DATABASE IF NOT EXISTS `d` ON CLUSTER `c`;\n"
             "CREATE DATABASE IF NOT EXISTS `d_local` ON CLUSTER `c`;\n"
             "30\n"));
  EXPECT_EQ(run("evt convert --format clickhouse-ddl x.evt -o t.sql && grep -c CLUSTER t.sql; grep -c TABLE t.sql").out,
            "0\n15\n");
  EXPECT_EQ(run("evt convert --format clickhouse-insert --table streams --database d x.evt | cut -c 1-25"),
            prints("INSERT INTO `d`.`streams`\n"));
}

TEST_F(ConvertForClickHouse, OfARangeOfTimeThereAreItsRows) {
  given_trace("y.evt", std::string(kTick) + "0.000000002 1 tick n=2\n");
  EXPECT_EQ(run("evt convert --format rowbinary --table tick y.evt --from 2ns | wc -c"), prints("42\n"));
}

TEST_F(ConvertForClickHouse, ATableThatIsNotThereHasNoRows) {
  EXPECT_EQ(run("evt convert --format rowbinary --table tock x.evt"),
            refuses(1, "evt convert: there is no table tock; did you mean tick?\n"));
}

TEST_F(ConvertForClickHouse, WhatCanBeReadOfOtherTracesIsThere) {
  EXPECT_EQ(run("evt convert --format rowbinary --table tick no.evt x.evt -o rows; echo $?; wc -c < rows").out,
            "3\n42\n");
}

TEST_F(ConvertForClickHouse, OptionsAreRefusedWhereTheyAreForOtherForms) {
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {"--format rowbinary", "--format: rowbinary writes one table: expected --table NAME too"},
           {"--format clickhouse-ddl --table tick", "--table: works only with rowbinary and clickhouse-insert"},
           {"--format rowbinary --table tick --database d",
            "--database: works only with clickhouse-ddl and clickhouse-insert"},
           {"--format clickhouse-insert --table tick --cluster c", "--cluster: works only with clickhouse-ddl"},
           {"--format clickhouse-ddl --cluster ''", "--cluster: expected NAME, found an empty string"},
           {"--format rowbinary --table tick --event tick",
            "tables cannot be filtered by --stream, --thread, --process, --event and --where, only by --from and --to"},
           {"--format rowbinary --table tick -o x.evt", "--format: x.evt is not a name for rowbinary"}}) {
    EXPECT_EQ(run("evt convert x.evt " + arguments), refuses(2, "evt convert: " + why + "\n")) << arguments;
  }
}

}  // namespace
}  // namespace evt::testing

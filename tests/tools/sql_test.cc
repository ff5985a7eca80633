// evt sql where DuckDB is not there, and what it refuses. tests/sql has what it answers.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tools/at_the_shell.h"

namespace evt::testing {
namespace {

class SqlCommand : public AtTheShell {
 protected:
  SqlCommand() { given_trace("a.evt", "stream 1 \"s\"\n"); }
};

TEST_F(SqlCommand, NamesWhereToGetDuckDb) {
  if (dlopen("libduckdb.so", RTLD_LAZY) != nullptr) GTEST_SKIP() << "this machine has it";
  EXPECT_EQ(run("env -u EVTRACE_DUCKDB -u XDG_DATA_HOME HOME=/nowhere evt sql a.evt 'select 1'"),
            refuses(3,
                    "evt sql: this needs DuckDB, and there is no libduckdb.so: get it with `./dev setup --sql` of "
                    "evtrace's sources, from npm's package @duckdb/node-bindings-linux-x64 (1.5.6-r.1), or as "
                    "libduckdb-linux-*.zip from https://duckdb.org, and name it in EVTRACE_DUCKDB\n"));
}

TEST_F(SqlCommand, ReportsThatWhatIsNamedIsNotThere) {
  EXPECT_EQ(
      run("EVTRACE_DUCKDB=/nowhere/libduckdb.so evt sql a.evt 'select 1'"),
      refuses(3,
              "evt sql: cannot load DuckDB, which EVTRACE_DUCKDB names: /nowhere/libduckdb.so: cannot open shared "
              "object file: No such file or directory\n"));
}

TEST_F(SqlCommand, ReportsThatALibraryIsAnotherOne) {
  EXPECT_EQ(run("EVTRACE_DUCKDB=libz.so.1 evt sql a.evt 'select 1'"),
            refuses(3,
                    "evt sql: expected DuckDB 1.4 or a later 1.x, found a library without a version, which lacks "
                    "duckdb_library_version\n"));
}

TEST_F(SqlCommand, PrintsItsViewsWithoutDuckDb) {
  const Outcome outcome = run("EVTRACE_DUCKDB=/nowhere evt sql --views");
  EXPECT_EQ(outcome, prints(read_file(EVT_SOURCE_FOLDER "/tools/sql/views.sql")));
}

TEST_F(SqlCommand, TakesFilesOfSomeKindsForItsRows) {
  EXPECT_EQ(run("evt sql a.evt -o rows.txt 'select 1'"),
            refuses(2, "evt sql: --output: expected a name that ends in .parquet, .csv or .json, found rows.txt\n"));
  EXPECT_EQ(run("evt sql a.evt -o rows.csv"), refuses(2, "evt sql: --output: expected a query with it\n"));
  EXPECT_EQ(run("evt sql a.evt -o rows.csv --csv 'select 1'"), refuses(2, "evt sql: --csv excludes --output\n"));
  EXPECT_EQ(run("evt sql a.evt --csv --json 'select 1'"), refuses(2, "evt sql: --json excludes --csv\n"));
}

TEST_F(SqlCommand, DoesNotReplaceItsInput) {
  EXPECT_EQ(run("ln a.evt a.csv && evt sql a.evt -o a.csv 'select 1'"),
            refuses(2, "evt sql: a.csv is the input a.evt: the output must be another file\n"));
}

TEST_F(SqlCommand, ReadsStandardInputOnce) {
  EXPECT_EQ(run("evt sql - < a.evt"), refuses(2, "evt sql: expected a query, because standard input is a trace\n"));
}

}  // namespace
}  // namespace evt::testing

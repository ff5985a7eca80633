// evt dump --fields and --format: the columns that a user asks for, as text, JSON and CSV.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kShop =
    "type 1024 buy (item text) (price u32 role=amount) (size u8)\n"
    "type 1025 idle\n"
    "stream 1 \"till\" thread=7\n"
    "stream 2 \"till\"\n"
    "0.000000005 1 buy item=\"red hat\" price=120 size=3\n"
    "1.500000000 2 idle\n"
    "2.000000000 1 buy item=\"x\\x1b\" price=7 size=1\n";

class DumpColumns : public AtTheShell {
 protected:
  DumpColumns() { given_trace("x.evt", kShop); }

  Outcome dump(const std::string& options) const { return run("evt dump " + options + " x.evt"); }
  std::string refused(const std::string& options) const {
    const Outcome outcome = dump(options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "");
    const std::string sentence = outcome.err.substr(0, outcome.err.find('\n'));
    constexpr std::string_view kFront = "evt dump: ";
    return sentence.starts_with(kFront) ? sentence.substr(kFront.size()) : sentence;
  }
};

TEST_F(DumpColumns, AreAlignedForPeople) {
  EXPECT_EQ(dump("--fields time,stream,thread,type,price,item"),
            prints("        time  stream  thread  type  price  item\n"
                   " 0.000000005  till#1       7  buy     120  red hat\n"
                   " 1.500000000  till#2       -  idle      -  -\n"
                   " 2.000000000  till#1       7  buy       7  x\\x1b\n"));
}

TEST_F(DumpColumns, AreWhatAnEventHasBesideItsFields) {
  EXPECT_EQ(dump("--fields ns,delta,stream_id,ordinal,@size,utc"),
            prints("          ns         delta  stream_id  ordinal  @size  utc\n"
                   "           5  +0.000000005          1        0     14  2026-01-01T00:00:00.000000005Z\n"
                   "  1500000000  +1.499999995          2        0      0  2026-01-01T00:00:01.500000000Z\n"
                   "  2000000000  +0.500000000          1        1      9  2026-01-01T00:00:02.000000000Z\n"));
}

TEST_F(DumpColumns, MayBeAFieldOrAPropertyOfOneName) {
  EXPECT_EQ(refused("--fields '\"size\",size,@type' --csv"),
            "--fields: column 8 of \"size\",size,@type: size is there twice");
  EXPECT_EQ(dump("--fields size,@size --csv --event buy"), prints("size,\\x40size\r\n3,14\r\n1,9\r\n"));
  EXPECT_EQ(refused("--fields time,@time"), "--fields: column 6 of time,@time: @time is there twice");
  EXPECT_EQ(dump("--format '{\"size\"} {size} {@size}' --event buy"), prints("3 3 14\n1 1 9\n"));
}

TEST_F(DumpColumns, HaveTheThreadThatAnEventIsAbout) {
  given_trace("x.evt",
              "type 1024 run (tid u32 role=thread)\ntype 1025 tick\nstream 1 \"cpu\" thread=7\n"
              "0.000000001 1 run tid=42\n0.000000002 1 tick\n");
  EXPECT_EQ(dump("--format '{thread}'"), prints("42\n7\n"));
}

TEST_F(DumpColumns, MayBeAFieldByItsRole) {
  EXPECT_EQ(dump("--fields role:amount --event buy"), prints("role:amount\n        120\n          7\n"));
}

TEST_F(DumpColumns, MayBeAllFields) {
  EXPECT_EQ(dump("--fields type,fields"), prints("type  fields\n"
                                                 "buy   item=\"red hat\" price=120 size=3\n"
                                                 "idle\n"
                                                 "buy   item=\"x\\x1b\" price=7 size=1\n"));
}

TEST_F(DumpColumns, AreMembersOfJson) {
  EXPECT_EQ(dump("--fields time,delta,thread,item,price,fields --json --limit 2"),
            prints(R"({"time_ns":5,"delta_ns":5,"thread":7,"item":"red hat","price":120,)"
                   R"("fields":{"item":"red hat","price":120,"size":3}})"
                   "\n"
                   R"({"time_ns":1500000000,"delta_ns":1499999995,"thread":null,"item":null,"price":null,"fields":{}})"
                   "\n"));
}

TEST_F(DumpColumns, AreColumnsOfCsv) {
  EXPECT_EQ(dump("--fields time,stream,thread,item,fields --csv"),
            prints("time_ns,stream,thread,item,fields\r\n"
                   "5,till,7,red hat,\"item=\"\"red hat\"\" price=120 size=3\"\r\n"
                   "1500000000,till,,,\r\n"
                   "2000000000,till,7,x\\x1b,\"item=\"\"x\\x1b\"\" price=7 size=1\"\r\n"));
}

TEST_F(DumpColumns, OfSeveralTracesHaveTheFile) {
  given_trace("y.evt", "type 1024 tick\nstream 1 \"b\"\n1.000000000 1 tick\n");
  EXPECT_EQ(run("evt dump --fields type x.evt y.evt"),
            prints("# x.evt\ntype\nbuy\nidle\nbuy\n\n# y.evt\ntype\ntick\n"));
  EXPECT_EQ(run("evt dump --fields type --csv --limit 1 x.evt y.evt"),
            prints("file,type\r\nx.evt,buy\r\ny.evt,tick\r\n"));
  EXPECT_EQ(run("evt dump --fields type --json --limit 1 x.evt y.evt"),
            prints("{\"file\":\"x.evt\",\"type\":\"buy\"}\n{\"file\":\"y.evt\",\"type\":\"tick\"}\n"));
}

TEST_F(DumpColumns, OfLossesAreTheirFields) {
  given_trace("x.evt",
              "type 1024 tick\nstream 1 \"a\"\n"
              "0.000000001 1 !lost count=3 cause=ring_full duration=0.000000000\n");
  EXPECT_EQ(dump("--fields type,count,cause --csv").out, "type,count,cause\r\n!lost,3,ring_full\r\n");
}

TEST_F(DumpColumns, MakeLinesOfTheUsersOwn) {
  EXPECT_EQ(dump("--format '{time} [{stream}/{thread}] {type}: {fields}'"),
            prints("0.000000005 [till#1/7] buy: item=\"red hat\" price=120 size=3\n"
                   "1.500000000 [till#2/-] idle: \n"
                   "2.000000000 [till#1/7] buy: item=\"x\\x1b\" price=7 size=1\n"));
  EXPECT_EQ(dump("--format '{{{item}}}\\t{role:amount}\\\\' --event buy --limit 1"), prints("{red hat}\t120\\\n"));
  EXPECT_EQ(dump("--format '' --limit 1"), prints("\n"));
}

TEST_F(DumpColumns, ThatNoEventHasAreRefused) {
  EXPECT_EQ(refused("--fields time,prise"),
            "--fields: column 6 of time,prise: no event has a field prise; did you mean price?");
  EXPECT_EQ(refused("--format '{{ä}} {strem}'"),
            "--format: column 7 of {{ä}} {strem}: no event has a field strem; did you mean stream or item?");
  EXPECT_EQ(refused("--fields price --event idle"), "--fields: column 1 of price: no event has a field price");
  EXPECT_EQ(refused("--fields role:amont"),
            "--fields: column 1 of role:amont: there is no role amont; did you mean amount?");
  EXPECT_EQ(refused("--fields role:cpu"), "--fields: column 1 of role:cpu: no event has a field with the role cpu");
}

TEST_F(DumpColumns, AreRefusedWhereTheirTextIsWrong) {
  EXPECT_EQ(refused("--fields time,,type"), "--fields: column 6 of time,,type: expected a name");
  EXPECT_EQ(refused("--fields ''"), "--fields: expected NAME,..., found an empty string");
  EXPECT_EQ(refused("--fields 'ns,\"a'"), "--fields: column 4 of ns,\"a: a quote has no other one");
  EXPECT_EQ(refused("--format 'a {time'"), "--format: column 3 of a {time: expected a name and } after {, or {{");
  EXPECT_EQ(refused("--format '{time}}'"), "--format: column 7 of {time}}: expected { before }, or }}");
  EXPECT_EQ(refused("--format 'a{}'"), "--format: column 2 of a{}: expected a name in {}");
  EXPECT_EQ(refused("--format '\\x'"), "--format: column 1 of \\x: expected \\t, \\n or \\\\");
}

TEST_F(DumpColumns, TellStreamsOfOneNameApart) {
  EXPECT_EQ(dump("--event idle"), prints("   1.500000000  till#2  idle\n"));
  EXPECT_EQ(
      dump("--csv --event buy --limit 1"),
      prints("ns,stream,stream_id,stream_thread,event,item,price,size,rest\r\n5,till,1,7,buy,red hat,120,3,\r\n"));
  EXPECT_EQ(dump("--json --limit 2"),
            prints(R"({"ns":5,"stream":"till","stream_id":1,"thread":7,"event":"buy",)"
                   R"("fields":{"item":"red hat","price":120,"size":3}})"
                   "\n"
                   R"({"ns":1500000000,"stream":"till","stream_id":2,"event":"idle","fields":{}})"
                   "\n"));
}

}  // namespace
}  // namespace evt::testing

// Two types of a session with one name and other fields, as a merge of two versions of a program has: each is a type of
// its own, and all that goes by the name finds both.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr const char* kText =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"test\"\n"
    "type 1024 app.t (n u32)\n"
    "stream 1 \"a\"\n"
    "0.000000001 1 type#1024 app.t n=1\n"
    "type 1025 app.t (n u64) (why text)\n"
    "0.000000002 1 type#1025 app.t n=7 why=\"seven\"\n"
    "type 1026 other (n u8)\n"
    "0.000000003 1 other n=3\n"
    "0.000000004 1 type#1025 app.t n=8 why=\"\"\n";

class TypesOfOneName : public AtTheShell {
 protected:
  TypesOfOneName() { given_trace("x.evt", kText); }
};

TEST_F(TypesOfOneName, HaveTheirNumberInTheTextForm) { EXPECT_EQ(run("evt dump --canonical x.evt"), prints(kText)); }

TEST_F(TypesOfOneName, MayBeTextWithoutTheName) {
  given_text("x.txt",
             "type 1024 t (n u8)\ntype 1025 t (name u8)\nstream 1 \"a\"\n0.1 1 type#1025 name=5\n0.2 1 type#1024\n");
  EXPECT_EQ(run("evt convert x.txt -o y.evt && evt dump y.evt"), prints("   0.100000000  a  t name=5\n"
                                                                        "   0.200000000  a  t\n"));
}

TEST_F(TypesOfOneName, AreNotTextWithAnotherName) {
  given_text("x.txt", "type 1024 t (n u8)\nstream 1 \"a\"\n0.1 1 type#1024 u n=5\n");
  EXPECT_EQ(run("evt convert x.txt -o y.evt").err,
            "evt convert: x.txt: line 5, column 17: event type 1024 is not called u\n");
  given_text("x.txt", "stream 1 \"a\"\n0.1 1 type#1024 u n=5\n");
  EXPECT_EQ(run("evt convert x.txt -o y.evt").err,
            "evt convert: x.txt: line 4, column 17: event type 1024 is not called u\n");
}

TEST_F(TypesOfOneName, AreBothFoundByIt) {
  const std::string all =
      "   0.000000001  a  app.t n=1\n"
      "   0.000000002  a  app.t n=7 why=\"seven\"\n"
      "   0.000000004  a  app.t n=8 why=\"\"\n";
  EXPECT_EQ(run("evt dump -e app.t x.evt"), prints(all));
  EXPECT_EQ(run("evt dump --where '@type=app.t' x.evt"), prints(all));
  EXPECT_EQ(run("evt grep app.t x.evt"), prints(all));
  EXPECT_EQ(run("evt dump --where 'n>6' x.evt"), prints("   0.000000002  a  app.t n=7 why=\"seven\"\n"
                                                        "   0.000000004  a  app.t n=8 why=\"\"\n"));
}

TEST_F(TypesOfOneName, AreCountedTogether) {
  const Outcome counted = run("evt stats events --csv x.evt");
  EXPECT_EQ(counted.out,
            "event,events,percent,rate_per_second\r\n"
            "app.t,3,75,1000000000\r\n"
            "other,1,25,333333333.333333\r\n");
  const std::string without_index = "evt convert x.evt -o x.txt && evt convert x.txt -o - | head -c -88 > y.evt; ";
  EXPECT_EQ(run(without_index + "evt stats events --csv y.evt").out, counted.out);
}

TEST_F(TypesOfOneName, ShareColumns) {
  EXPECT_EQ(run("evt dump --csv x.evt").out,
            "ns,stream,event,n,why,rest\r\n"
            "1,a,app.t,1,,\r\n"
            "2,a,app.t,7,seven,\r\n"
            "3,a,other,3,,\r\n"
            "4,a,app.t,8,,\r\n");
}

TEST_F(TypesOfOneName, AreOneTable) {
  EXPECT_EQ(run("evt convert -o y.parquet/ x.evt && ls y.parquet | grep app"), prints("table=app.t\n"));
  EXPECT_EQ(run("evt convert --format rowbinary --table app.t x.evt | wc -c | grep -vc '^0$'"), prints("1\n"));
}

TEST_F(TypesOfOneName, AreInEveryCopy) {
  for (const char* const copy :
       {"evt cut x.evt -o y.evt", "evt merge x.evt -o y.evt", "evt convert --columns x.evt -o y.evt",
        "evt check -q --repair y.evt x.evt", "evt merge x.evt -o z.evt; evt merge z.evt -o y.evt"}) {
    EXPECT_EQ(run(std::string(copy) + " >/dev/null && evt dump --canonical y.evt | tail -n +3").out,
              std::string(kText).substr(std::string_view(kText).find("type 1024")))
        << copy;
  }
}

TEST_F(TypesOfOneName, AreInEveryExport) {
  for (const char* const form : {"json", "chrome", "perfetto", "csv"}) {
    EXPECT_EQ(run(std::string("evt convert --format ") + form + " x.evt | grep -ao 'app\\.t' | sort -u"),
              prints("app.t\n"))
        << form;
  }
  EXPECT_EQ(run("evt convert x.evt -o x.ctf/ && evt dump x.ctf | grep -c app.t"), prints("3\n"));
}

// What began before the cut: by a twin of each.
TEST_F(TypesOfOneName, HaveTheirTwins) {
  given_trace("x.evt",
              "type 1024 begin role=spanBegin (name u32 role=name)\n"
              "type 1025 begin role=spanBegin (name u64 role=name)\n"
              "type 1026 end role=spanEnd\n"
              "stream 1 \"a\"\n"
              "0.1 1 type#1024 begin name=7\n"
              "0.2 1 type#1025 begin name=8\n"
              "0.5 1 end\n"
              "0.6 1 end\n");
  EXPECT_EQ(run("evt cut --from 0.3 x.evt -o y.evt && evt dump --canonical y.evt | grep -v ^session"),
            prints("evtrace text 1\n"
                   "type 1027 carried.begin role=spanBegin twin_of=\"begin\" (name u32 role=name) (since ticks \"when "
                   "it began\")\n"
                   "stream 1 \"a\"\n"
                   "0.300000000 1 type#1027 carried.begin name=7 since=0.100000000\n"
                   "type 1028 carried.begin role=spanBegin twin_of=\"begin\" (name u64 role=name) (since ticks \"when "
                   "it began\")\n"
                   "0.300000000 1 type#1028 carried.begin name=8 since=0.200000000\n"
                   "type 1026 end role=spanEnd\n"
                   "0.500000000 1 end\n"
                   "0.600000000 1 end\n"
                   "type 1024 begin role=spanBegin (name u32 role=name)\n"
                   "type 1025 begin role=spanBegin (name u64 role=name)\n"));
  EXPECT_EQ(run("evt stats spans --csv y.evt | cut -d, -f1,2").out,
            run("evt stats spans --csv --from 0.3 x.evt | cut -d, -f1,2").out);
}

}  // namespace
}  // namespace evt::testing

// evt dump for programs: JSON and CSV.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class DumpForms : public AtTheShell {
 protected:
  Outcome dump_of(std::string_view text, const std::string& options) const {
    given_trace("x.evt", text);
    return run("evt dump x.evt " + options);
  }
};

constexpr std::string_view kFewEvents =
    "type 1024 io.read (file interned) (size u64) (ok bool) (took f64)\n"
    "type 1025 tick\n"
    "string 1 \"a,b \\\"c\\\"\"\n"
    "stream 1 \"main\"\n"
    "stream 2 \"\"\n"
    "0.000000001 1 io.read file=\"a,b \\\"c\\\"\" size=18446744073709551615 ok=true took=0.5\n"
    "1.500000000 2 tick\n"
    "2.000000000 1 io.read file=\"\" size=0 ok=false took=nan +0x0102\n";

TEST_F(DumpForms, JsonHasAnObjectInEachLine) {
  EXPECT_EQ(
      dump_of(kFewEvents, "--json"),
      prints("{\"ns\":1,\"stream\":\"main\",\"stream_id\":1,\"event\":\"io.read\",\"fields\":{\"file\":\"a,b "
             "\\\"c\\\"\",\"size\":18446744073709551615,\"ok\":true,\"took\":0.5}}\n"
             "{\"ns\":1500000000,\"stream\":\"\",\"stream_id\":2,\"event\":\"tick\",\"fields\":{}}\n"
             "{\"ns\":2000000000,\"stream\":\"main\",\"stream_id\":1,\"event\":\"io.read\",\"fields\":{\"file\":\"\","
             "\"size\":0,\"ok\":false,\"took\":\"nan\"},\"rest\":\"0x0102\"}\n"));
}

TEST_F(DumpForms, CsvHasAColumnForEachField) {
  EXPECT_EQ(dump_of(kFewEvents, "--csv"), prints("ns,stream,event,file,size,ok,took,rest\r\n"
                                                 "1,main,io.read,\"a,b \"\"c\"\"\",18446744073709551615,true,0.5,\r\n"
                                                 "1500000000,,tick,,,,,\r\n"
                                                 "2000000000,main,io.read,,0,false,nan,0x0102\r\n"));
}

TEST_F(DumpForms, CsvHasColumnsForTheEventsThatAreAskedFor) {
  EXPECT_EQ(dump_of(kFewEvents, "--csv --event tick"), prints("ns,stream,event,rest\r\n1500000000,,tick,\r\n"));
}

TEST_F(DumpForms, HaveTheTimeOfDayToo) {
  EXPECT_EQ(dump_of(kFewEvents, "--csv --event tick --utc"),
            prints("ns,utc,stream,event,rest\r\n1500000000,2026-01-01T00:00:01.500000000Z,,tick,\r\n"));
  EXPECT_EQ(dump_of(kFewEvents, "--json --event tick --utc"),
            prints("{\"ns\":1500000000,\"utc\":\"2026-01-01T00:00:01.500000000Z\",\"stream\":\"\",\"stream_id\":2,"
                   "\"event\":\"tick\",\"fields\":{}}\n"));
}

TEST_F(DumpForms, ShowSequencesBytesAndLabels) {
  const std::string_view text =
      "type 1024 all (list u16[]) (raw bytes) (why enum8 labels=[1=\"page fault\"]) (names text[])\n"
      "stream 1 \"a\"\n"
      "0.000000001 1 all list=[1 2] raw=0xff00 why=\"page fault\" names=[\"x\" \"y\"]\n"
      "0.000000002 1 all list=[] raw=0x why=7 names=[]\n";
  EXPECT_EQ(
      dump_of(text, "--json"),
      prints("{\"ns\":1,\"stream\":\"a\",\"stream_id\":1,\"event\":\"all\",\"fields\":{\"list\":[1,2],\"raw\":"
             "\"0xff00\",\"why\":\"page fault\",\"names\":[\"x\",\"y\"]}}\n"
             "{\"ns\":2,\"stream\":\"a\",\"stream_id\":1,\"event\":\"all\",\"fields\":{\"list\":[],\"raw\":\"0x\","
             "\"why\":7,\"names\":[]}}\n"));
  EXPECT_EQ(dump_of(text, "--csv"), prints("ns,stream,event,list,raw,why,names,rest\r\n"
                                           "1,a,all,\"[1,2]\",0xff00,page fault,\"[\"\"x\"\",\"\"y\"\"]\",\r\n"
                                           "2,a,all,[],0x,7,[],\r\n"));
}

TEST_F(DumpForms, ShowLossesAsEvents) {
  const std::string_view text = "stream 1 \"a\"\n0.000000005 1 !lost count=3 cause=ring_full duration=0.000000000\n";
  EXPECT_EQ(dump_of(text, "--json").out,
            "{\"ns\":5,\"stream\":\"a\",\"stream_id\":1,\"event\":\"!lost\",\"fields\":{\"count\":3,\"cause\":"
            "\"ring_full\",\"duration\":0}}\n");
  EXPECT_EQ(dump_of(text, "--csv").out, "ns,stream,event,rest\r\n5,a,!lost,count=3 cause=ring_full duration=0\r\n");
}

TEST_F(DumpForms, JsonNeverHasABareControlCharacter) {
  EXPECT_EQ(
      dump_of("type 1024 say (what text)\nstream 1 \"a\"\n0.000000001 1 say what=\"\\x1b[2J\\x0a\\xff\"\n", "--json"),
      prints("{\"ns\":1,\"stream\":\"a\",\"stream_id\":1,\"event\":\"say\",\"fields\":{\"what\":\"\\u001b[2J\\u000a"
             "\\ufffd\"}}\n"));
}

// A direction mark, a line separator, a space of no width, and a tag beyond 16 bits; a picture beyond them is harmless.
constexpr std::string_view kUnseen =
    "type 1024 say (what text)\nstream 1 \"a\"\n"
    "0.000000001 1 say what=\"\\xe2\\x80\\xae|\\xe2\\x80\\xa8|\\xef\\xbb\\xbf|\\xf3\\xa0\\x81\\x81|🐟\"\n";

TEST_F(DumpForms, JsonEscapesWhatCannotBeSeen) {
  EXPECT_EQ(dump_of(kUnseen, "--json"),
            prints("{\"ns\":1,\"stream\":\"a\",\"stream_id\":1,\"event\":\"say\",\"fields\":{\"what\":\"\\u202e|"
                   "\\u2028|\\ufeff|\\udb40\\udc41|🐟\"}}\n"));
}

TEST_F(DumpForms, JsonEscapesAreTheCharactersToOthers) {
  given_trace("x.evt", kUnseen);
  EXPECT_EQ(run("evt dump --json x.evt | python3 -c 'import sys, json\n"
                "print(*(hex(ord(c)) for c in json.load(sys.stdin)[\"fields\"][\"what\"] if c != \"|\"))'"),
            prints("0x202e 0x2028 0xfeff 0xe0041 0x1f41f\n"));
}

TEST_F(DumpForms, CsvEscapesWhatIsNoTextForATerminal) {
  EXPECT_EQ(dump_of("type 1024 say (what text)\nstream 1 \"a\"\n"
                    "0.000000001 1 say what=\"\\x1b[2J\\n\\x0d\\t\\x7f\\xc2\\x9b\\xff\"\n",
                    "--csv"),
            prints("ns,stream,event,what,rest\r\n1,a,say,\\x1b[2J\\x0a\\x0d\\x09\\x7f\\xc2\\x9b\\xff,\r\n"));
  EXPECT_EQ(dump_of(kUnseen, "--csv"),
            prints("ns,stream,event,what,rest\r\n"
                   "1,a,say,\\xe2\\x80\\xae|\\xe2\\x80\\xa8|\\xef\\xbb\\xbf|\\xf3\\xa0\\x81\\x81|🐟,\r\n"));
}

TEST_F(DumpForms, CsvEscapesNamesToo) {
  EXPECT_EQ(dump_of("type 1024 \"a\\x1b,b\" (\"f\\n\" u8)\nstream 1 \"\\x07\"\n0.000000001 1 \"a\\x1b,b\" \"f\\n\"=5\n",
                    "--csv"),
            prints("ns,stream,event,f\\x0a,rest\r\n1,\\x07,\"a\\x1b,b\",5,\r\n"));
}

TEST_F(DumpForms, CsvLeavesABackslashAsItIs) {
  EXPECT_EQ(dump_of("type 1024 say (what text)\nstream 1 \"a\"\n0.000000001 1 say what=\"C:\\\\x1b\"\n", "--csv"),
            prints("ns,stream,event,what,rest\r\n1,a,say,C:\\x1b,\r\n"));
}

TEST_F(DumpForms, CsvHasNoTextThatASpreadsheetTakesForAFormula) {
  EXPECT_EQ(dump_of("type 1024 say (what text)\nstream 1 \"+a\"\n"
                    "0.000000001 1 say what=\"=cmd|'/c calc'!A0\"\n"
                    "0.000000002 1 say what=\"@SUM(A1,A2)\"\n"
                    "0.000000003 1 say what=\"-1+1\"\n",
                    "--csv"),
            prints("ns,stream,event,what,rest\r\n"
                   "1,\\x2ba,say,\\x3dcmd|'/c calc'!A0,\r\n"
                   "2,\\x2ba,say,\"\\x40SUM(A1,A2)\",\r\n"
                   "3,\\x2ba,say,\\x2d1+1,\r\n"));
}

TEST_F(DumpForms, CsvLeavesNumbersBelowZeroAsTheyAre) {
  EXPECT_EQ(dump_of("type 1024 at (x i32) (y f64)\nstream 1 \"a\"\n0.000000001 1 at x=-5 y=-inf\n", "--csv"),
            prints("ns,stream,event,x,y,rest\r\n1,a,at,-5,-inf,\r\n"));
}

TEST_F(DumpForms, JsonCanBeReadByOthers) {
  given_trace("x.evt", kFewEvents);
  EXPECT_EQ(run("evt dump --json x.evt | python3 -c 'import sys, json\n"
                "for line in sys.stdin: print(json.loads(line)[\"fields\"].get(\"size\"))'"),
            prints("18446744073709551615\nNone\n0\n"));
}

TEST_F(DumpForms, NameTheFileWhenThereAreSeveral) {
  given_trace("x.evt", "type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n");
  given_trace("y.evt", "type 1024 tock (n u8)\nstream 1 \"b\"\n0.000000002 1 tock n=1\n");
  EXPECT_EQ(run("evt dump --csv x.evt y.evt"), prints("file,ns,stream,event,n,rest\r\n"
                                                      "x.evt,1,a,tick,,\r\n"
                                                      "y.evt,2,b,tock,1,\r\n"));
  EXPECT_EQ(run("evt dump --json x.evt y.evt | cut -c-19"),
            prints("{\"file\":\"x.evt\",\"ns\n{\"file\":\"y.evt\",\"ns\n"));
}

}  // namespace
}  // namespace evt::testing

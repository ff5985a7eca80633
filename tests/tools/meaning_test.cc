// What types and fields mean, as evt shows it and keeps it from trace to trace.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTrace =
    "type 1024 temp \"it is warm\" file=\"temp.c\" line=12 function=\"measure\" tags=[\"com.example.probe\"] (value "
    "i16 "
    "role=value absent=32767 scale=-2 unit_text=\"Cel\") (probe u32 scope=boot tags=[\"com.example.id\"])\n"
    "stream 1 \"a\"\n"
    "0.000000001 1 temp value=2315 probe=7\n"
    "0.000000002 1 temp value=-5 probe=8\n"
    "0.000000003 1 temp value=32767 probe=9\n"
    "type 1025 open (flags enum32 labels=[0=NONE 1=READ 2=WRITE] flags=true)\n"
    "0.000000004 1 open flags=READ|WRITE|0x40\n"
    "0.000000005 1 open flags=WRITE\n"
    "0.000000006 1 open flags=NONE\n"
    "type 1026 switch role=threadStop facet=threadRun[next=thread] (prev u32 role=thread) (next u32)\n"
    "0.000000007 1 switch prev=1 next=2\n"
    "type 1027 carried.switch twin_of=\"switch\" (prev u32)\n"
    "0.000000008 1 carried.switch prev=1\n";

class Meaning : public AtTheShell {
 protected:
  Meaning() { given_trace("x.evt", kTrace); }
};

TEST_F(Meaning, IsKeptByTheTextForm) { expect_same_text(kTrace); }

TEST_F(Meaning, IsShownInLines) {
  EXPECT_EQ(run("evt dump --event temp --event open x.evt"),
            prints("   0.000000001  a  temp           value=23.15 probe=7\n"
                   "   0.000000002  a  temp           value=-0.05 probe=8\n"
                   "   0.000000003  a  temp           value=none probe=9\n"
                   "   0.000000004  a  open           flags=READ|WRITE|0x40\n"
                   "   0.000000005  a  open           flags=WRITE\n"
                   "   0.000000006  a  open           flags=NONE\n"));
}

TEST_F(Meaning, IsShownInJson) {
  EXPECT_EQ(run("evt dump --json --event temp --event open x.evt | sed 's/.*fields/fields/'"),
            prints("fields\":{\"value\":23.15,\"probe\":7}}\n"
                   "fields\":{\"value\":-0.05,\"probe\":8}}\n"
                   "fields\":{\"value\":null,\"probe\":9}}\n"
                   "fields\":{\"flags\":\"READ|WRITE|0x40\"}}\n"
                   "fields\":{\"flags\":\"WRITE\"}}\n"
                   "fields\":{\"flags\":\"NONE\"}}\n"));
}

TEST_F(Meaning, IsShownInCsv) {
  EXPECT_EQ(run("evt dump --csv --event temp x.evt | cut -d, -f3-5"), prints("event,value,probe\n"
                                                                             "temp,23.15,7\n"
                                                                             "temp,-0.05,8\n"
                                                                             "temp,,9\n"));
}

TEST_F(Meaning, IsWhatConditionsCompare) {
  const auto count = [&](const std::string& condition) {
    return run("evt dump --count --where '" + condition + "' x.evt");
  };
  EXPECT_EQ(count("value=23.15"), prints("1\n"));
  EXPECT_EQ(count("value<23.15"), prints("1\n"));
  EXPECT_EQ(count("value!=23.15"), prints("1\n")) << "a value that means none passes no test";
  EXPECT_EQ(count("value>=-0.05"), prints("2\n"));
  EXPECT_EQ(count("flags=WRITE"), prints("2\n")) << "a flag that is in the set";
  EXPECT_EQ(count("flags!=READ"), prints("2\n"));
  EXPECT_EQ(count("flags=NONE"), prints("1\n"));
  EXPECT_EQ(count("flags=2"), prints("1\n")) << "a number is the whole set";
}

TEST_F(Meaning, IsInTheTableOfTypes) {
  EXPECT_EQ(run("evt dump --types x.evt | sed 's/  */ /g'"),
            prints("number name size fields meaning description\n"
                   " 1024 temp 6 value:i16(absent=32767,scale=-2,unit=Cel) probe:u32(scope=boot,tag=com.example.id) "
                   "temp.c:12 in measure; tagged com.example.probe it is warm\n"
                   " 1025 open 4 flags:enum32(flags)\n"
                   " 1026 switch 8 prev:u32 next:u32 also threadRun(next=thread)\n"
                   " 1027 carried.switch 4 prev:u32 twin of switch\n"));
}

// Rows in strings have a word as any other kind, though this version shows their ids as bytes.
TEST_F(Meaning, OfAReferenceIsItsKind) {
  constexpr std::string_view kText =
      "type 1024 sample (stack reference) (frames reference[])\nstream 1 \"a\"\n"
      "0.000000001 1 sample stack=0x07000000 frames=[0x05000000 0x04000000]\n";
  expect_same_text(kText);
  given_trace("r.evt", kText);
  EXPECT_EQ(run("evt dump --types r.evt | sed 's/  */ /g'"),
            prints("number name size fields description\n 1024 sample variable stack:reference frames:reference[]\n"));
  EXPECT_EQ(run("evt dump --types --json r.evt | grep -o '\"kind\":[^,]*'"),
            prints("\"kind\":\"reference\"\n\"kind\":\"reference[]\"\n"));
}

TEST_F(Meaning, IsInTheJsonOfTypes) {
  EXPECT_EQ(
      run("evt dump --types --json x.evt"),
      prints(R"({"number":1024,"name":"temp","description":"it is warm","size":6,"fields":[)"
             R"({"name":"value","kind":"i16","width":2,"role":"value","unit_text":"Cel","scale":-2,"absent":32767},)"
             R"({"name":"probe","kind":"u32","width":4,"scope":"boot","tags":["com.example.id"]}],)"
             R"("source_file":"temp.c","source_line":12,"source_function":"measure",)"
             R"("tags":["com.example.probe"]})"
             "\n"
             R"({"number":1025,"name":"open","size":4,"fields":[{"name":"flags","kind":"enum32","width":4,)"
             R"("flags":true,"labels":[{"value":0,"text":"NONE"},{"value":1,"text":"READ"},)"
             R"({"value":2,"text":"WRITE"}]}]})"
             "\n"
             R"({"number":1026,"name":"switch","role":"threadStop","size":8,"fields":[)"
             R"({"name":"prev","kind":"u32","width":4,"role":"thread"},{"name":"next","kind":"u32","width":4}],)"
             R"("facets":[{"role":"threadRun","fields":[{"name":"next","role":"thread"}]}]})"
             "\n"
             R"({"number":1027,"name":"carried.switch","size":4,"fields":[{"name":"prev","kind":"u32","width":4}],)"
             R"("twin_of":"switch"})"
             "\n"));
}

TEST_F(Meaning, IsKeptByCopies) {
  const std::string types = "evt dump --canonical x.evt | grep ^type | sort > types; ";
  for (const char* copy :
       {"evt cut x.evt -o y.evt", "evt merge x.evt -o y.evt", "evt convert x.evt -o y.evt",
        "evt convert --columns x.evt -o y.evt", "evt convert x.evt -o y.txt && evt convert y.txt -o y.evt"}) {
    EXPECT_EQ(run(types + copy + " && evt dump --canonical y.evt | grep ^type | sort | diff types -"), prints(""))
        << copy;
  }
}

TEST_F(Meaning, OfAnAnonymousPartHasNoPlaceInTheProgram) {
  EXPECT_EQ(run("evt cut --anonymous x.evt -o y.evt && evt dump --canonical y.evt | grep -c 'temp\\.c'"),
            (Outcome{1, "0\n", ""}));
}

TEST_F(Meaning, OfTwoTracesThatDifferMakesTwoTypes) {
  const auto first = [](int who) {
    return "evtrace text 1\nsession uuid=0x0000000000000000000000000000000" + std::to_string(who) +
           " start=1767225600\n";
  };
  given_trace("a.evt", first(1) + "type 1024 temp (value i16 scale=-2)\nstream 1 \"a\"\n0.000000001 1 temp value=5\n");
  given_trace("b.evt", first(2) + "type 1024 temp (value i16 scale=-3)\nstream 1 \"a\"\n0.000000002 1 temp value=5\n");
  EXPECT_EQ(run("evt merge a.evt b.evt -o y.evt 2>/dev/null; evt dump --canonical y.evt | grep ^type"),
            prints("type 1024 temp (value i16 scale=-2)\n"
                   "type 1025 temp (value i16 scale=-3)\n"));
}

TEST_F(Meaning, ThatTextStatesWronglyIsRefused) {
  const auto refused = [&](const std::string& type) {
    given_text("y.txt", "type 1024 e " + type + "\n");
    return run("evt convert y.txt -o y.evt").err;
  };
  EXPECT_EQ(refused("(a u8 absent=256)"),
            "evt convert: y.txt: line 3, column 1: event type e: field a has an absent value that it cannot hold\n");
  EXPECT_EQ(refused("(a text scale=1)"),
            "evt convert: y.txt: line 3, column 1: event type e: field a has a scale and is no integer\n");
  EXPECT_EQ(refused("(a u8 flags=true)"),
            "evt convert: y.txt: line 3, column 1: event type e: field a has flags and is no enumeration\n");
  EXPECT_EQ(refused("facet=threadRun[b=thread] (a u8)"),
            "evt convert: y.txt: line 3, column 1: a facet names b, which is no field of the type\n");
}

}  // namespace
}  // namespace evt::testing

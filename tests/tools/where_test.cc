// Conditions on events, as users write them behind --where.
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Where : public AtTheShell {
 protected:
  Where() {
    given_trace("x.evt",
                "type 1024 call (function interned) (depth u32)\n"
                "type 1025 numbers (i i8) (f f32) (d f64) (b bool) (big u64)\n"
                "type 1026 text (t text) (x bytes)\n"
                "type 1027 stop (why enum16 labels=[0=idle 3=blocked 4=twin 5=twin])\n"
                "type 1028 times (at ticks) (took tick_delta) (ms u32 unit=milliseconds) (s f64 unit=seconds)\n"
                "type 1029 lists (n i16[]) (l text[])\n"
                "type 1030 size (amount u64 role=amount) (thread u32 role=thread)\n"
                "type 1031 other (depth text) (bytes_read u32 role=amount)\n"
                "stream 1 \"main\" thread=11\n"
                "stream 2 \"worker 1\" thread=12\n"
                "stream 3 \"worker 2\"\n"
                "0.000000001 1 call function=\"sum\" depth=3\n"
                "0.000000002 2 call function=\"range\" depth=9\n"
                "0.000000003 2 call function=\"main loop\" depth=10\n"
                "0.000000004 1 call function=\"sum\" depth=4000\n"
                "1.000000000 1 numbers i=-5 f=0.1 d=0.1 b=true big=18446744073709551615\n"
                "1.000000001 1 numbers i=5 f=nan d=inf b=false big=9007199254740993\n"
                "1.000000002 1 numbers i=0\n"
                "2.000000000 3 text t=\"/etc/passwd\" x=0xcafe\n"
                "2.000000001 3 text t=\"a \\\"b\\\"\" x=0x\n"
                "3.000000000 2 stop why=idle\n"
                "3.000000001 2 stop why=blocked\n"
                "3.000000002 2 stop why=4\n"
                "3.000000003 2 stop why=77\n"
                "4.000000000 1 times at=1.500000000 took=0.000200000 ms=200 s=1.5\n"
                "5.000000000 1 lists n=[-1 7] l=[\"p\" \"q\"]\n"
                "5.000000001 1 lists n=[] l=[]\n"
                "6.000000000 1 size amount=4096 thread=77\n"
                "7.000000000 1 other depth=\"deep\" bytes_read=100\n");
  }

  // The numbers of the events that are printed, from 1 on; the messages, if there were any.
  std::string found(const std::string& condition) const { return found_with("", condition); }
  std::string found_with(const std::string& options, const std::string& condition) const {
    given_file("condition", condition);
    const Outcome some = run("evt dump --where \"$(cat condition)\" " + options +
                             " x.evt > some; status=$?; evt dump x.evt 2>/dev/null | grep -nxFf some | cut -d: -f1 | "
                             "paste -sd ' '; exit $status");
    return some.out.substr(0, some.out.find('\n')) + some.err;
  }
  // The sentence about one that is refused; nothing may be printed.
  std::string refused(const std::string& condition, const std::string& options = "") const {
    given_file("condition", condition);
    const Outcome outcome = run("evt dump --where \"$(cat condition)\" " + options + " x.evt");
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
};

TEST_F(Where, ComparesNumbersByTheirValue) {
  EXPECT_EQ(found("depth>9"), "3 4");
  EXPECT_EQ(found("depth>=0xa"), "3 4");
  EXPECT_EQ(found("depth=4K"), "4");
  EXPECT_EQ(found("depth==4e3"), "4");
  EXPECT_EQ(found("depth<9.5"), "1 2");
  EXPECT_EQ(found("depth>-1"), "1 2 3 4");
  EXPECT_EQ(found("i<0"), "5");
  EXPECT_EQ(found("i>=-5"), "5 6 7");
  EXPECT_EQ(found("i<1000"), "5 6 7");
  EXPECT_EQ(found("big=18446744073709551615"), "5");
  EXPECT_EQ(found("big>9007199254740992"), "5 6");
  EXPECT_EQ(found("big<9007199254740993.5"), "6");
}

TEST_F(Where, ComparesFloatsAsTheyAreShown) {
  EXPECT_EQ(found("f=0.1"), "5");
  EXPECT_EQ(found("d=0.1"), "5");
  EXPECT_EQ(found("f<=0.1"), "5");
  EXPECT_EQ(found("f<0.1"), "");
  EXPECT_EQ(found("f=nan"), "6");
  EXPECT_EQ(found("f!=nan"), "5");
  EXPECT_EQ(found("f>0 or f<=0"), "5");
  EXPECT_EQ(found("d=inf"), "6");
  EXPECT_EQ(found("d>1e300"), "6");
}

TEST_F(Where, ComparesTruthAsItIsShown) {
  EXPECT_EQ(found("b=true"), "5");
  EXPECT_EQ(found("b=false"), "6");
  EXPECT_EQ(found("b=1"), "5");
}

TEST_F(Where, ComparesTextsByteByByte) {
  EXPECT_EQ(found("function=sum"), "1 4");
  EXPECT_EQ(found("function=\"sum\""), "1 4");
  EXPECT_EQ(found("function='main loop'"), "3");
  EXPECT_EQ(found("function!=sum"), "2 3");
  EXPECT_EQ(found("function>=range"), "1 2 4");
  EXPECT_EQ(found("t=/etc/passwd"), "8");
  EXPECT_EQ(found("t=\"a \\\"b\\\"\""), "9");
  EXPECT_EQ(found("t='a \"b\"'"), "9");
  EXPECT_EQ(found("x=0xCAFE"), "8");
  EXPECT_EQ(found("x=0x"), "9");
  EXPECT_EQ(found("x>0xca"), "8");
}

TEST_F(Where, MatchesPatternsWithTexts) {
  EXPECT_EQ(found("function~*a*"), "2 3");
  EXPECT_EQ(found("function!~*a*"), "1 4");
  EXPECT_EQ(found("function~'[!s]*'"), "2 3");
  EXPECT_EQ(found("x~0xca*"), "8");
  EXPECT_EQ(found("why~b*"), "11");
  EXPECT_EQ(found("why~7?"), "13");
}

TEST_F(Where, ComparesEnumerationsByLabelOrNumber) {
  EXPECT_EQ(found("why=blocked"), "11");
  EXPECT_EQ(found("why!=blocked"), "10 12 13");
  EXPECT_EQ(found("why=3"), "11");
  EXPECT_EQ(found("why>=blocked"), "11 12 13");
  EXPECT_EQ(found("why=77"), "13");
  // A label of two values is shown by number.
  EXPECT_EQ(refused("why=twin"),
            "evt dump: --where: column 5 of why=twin: why is enum16: expected a label or a number, found twin\n");
  EXPECT_EQ(refused("why=blokced"),
            "evt dump: --where: column 5 of why=blokced: why is enum16: expected a label or a number, found blokced; "
            "did you mean blocked?\n");
}

TEST_F(Where, ComparesTimes) {
  EXPECT_EQ(found("took=200us"), "14");
  EXPECT_EQ(found("took>0.0001"), "14");
  EXPECT_EQ(found("took>1ms"), "");
  EXPECT_EQ(found("at>1.4 and at<=1500ms"), "14");
  EXPECT_EQ(found("at>-6s"), "14");
  EXPECT_EQ(found("at=2026-01-01T00:00:01.5Z"), "14");
  // A number of a unit of time: alone in that unit, or with its own.
  EXPECT_EQ(found("ms=200"), "14");
  EXPECT_EQ(found("ms=0.2s"), "14");
  EXPECT_EQ(found("s>=1500ms"), "14");
}

TEST_F(Where, OfASequenceTakesOneElement) {
  EXPECT_EQ(found("n=7"), "15");
  EXPECT_EQ(found("n!=7"), "15");
  EXPECT_EQ(found("not n=7"), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 17 18");
  EXPECT_EQ(found("n<-5"), "");
  EXPECT_EQ(found("l=q"), "15");
}

TEST_F(Where, IsFalseOfAnEventThatLacksTheField) {
  EXPECT_EQ(found("b!=true"), "6");  // event 7 is too short for it
  EXPECT_EQ(found("not b=true and type=numbers"), "6 7");
}

TEST_F(Where, JoinsComparisons) {
  EXPECT_EQ(found("depth>3 and function=sum"), "4");
  EXPECT_EQ(found("depth>3 && function=sum"), "4");
  EXPECT_EQ(found("function=range or depth=3 and function=sum"), "1 2");
  EXPECT_EQ(found("(function=range or depth=3) and function=sum"), "1");
  EXPECT_EQ(found("type=call and not (function=sum or depth=9)"), "3");
  EXPECT_EQ(found("type=call and ! function=sum"), "2 3");
  EXPECT_EQ(found_with("--where depth'<'10", "function=sum"), "1");
}

TEST_F(Where, AsksForFieldsByRole) {
  EXPECT_EQ(found("role:amount>0"), "17 18");
  EXPECT_EQ(found("role:amount>=4Ki"), "17");
}

TEST_F(Where, AsksForWhatAnEventHasBesideItsFields) {
  EXPECT_EQ(found("@time<2ns"), "1");
  EXPECT_EQ(found("time>=6"), "17 18");
  EXPECT_EQ(found("time>=-1s"), "17 18");
  EXPECT_EQ(found("time>2026-01-01T00:00:06Z"), "18");
  EXPECT_EQ(found("stream=main and depth>0"), "1 4");
  EXPECT_EQ(found("stream=worker*"), "2 3 8 9 10 11 12 13");
  EXPECT_EQ(found("@stream!='worker*' and @type~c*"), "1 4");
  EXPECT_EQ(found("stream=#3"), "8 9");
  EXPECT_EQ(found("type=numbers"), "5 6 7");
  EXPECT_EQ(found("size=1"), "7");
  EXPECT_EQ(found("type=call and ordinal=0"), "1 2");
}

// The one that an event names, or else the one that its stream is of.
TEST_F(Where, AsksForTheThread) {
  EXPECT_EQ(found("@thread=77"), "17");
  EXPECT_EQ(found("@thread=12"), "2 3 10 11 12 13");
  EXPECT_EQ(found("@thread!=12"), "1 4 5 6 7 14 15 16 17 18");  // stream 3 has none
  EXPECT_EQ(found("thread=12"),
            "evt dump: no event passes --where: thread is a field here; @thread is known of every event\n");
}

TEST_F(Where, TakesAFieldBeforeAProperty) {
  given_trace("x.evt",
              "type 1024 e (time u32) (or u32)\nstream 1 \"main\"\n"
              "0.000000001 1 e time=7 or=1\n0.000000002 1 e time=1 or=2\n");
  EXPECT_EQ(found("time=7"), "1");
  EXPECT_EQ(found("@time=2ns"), "2");
  EXPECT_EQ(found("\"or\"=2"), "2");
}

// The same name may be a number in one type and a text in another.
TEST_F(Where, ComparesWithTheTypesThatCanBeCompared) {
  EXPECT_EQ(found("depth=deep"), "18");
  EXPECT_EQ(found("depth~d*"), "18");
  EXPECT_EQ(found("depth!=9"), "1 3 4 18");
  // It is in order as a number where the value is one, and else as a text.
  EXPECT_EQ(found("depth>9"), "3 4");
  EXPECT_EQ(found("depth>9x"), "18");
  EXPECT_EQ(found("not depth=deep and depth>0"), "1 2 3 4");
}

TEST_F(Where, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(refused("depth>10x", "--event call"),
            "evt dump: --where: column 7 of depth>10x: depth is u32: expected a number like 10, 0x1f or 4K, found "
            "10x\n");
  EXPECT_EQ(refused("d>much"),
            "evt dump: --where: column 3 of d>much: d is f64: expected a number like 1.5, 2e3 or nan, found much\n");
  EXPECT_EQ(refused("b=yes"),
            "evt dump: --where: column 3 of b=yes: b is bool: expected true, false or a number, found yes\n");
  EXPECT_EQ(refused("x=cafe"),
            "evt dump: --where: column 3 of x=cafe: x is bytes: expected 0x and pairs of hexadecimal digits, found "
            "cafe\n");
  EXPECT_EQ(refused("took>1y"),
            "evt dump: --where: column 6 of took>1y: took is tick_delta: expected a length of time like 1.5, 200ms or "
            "3us, found 1y\n");
  EXPECT_EQ(refused("at>noon"),
            "evt dump: --where: column 4 of at>noon: at is ticks: expected a time like 1.5, 200ms, 5m, -2s, "
            "14:05 or 2026-11-21T22:48:09Z, found noon\n");
  EXPECT_EQ(refused("ms>10y"),
            "evt dump: --where: column 4 of ms>10y: ms is u32: expected a number like 10, 0x1f or 4K, or a time like "
            "200ms, found 10y\n");
  EXPECT_EQ(refused("i~1*"),
            "evt dump: --where: column 1 of i~1*: i is i8: ~ is for strings; expected one of = != < <= > >=\n");
  EXPECT_EQ(refused("@size>big"),
            "evt dump: --where: column 7 of @size>big: @size is a number: expected a number like 10, 0x1f or 4K, found "
            "big\n");
  EXPECT_EQ(refused("stream<5"),
            "evt dump: --where: column 1 of stream<5: @stream is a name: expected one of = != ~ !~, found <\n");
  EXPECT_EQ(refused("t~'\\x00'"), "evt dump: --where: column 3 of t~'\\x00': a pattern cannot have \\x00\n");
}

TEST_F(Where, RefusesNamesThatNoEventHas) {
  EXPECT_EQ(refused("dept>3"),
            "evt dump: --where: column 1 of dept>3: no event has a field dept; did you mean depth?\n");
  EXPECT_EQ(refused("depth>3 and tiem>1"),
            "evt dump: --where: column 13 of depth>3 and tiem>1: no event has a field tiem; did you mean time?\n");
  EXPECT_EQ(refused("\"time\">3"), "evt dump: --where: column 1 of \"time\">3: no event has a field time\n");
  EXPECT_EQ(refused("nothing=3"), "evt dump: --where: column 1 of nothing=3: no event has a field nothing\n");
  EXPECT_EQ(refused("role:cpu=1"),
            "evt dump: --where: column 1 of role:cpu=1: no event has a field with the role cpu\n");
  EXPECT_EQ(refused("i=1", "--event call"),
            "evt dump: --where: column 1 of i=1: only events that --event leaves out have a field i\n");
  EXPECT_EQ(refused("count>1"),
            "evt dump: --where: column 1 of count>1: no event has a field count; did you mean amount?\n");
}

TEST_F(Where, RefusesWhatIsNoConditionBeforeItReadsATrace) {
  EXPECT_EQ(run("evt dump --where 'depth>' nosuch.evt"),
            refuses(2, "evt dump: --where: column 7 of depth>: expected a value after >, found the end\n"));
  EXPECT_EQ(run("evt dump --where '' x.evt"),
            refuses(2, "evt dump: --where: expected a comparison such as depth>10, found the end\n"));
}

// What is typed by mistake, or comes from a script, does nothing to a terminal.
TEST_F(Where, ShowsNoControlCharacters) {
  const std::string escape = "\x1b[2J";
  for (const std::string& condition :
       {escape + "=1", "depth=" + escape, "'" + escape + "'=1", "i='" + escape + "'", "stream='" + escape + "'"}) {
    given_file("condition", condition);
    const Outcome outcome = run("evt dump --where \"$(cat condition)\" x.evt");
    EXPECT_NE(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("\\x1b[2J"));
  }
}

TEST_F(Where, SaysWhichStreamsAndTypesAreNowhere) {
  EXPECT_EQ(run("evt dump --where 'stream=mian' x.evt"),
            refuses(1, "evt dump: no stream is called mian; did you mean main?\n"));
  EXPECT_EQ(run("evt dump --where 'type=cal' x.evt"),
            refuses(1, "evt dump: no event type is called cal; did you mean call?\n"));
  EXPECT_EQ(found("type=call and stream!=nosuch and depth=9"), "2");
}

TEST_F(Where, KnowsTheFieldsOfLosses) {
  given_trace("x.evt",
              "type 1024 e\nstream 1 \"main\"\n0.000000001 1 e\n"
              "0.000000002 1 !lost count=2 cause=ring_full duration=0.000000000\n0.000000003 1 !lost count=5 "
              "cause=too_large duration=0.000000000\n");
  const std::string lost =
      "evt dump: x.evt: 2 events of stream 1 \"main\" lost: ring_full\n"
      "evt dump: x.evt: 5 events of stream 1 \"main\" lost: too_large\n";
  EXPECT_EQ(found("count>2"), "3" + lost);
  EXPECT_EQ(found("cause=ring_full"), "2" + lost);
  EXPECT_EQ(found("type='!lost'"), "2 3" + lost);
  EXPECT_EQ(refused("cause=rnig_full"),
            "evt dump: --where: column 7 of cause=rnig_full: cause is enum16: expected a label or a number, found "
            "rnig_full; did you mean ring_full?\n");
}

TEST_F(Where, KnowsTypesThatAreNotDeclaredByTheirNames) {
  given_trace("x.evt",
              "type 1024 e (n u8)\nstream 1 \"main\"\n0.000000001 1 e n=1\n"
              "0.000000002 1 type#5000 +0x01\n0.000000003 1 type#5001 +0x0102\n0.000000004 1 type#5000 +0x0102\n");
  EXPECT_EQ(found("type=type#5000"), "2 4");
  EXPECT_EQ(found("size=2 and not n=1"), "3 4");
  EXPECT_EQ(found("n=1"), "1");
}

// More of them than are remembered.
TEST_F(Where, KnowsVeryManyTypesThatAreNotDeclared) {
  std::string text = "stream 1 \"main\"\n";
  for (int i = 0; i < 10'000; ++i) {
    text += "0." + std::to_string(100'000'000 + i) + " 1 type#" + std::to_string(1024 + i / 2) + "\n";
  }
  given_trace("x.evt", text);
  EXPECT_EQ(run("evt dump --count --where 'type=type#*[02468] and time<0.5' x.evt"), prints("5000\n"));
}

// The same name is another kind of field in each session.
TEST_F(Where, IsAskedOfEachSession) {
  given_trace("x.evt",
              "evtrace text 1\n"
              "session start=0.000000000 program=\"first\"\n"
              "type 1024 e (n u32)\nstream 1 \"a\"\n0.000000001 1 e n=5\n0.000000002 1 e n=50\n"
              "session start=0.000000000 program=\"second\"\n"
              "type 1024 e (m u8) (n i8)\nstream 1 \"b\"\n0.000000003 1 e m=50 n=-1\n0.000000004 1 e m=0 n=50\n"
              "session start=0.000000000 program=\"third\"\n"
              "type 1024 e (n text)\nstream 1 \"c\"\n0.000000005 1 e n=\"50\"\n");
  EXPECT_EQ(run("evt dump --csv --where n=50 x.evt | cut -d, -f1,2"), prints("session,ns\n0,2\n1,4\n2,5\n"));
  EXPECT_EQ(run("evt dump --csv --where 'm=50 or stream=c' x.evt | cut -d, -f1,2"), prints("session,ns\n1,3\n2,5\n"));
}

// A field of one of them is a field.
TEST_F(Where, IsAskedOfSeveralFilesAtOnce) {
  given_trace("y.evt", "type 1024 e (time u8)\nstream 1 \"main\"\n0.000000007 1 e time=3\n");
  EXPECT_EQ(run("evt dump --count --where time=3 x.evt y.evt"), prints("0 x.evt\n1 y.evt\n"));
  EXPECT_EQ(run("evt dump --count --where depth=3 x.evt y.evt"), prints("1 x.evt\n0 y.evt\n"));
  EXPECT_EQ(run("evt stats events --csv --where depth=3 x.evt y.evt").status, 0);
}

TEST_F(Where, SaysThatNoEventHasAllOfItsFields) {
  given_trace("y.evt",
              "type 1024 begin (name text)\ntype 1025 run (thread u64)\nstream 1 \"main\" thread=3\n"
              "0.1 1 begin name=\"a\"\n0.2 1 run thread=3\n");
  EXPECT_EQ(run("evt dump --where 'thread=3 and name=a' y.evt"),
            refuses(1, "evt dump: no event has all of the fields thread, name; @thread is known of every event\n"));
  EXPECT_EQ(run("evt dump --where 'thread=3 or name=a' --count y.evt"), prints("2\n"));
  EXPECT_EQ(run("evt dump --where '@thread=3 and name=a' --count y.evt"), prints("1\n"));
}

TEST_F(Where, SaysWhatElseANameMaySay) {
  given_trace("y.evt",
              "type 1024 begin (name text)\ntype 1025 named (thread u64) (name text)\nstream 1 \"main\" thread=3\n"
              "0.1 1 begin name=\"a\"\n0.2 1 named thread=3 name=\"b\"\n");
  EXPECT_EQ(
      run("evt dump --where 'thread=3 and name=a' y.evt"),
      (Outcome{0, "", "evt dump: no event passes --where: thread is a field here; @thread is known of every event\n"}));
  EXPECT_EQ(run("evt dump --where 'thread=3 and name=b' --count y.evt"), prints("1\n"));
}

// A lasts 4 ns, b in it 1 ns, the call 3 ns, the asynchronous span 5 ns, what one event records 2 ns; c does not end.
constexpr const char* kLengths =
    "type 1024 in role=spanBegin (name text role=name)\ntype 1025 out role=spanEnd (name text role=name)\n"
    "type 1026 call role=callBegin (name text role=function)\ntype 1027 back role=callEnd (name text role=function)\n"
    "type 1028 whole role=span (name text role=name) (duration tick_delta role=duration)\n"
    "type 1029 go role=asyncBegin (name text role=name) (id u64 role=spanId)\n"
    "type 1030 stay role=asyncEnd (name text role=name) (id u64 role=spanId)\n"
    "stream 1 \"main\"\nstream 2 \"other\"\n"
    "0.000000001 1 in name=\"a\"\n0.000000002 1 in name=\"b\"\n0.000000003 1 out name=\"b\"\n"
    "0.000000004 2 call name=\"f\"\n0.000000004 2 go name=\"x\" id=7\n0.000000005 1 out name=\"a\"\n"
    "0.000000007 2 back name=\"f\"\n0.000000008 1 whole name=\"w\" duration=0.000000002\n"
    "0.000000009 1 stay name=\"x\" id=7\n0.000000010 1 in name=\"c\"\n";

TEST_F(Where, KnowsHowLongSpansAndCallsAre) {
  given_trace("x.evt", kLengths);
  EXPECT_EQ(found("duration>=3ns"), "1 4 5 6 7 9");
  EXPECT_EQ(found("duration<3ns"), "2 3 8");
  EXPECT_EQ(found("@duration=2ns"), "8");
  EXPECT_EQ(found("duration>1ns and name=a"), "1 6");
  EXPECT_EQ(found("not duration<=100"), "10") << "it has not ended";
  EXPECT_EQ(run("evt grep --where 'duration=1ns' x.evt | wc -l"), prints("2\n"));
  EXPECT_EQ(run("evt stats spans --csv --table spans --columns name,count --where 'duration>3ns' x.evt"),
            prints("name,count\r\na,1\r\n"));
}

TEST_F(Where, SaysWhereNothingHasALength) {
  EXPECT_EQ(run("evt dump --where 'duration>10ms' x.evt"),
            refuses(2,
                    "evt dump: --where: column 1 of duration>10ms: no event begins, ends or records a span or call "
                    "that has a duration\n"));
  given_trace("x.evt", kLengths);
  EXPECT_EQ(refused("duration>soon"),
            "evt dump: --where: column 10 of duration>soon: @duration is a length of time: expected a length of time "
            "like 1.5, 200ms or 3us, found soon\n");
  EXPECT_EQ(run("evt dump --follow --where 'duration>1ns' x.evt"),
            refuses(2, "evt dump: --follow does not know how long spans are before they end\n"));
  EXPECT_EQ(run("evt stats cpu --where 'duration>1ns' x.evt").status, 1);
}

// A field of this name that is no length.
TEST_F(Where, TakesAFieldOfTheUserForItself) {
  given_trace("x.evt", "type 1024 e (duration text)\nstream 1 \"main\"\n0.000000001 1 e duration=\"long\"\n");
  EXPECT_EQ(found("duration=long"), "1");
}

TEST_F(Where, IsNotForTables) {
  EXPECT_EQ(run("evt dump --types --where depth=3 x.evt"), refuses(2, "evt dump: --types excludes --where\n"));
}

TEST_F(Where, ChoosesWhatIsCounted) {
  EXPECT_EQ(run("evt stats events --csv --where 'depth>3 and function=sum' x.evt | cut -d, -f1,2"),
            prints("event,events\ncall,1\n"));
  const std::string sentence =
      "evt stats: --where: column 1 of dept>3: no event has a field dept; did you mean depth?\n";
  EXPECT_EQ(run("evt stats events --where 'dept>3' x.evt"), refuses(2, sentence));
  EXPECT_EQ(run("evt stats diff events --where 'dept>3' x.evt x.evt"), refuses(2, sentence));
}

// What was lost may have been any event.
TEST_F(Where, LeavesLossesInStatistics) {
  given_trace("x.evt",
              "type 1024 e (n u8)\nstream 1 \"main\"\n0.000000001 1 e n=1\n0.000000003 1 e n=2\n"
              "0.000000002 1 !lost count=2 cause=ring_full duration=0.000000000\n");
  EXPECT_EQ(run("evt stats events --where n=1 x.evt").err,
            "evt stats: x.evt: 2 events of stream 1 \"main\" lost: ring_full\n");
}

}  // namespace
}  // namespace evt::testing

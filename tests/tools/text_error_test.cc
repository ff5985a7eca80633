// A text that makes no sense: one sentence that names the line and the column, status 3, and nothing left behind.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class TextError : public AtTheShell {
 protected:
  // Converting this text reports that, and leaves no file.
  void expect_error(std::string_view text, const std::string& sentence) const {
    given_file("x.txt", text);
    EXPECT_EQ(run("evt convert x.txt -o x.evt"), refuses(3, "evt convert: x.txt: " + sentence + "\n")) << text;
    EXPECT_EQ(files(), (std::vector<std::string>{"x.txt"})) << text;
  }
  // The same with the first two lines in front.
  void expect_error_behind_front(std::string_view lines, const std::string& sentence) const {
    expect_error(std::string(kFirstLines) + std::string(lines), sentence);
  }
  // The same on line 5, behind a type with a field of this kind and a stream.
  void expect_bad_value(const std::string& kind, const std::string& value, const std::string& sentence) const {
    expect_error_behind_front("type 1024 a (x " + kind + ")\nstream 1 \"m\"\n1 1 a x=" + value + "\n",
                              "line 5, column " + sentence);
  }
  void expect_bad_type(const std::string& declaration, const std::string& sentence) const {
    expect_error_behind_front(declaration + "\n", "line 3, column " + sentence);
  }
};

constexpr const char* kAnyLine = "expected an event line, or one of session, type, stream, string, fact, truncated";

TEST_F(TextError, IsThatOfTheFirstLineThatMakesNoSense) {
  expect_error_behind_front("frob 1\nfrob 2\n", std::string("line 3, column 1: ") + kAnyLine + "; found frob");
}

TEST_F(TextError, AHeaderComesFirst) {
  expect_error("evtrace text 2\n", "line 1, column 14: expected `evtrace text 1`");
  expect_error("evtrace texts\n", "line 1, column 9: expected `evtrace text 1`");
}

TEST_F(TextError, SessionsHaveUuidsOfTheirOwn) {
  expect_error_behind_front(
      "session uuid=0xff0102030405460788090a0b0c0d0e0f\n",
      "line 3, column 9: another session of this text has a uuid that ends with the same 8 bytes");
}

TEST_F(TextError, ALineIsOverBehindItsLastWord) {
  expect_error("evtrace text 1 x\n", "line 1, column 16: expected the end of the line");
  expect_error_behind_front("truncated now\n", "line 3, column 11: expected the end of the line");
}

TEST_F(TextError, ASessionComesBeforeAllElse) {
  expect_error("evtrace text 1\n", "the text has no session line");
  for (const char* line : {"type 1024 a\n", "stream 1 \"m\"\n", "string 1 \"m\"\n", "truncated\n"}) {
    expect_error("evtrace text 1\n" + std::string(line), "line 2, column 1: expected a session line before this one");
  }
  expect_error("evtrace text 1\n1.0 1 a\n", "line 2, column 1: expected a session line before this one");
}

TEST_F(TextError, NothingOfASessionFollowsItsCut) {
  expect_error_behind_front("stream 1 \"m\"\ntruncated\n1.0 1 type#1\n",
                            "line 5, column 1: expected a session line before this one");
}

TEST_F(TextError, InASessionLine) {
  expect_error("evtrace text 1\nsession uuid=0x00\n", "line 2, column 14: a uuid has 16 bytes");
  expect_error("evtrace text 1\nsession uuid=0x" + std::string(32, '0') + "\n",
               "line 2, column 14: a uuid of zeros is none: without uuid= the session gets a random one");
  expect_error("evtrace text 1\nsession uuid=0x0\n",
               "line 2, column 14: expected the uuid: 0x and pairs of hexadecimal digits");
  expect_error("evtrace text 1\nsession start=now\n",
               "line 2, column 15: expected the start, seconds with up to nine digits after the point");
  expect_error("evtrace text 1\nsession program=test\n", "line 2, column 17: expected a string in quotes");
  expect_error("evtrace text 1\nsession program=\"a\\x00b\"\n", "line 2, column 17: a NUL cannot stand here");
  expect_error("evtrace text 1\nsession colour=\n", "line 2, column 16: expected a value");
  expect_error("evtrace text 1\nsession program \"x\"\n", "line 2, column 17: expected '='");
  expect_error("evtrace text 1\nsession args=[\"a\" b]\n",
               "line 2, column 19: expected a word of the command line in quotes");
  expect_error("evtrace text 1\nsession origins=[0x00]\n", "line 2, column 18: a uuid has 16 bytes");
  expect_error("evtrace text 1\nsession left_out=[sampled=twice]\n", "line 2, column 27: twice is no way to sample");
  expect_error("evtrace text 1\nsession left_out=[others=false]\n", "line 2, column 26: expected true");
  expect_error("evtrace text 1\nsession left_out=[streams=[\"a\"] more_streams=1]\n",
               "line 2, column 33: expected 1024 names before this");
  expect_error("evtrace text 1\nsession origins=[0x" + std::string(32, '1') + "\n",
               "line 2, column 52: expected the uuid: 0x and pairs of hexadecimal digits");
  std::string many;
  for (int i = 0; i < 1025; ++i) many += " 0x" + std::string(32, '1');
  expect_error("evtrace text 1\nsession origins=[" + many + "]\n",
               "line 2, column 17: a session has at most 1024 origins");
}

TEST_F(TextError, InATypeLine) {
  expect_bad_type("type tick", "6: expected the type's number, a number up to 4294967295");
  expect_bad_type("type 4294967296 tick", "6: expected the type's number, a number up to 4294967295");
  expect_bad_type("type 1024", "10: expected the type's name");
  expect_bad_type("type 1024 \"\"", "1: an event type without a name was declared");
  expect_bad_type("type 65280 tick", "1: event type tick: number 65280 is reserved");
  expect_bad_type("type 1024 tick colour=[\"red\"", "29: expected a value");
  expect_bad_type("type 1024 tick role=frob", "21: expected a role by its name or number");
}

TEST_F(TextError, InAFieldOfAType) {
  expect_bad_type("type 1024 tick (n)", "18: expected a field's kind");
  expect_bad_type("type 1024 tick (n u8", "21: expected ')'");
  expect_bad_type("type 1024 tick ()", "17: expected a field's name");
  expect_bad_type("type 1024 tick (n u9)", "19: u9 is not the kind of a field");
  expect_bad_type("type 1024 tick (n f16)", "19: f16 is not the kind of a field");
  expect_bad_type("type 1024 tick (n bytes(x))", "25: expected a width, a number up to 4294967295");
  expect_bad_type("type 1024 tick (n bytes(0))", "1: event type tick: field n has a width of 0");
  expect_bad_type("type 1024 tick (n u8 unit=frob)", "27: expected a unit by its name or number");
  expect_bad_type("type 1024 tick (n enum8 labels=[one])",
                  "33: expected a label's value, a number up to " + std::to_string(UINT64_MAX));
  expect_bad_type("type 1024 tick (n u8) (n u8)", "1: event type tick: field n is declared twice");
}

TEST_F(TextError, ATypeIsDeclaredOnceOrGrows) {
  expect_error_behind_front("type 1024 a\ntype 1024 b\n",
                            "line 4, column 1: event type b: number 1024 is another type's");
  expect_error_behind_front("type 1024 a (n u8)\ntype 1024 a (m u8)\n",
                            "line 4, column 1: event type a: field 0 is m, declared before as n");
}

// A later version of the text may have such words.
TEST_F(TextError, WordsThatAreNotKnownAreSkippedAndReported) {
  given_file("x.txt",
             "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 colours=[red \"a ]\" "
             "[1=x]]\ntype 1024 a shade=dark (x u32 tint=\"light\" role=value)\nstream 1 \"m\" cpu=1\n"
             "0.000000001 1 a x=1\n");
  EXPECT_EQ(run("evt convert x.txt -o x.evt && echo no; evt dump --canonical x.evt"),
            (Outcome{0,
                     "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000\n"
                     "type 1024 a (x u32 role=value)\nstream 1 \"m\"\n0.000000001 1 a x=1\n",
                     "evt convert: x.txt: line 2, column 67: colours is not known here: skipped\n"
                     "evt convert: x.txt: line 3, column 13: shade is not known here: skipped\n"
                     "evt convert: x.txt: line 3, column 31: tint is not known here: skipped\n"
                     "evt convert: x.txt: line 4, column 14: cpu is not known here: skipped\n"}));
}

TEST_F(TextError, ANameThatSeveralTypesHaveTellsNone) {
  expect_error_behind_front("type 1024 a\ntype 1025 a\nstream 1 \"m\"\n0.000000001 1 a\n",
                            "line 6, column 15: several event types are called a: expected one as type#N a");
}

TEST_F(TextError, InAStreamOrStringLine) {
  expect_error_behind_front("stream x \"m\"\n",
                            "line 3, column 8: expected the stream's number, a number up to 4294967295");
  expect_error_behind_front("stream 1 m\n", "line 3, column 10: expected the stream's name in quotes");
  expect_error_behind_front("stream 1 \"m\"\nstream 1 \"n\"\n", "line 4, column 1: stream 1 exists already");
  expect_error_behind_front("string 1 text\n", "line 3, column 10: expected the string in quotes");
  expect_error_behind_front("string 1 \"a\"\nstring 1 \"b\"\n", "line 4, column 1: string 1 is another string already");
}

TEST_F(TextError, NumbersBeginAt1) {
  expect_bad_type("type 0 tick", "6: expected the type's number, a number from 1 on");
  expect_error_behind_front("stream 0 \"m\"\n", "line 3, column 8: expected the stream's number, a number from 1 on");
  expect_error_behind_front("string 0 \"text\"\n",
                            "line 3, column 8: expected the string's number, a number from 1 on");
}

TEST_F(TextError, InAnEventLine) {
  expect_error_behind_front("1s 1 a\n",
                            "line 3, column 1: expected a time, seconds with up to nine digits after the point");
  expect_error_behind_front("1.0123456789 1 a\n",
                            "line 3, column 1: expected a time, seconds with up to nine digits after the point");
  expect_error_behind_front("9223372036.854775808 1 a\n",
                            "line 3, column 1: expected a time, at most 9223372036.854775807 seconds");
  expect_error_behind_front("-9223372036.854775809 1 a\n",
                            "line 3, column 1: expected a time, at most 9223372036.854775808 seconds");
  expect_error_behind_front("-4611686018.427387905 1 a\n",
                            "line 3, column 1: expected a time, at most 4611686018.427387904 seconds before the start");
  expect_error_behind_front("99999999999999999999 1 a\n",
                            "line 3, column 1: expected a time, at most 9223372036.854775807 seconds");
  expect_error_behind_front("1.0 main a\n", "line 3, column 5: expected a stream, a number up to 4294967295");
  expect_error_behind_front("1.0 2 a\n", "line 3, column 5: stream 2 is not declared before this line");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 a\n",
                            "line 4, column 7: event type a is not declared before this line");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1\n", "line 4, column 6: expected an event type");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 type#65281\n",
                            "line 4, column 7: type#65281 is not a type's number");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !drop\n", "line 4, column 7: expected !lost, !jump or !end");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !lost cause=bad_luck\n",
                            "line 4, column 19: bad_luck is not a cause");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !lost duration=-0.1\n",
                            "line 4, column 22: a duration of losses is not negative");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !jump far\n", "line 4, column 13: expected the end of the line");
}

TEST_F(TextError, FieldsStandInTheirOrder) {
  const std::string front = "type 1024 a (x u8) (y u8)\nstream 1 \"m\"\n";
  expect_error_behind_front(front + "1 1 a y=1\n", "line 5, column 7: expected field x: fields stand in their order");
  expect_error_behind_front(front + "1 1 a x=1 y=2 z=3\n",
                            "line 5, column 15: the type has no more fields: z is one too many");
  expect_error_behind_front(front + "1 1 a x 1\n", "line 5, column 9: expected '='");
  expect_error_behind_front(
      front + "1 1 a +12\n",
      "line 5, column 8: expected the bytes after the fields: 0x and pairs of hexadecimal digits");
}

TEST_F(TextError, AValueMustFitItsField) {
  expect_bad_value("u8", "256", "9: expected a number up to 255");
  expect_bad_value("u8", "-1", "9: expected a number up to 255");
  expect_bad_value("u64", "18446744073709551616", "9: expected a number up to 18446744073709551615");
  expect_bad_value("i8", "128", "9: expected a number from -128 to 127");
  expect_bad_value("i8", "-129", "9: expected a number from -128 to 127");
  expect_bad_value("i64", "9223372036854775808",
                   "9: expected a number from -9223372036854775808 to 9223372036854775807");
  expect_bad_value("f64", "one", "9: expected a number, inf, nan or nan:0xBITS");
  expect_bad_value("f64", "", "9: expected a number, inf, nan or nan:0xBITS");
  expect_bad_value("ticks", "-4611686018.427387905",
                   "9: expected a time, at most 4611686018.427387904 seconds before the start");
  expect_bad_value("tick_delta", "4611686019.427387905",
                   "9: expected a duration that begins within the range of times");
  expect_bad_value("tick_delta", "-9223372035.854775808",
                   "9: expected a duration that begins within the range of times");
  expect_bad_value("bool", "maybe", "9: maybe is not a label of field x");
  expect_bad_value("enum8 labels=[1=on]", "off", "9: off is not a label of field x");
  expect_bad_value("bytes(2)", "0x01", "9: field x has 2 bytes");
  expect_bad_value("text", "\"" + std::string(65536, 'x') + "\"", "9: field x holds at most 65535 bytes");
  expect_bad_value("interned", "here", "9: expected a string in quotes, or #number");
  expect_bad_value("kind77:fixed4", "4", "9: expected bytes: 0x and pairs of hexadecimal digits");
}

TEST_F(TextError, ATextIsQuotedToItsEnd) {
  expect_bad_value("text", "here", "9: expected a string in quotes");
  expect_bad_value("text", "\"here", "9: the text has no closing quote");
  expect_bad_value("text", "\"here\\\"", "9: the text has no closing quote");
  expect_bad_value("text", "\"\\u0041\"", "10: expected one of \\\\ \\\" \\n \\t \\xHH");
  expect_bad_value("text", "\"\\x4\"", "10: expected one of \\\\ \\\" \\n \\t \\xHH");
}

TEST_F(TextError, ASequenceStandsInBrackets) {
  expect_bad_value("u8[]", "1", "9: expected '['");
  expect_bad_value("u8[]", "[1 2", "13: expected a number up to 255");
  expect_bad_value("u8[]", "[1,2]", "11: expected a number up to 255");
  expect_bad_value("text[]", "[one]", "10: expected a string in quotes");
}

TEST_F(TextError, AnEventIsAtMost16MiB) {
  expect_bad_value("text32", "\"" + std::string(16 << 20, 'x') + "\"", "1: the event is larger than 16 MiB");
}

TEST_F(TextError, OfAPipeLeavesNoFileEither) {
  EXPECT_EQ(run("evt convert - -o x.evt", "evtrace text 1\nfrob\n").status, 3);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(TextError, NamesStandardInputInItsSentence) {
  EXPECT_EQ(run("evt convert -", "evtrace text 1\n"),
            refuses(3, "evt convert: standard input: the text has no session line\n"));
}

TEST_F(TextError, ShowsNoControlCharacterOfTheText) {
  expect_error_behind_front("\"\\x1b[31m\\n\"\n",
                            std::string("line 3, column 1: ") + kAnyLine + "; found \\x1b[31m\\x0a");
}

}  // namespace
}  // namespace evt::testing

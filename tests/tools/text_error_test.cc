// A text that makes no sense: one sentence that names the line and the column, status 3, and nothing left behind.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class TextError : public AtTheShell {
 protected:
  // Converting this text says so, and leaves no file.
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

constexpr const char* kAnyLine = "expected an event line, or one of session, type, stream, string, cut";

TEST_F(TextError, IsThatOfTheFirstLineThatMakesNoSense) {
  expect_error_behind_front("frob 1\nfrob 2\n", std::string("line 3, column 1: ") + kAnyLine + "; found frob");
}

TEST_F(TextError, AHeaderComesFirst) {
  expect_error("evtrace text 2\n", "line 1, column 15: expected `evtrace text 1`");
  expect_error("evtrace texts\n", "line 1, column 14: expected `evtrace text 1`");
}

TEST_F(TextError, ALineIsOverBehindItsLastWord) {
  expect_error("evtrace text 1 x\n", "line 1, column 16: expected the end of the line");
  expect_error_behind_front("cut now\n", "line 3, column 5: expected the end of the line");
}

TEST_F(TextError, ASessionComesBeforeAllElse) {
  expect_error("evtrace text 1\n", "the text has no session line");
  for (const char* line : {"type 1024 a\n", "stream 1 \"m\"\n", "string 1 \"m\"\n", "cut\n"}) {
    const std::string column = std::to_string(std::string(line).find_first_of(" \n") + 1);
    expect_error("evtrace text 1\n" + std::string(line),
                 "line 2, column " + column + ": expected a session line before this one");
  }
  expect_error("evtrace text 1\n1.0 1 a\n", "line 2, column 1: expected a session line before this one");
}

TEST_F(TextError, NothingOfASessionFollowsItsCut) {
  expect_error_behind_front("stream 1 \"m\"\ncut\n1.0 1 type#1\n",
                            "line 5, column 1: expected a session line before this one");
}

TEST_F(TextError, InASessionLine) {
  expect_error("evtrace text 1\nsession uuid=0x00\n", "line 2, column 18: a uuid has 16 bytes");
  expect_error("evtrace text 1\nsession uuid=0x0\n",
               "line 2, column 17: expected the uuid: 0x and pairs of hexadecimal digits");
  expect_error("evtrace text 1\nsession start=now\n",
               "line 2, column 18: expected the start, seconds with up to nine digits behind the point");
  expect_error("evtrace text 1\nsession program=test\n", "line 2, column 17: expected a text in quotes");
  expect_error("evtrace text 1\nsession program=\"a\\x00b\"\n", "line 2, column 25: a NUL cannot stand here");
  expect_error("evtrace text 1\nsession colour=1\n", "line 2, column 16: colour is not known here");
  expect_error("evtrace text 1\nsession program \"x\"\n", "line 2, column 17: expected '='");
  expect_error("evtrace text 1\nsession args=[\"a\" b]\n",
               "line 2, column 19: expected a word of the command line in quotes");
}

TEST_F(TextError, InATypeLine) {
  expect_bad_type("type tick", "10: expected the type's number, a number up to 4294967295");
  expect_bad_type("type 4294967296 tick", "16: expected the type's number, a number up to 4294967295");
  expect_bad_type("type 1024", "10: expected the type's name");
  expect_bad_type("type 1024 \"\"", "13: an event type without a name was declared");
  expect_bad_type("type 65280 tick", "16: event type tick: number 65280 is reserved");
  expect_bad_type("type 1024 tick colour=1", "23: colour is not known here");
  expect_bad_type("type 1024 tick role=frob", "25: not a role");
}

TEST_F(TextError, InAFieldOfAType) {
  expect_bad_type("type 1024 tick (n)", "18: expected a field's kind");
  expect_bad_type("type 1024 tick (n u8", "21: expected ')'");
  expect_bad_type("type 1024 tick ()", "17: expected a field's name");
  expect_bad_type("type 1024 tick (n u9)", "21: u9 is not the kind of a field");
  expect_bad_type("type 1024 tick (n f16)", "22: f16 is not the kind of a field");
  expect_bad_type("type 1024 tick (n bytes(x))", "26: expected a width, a number up to 4294967295");
  expect_bad_type("type 1024 tick (n bytes(0))", "28: event type tick: field n has a width of 0");
  expect_bad_type("type 1024 tick (n u8 unit=frob)", "31: not a unit");
  expect_bad_type("type 1024 tick (n enum8 labels=[one])",
                  "36: expected a label's value, a number up to " + std::to_string(UINT64_MAX));
  expect_bad_type("type 1024 tick (n u8) (n u8)", "29: event type tick: field n is declared twice");
}

TEST_F(TextError, ATypeIsDeclaredOnceOrGrows) {
  expect_error_behind_front("type 1024 a\ntype 1025 a\n",
                            "line 4, column 12: event type a: declared as number 1025, before as 1024");
  expect_error_behind_front("type 1024 a\ntype 1024 b\n",
                            "line 4, column 12: event type b: number 1024 is another type's");
  expect_error_behind_front("type 1024 a (n u8)\ntype 1024 a (m u8)\n",
                            "line 4, column 19: event type a: field 0 is m, declared before as n");
}

TEST_F(TextError, InAStreamOrStringLine) {
  expect_error_behind_front("stream x \"m\"\n",
                            "line 3, column 9: expected the stream's number, a number up to 4294967295");
  expect_error_behind_front("stream 1 m\n", "line 3, column 10: expected the stream's name in quotes");
  expect_error_behind_front("stream 1 \"m\" cpu=1\n", "line 3, column 18: cpu is not known here");
  expect_error_behind_front("stream 1 \"m\"\nstream 1 \"n\"\n", "line 4, column 13: stream 1 exists already");
  expect_error_behind_front("string 1 text\n", "line 3, column 10: expected the text in quotes");
  expect_error_behind_front("string 0 \"text\"\n", "line 3, column 16: string 0 is another text already, or 0");
  expect_error_behind_front("string 1 \"a\"\nstring 1 \"b\"\n",
                            "line 4, column 13: string 1 is another text already, or 0");
}

TEST_F(TextError, DISABLED_NoTypeAndNoStreamHasTheNumber0) {
  given_text("type.txt", "type 0 tick\n");
  EXPECT_EQ(run("evt convert type.txt").status, 3);
  given_text("stream.txt", "stream 0 \"m\"\n");
  EXPECT_EQ(run("evt convert stream.txt").status, 3);
}

TEST_F(TextError, InAnEventLine) {
  expect_error_behind_front("1s 1 a\n",
                            "line 3, column 3: expected a time, seconds with up to nine digits behind the point");
  expect_error_behind_front("1.0123456789 1 a\n",
                            "line 3, column 13: expected a time, seconds with up to nine digits behind the point");
  expect_error_behind_front("4000000000 1 a\n",
                            "line 3, column 11: expected a time, seconds with up to nine digits behind the point");
  expect_error_behind_front("1.0 main a\n", "line 3, column 9: expected a stream, a number up to 4294967295");
  expect_error_behind_front("1.0 2 a\n", "line 3, column 6: stream 2 is not declared before this line");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 a\n",
                            "line 4, column 8: event type a is not declared before this line");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1\n", "line 4, column 6: expected an event type");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 type#65281\n",
                            "line 4, column 17: type#65281 is not a type's number");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !drop\n", "line 4, column 12: expected !lost or !jump");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !lost cause=bad_luck\n",
                            "line 4, column 27: bad_luck is not a cause");
  expect_error_behind_front("stream 1 \"m\"\n1.0 1 !jump far\n", "line 4, column 13: expected the end of the line");
}

TEST_F(TextError, FieldsStandInTheirOrder) {
  const std::string front = "type 1024 a (x u8) (y u8)\nstream 1 \"m\"\n";
  expect_error_behind_front(front + "1 1 a y=1\n", "line 5, column 8: expected field x: fields stand in their order");
  expect_error_behind_front(front + "1 1 a x=1 y=2 z=3\n",
                            "line 5, column 16: the type has no more fields: z is one too many");
  expect_error_behind_front(front + "1 1 a x 1\n", "line 5, column 9: expected '='");
  expect_error_behind_front(
      front + "1 1 a +12\n",
      "line 5, column 10: expected the bytes behind the fields: 0x and pairs of hexadecimal digits");
}

TEST_F(TextError, AValueMustFitItsField) {
  expect_bad_value("u8", "256", "12: expected a number, a number up to 255");
  expect_bad_value("u8", "-1", "11: expected a number, a number up to 255");
  expect_bad_value("u64", "18446744073709551616", "29: expected a number, a number up to 18446744073709551615");
  expect_bad_value("i8", "128", "12: the number does not fit its field");
  expect_bad_value("i8", "-129", "13: the number does not fit its field");
  expect_bad_value("i64", "9223372036854775808", "28: expected a number, a number");
  expect_bad_value("f64", "one", "12: expected a number, inf, nan or nan:0xBITS");
  expect_bad_value("f64", "", "9: expected a number, inf, nan or nan:0xBITS");
  expect_bad_value("bool", "maybe", "14: maybe is not a label of field x");
  expect_bad_value("enum8 labels=[1=on]", "off", "12: off is not a label of field x");
  expect_bad_value("bytes(2)", "0x01", "13: field x has 2 bytes");
  expect_bad_value("text", "\"" + std::string(65536, 'x') + "\"", "65547: field x holds at most 65535 bytes");
  expect_bad_value("interned", "here", "9: expected a text, or #number in quotes");
  expect_bad_value("kind77:fixed4", "4", "10: expected bytes: 0x and pairs of hexadecimal digits");
}

TEST_F(TextError, ATextIsQuotedToItsEnd) {
  expect_bad_value("text", "here", "9: expected a text in quotes");
  expect_bad_value("text", "\"here", "14: the text has no closing quote");
  expect_bad_value("text", "\"here\\\"", "16: the text has no closing quote");
  expect_bad_value("text", "\"\\u0041\"", "12: expected one of \\\\ \\\" \\n \\t \\xHH");
  expect_bad_value("text", "\"\\x4\"", "12: expected one of \\\\ \\\" \\n \\t \\xHH");
}

TEST_F(TextError, ASequenceStandsInBrackets) {
  expect_bad_value("u8[]", "1", "9: expected '['");
  expect_bad_value("u8[]", "[1 2", "13: expected a number, a number up to 255");
  expect_bad_value("u8[]", "[1,2]", "11: expected a number, a number up to 255");
  expect_bad_value("text[]", "[one]", "10: expected a text in quotes");
}

TEST_F(TextError, AnEventIsAtMost16MiB) {
  expect_bad_value("text32", "\"" + std::string(16 << 20, 'x') + "\"", "16777227: the event is larger than 16 MiB");
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

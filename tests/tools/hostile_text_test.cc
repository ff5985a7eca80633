// Names and texts come from programs and users that may be hostile: no control character reaches the terminal.
#include <gmock/gmock.h>

#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// ESC, BEL, the CSI of C1, a new line, and a character that turns the direction of text around.
constexpr std::string_view kHostile = "a\x1b[31m\a\xc2\x9b\n\xe2\x80\xaez";
// How the text form writes it.
constexpr std::string_view kEscaped = R"(a\x1b[31m\x07\xc2\x9b\n\xe2\x80\xaez)";

class HostileText : public AtTheShell {
 protected:
  // Replaces each @ by the hostile text as it is written in the text form.
  static std::string with_hostile(std::string_view text) {
    std::string filled;
    for (const char c : text) filled += c == '@' ? std::string(kEscaped) : std::string(1, c);
    return filled;
  }
  static std::string hostile_text() {
    return with_hostile(
        "evtrace text 1\n"
        "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"@\" host=\"@\" boot=\"@\" "
        "writer=\"@\" args=[\"@\" \"-v\"]\n"
        "type 1024 \"@\" \"@\" (\"@\" enum8 labels=[1=\"@\"] \"@\") (why text) (where interned) (also text[])\n"
        "stream 1 \"@\"\n"
        "string 1 \"@\"\n"
        "0.000000001 1 \"@\" \"@\"=\"@\" why=\"@\" where=\"@\" also=[\"@\"]\n");
  }
  static void expect_harmless(const Outcome& outcome) {
    const std::string text = outcome.out + outcome.err;
    const auto is_harmless = [](char c) { return c == '\n' || (c >= ' ' && c < 0x7F); };
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), is_harmless)) << outcome;
  }
};

TEST_F(HostileText, IsQuotedInTheLinesOfEvents) {
  given_trace("x.evt", hostile_text());
  EXPECT_EQ(run("evt dump x.evt"),
            prints(with_hostile("   0.000000001  \"@\"  \"@\" \"@\"=\"@\" why=\"@\" where=\"@\" also=[\"@\"]\n")));
}

TEST_F(HostileText, IsQuotedInTheTableOfTypes) {
  given_trace("x.evt", hostile_text());
  const Outcome outcome = run("evt dump --types x.evt");
  expect_harmless(outcome);
  EXPECT_THAT(outcome.out, HasSubstr(with_hostile("  1024  \"@\"  variable  \"@\":enum8 why:text where:interned "
                                                  "also:text[]  \"@\"\n")));
}

TEST_F(HostileText, IsQuotedInTheTableOfStreams) {
  given_trace("x.evt", hostile_text());
  const Outcome outcome = run("evt dump --streams x.evt");
  expect_harmless(outcome);
  EXPECT_THAT(outcome.out, HasSubstr(with_hostile("     1  \"@\"       -        -     1     0  ")));
}

TEST_F(HostileText, IsQuotedInTheHeader) {
  given_trace("x.evt", hostile_text());
  const Outcome outcome = run("evt dump --header x.evt");
  expect_harmless(outcome);
  EXPECT_THAT(outcome.out, HasSubstr(with_hostile("program   \"@\"\n"
                                                  "command   \"@\" -v\n"
                                                  "host      \"@\"\n")));
  EXPECT_THAT(outcome.out, HasSubstr(with_hostile("writer    \"@\"\n")));
}

TEST_F(HostileText, IsQuotedInTheTextForm) {
  given_trace("x.evt", hostile_text());
  EXPECT_EQ(run("evt dump --canonical x.evt"), prints(hostile_text()));
  EXPECT_EQ(run("evt convert x.evt"), prints(hostile_text()));
}

TEST_F(HostileText, IsQuotedInTheLineOfASession) {
  given_trace("x.evt", with_hostile("evtrace text 1\n"
                                    "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"@\"\n"
                                    "session uuid=0x100102030405460788090a0b0c0d0e1f start=0.000000000 program=\"@\"\n"
                                    "type 1024 tick\n"
                                    "stream 1 \"m\"\n"
                                    "0.000000001 1 tick\n"));
  EXPECT_EQ(run("evt dump x.evt"), prints(with_hostile("# session of \"@\", 1970-01-01 00:00:00.000000000 UTC\n"
                                                       "   0.000000001  m  tick\n")));
}

TEST_F(HostileText, IsQuotedWhereALossIsNamed) {
  given_trace("x.evt", with_hostile("stream 1 \"@\"\n0.000000001 1 !lost count=2 cause=sink duration=0.000000000\n"));
  EXPECT_EQ(run("evt dump --count x.evt"),
            (Outcome{0, "0\n", with_hostile("evt dump: x.evt: 2 events of stream 1 \"@\" lost: sink\n")}));
}

TEST_F(HostileText, InANameOfAFileIsEscapedInMessages) {
  EXPECT_EQ(run("evt dump $'none\\e[31m\\a\\x7f\\n.evt'"),
            refuses(3, "evt dump: cannot open none\\x1b[31m\\x07\\x7f\\x0a.evt: No such file or directory\n"));
  EXPECT_EQ(run("evt convert $'none\\e[31m'"),
            refuses(3, "evt convert: cannot open none\\x1b[31m: No such file or directory\n"));
  given_text("x.txt", "");
  EXPECT_EQ(run("evt convert x.txt -o $'none\\e/x.evt'"),
            refuses(3, "evt convert: cannot write none\\x1b/x.evt: the folder none\\x1b does not exist\n"));
}

TEST_F(HostileText, OfC1OrBidiInANameOfAFileIsEscapedInMessages) {
  expect_harmless(run("evt dump $'none\\xc2\\x9b31m'"));
  expect_harmless(run("evt dump $'none\\xe2\\x80\\xaetve.exe'"));
  expect_harmless(run("evt dump $'none\\x9b31m'"));
}

TEST_F(HostileText, InTheNameOfACutProgramKeepsMessagesOnTheirLine) {
  given_trace("x.evt", with_hostile("evtrace text 1\n"
                                    "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"@\"\n"
                                    "truncated\n"));
  const Outcome outcome = run("evt dump x.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
  EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
}

TEST_F(HostileText, OfC1OrBidiInTheNameOfACutProgramIsEscapedInMessages) {
  given_trace("x.evt", with_hostile("evtrace text 1\n"
                                    "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"@\"\n"
                                    "truncated\n"));
  expect_harmless(run("evt dump x.evt"));
}

// Event type 1024 twice, the second time with this name: a message reports it.
std::string with_a_type_again(std::string_view name) {
  Blocks blocks(trace_from_text("type 1024 tick\n"));
  std::string records(4 + EVT_TYPE_RECORD_SIZE, '\0');
  records += name;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(records.data());
  evt_store_u32(bytes, 1);
  evt_store_u32(bytes + 4, static_cast<std::uint32_t>(records.size() - 4));
  evt_store_u32(bytes + 8, 1024);
  evt_store_u16(bytes + 14, static_cast<std::uint16_t>(name.size()));
  blocks.insert_before(EVT_BLOCK_TRAILER, make_block(EVT_BLOCK_TYPES, records));
  return blocks.together();
}

TEST_F(HostileText, InATypeThatContradictsAnotherKeepsMessagesOnTheirLine) {
  given_file("x.evt", with_a_type_again(kHostile));
  const Outcome outcome = run("evt dump x.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("event type 1024 again, as a\\x1b[31m\\x07"));
}

TEST_F(HostileText, OfC1OrBidiInATypeThatContradictsAnotherIsEscapedInMessages) {
  given_file("x.evt", with_a_type_again(kHostile));
  expect_harmless(run("evt dump x.evt"));
}

TEST_F(HostileText, InAnArgumentIsEscapedWhereItIsRefused) {
  expect_harmless(run("evt dump $'--\\e[31m' x.evt"));
  expect_harmless(run("evt dump x.evt --limit $'\\e[31m'"));
  expect_harmless(run("evt $'\\e[31m'"));
  EXPECT_EQ(run("evt dump x.evt --limit $'\\e'"),
            refuses(2, "evt dump: --limit: expected a number of events, found \\x1b\n"));
}

}  // namespace
}  // namespace evt::testing

// Files that are no traces: one sentence that describes what is there instead, and status 3.
#include <gmock/gmock.h>

#include <random>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class BadInput : public AtTheShell {
 protected:
  // Every way to read it reports that.
  void expect_refused(const std::string& content, const std::string& what) const {
    given_file("f", content);
    EXPECT_EQ(run("evt dump f"), refuses(3, "evt dump: f " + what + "\n"));
    EXPECT_EQ(run("evt convert f -o out"), refuses(3, "evt convert: f " + what + "\n"));
    EXPECT_EQ(run("cat f | tracedump -"), refuses(3, "evt dump: standard input " + what + "\n"));
    EXPECT_EQ(run("cat f | evt convert - -o out"), refuses(3, "evt convert: standard input " + what + "\n"));
    EXPECT_EQ(files(), std::vector<std::string>{"f"});
  }
  void expect_not_a_trace(const std::string& content, const std::string& what) const {
    expect_refused(content, "is not a trace: " + what);
  }

  // Magic bytes with something behind them.
  static std::string with_junk(const std::string& magic) {
    std::mt19937 random(1);
    std::string content = magic;
    for (int i = 0; i < 5000; ++i) content += static_cast<char>(random() & 0xFF);
    return content;
  }
};

TEST_F(BadInput, NoSuchFile) {
  EXPECT_EQ(run("evt dump none.evt"), refuses(3, "evt dump: cannot open none.evt: No such file or directory\n"));
  EXPECT_EQ(run("evt convert none.evt"), refuses(3, "evt convert: cannot open none.evt: No such file or directory\n"));
}

TEST_F(BadInput, AFolder) {
  EXPECT_EQ(run("evt dump ."), refuses(3, "evt dump: cannot read .: it is a directory\n"));
  EXPECT_EQ(run("evt dump - < ."), refuses(3, "evt dump: cannot read standard input: it is a directory\n"));
  EXPECT_EQ(run("evt convert . -o out"), refuses(3, "evt convert: cannot read .: it is a directory\n"));
  EXPECT_EQ(run("evt convert - < ."), refuses(3, "evt convert: cannot read standard input: it is a directory\n"));
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(BadInput, AFileThatMayNotBeRead) {
  given_file("f", "");
  const Outcome outcome =
      run("chmod 0 f; setpriv --reuid=65534 --clear-groups true 2>/dev/null || exit 99\n"
          "chmod 755 .; setpriv --reuid=65534 --clear-groups evt dump f");
  if (outcome.status == 99) GTEST_SKIP() << "nobody else to be";
  EXPECT_EQ(outcome, refuses(3, "evt dump: cannot open f: Permission denied\n"));
}

TEST_F(BadInput, AClosedStandardInput) {
  EXPECT_EQ(run("evt dump - <&-"), refuses(3, "evt dump: cannot read standard input: Bad file descriptor\n"));
}

TEST_F(BadInput, AnEmptyFile) { expect_refused("", "is empty"); }

TEST_F(BadInput, DevNull) { EXPECT_EQ(run("evt dump /dev/null"), refuses(3, "evt dump: /dev/null is empty\n")); }

TEST_F(BadInput, OneByte) { expect_not_a_trace("x", "it begins with plain text"); }

TEST_F(BadInput, PlainText) {
  expect_not_a_trace("Dear reader,\r\n\tthis is a letter.\n", "it begins with plain text");
}

TEST_F(BadInput, ATextFormIsPointedToConvert) {
  given_text("f", "");
  EXPECT_EQ(run("evt dump f"), refuses(3,
                                       "evt dump: f is not a trace: it looks like the text form of a trace: "
                                       "evt convert makes a trace of it\n"));
}

TEST_F(BadInput, APngImage) { expect_not_a_trace(with_junk("\x89PNG\r\n\x1a\n"), "it looks like a PNG image"); }

TEST_F(BadInput, AZipArchive) {
  expect_not_a_trace(with_junk("PK\x03\x04"), "it looks like a zip archive: unpack it first");
}

TEST_F(BadInput, AProgram) {
  expect_not_a_trace(with_junk("\x7f"
                               "ELF\x02\x01\x01"),
                     "it looks like a program");
  EXPECT_EQ(run("evt dump $(command -v evt) 2>&1 | sed 's/dump: .* is not/dump: PROGRAM is not/'"),
            prints("evt dump: PROGRAM is not a trace: it looks like a program\n"));
}

TEST_F(BadInput, ALogOfAnotherTracer) {
  given_file("f", with_junk("hdrb"));
  EXPECT_EQ(
      run("evt dump f"),
      refuses(3, "evt dump: f is a GHC eventlog whose header makes no sense at 4: expected a list of event types\n"));
  EXPECT_EQ(run("cat f | tracedump -"),
            refuses(3,
                    "evt dump: standard input is a GHC eventlog whose header makes no sense "
                    "at 4: expected a list of event types\n"));
}

TEST_F(BadInput, APointerOfGitLfs) {
  expect_not_a_trace("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
                     "it looks like a git-lfs pointer: git lfs pull fetches the file itself");
}

TEST_F(BadInput, Zeros) { expect_not_a_trace(std::string(3 << 20, '\0'), "it begins with zeros"); }

TEST_F(BadInput, ADeviceThatNeverEnds) {
  EXPECT_EQ(run("evt dump /dev/zero"), refuses(3, "evt dump: /dev/zero is not a trace: it begins with zeros\n"));
  EXPECT_EQ(run("evt dump - < /dev/zero"),
            refuses(3, "evt dump: standard input is not a trace: it begins with zeros\n"));
  EXPECT_EQ(run("evt convert /dev/zero"), refuses(3, "evt convert: /dev/zero is not a trace: it begins with zeros\n"));
  EXPECT_EQ(run("yes | evt dump -"),
            refuses(3, "evt dump: standard input is not a trace: it begins with plain text\n"));
}

TEST_F(BadInput, RandomBytes) {
  expect_not_a_trace(with_junk("\x01\x02"), "no block header is in its first 5002 bytes");
}

TEST_F(BadInput, ATraceBehindMoreThanOneMegabyteOfSomethingElse) {
  given_trace("x.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  EXPECT_EQ(run("(head -c 1048577 /dev/zero | tr '\\0' '\\1'; cat x.evt) > f; evt dump f"),
            refuses(3, "evt dump: f is not a trace: no block header is in its first 1048576 bytes\n"));
  EXPECT_EQ(run("(head -c 1000000 /dev/zero | tr '\\0' '\\1'; cat x.evt) > f; evt dump f"),
            (Outcome{1, "   0.000000001  m  type#7\n",
                     "evt dump: f: 1,000,000 bytes from offset 0 ignored: no block header\n"}));
}

TEST_F(BadInput, ALoneMagic) {
  given_file("f",
             "\x89"
             "EVT\r\n\x1a\n");
  EXPECT_EQ(run("evt dump f"), refuses(3, "evt dump: f is truncated inside its first block header\n"));
}

TEST_F(BadInput, AMagicWithJunkBehindIt) {
  given_file("f", with_junk("\x89"
                            "EVT\r\n\x1a\n"));
  EXPECT_EQ(run("evt dump f"), refuses(3, "evt dump: f begins as a trace does, but no block of it can be read\n"));
}

TEST_F(BadInput, AMagicInAPipeIsSeenToo) {
  const std::string magic =
      "\x89"
      "EVT\r\n\x1a\n";
  expect_refused(magic, "is truncated inside its first block header");
  expect_refused(with_junk(magic), "begins as a trace does, but no block of it can be read");
}

TEST_F(BadInput, ATransferThatChangedLineEnds) {
  given_trace("x.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  const Outcome outcome = run("sed 's/\\r$//' x.evt > f; evt dump f");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, EndsWith("bytes\n"));
}

}  // namespace
}  // namespace evt::testing

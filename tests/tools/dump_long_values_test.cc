// evt dump for people shows the front of a long value, and its size; the text form shows all.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

// As many numbers as asked for, 0 0 0 ...
std::string zeros(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "0" : " 0";
  return text;
}

class DumpLongValues : public AtTheShell {
 protected:
  // Has it that a value of this kind, written so, is shown like this.
  void expect_shown(const std::string& kind, const std::string& written, const std::string& shown) const {
    given_trace("x.evt",
                "type 1024 a (x " + kind + ") (last u8)\nstream 1 \"m\"\n1.000000000 1 a x=" + written + " last=1\n");
    EXPECT_EQ(run("evt dump x.evt"), prints("   1.000000000  m  a x=" + shown + " last=1\n"));
    EXPECT_NE(run("evt dump --canonical x.evt").out.find(" a x=" + written + " last=1\n"), std::string::npos);
  }
};

TEST_F(DumpLongValues, OfText) {
  const std::string most(256, 'x');
  expect_shown("text", '"' + most + '"', '"' + most + '"');
  expect_shown("text", '"' + most + "y\"", '"' + most + "\"... of 257 bytes");
}

TEST_F(DumpLongValues, OfBytes) {
  const std::string most(512, 'a');
  expect_shown("bytes", "0x" + most, "0x" + most);
  expect_shown("bytes32", "0x" + most + "bb", "0x" + most + "... of 257 bytes");
  expect_shown("kind77:counted16", "0x" + most + "bb", "0x" + most + "... of 257 bytes");
}

TEST_F(DumpLongValues, OfSequences) {
  expect_shown("u8[]", "[" + zeros(64) + "]", "[" + zeros(64) + "]");
  expect_shown("u8[]", "[" + zeros(65) + "]", "[" + zeros(64) + " ... of 65]");
  expect_shown("text[]", "[\"" + std::string(300, 'x') + "\" \"y\"]",
               "[\"" + std::string(256, 'x') + "\"... of 300 bytes \"y\"]");
}

TEST_F(DumpLongValues, OfInternedText) {
  given_trace("x.evt", "type 1024 a (x interned)\nstream 1 \"m\"\nstring 1 \"" + std::string(1000, 'x') +
                           "\"\n1.000000000 1 a x=#1\n");
  EXPECT_EQ(run("evt dump x.evt"),
            prints("   1.000000000  m  a x=\"" + std::string(256, 'x') + "\"... of 1000 bytes\n"));
}

TEST_F(DumpLongValues, OfBytesThatNoFieldDescribes) {
  given_trace("x.evt", "stream 1 \"m\"\n1.000000000 1 type#7 +0x" + std::string(600, 'a') + "\n");
  EXPECT_EQ(run("evt dump x.evt"),
            prints("   1.000000000  m  type#7 +0x" + std::string(512, 'a') + "... of 300 bytes\n"));
}

TEST_F(DumpLongValues, EndsAtAWholeCharacter) {
  const std::string front(255, 'x');
  expect_shown("text", '"' + front + "öl\"", '"' + front + "\"... of 258 bytes");
}

}  // namespace
}  // namespace evt::testing

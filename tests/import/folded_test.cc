// Folded stacks.
#include "sampled_reading.h"

namespace evt::testing {
namespace {

constexpr const char* kNoUnit = "note: folded stacks state no unit: their numbers are read as nanoseconds\n";

TEST(Folded, ALineIsASampleOfTheThreadThatItBeginsWith) {
  EXPECT_EQ(samples_of("main;run;read 30\nworker 3;run;work(int, char) 5\r\n\nmain;run 2\nmain 4"),
            std::string("0 main folded.sample 30: read, run\n"
                        "30 worker 3 folded.sample 5: work(int, char), run\n"
                        "35 main folded.sample 2: run\n"
                        "37 main folded.sample 4: [unknown]\n") +
                kNoUnit);
}

TEST(Folded, NamesAreAsTheyWereBeforeTheyWereWritten) {
  EXPECT_EQ(samples_of("a\\x3bb;c\\x0ad;\\xe 1\n;;x 2\n"),
            std::string("0 a;b folded.sample 1: \\xe, c\nd\n1  folded.sample 2: x, [unknown]\n") + kNoUnit);
}

TEST(Folded, ALineThatIsNoneIsALossWithItsNumber) {
  EXPECT_EQ(samples_of("a;b 1\na;c\na;d 1.5\na;e 2\n"),
            std::string("0 a folded.sample 1: b\n1 a lost 1\n1 a lost 1\n1 a folded.sample 2: e\n") +
                "damage 6+4: no sample: line 2 does not end in a space and a whole number below 2^64\n"
                "damage 10+8: no sample: line 3 does not end in a space and a whole number below 2^64\n" +
                kNoUnit);
}

TEST(Folded, NumbersThatAddUpToMoreThanATraceHasAreLosses) {
  EXPECT_EQ(samples_of("a;b 2305843009213693950\na;c 18446744073709551615\na;d 2\n"),
            std::string("0 a folded.sample 2305843009213693950: b\n"
                        "2305843009213693950 a lost 1\n"
                        "2305843009213693950 a folded.sample 2: d\n") +
                "damage 24+25: no sample: line 2 makes the sum of all numbers larger than 2^61\n" + kNoUnit);
}

TEST(Folded, ALineOfAnyLengthTakesLittleMemory) {
  const std::string names(1 << 20, 'x');
  EXPECT_EQ(samples_of("a;b 1\na;" + names + " 1\na;c 1\n"),
            std::string("0 a folded.sample 1: b\n1 a lost 1\n1 a folded.sample 1: c\n") +
                "damage 6+1048581: no sample: line 2 is longer than 256 KiB\n" + kNoUnit);
}

TEST(Folded, AStackOfMoreThan512FramesIsTruncated) {
  std::string line = "a";
  for (int i = 0; i < 600; ++i) line += fmt::format(";f{}", i);
  const std::string read = samples_of(line + " 7\n");
  EXPECT_EQ(read.substr(0, 34), "0 a folded.sample 7: f599, f598, f");
  EXPECT_EQ(read.substr(read.find(" f89,")), std::string(" f89, [truncated]\n") + kNoUnit);
}

// Two hundred KiB of names: more than what other formats are recognised by.
TEST(Folded, TheFirstStackMayBeLong) {
  std::string line = "a";
  for (int i = 0; i < 20'000; ++i) line += ";function_" + std::to_string(i % 10);
  EXPECT_EQ(samples_of(line + " 7\na;b 1\n").substr(0, 44), "0 a folded.sample 7: function_9, function_8,");
}

TEST(Folded, OtherTextIsNoFoldedStack) {
  for (const char* const text : {"a 1\nb 2\n", "one;two\n", "int main() { return 0; }\n"}) {
    EXPECT_EQ(samples_of(text), "not a trace: memory is not a trace: it begins with plain text\n") << text;
  }
}

}  // namespace
}  // namespace evt::testing

// CTF folders that were made to take a lot: a sentence and status 3, in bounded memory.
#include <unistd.h>

#include <filesystem>

#include "at_the_shell.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

constexpr std::string_view kHostileFront =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };\n"
    "clock { name = \"c\"; freq = 1000000000; };\n"
    "typealias integer { size = 64; align = 8; map = clock.c.value; } := time;\n"
    "stream { id = 0; event.header := struct { u32 id; time timestamp; }; };\n";

class HostileCtf : public AtTheShell {
 protected:
  void SetUp() override {
    if (access(EVT_BIN_FOLDER "/evt-import-ctf", X_OK) != 0) GTEST_SKIP() << "evt-import-ctf is not built";
    if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  }

  // One event with these fields, and the bytes of them.
  void given_event(const std::string& fields, const std::string& bytes) const {
    std::filesystem::create_directory(path_of("ctf"));
    given_file("ctf/metadata", std::string(kHostileFront) +
                                   "event { name = \"e\"; id = 0; stream_id = 0; fields := struct { " + fields +
                                   " }; };\n");
    given_file("ctf/chan", std::string("\xC1\x1F\xFC\xC1\0\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0", 20) + bytes);
  }
  void expect_refusal(const std::string& sentence) const {
    EXPECT_EQ(run("evt dump ctf"), refuses(3, "evt dump: ctf: " + sentence + "\n"));
    const Outcome peak =
        run("python3 -c 'import resource, subprocess\n"
            "subprocess.run([\"evt\", \"dump\", \"ctf\"], stderr=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'");
    EXPECT_LT(std::stol(peak.out), 256 << 10);
  }
};

TEST_F(HostileCtf, AnArrayOfTwoGigabytesIsRefused) {
  given_event("u8 a[2000000000];", "");
  expect_refusal("it takes more than 224 MiB of memory, which no trace of a tracer needs");
}

TEST_F(HostileCtf, ATextOf300MebibytesIsRefused) {
  given_event("string s;", std::string(300 << 20, 'a') + '\0');
  expect_refusal("it takes more than 224 MiB of memory, which no trace of a tracer needs");
}

TEST_F(HostileCtf, MoreFieldsThanAnEventHasAreRefused) {
  std::string fields;
  for (int i = 0; i < 2000; ++i) fields += "u8 f" + std::to_string(i) + ";";
  given_event(fields, std::string(2000, '\0'));
  expect_refusal("event e has more than 1024 fields");
}

TEST_F(HostileCtf, MetadataThatTakesForEverIsRefused) {
  std::string fields;
  for (int i = 0; i < 100'000; ++i) fields += "u8 f" + std::to_string(i) + ";";
  given_event(fields, std::string(100'000, '\0'));
  EXPECT_EQ(
      evt::testing::run("evt dump ctf", path_of(""), "", 240),
      refuses(3, "evt dump: ctf: its metadata takes more than 20 s of a processor, which that of no tracer needs\n"));
}

TEST_F(HostileCtf, AStructureOf5000LevelsIsRefused) {
  std::string fields;
  for (int i = 0; i < 5000; ++i) fields += "struct { ";
  fields += "u8 x; ";
  for (int i = 0; i < 5000; ++i) fields += "} s; ";
  given_event(fields, "");
  const Outcome outcome = run("evt dump ctf");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
}

}  // namespace
}  // namespace evt::testing

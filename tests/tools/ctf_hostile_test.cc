// CTF folders that were made to take a lot: what is good of them, in bounded memory.
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
  void expect_little_memory() const {
    const Outcome peak =
        run("python3 -c 'import resource, subprocess\n"
            "subprocess.run([\"evt\", \"dump\", \"ctf\"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'");
    EXPECT_LT(std::stol(peak.out), 128 << 10);
  }
};

TEST_F(HostileCtf, AnArrayOfTwoGigabytesIsRefused) {
  given_event("u8 a[2000000000];", "");
  EXPECT_EQ(
      run("evt dump ctf"),
      refuses(3, "evt dump: ctf: no event of it can be read: chan: event e: it goes beyond the end of its packet\n"));
  expect_little_memory();
}

TEST_F(HostileCtf, ATextOf300MebibytesIsCountedAsLost) {
  given_event("string s;", std::string(300 << 20, 'a') + '\0');
  EXPECT_EQ(run("evt dump ctf"),
            refuses(3, "evt dump: ctf: no event of it can be read: chan: an event is longer than 4 MiB\n"));
  expect_little_memory();
}

TEST_F(HostileCtf, AHundredThousandFieldsAreRefused) {
  std::string fields;
  for (int i = 0; i < 100'000; ++i) fields += "u8 f" + std::to_string(i) + ";";
  given_event(fields, std::string(100'000, '\0'));
  EXPECT_EQ(run("evt dump ctf"), refuses(3, "evt dump: ctf/metadata: line 9: it has more than 10000 members\n"));
  expect_little_memory();
}

TEST_F(HostileCtf, ManyTypesAndStreamsTakeLittle) {
  std::string metadata(kHostileFront);
  for (int i = 0; i < 20'000; ++i) {
    metadata += "event { name = \"e\"; id = " + std::to_string(i) + "; stream_id = 0; fields := struct { u8 f" +
                std::to_string(i) + "; u8 n; u32 a[n]; }; };\n";
  }
  std::filesystem::create_directory(path_of("ctf"));
  given_file("ctf/metadata", metadata);
  for (int i = 0; i < 2000; ++i) {
    given_file("ctf/chan" + std::to_string(i), std::string("\xC1\x1F\xFC\xC1\0\0\0\0\1\0\0\0\5\0\0\0\0\0\0\0\0\0", 22));
  }
  EXPECT_EQ(run("evt dump --count ctf").out, "2000\n");
  expect_little_memory();
}

}  // namespace
}  // namespace evt::testing

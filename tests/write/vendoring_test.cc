// The writer without our build: one compiler command over its few sources, linked into a C program by the C driver.
#include <gtest/gtest.h>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr const char* kInclude = " -I. -Iformat-spec/include -Ilibtrace-write/include ";

// Compiles all of the writer into a folder with one command, as README.md shows it; once for all tests.
class Vendored : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Folder;
    compiled = run("cp -r " EVT_SOURCE_FOLDER "/format-spec " EVT_SOURCE_FOLDER "/libtrace-write . && " EVT_CXX_COMPILER
                   " -std=c++20 -O2 -fno-exceptions -fno-rtti" +
                       std::string(kInclude) +
                       "-c libtrace-write/src/*.cc format-spec/src/base/*.cc format-spec/src/block/*.cc "
                       "format-spec/src/ring/*.cc format-spec/src/row/*.cc format-spec/src/session/*.cc",
                   folder->path(), "", 240);
  }
  static void TearDownTestSuite() { delete folder; }

  static Folder* folder;
  static Outcome compiled;
};
Folder* Vendored::folder = nullptr;
Outcome Vendored::compiled;

TEST_F(Vendored, WriterIsCompiledByOneCommand) { EXPECT_EQ(compiled, (Outcome{0, "", ""})); }

TEST_F(Vendored, WriterUsesNothingOfTheCppRuntime) {
  const Outcome symbols =
      run("nm -u *.o | grep -E '_ZSt|_ZNSt|_ZNKSt|_Znw|_Zna|_Zdl|_Zda|__cxa_|__gxx_|_Unwind'", folder->path());
  EXPECT_EQ(symbols.out, "");
}

TEST_F(Vendored, WriterIsLinkedByTheCDriverWithLibcAndThreadsAlone) {
  const Outcome built = run(EVT_C_COMPILER " -std=c11 -Wall -Wextra -Wpedantic -Werror" + std::string(kInclude) +
                                "-o hello " EVT_SOURCE_FOLDER "/examples/hello.c *.o -pthread && ./hello hello.evt",
                            folder->path());
  EXPECT_EQ(built, (Outcome{0, "", ""}));
  const Outcome needed = run("readelf -d hello | grep NEEDED | grep -v 'libc.so'", folder->path());
  EXPECT_EQ(needed.out, "");
  const std::string bytes = read_file(*folder / "hello.evt");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::string said;
  while (const Event* event = events.next()) said += std::string(event->value("text")->as_text()) + " ";
  EXPECT_EQ(said, "world moon stars ");
  EXPECT_TRUE(events.status().ok()) << events.status().message();
}

TEST(Vendoring, EachHeaderStandsAlone) {
  const Folder folder;
  const std::string headers = "for h in " EVT_SOURCE_FOLDER "/format-spec/include/evt/*.h " EVT_SOURCE_FOLDER
                              "/libtrace-write/include/evt/*.h; do ";
  const std::string flags = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I" EVT_SOURCE_FOLDER
                            "/format-spec/include -I" EVT_SOURCE_FOLDER "/libtrace-write/include ";
  EXPECT_EQ(
      run(headers + "printf '#include \"%s\"\\n' $h | " EVT_CXX_COMPILER " -std=c++20 -x c++ " + flags + "- ; done"),
      (Outcome{0, "", ""}));
  const std::string c_headers = "for h in code describe format little_endian evt emit; do ";
  EXPECT_EQ(
      run(c_headers + "printf '#include <evt/%s.h>\\n' $h | " EVT_C_COMPILER " -std=c11 -x c " + flags + "- ; done"),
      (Outcome{0, "", ""}));
}

}  // namespace
}  // namespace evt::testing

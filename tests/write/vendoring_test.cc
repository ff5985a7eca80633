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
                   " -std=c++20 -O2 -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden" +
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
  const Outcome needed = run("readelf -d hello | grep NEEDED | grep -v -E 'libc.so|ld-linux'", folder->path());
  EXPECT_EQ(needed.out, "");
  const std::string bytes = read_file(*folder / "hello.evt");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::string said;
  while (const Event* event = events.next()) said += std::string(event->value("text")->as_text()) + " ";
  EXPECT_EQ(said, "world moon stars ");
  EXPECT_TRUE(events.status().ok()) << events.status().message();
}

// Two libraries with a copy each, of two versions, in one program: each records by its own, in its own file.
TEST_F(Vendored, CopiesInOneProgramAreEachForItself) {
  const std::string library = R"(#include <evt/trace_macros.h>
#include <stdio.h>
static evt_writer* writer;
const char* NAME(open)(void) { writer = evt_open_from_env(NULL, NULL); return evt_version(); }
void NAME(work)(int n) { for (int i = 0; i < n; ++i) EVT_TRACE("app.tick", "n", i); }
int NAME(close)(void) { return evt_close(writer, NULL); }
)";
  const std::string program = R"(#include <stdio.h>
const char *a_open(void), *b_open(void); void a_work(int), b_work(int); int a_close(void), b_close(void);
int main(void) {
  const char* a = a_open(); const char* b = b_open();
  printf("%s %s\n", a, b);
  a_work(10); b_work(20);
  int closed = a_close();
  b_work(5);
  return closed + b_close();
}
)";
  folder->write("library.c", library);
  folder->write("program.c", program);
  const std::string build =
      R"(set -e
sed -i 's/#define EVT_VERSION "[0-9.]*"/#define EVT_VERSION "99.0.0"/' libtrace-write/include/evt/evt.h
mkdir later && (cd later && )" EVT_CXX_COMPILER
      " -std=c++20 -O2 -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden"
      R"( -I.. -I../format-spec/include -I../libtrace-write/include -c ../libtrace-write/src/evt_writer.cc)
)" EVT_C_COMPILER " -std=c11 -shared -fPIC '-DNAME(x)=a_##x'" +
      std::string(kInclude) +
      "-o liba.so library.c [a-z]*.o\n" EVT_C_COMPILER " -std=c11 -shared -fPIC '-DNAME(x)=b_##x'" + kInclude +
      "-o libb.so library.c later/*.o $(ls [a-z]*.o | grep -v evt_writer.o)\n" EVT_C_COMPILER
      " -o program program.c -L. -la -lb -Wl,-rpath,$PWD\n"
      "nm -D --defined-only liba.so libb.so | grep -c ' [TWVBD] ' ; "
      "nm -D --defined-only liba.so libb.so | grep -c evt || true\n"
      "EVTRACE=e.evt ./program 2>notices; sed 's/e[.][0-9]*[.]evt/e.PID.evt/' notices\n"
      "evt dump --count e.evt; evt dump --count e.*.evt\n";
  EXPECT_EQ(run(build, folder->path(), "", 120),
            (Outcome{0,
                     "6\n0\n1.0.0 99.0.0\n"
                     "evtrace: e.evt is being written by this program already: this session writes e.PID.evt\n"
                     "10\n25\n",
                     ""}));
}

// What a compiler prints where a macro is used as it cannot be: a sentence.
TEST(Vendoring, WrongUseOfAMacroIsOneSentence) {
  const auto errors_of = [](const std::string& line) {
    const Folder folder;
    folder.write("a.c",
                 "#include <evt/trace_macros.h>\nvoid f(void* p, int i);\nvoid f(void* p, int i) { (void)p; (void)i; " +
                     line + " }\n");
    return run(EVT_C_COMPILER " -std=c11 -I" EVT_SOURCE_FOLDER "/format-spec/include -I" EVT_SOURCE_FOLDER
                              "/libtrace-write/include -fsyntax-only a.c 2>&1 | grep error: | sed 's/.*error: //; "
                              "s/tion failed: /t failed /; "
                              "s/static_assert failed/static assert failed/' | sort -u",
               folder.path())
        .out;
  };
  EXPECT_EQ(errors_of("EVT_TRACE(\"a\"); EVT_TRACE(\"b\", \"i\", i, \"l\", 1l, \"d\", 1.5, \"t\", \"x\");"), "");
  EXPECT_EQ(errors_of("EVT_TRACE(\"a\", \"i\");"),
            "static assert failed \"EVT_TRACE: each field is a name and a value\"\n");
  EXPECT_EQ(errors_of("EVT_TRACE(\"a\", \"1\",1,\"2\",2,\"3\",3,\"4\",4,\"5\",5,\"6\",6,\"7\",7,\"8\",8,\"9\",9);"),
            "static assert failed \"EVT_TRACE: an event has at most 8 fields in C\"\n");
  EXPECT_EQ(
      errors_of("EVT_TRACE(\"a\", \"p\", p);"),
      "static assert failed \"EVT_TRACE: a value is an integer, an enumeration, a float or double, a bool, or a text "
      "(char*); a cast makes it one\"\n");
  const std::string surplus = errors_of("static const evt_field x[] = {EVT_FIELD_U32(\"a\", 1, 2, 3)}; (void)x;");
  EXPECT_NE(surplus.find("EVT_FIELD_TAKES_NO_MORE_"), std::string::npos) << surplus;
}

// With the warnings that projects have for old code.
TEST(Vendoring, HeadersHaveNoOldCastsAndNoLateDeclarations) {
  const std::string includes = " -Werror -fsyntax-only -I" EVT_SOURCE_FOLDER "/format-spec/include -I" EVT_SOURCE_FOLDER
                               "/libtrace-write/include - ";
  for (const char* const header : {"emit", "emit_events", "trace_macros"}) {
    const std::string text = "printf '#include <evt/" + std::string(header) + ".h>\n' | ";
    EXPECT_EQ(run(text + EVT_CXX_COMPILER " -std=c++20 -Wold-style-cast -x c++" + includes), (Outcome{0, "", ""}));
    EXPECT_EQ(run(text + EVT_C_COMPILER " -std=c11 -Wdeclaration-after-statement -x c" + includes),
              (Outcome{0, "", ""}));
  }
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

// evtrace in other people's builds: installed as static and as shared libraries, moved elsewhere, taken in as sources.
#include <evt/evt.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

const std::string kCompilers = " -G Ninja -DCMAKE_C_COMPILER=" EVT_C_COMPILER " -DCMAKE_CXX_COMPILER=" EVT_CXX_COMPILER;
const std::string kProjects = EVT_SOURCE_FOLDER "/tests/package/";
const std::string kConsumer = "'" + kProjects + "consumer'";

enum class Shape : std::uint8_t { kStatic, kShared, kDebian };

// What a shape of package installs, each once for all tests, in a folder that had nothing in it: this build, with its
// shared libraries; its static libraries, as a build without shared ones installs them; or the Debian packages of the
// folder EVT_DEBS.
class Installed {
 public:
  explicit Installed(Shape shape) : shape_(shape) {
    if (shape == Shape::kDebian) {
      must("for each in '" + debs() + "'/*.deb; do dpkg-deb -x \"$each\" " + folder_ / "first" + " || exit 1; done");
    } else {
      std::string build = EVT_BUILD_FOLDER;
      if (shape == Shape::kStatic) {
        build = folder_ / "build";
        must("cmake -S '" EVT_SOURCE_FOLDER "' -B " + build + kCompilers +
             " -DEVTRACE_TOOLS=OFF -DEVTRACE_TESTS=OFF -DCMAKE_INSTALL_LIBDIR=" EVT_LIBRARY_FOLDER);
        // Compiled alike, so not again.
        must("cd '" EVT_BUILD_FOLDER "' && cp --parents -d libtrace-*/*.a libtrace-read/c/*.so* " + build);
      }
      must("cmake --install '" + build + "' --prefix " + folder_ / "first");
    }
    // It is installed in one place and used in another.
    std::filesystem::rename(folder_ / "first", folder_ / "moved");
  }

  static std::string debs() {
    const char* const folder = getenv("EVT_DEBS");
    return folder == nullptr ? "" : folder;
  }

  std::string prefix() const { return folder_ / (shape_ == Shape::kDebian ? "moved/usr" : "moved"); }
  std::string libraries() const {
    return prefix() + "/" + (shape_ == Shape::kDebian ? "lib/" EVT_DEBIAN_ARCHITECTURE : EVT_LIBRARY_FOLDER);
  }
  bool is_shared() const { return shape_ != Shape::kStatic; }
  std::string library(const std::string& name) const {
    return libraries() + "/libevtrace-" + name + (is_shared() ? ".so" : ".a");
  }
  std::string pkg_config() const { return "PKG_CONFIG_PATH=" + libraries() + "/pkgconfig pkg-config "; }

  static const Installed& of(Shape shape) {
    static std::map<Shape, Installed> all;
    return all.try_emplace(shape, shape).first->second;
  }

 private:
  static void must(const std::string& line) {
    const Outcome outcome = run(line, "", "", 1200);
    if (outcome.status != 0) throw std::runtime_error(line + "\n" + outcome.out + outcome.err);
  }

  Folder folder_;
  Shape shape_;
};

class Package : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override {
    if (GetParam() == Shape::kDebian && Installed::debs().empty()) {
      GTEST_SKIP() << "EVT_DEBS names no folder of Debian packages: ./dev test --outside makes them";
    }
    installed = &Installed::of(GetParam());
  }

  // Configures and builds somebody's project in a new folder `build`.
  Outcome build(const std::string& project, const std::string& options = "") {
    return run("cmake -S '" + kProjects + project + "' -B build" + kCompilers +
                   " -DCMAKE_PREFIX_PATH=" + installed->prefix() + options + " && cmake --build build",
               folder.path());
  }

  // What the programs in `at` record, count there reads.
  void expect_that_they_work(const std::string& at) {
    EXPECT_EQ(run("./record_c c.evt && ./count c.evt", at), (Outcome{0, "10 ticks\n", ""}));
    EXPECT_EQ(run("./count_c c.evt", at), (Outcome{0, "10 ticks\n", ""}));
    EXPECT_EQ(run("./record_compact compact.evt && ./count compact.evt", at), (Outcome{0, "30 ticks\n", ""}));
    EXPECT_EQ(run("./record_cpp cpp.evt && ./count cpp.evt", at), (Outcome{0, "20 ticks\n", ""}));
  }

  const Installed* installed = nullptr;
  Folder folder;
};

TEST_P(Package, IsFoundByCMake) {
  const Outcome built = build("consumer");
  ASSERT_EQ(built.status, 0) << built;
  expect_that_they_work(folder / "build");
}

TEST_P(Package, IsFoundByAProjectOfCppAlone) {
  const Outcome built = build("cxx_alone");
  ASSERT_EQ(built.status, 0) << built;
  EXPECT_EQ(run("./record_cpp cpp.evt && ./count cpp.evt", folder / "build"), (Outcome{0, "20 ticks\n", ""}));
}

TEST_P(Package, NeedsLibcAndThreadsAloneToRecord) {
  const Outcome built = build("write_component", " -DCOMPONENTS=write");
  ASSERT_EQ(built.status, 0) << built;
  EXPECT_EQ(run("build/record_c c.evt && tracedump --count c.evt", folder.path()), (Outcome{0, "10\n", ""}));
  const Outcome needed =
      run("readelf -d build/record_c | grep -o 'NEEDED.*' | grep -v -e libevtrace-write -e ld-linux", folder.path());
  EXPECT_THAT(needed.out, ::testing::MatchesRegex("NEEDED.*\\[libc\\.so\\.6\\]\n"));
}

TEST_P(Package, HasComponentsOfWhichThoseThatCannotBeUsedAreLeftOut) {
  const Outcome built = build("write_component", " -DCOMPONENTS=");
  ASSERT_EQ(built.status, 0) << built;
  EXPECT_EQ(run("build/record_c c.evt && tracedump --count c.evt", folder.path()), (Outcome{0, "10\n", ""}));
  const std::string sentence =
      "evtrace: component read needs what is not found: zstd (libzstd-dev), fmt (libfmt-dev)\n";
  // Shared libraries bring what they need.
  EXPECT_EQ(built.out.find(sentence) != std::string::npos, !installed->is_shared()) << built;
}

TEST_P(Package, NamesTheComponentThatIsNotThere) {
  const Outcome built = build("write_component", " -DCOMPONENTS=rewrite");
  EXPECT_NE(built.status, 0);
  EXPECT_THAT(built.err,
              ::testing::HasSubstr("component rewrite is not installed; there is: write, compact, read, reader\n"));
}

// Whichever libraries are installed, static or shared, no option names them.
TEST_P(Package, IsFoundByPkgConfig) {
  const auto flags = [&](const std::string& name) {
    return " $(" + installed->pkg_config() + "--cflags --libs " + name + ")";
  };
  const std::string rpath = " -Wl,-rpath," + installed->libraries();
  const Outcome built =
      run(EVT_C_COMPILER " -std=c11 " + kConsumer + "/record.c -o record_c" + flags("evtrace-write") + rpath +
              " && " EVT_C_COMPILER " -std=c11 " + kConsumer + "/record_compact.c -o record_compact" +
              flags("evtrace-compact") + rpath + " && " EVT_CXX_COMPILER " -std=c++20 " + kConsumer +
              "/record.cpp -o record_cpp" + flags("evtrace-write") + rpath + " && " EVT_CXX_COMPILER " -std=c++20 " +
              kConsumer + "/count.cpp -o count" + flags("evtrace-read") + rpath + " && " EVT_C_COMPILER " -std=c11 " +
              kConsumer + "/count.c -o count_c" + flags("evtrace-reader") + rpath,
          folder.path());
  ASSERT_EQ(built.status, 0) << built;
  expect_that_they_work(folder.path());
}

// What they include is installed, too.
TEST_P(Package, HasHeadersOfAnalysesThatNeedNoOthersBeforeThem) {
  const std::string include = installed->prefix() + "/include";
  const Outcome built =
      run("for each in " + include + "/evt/analysis/*.h; do " EVT_CXX_COMPILER " -std=c++20 -fsyntax-only -I " +
              include + " -include $each -x c++ /dev/null || exit 1; done",
          "", "", 240);
  EXPECT_EQ(built, (Outcome{0, "", ""}));
}

TEST_P(Package, SaysItsVersion) {
  EXPECT_EQ(run(installed->pkg_config() + "--modversion evtrace-write evtrace-compact evtrace-read evtrace-reader"),
            (Outcome{0, EVT_VERSION "\n" EVT_VERSION "\n" EVT_VERSION "\n" EVT_VERSION "\n", ""}));
}

// The names that the C side of a library has for others to see; that of a version of names (EVT_1.0) means nothing to
// them.
std::set<std::string> foreign_names(const std::string& nm, const std::string& library) {
  const Outcome listed = run("nm " + nm + " --extern-only --defined-only --format=posix " + library);
  EXPECT_EQ(listed.status, 0) << listed;
  std::set<std::string> found;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    const bool in_cpp = name.starts_with("_Z") || name.starts_with("DW.ref._");
    const bool is_version = line.starts_with(name + " A ");
    const bool is_own = name.empty() || name.back() == ':' || name.starts_with("evt_");
    if (!in_cpp && !is_version && !is_own) found.insert(name);
  }
  return found;
}

TEST_P(Package, HasNamesOfItsOwnOnly) {
  const std::string how = installed->is_shared() ? "--dynamic" : "";
  EXPECT_EQ(foreign_names(how, installed->library("write")), std::set<std::string>());
  EXPECT_EQ(foreign_names(how, installed->library("compact")), std::set<std::string>());
  EXPECT_EQ(foreign_names(how, installed->library("read")), std::set<std::string>());
}

// An object that earlier headers made (docs/ABI.md).
TEST_P(Package, TakesProgramsOfEarlierVersions) {
#if defined(__x86_64__)
  const Outcome built = run(EVT_C_COMPILER " " EVT_SOURCE_FOLDER "/testdata/abi/golden-x86_64.o -o golden $(" +
                                installed->pkg_config() + "--libs evtrace-write) -Wl,-rpath," + installed->libraries(),
                            folder.path());
  ASSERT_EQ(built.status, 0) << built;
  EXPECT_EQ(run("./golden g.evt && tracedump --count g.evt 2>&1 | head -1", folder.path()).out,
            "6 written, 1 cut, 1 too large, 4 overwritten\n6\n");
#else
  GTEST_SKIP() << "there is no object of this machine";
#endif
}

INSTANTIATE_TEST_SUITE_P(Libraries, Package, ::testing::Values(Shape::kStatic, Shape::kShared, Shape::kDebian),
                         [](const auto& of) {
                           return of.param == Shape::kStatic   ? "Static"
                                  : of.param == Shape::kShared ? "Shared"
                                                               : "Debian";
                         });

TEST(SharedPackage, OfTheWriterHasNoCppNames) {
  for (const char* const library : {"write", "compact"}) {
    const Outcome listed =
        run("nm --dynamic --defined-only " + Installed::of(Shape::kShared).library(library) + " | grep _Z");
    EXPECT_EQ(listed, (Outcome{1, "", ""})) << library;
  }
}

// As pkg-config and a compiler have it, with the C library's own archives.
TEST(SharedPackage, LinksProgramsStatically) {
  const Installed& shared = Installed::of(Shape::kShared);
  const Folder folder;
  EXPECT_EQ(run(EVT_C_COMPILER " -std=c11 -static -o hello '" EVT_SOURCE_FOLDER "/examples/hello.c' $(" +
                    shared.pkg_config() +
                    "--static --cflags --libs evtrace-write) 2>warnings && ./hello hello.evt && "
                    "tracedump --count hello.evt",
                folder.path()),
            (Outcome{0, "3\n", ""}));
  EXPECT_EQ(run("ls " + shared.libraries() + "/libevtrace-*.a | sed 's,.*/,,'", folder.path()),
            (Outcome{0, "libevtrace-compact.a\nlibevtrace-read.a\nlibevtrace-write.a\n", ""}));
}

TEST(SharedPackage, HasNamesWithTheirVersions) {
  const Outcome listed =
      run("nm --dynamic --defined-only --with-symbol-versions " + Installed::of(Shape::kShared).library("write") +
          " | grep -v -e '@@EVT_1.0$' -e ' A EVT_1.0' | wc -l");
  EXPECT_EQ(listed, (Outcome{0, "0\n", ""}));
}

TEST(SharedPackage, SaysWithWhatItIsCompatible) {
  const Outcome said = run("readelf -d " + Installed::of(Shape::kShared).library("write") + " | grep -o 'soname.*'");
  EXPECT_EQ(said, (Outcome{0, "soname: [libevtrace-write.so.1]\n", ""}));
}

TEST(SourcePackage, GivesTheWriterAlone) {
  const Folder folder;
  const Outcome built = run("cmake -S '" EVT_SOURCE_FOLDER "/tests/package/writer_only' -B build" + kCompilers +
                                " -DEVTRACE_SOURCE='" EVT_SOURCE_FOLDER "' && cmake --build build",
                            folder.path());
  ASSERT_EQ(built.status, 0) << built;
  EXPECT_EQ(run("build/record_c c.evt && tracedump --count c.evt", folder.path()), (Outcome{0, "10\n", ""}));
}

}  // namespace
}  // namespace evt::testing

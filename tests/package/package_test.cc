// evtrace in other people's builds: installed as static and as shared libraries, moved elsewhere, taken in as sources.
#include <evt/evt.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

const std::string kCompilers = " -G Ninja -DCMAKE_C_COMPILER=" EVT_C_COMPILER " -DCMAKE_CXX_COMPILER=" EVT_CXX_COMPILER;
const std::string kConsumer = "'" EVT_SOURCE_FOLDER "/tests/package/consumer'";

// Libraries of one kind, installed once for all tests: the static ones of this build, or shared ones that are built
// first, which takes a while.
class Installed {
 public:
  explicit Installed(bool shared) : shared_(shared) {
    std::string build = EVT_BUILD_FOLDER;
    if (shared) {
      build = folder_ / "build";
      must("cmake -S '" EVT_SOURCE_FOLDER "' -B " + build + kCompilers +
           " -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON -DEVTRACE_TOOLS=OFF");
      must("cmake --build " + build);
    }
    // It is installed in one place and used in another.
    must("cmake --install '" + build + "' --prefix " + folder_ / "first");
    std::filesystem::rename(folder_ / "first", prefix());
  }

  std::string prefix() const { return folder_ / "moved"; }
  std::string libraries() const { return prefix() + "/" EVT_LIBRARY_FOLDER; }
  std::string library(const std::string& name) const {
    return libraries() + "/libevtrace-" + name + (shared_ ? ".so" : ".a");
  }
  std::string pkg_config() const { return "PKG_CONFIG_PATH=" + libraries() + "/pkgconfig pkg-config "; }

  static const Installed& of(bool shared) {
    static const Installed as_static(false);
    if (!shared) return as_static;
    static const Installed as_shared(true);
    return as_shared;
  }

 private:
  static void must(const std::string& line) {
    const Outcome outcome = run(line, "", "", 240);
    if (outcome.status != 0) throw std::runtime_error(line + "\n" + outcome.out + outcome.err);
  }

  Folder folder_;
  bool shared_;
};

class Package : public ::testing::TestWithParam<bool> {
 protected:
  const Installed& installed = Installed::of(GetParam());
  Folder folder;

  // What the programs in `at` record, count there reads.
  void expect_that_they_work(const std::string& at) {
    EXPECT_EQ(run("./record_c c.evt && ./count c.evt", at), (Outcome{0, "10 ticks\n", ""}));
    EXPECT_EQ(run("./record_compact compact.evt && ./count compact.evt", at), (Outcome{0, "30 ticks\n", ""}));
    EXPECT_EQ(run("./record_cpp cpp.evt && ./count cpp.evt", at), (Outcome{0, "20 ticks\n", ""}));
  }
};

TEST_P(Package, IsFoundByCMake) {
  const std::string build = folder / "build";
  const Outcome built = run("cmake -S " + kConsumer + " -B " + build + kCompilers +
                            " -DCMAKE_PREFIX_PATH=" + installed.prefix() + " && cmake --build " + build);
  ASSERT_EQ(built.status, 0) << built;
  expect_that_they_work(build);
}

TEST_P(Package, IsFoundByPkgConfig) {
  const std::string kind = GetParam() ? "" : "--static ";
  const auto flags = [&](const std::string& name) {
    return " $(" + installed.pkg_config() + kind + "--cflags --libs " + name + ")";
  };
  const std::string rpath = " -Wl,-rpath," + installed.libraries();
  const Outcome built =
      run(EVT_C_COMPILER " -std=c11 " + kConsumer + "/record.c -o record_c" + flags("evtrace-write") + rpath +
              " && " EVT_C_COMPILER " -std=c11 " + kConsumer + "/record_compact.c -o record_compact" +
              flags("evtrace-compact") + rpath + " && " EVT_CXX_COMPILER " -std=c++20 " + kConsumer +
              "/record.cpp -o record_cpp" + flags("evtrace-write") + rpath + " && " EVT_CXX_COMPILER " -std=c++20 " +
              kConsumer + "/count.cpp -o count" + flags("evtrace-read") + rpath,
          folder.path());
  ASSERT_EQ(built.status, 0) << built;
  expect_that_they_work(folder.path());
}

TEST_P(Package, SaysItsVersion) {
  EXPECT_EQ(run(installed.pkg_config() + "--modversion evtrace-write evtrace-compact evtrace-read"),
            (Outcome{0, EVT_VERSION "\n" EVT_VERSION "\n" EVT_VERSION "\n", ""}));
}

// The names that the C side of a library has for others to see.
std::set<std::string> foreign_names(const std::string& nm, const std::string& library) {
  const Outcome listed = run("nm " + nm + " --extern-only --defined-only --format=posix " + library);
  EXPECT_EQ(listed.status, 0) << listed;
  std::set<std::string> found;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    const bool in_cpp = name.starts_with("_Z") || name.starts_with("DW.ref._");
    if (!name.empty() && name.back() != ':' && !in_cpp && !name.starts_with("evt_")) found.insert(name);
  }
  return found;
}

TEST_P(Package, HasNamesOfItsOwnOnly) {
  const std::string how = GetParam() ? "--dynamic" : "";
  EXPECT_EQ(foreign_names(how, installed.library("write")), std::set<std::string>());
  EXPECT_EQ(foreign_names(how, installed.library("compact")), std::set<std::string>());
  EXPECT_EQ(foreign_names(how, installed.library("read")), std::set<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Libraries, Package, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Shared" : "Static"; });

TEST(SharedPackage, OfTheWriterHasNoCppNames) {
  for (const char* const library : {"write", "compact"}) {
    const Outcome listed = run("nm --dynamic --defined-only " + Installed::of(true).library(library) + " | grep _Z");
    EXPECT_EQ(listed, (Outcome{1, "", ""})) << library;
  }
}

TEST(SharedPackage, SaysWithWhatItIsCompatible) {
  const Outcome said = run("readelf -d " + Installed::of(true).library("write") + " | grep -o 'soname.*'");
  EXPECT_EQ(said, (Outcome{0, "soname: [libevtrace-write.so.0]\n", ""}));
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

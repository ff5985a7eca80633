// Programs that were compiled with the headers of an earlier version and are linked with the library of today
// (docs/ABI.md), and the names that such programs find in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "support/command.h"
#include "support/folder.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

// What testdata/abi/golden.c records.
std::string golden_text() {
  return "evtrace text 1\n"
         "session uuid=0x00000000000040008000000000000001 start=0.000000000 program=\"golden\" pid=42 "
         "origins=[0x01000000000000000000000000000000] cut=\"a part\"\n"
         "fact 0.000000001 stream 7 stream.name \"renamed\"\n"
         "type 1024 values \"one of each kind\" role=mark facet=objectOpen[id=object] file=\"golden.c\" line=1 "
         "(color enum8 labels=[0=red 1=green]) (id u16) (size u32 unit=bytes) (address u64 absent=7) (balance i32) "
         "(drift i64 scale=-3 unit_text=\"Cel\" tags=[\"com.example.golden\"]) (half f32) (ratio f64) (done bool) "
         "(name interned) (text text) (bytes bytes) (load bytes32) (primes u16[])\n"
         "stream 1 \"first\"\n"
         "string 1 \"name\"\n"
         "0.000000001 1 values color=green id=65534 size=1048576 address=7 balance=-3 drift=-21500 half=0.5 ratio=0.25 "
         "done=true name=\"name\" text=\"world\" bytes=0x0102 load=0x03 primes=[2 3 5]\n"
         "type 1025 number (n u32)\n"
         "0.000000003 1 number n=1\n"
         "type 4 thread.run \"a thread begins to run on a cpu\" role=threadRun (thread u64 role=thread) "
         "(cpu u32 role=cpu)\n"
         "stream 7 \"worker\" thread=11 process=12\n"
         "0.000000004 7 thread.run thread=11 cpu=3\n"
         "0.000000004 7 !lost count=4 cause=overwritten duration=0.000000000\n"
         "0.000000004 7 !end\n"
         "0.000000008 1 number n=2\n"
         "1099.511627776 1 number n=3\n"
         "type 2000 text (text text)\n"
         "1099.511627776 1 text text=\"" +
         letters(0xFFFF) +
         "\"\n"
         "1099.511627776 1 !lost count=1 cause=too_large duration=0.000000000\n";
}

// `golden` is made of the source by today's headers, the other by those of 1.0. Their sessions have one
// number, and so their rings one name: they run one after the other.
class GoldenObject : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(EVT_BIN_FOLDER "/golden_object")) {
      GTEST_SKIP() << "there is no object of this machine";
    }
  }
  // The text of what a program records.
  std::string recorded(const std::string& command) {
    EXPECT_EQ(run(command, folder.path()), (Outcome{0, "6 written, 1 cut, 1 too large, 4 overwritten\n", ""}));
    auto trace = Trace::open(folder / "g.evt");
    if (!trace) throw std::runtime_error(trace.status().message());
    EXPECT_EQ(trace->sessions().front().parts.at(0).bound_ns, 5u);
    EXPECT_EQ(trace->sessions().front().cut, "a part");
    return text_of(*trace);
  }

  Folder folder;
};

TEST_F(GoldenObject, RecordsInlineAsItsSourceDoes) {
  EXPECT_EQ(recorded("golden g.evt"), golden_text());
  EXPECT_EQ(recorded("golden_object g.evt"), golden_text());
}

TEST_F(GoldenObject, RecordsThroughARingAsItsSourceDoes) {
  EXPECT_EQ(recorded("golden g.evt ring"), golden_text());
  EXPECT_EQ(recorded("golden_object g.evt ring"), golden_text());
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all.insert(line);
  return all;
}

TEST(ExportedNames, AreThoseOfTheList) {
  const Outcome exported =
      run("readelf -sW '" EVT_WRITE_LIBRARY
          "' | awk '$5 == \"GLOBAL\" && $6 == \"DEFAULT\" && $7 != \"UND\" && $8 ~ /^evt_/ {print $8}'");
  const Outcome listed =
      run("sed -n 's/^ *\\(evt_[a-z0-9_]*\\);$/\\1/p' " EVT_SOURCE_FOLDER "/libtrace-write/evtrace-write.map");
  EXPECT_EQ(exported.status, 0) << exported;
  EXPECT_FALSE(listed.out.empty());
  EXPECT_EQ(lines_of(exported.out), lines_of(listed.out));
}

}  // namespace
}  // namespace evt::testing

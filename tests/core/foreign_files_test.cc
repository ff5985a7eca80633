// Files of other programs that are no traces: each is named, with the command that helps.
#include "libtrace-read/core/src/source/foreign_files.h"

#include <evt/trace.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

using namespace std::string_literals;

struct File {
  std::string content;
  std::string is;  // the sentence, from its predicate on
};

// The first bytes of each, as its documentation has them, and something behind.
const std::vector<File>& files() {
  static const std::string kMore = "\x01\x02\x03\x04 and more\xff"s;
  static const std::string kTarName = "trace.evt"s + std::string(248, '\0');
  static const std::string kCtf =
      "is not a trace: it looks like the metadata of a CTF trace: name the folder that it is in";
  static const std::string kPcap =
      "is not a trace: it looks like a capture of packets (pcap): tshark -r FILE prints it";
  static const std::string kPerf =
      "is not a trace: it looks like a perf.data file: convert its samples with \"perf script -i FILE > FILE.txt\", or "
      "its events with \"perf data convert -i FILE --to-ctf FOLDER\"; evt opens either result";
  static const std::string kTracy =
      "is not a trace: it looks like a trace of Tracy: tracy-csvexport FILE prints its zones";
  static const std::string kUtf16 =
      "is not a trace: it looks like text in UTF-16: iconv -f UTF-16 -t UTF-8 FILE | evt dump - reads it";
  static const std::vector<File> kFiles = {
      {"evtrace text 1\n", "is not a trace: it looks like the text form of a trace: evt convert makes a trace of it"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
       "is not a trace: it looks like a git-lfs pointer: git lfs pull fetches the file itself"},
      {"BZh91AY&SY" + kMore, "is not a trace: it looks like a bzip2 file: bzcat FILE | evt dump - reads what is in it"},
      {"\x04\x22\x4d\x18" + kMore,
       "is not a trace: it looks like an lz4 file: lz4 -dc FILE | evt dump - reads what is in it"},
      {"\x1f\x9d" + kMore, "is not a trace: it looks like a .Z file: zcat FILE | evt dump - reads what is in it"},
      {"PK\x03\x04" + kMore, "is not a trace: it looks like a zip archive: unpack it first"},
      {kTarName + "ustar\0"s + kMore, "is not a trace: it looks like a tar archive: unpack it first"},
      {"PERFILE2" + kMore, kPerf},
      {"2ELIFREP" + kMore, kPerf},
      {"\x17\x08\x44tracing6\0"s + kMore,
       "is not a trace: it looks like a trace.dat of trace-cmd: trace-cmd report -i FILE prints it"},
      {"\x10\0\x04\x46\x78\x54\x16\0"s + kMore,
       "is not a trace: it looks like a trace of Fuchsia (.fxt): fx trace2json < FILE > FILE.json makes one that "
       "evt opens"},
      {"FLR\0\0\2\0\1"s + kMore,
       "is not a trace: it looks like a recording of Java's Flight Recorder: jfr print FILE prints it"},
      {"go 1.22 trace\0\0\0"s + kMore,
       "is not a trace: it looks like an execution trace of Go: go tool trace FILE shows it"},
      {"\x89MCAP0\r\n" + kMore, "is not a trace: it looks like an MCAP file: mcap info FILE says what is in it"},
      {"tr\xfdP" + kMore, kTracy},
      {"tlZ\x04" + kMore, kTracy},
      {"tZst" + kMore, kTracy},
      {"\xd4\xc3\xb2\xa1\x02\0\x04\0"s + kMore, kPcap},
      {"\xa1\xb2\xc3\xd4\0\x02\0\x04"s + kMore, kPcap},
      {"\x4d\x3c\xb2\xa1\x02\0\x04\0"s + kMore, kPcap},
      {"\xa1\xb2\x3c\x4d\0\x02\0\x04"s + kMore, kPcap},
      {"\x0a\x0d\x0d\x0a\x1c\0\0\0"s + kMore,
       "is not a trace: it looks like a capture of packets (pcapng): tshark -r FILE prints it"},
      {"/* CTF 1.8 */\ntypealias integer { size = 8; } := uint8_t;\n", kCtf},
      {"\x57\x1d\xd1\x75" + kMore, kCtf},
      {"\x75\xd1\x1d\x57" + kMore, kCtf},
      {"\x1e{\"type\":\"preamble\",\"version\":2}\n", kCtf},
      {"\xc1\xf1\xdc\xc1\0\0\0\1"s + kMore,
       "is not a trace: it looks like an index of LTTng: name the folder of the trace"},
      // Two packets, each with a clock snapshot (field 6) of two bytes.
      {"\x0a\x04\x32\x02\x08\x06\x0a\x04\x32\x02\x08\x06",
       "is not a trace: it looks like a trace of Perfetto: traceconv json FILE FILE.json makes one that evt opens"},
      {"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"endTime\":2,\"samples\":[1]}",
       "is JSON and not a trace: it looks like a CPU profile of V8: it has samples and no events; "
       "node --trace-events-enabled records a trace"},
      {"{\"head\":{\"callFrame\":{},\"children\":[]},\"samples\":[]}",
       "is JSON and not a trace: it looks like a heap profile of V8: it has samples and no events"},
      {"{\"snapshot\":{\"meta\":{}},\"nodes\":[]}",
       "is JSON and not a trace: it looks like a heap snapshot of V8: it has objects and no events"},
      {"{\n \"meta\": {\"interval\":1},\"threads\":[]}",
       "is JSON and not a trace: it looks like a profile of Firefox: it has samples and markers in a form of its "
       "own, which profiler.firefox.com shows"},
      {"{\"exporter\":\"x\",\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"profiles\":[]}",
       "is JSON and not a trace: it looks like a profile of speedscope: speedscope FILE shows it"},
      {"SQLite format 3\0"s + kMore, "is not a trace: it looks like an SQLite database: sqlite3 FILE opens it"},
      {"PAR1" + kMore, "is not a trace: it looks like a Parquet file: it has tables and no trace, DuckDB queries them"},
      {"\xff\xfe[\0"s + kMore, kUtf16},
      {"\xfe\xff\0["s + kMore, kUtf16},
      {"\x89PNG\r\n\x1a\n" + kMore, "is not a trace: it looks like a PNG image"},
      {"\x7f\x45LF\x02\x01\x01" + kMore, "is not a trace: it looks like a program"},
  };
  return kFiles;
}

std::string refusal_of(std::string_view content) {
  const auto trace = Trace::from_memory(as_bytes(content));
  if (trace.ok()) return "a trace";
  EXPECT_EQ(trace.status().code(), Code::kNotATrace) << trace.status().message();
  return trace.status().message();
}

TEST(ForeignFiles, AreNamedWithTheCommandThatHelps) {
  for (const File& file : files()) EXPECT_EQ(refusal_of(file.content), "memory " + file.is);
}

// gzip, zstd and xz are read; their names are for what is compressed twice (tests/tools/compressed_test.cc).
TEST(ForeignFiles, OfTheTableHaveAFileEachInTheTest) {
  std::map<const ForeignFile*, std::set<std::string_view>> met;
  for (const File& file : files()) {
    const ForeignFile* const found = foreign_file_of(as_bytes(file.content));
    ASSERT_NE(found, nullptr) << file.content;
    std::set<std::string_view>& magics = met[found];
    for (const std::string_view magic : found->magics) {
      if (!magic.empty() && std::string_view(file.content).substr(found->offset).starts_with(magic))
        magics.insert(magic);
    }
  }
  const std::set<std::string_view> read = {"a gzip file", "a zstd file", "an xz file"};
  for (const ForeignFile& each : foreign_files()) {
    if (read.contains(each.what)) continue;
    std::set<std::string_view> all(std::begin(each.magics), std::end(each.magics));
    all.erase("");
    EXPECT_EQ(met.contains(&each), true) << each.what;
    EXPECT_EQ(met[&each], all) << each.what;
  }
}

// What has no magic is not taken for one that has none either.
TEST(ForeignFiles, OfTextAndNumbersAreNoProtobuf) {
  EXPECT_EQ(refusal_of("\nhello, world\n"), "memory is not a trace: it begins with plain text");
  EXPECT_EQ(refusal_of("\x0a\x00\x0a\x00"s), "memory is not a trace: no block header is in its first 4 bytes");
  EXPECT_EQ(refusal_of("\x0a\x7f\x32\x01"), "memory is not a trace: no block header is in its first 4 bytes");
  EXPECT_EQ(refusal_of("\x0a\xff\xff"), "memory is not a trace: no block header is in its first 3 bytes");
}

}  // namespace
}  // namespace evt::testing

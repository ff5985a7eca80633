// The reader that is written from FORMAT.md: examples/minimal_reader.py, and minimal_columns.py beside it.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

// zstd for Python, where no module of it is installed: as zstandard has it, of the library that evt links.
constexpr std::string_view kZstandard = R"(import ctypes
zstd = ctypes.CDLL("libzstd.so.1")
for name in ("ZSTD_findFrameCompressedSize", "ZSTD_decompress"): getattr(zstd, name).restype = ctypes.c_size_t
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
class ZstdDecompressor:
    def decompressobj(self): return self
    def decompress(self, data):
        packed = zstd.ZSTD_findFrameCompressedSize(data, ctypes.c_size_t(len(data)))
        size = zstd.ZSTD_getFrameContentSize(data, ctypes.c_size_t(len(data)))
        if packed > len(data) or size > 1 << 24: raise ValueError("no whole frame")
        out = ctypes.create_string_buffer(size)
        self.eof = zstd.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(packed)) == size
        self.unused_data = data[packed:]
        return out.raw
)";
constexpr std::string_view kNotThere = "raise ImportError\n";

std::string event_lines(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text[at] >= '0' && text[at] <= '9') lines += text.substr(at, end - at);
    at = end;
  }
  return lines;
}

// Runs the reader on a trace, with zstd or without it, whatever is installed.
Outcome minimal_reader(const std::string& trace, bool has_zstd = true) {
  const Folder folder;
  folder.write("t.evt", trace);
  folder.write("compression.py", kNotThere);
  folder.write("pyzstd.py", kNotThere);
  folder.write("zstandard.py", has_zstd ? kZstandard : kNotThere);
  return run("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. /usr/bin/python3 " EVT_SOURCE_FOLDER
             "/examples/minimal_reader.py t.evt",
             folder.path());
}

TEST(MinimalReader, ReadsEveryKindOfField) {
  const std::string trace = trace_from_text(
      "type 1024 all \"\" (u u8) (i i64) (f f64) (b bool) (e enum16 labels=[7=seven]) (t text) (x bytes) (n interned) "
      "(at ticks) (d tick_delta) (a u32[]) (l text[]) (odd kind77:counted16) (last u16)\n"
      "stream 1 \"s\"\n"
      "string 1 \"main\"\n"
      "0.000000001 1 all u=255 i=-5 f=2.5 b=true e=seven t=\"hi\" x=0x00ff n=\"main\" at=0.000000009 d=0.000000003 "
      "a=[1 2] l=[\"p\" \"q\"] odd=0xabcd last=9 +0x0102\n"
      "0.000000002 1 all u=1\n"
      "0.000000002 1 !lost count=3 cause=too_large duration=0.000000000\n"
      "0.000000003 1 type#70000 +0x01\n");
  const Outcome outcome = minimal_reader(trace);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  std::string expected = event_lines(text_of_trace(trace));
  // It knows causes by number only.
  expected.replace(expected.find("cause=too_large"), 15, "cause=2");
  EXPECT_EQ(outcome.out, expected);
}

TEST(MinimalReader, ReadsRowsOfSeveralStreamsInOneBlock) {
  const Folder folder;
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = Writer::open(folder / "t.evt", options);
  ASSERT_TRUE(writer.ok());
  leave_out_events_of_writer(*writer);  // a hundred streams wait until there is memory for them
  const auto types = writer->declare<Tick>();
  for (std::uint32_t n = 0; n < 100; ++n) writer->stream("s").emit(types, Tick{n});
  ASSERT_TRUE(writer->close().ok());
  const Outcome outcome = minimal_reader(read_file(folder / "t.evt"));
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 100);
  EXPECT_THAT(outcome.out, ::testing::HasSubstr(" 100 tick n=99\n"));
}

TEST(MinimalReader, IsShorterThan150LinesAndThoseForColumns) {
  const auto lines = [](const char* path) {
    const std::string source = source_file(path);
    return std::count(source.begin(), source.end(), '\n');
  };
  EXPECT_LT(lines("examples/minimal_reader.py"), 150);
  EXPECT_LT(lines("examples/minimal_columns.py"), 80);
}

// A trace of many ticks, compressed; `events`: what its text has of them.
std::string compressed_ticks(std::string* events) {
  const Folder folder;
  for (int n = 1; n < 200; ++n) *events += fmt::format("0.{:09} 1 tick n={}\n", n, n);
  folder.write("rows.evt", trace_from_text("type 1024 tick (n u8)\nstream 1 \"s\"\n" + *events));
  EXPECT_EQ(run("evt convert --columns rows.evt -o t.evt", folder.path()).status, 0);
  return read_file(folder / "t.evt");
}

TEST(MinimalReader, ReadsColumnsWherePythonHasZstd) {
  std::string events;
  const std::string trace = compressed_ticks(&events);
  EXPECT_EQ(minimal_reader(trace), (Outcome{0, events, ""}));
}

TEST(MinimalReader, NamesTheBlocksThatItCannotReadWithoutZstd) {
  std::string events;
  const std::string trace = compressed_ticks(&events);
  const Outcome outcome = minimal_reader(trace, false);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              ::testing::MatchesRegex("minimal_reader: offset [0-9]+: this Python has no zstd: install "
                                      "zstandard, or make rows, by evt convert --rows FILE -o ROWS.evt\n"));
}

TEST(MinimalReader, ReadsTheSameOfColumnsAsOfRows) {
  for (const char* const name : {"columns", "columns_jumps", "gathered_columns", "index_columns"}) {
    const Folder folder;
    const std::string trace = source_file(fmt::format("testdata/v1/{}.evt", name));
    folder.write("columns.evt", trace);
    ASSERT_EQ(run("evt convert --rows columns.evt -o rows.evt", folder.path()).status, 0);
    const Outcome rows = minimal_reader(read_file(folder / "rows.evt"), false);
    EXPECT_EQ(rows.status, 0) << name;
    EXPECT_NE(rows.out, "") << name;
    EXPECT_EQ(minimal_reader(trace), rows) << name;
  }
}

TEST(MinimalReader, ReadsColumnsOfEveryShapeOfRow) {
  std::string text =
      "type 1024 wide (t text) (x bytes32) (a u16[]) (odd bytes(3)) (l text[])\n"
      "type 1025 up (n u64) (d i16)\n"
      "stream 1 \"s\"\nstream 2 \"t\"\n";
  std::string events;
  for (int n = 1; n < 100; ++n) {
    events += fmt::format("0.{:09} 1 wide t=\"{}\" x=0x{:04x} a=[{} 7] odd=0x010203 l=[\"p\" \"{}\"]\n", n * 10,
                          std::string(static_cast<std::size_t>(n % 5), 'x'), n, n, n);
    events += fmt::format("0.{:09} 2 up n={} d={}{}\n", n * 10, 1000000 - n * n, 50 - n, n % 7 == 0 ? " +0x0102" : "");
    if (n % 11 == 0) events += fmt::format("0.{:09} 2 wide t=\"\"\n", n * 10);
    if (n % 13 == 0) events += fmt::format("0.{:09} 1 type#70000 +0x{:02x}\n", n * 10, n);
  }
  const Folder folder;
  folder.write("rows.evt", trace_from_text(text + events));
  ASSERT_EQ(run("evt convert --columns rows.evt -o t.evt", folder.path()).status, 0);
  const Outcome rows = minimal_reader(read_file(folder / "rows.evt"));
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), std::count(events.begin(), events.end(), '\n'));
  EXPECT_EQ(minimal_reader(read_file(folder / "t.evt")), rows);
}

TEST(MinimalReader, SaysThatATraceIsTruncated) {
  const Outcome outcome = minimal_reader(trace_from_text("stream 1 \"s\"\ntruncated\n"));
  EXPECT_EQ(outcome.status, 1) << outcome;
}

}  // namespace
}  // namespace evt::testing

// The examples of FORMAT.md: read from the document, and written again byte for byte.
#include <evt/emit.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The bytes of the block ```evt-hex NAME: lines of an offset, two spaces, and pairs of hexadecimal digits.
std::string bytes_of_example(const std::string& name) {
  const std::string document = source_file("format-spec/FORMAT.md");
  const std::size_t begin = document.find("```evt-hex " + name + "\n");
  const std::size_t end = document.find("\n```\n", begin);
  EXPECT_NE(begin, std::string::npos) << name;
  const std::string block = document.substr(begin, end - begin);
  static const std::regex kLine("^([0-9a-f]{4})  ((?:[0-9a-f]{2} ?)+)");
  std::string bytes;
  for (std::size_t at = block.find('\n'); at != std::string::npos; at = block.find('\n', at + 1)) {
    const std::string line = block.substr(at + 1, block.find('\n', at + 1) - at - 1);
    std::smatch match;
    if (!std::regex_search(line, match, kLine)) continue;
    EXPECT_EQ(std::stoul(match[1], nullptr, 16), bytes.size()) << line;
    const std::string pairs = match[2];
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 3) {
      bytes += static_cast<char>(std::stoul(pairs.substr(i, 2), nullptr, 16));
    }
  }
  return bytes;
}

int keep(void* bytes, const void* data, std::size_t size) {
  static_cast<std::string*>(bytes)->append(static_cast<const char*>(data), size);
  return 0;
}

// Everything given, nothing found out.
evt_writer* open_example(std::string* bytes) {
  evt_session_info session = {};
  session.exact = 1;
  session.program = "demo";
  session.start_utc_ns = 1767225600000000000;  // 2026-01-01
  std::memcpy(session.uuid, "evtrace-example!", sizeof session.uuid);
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  evt_options options = {};
  options.flush_inline = 1;
  options.session = &session;
  options.clock = &clock;
  return evt_open_sink(keep, bytes, &options, nullptr);
}

TEST(FormatDocument, SmallestFileIsATraceWithoutEvents) {
  const std::string bytes = bytes_of_example("smallest");
  EXPECT_EQ(bytes.size(), 272u);
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.status().ok()) << trace.status().message();
  EXPECT_EQ(trace.events().next(), nullptr);
}

TEST(FormatDocument, ExampleIsWrittenByteForByte) {
  std::string bytes;
  evt_writer* const writer = open_example(&bytes);
  const evt_field fields[] = {EVT_FIELD_U32("thread"), EVT_FIELD_TEXT("why")};
  evt_event_type type = {};
  type.name = "sched.stop";
  type.description = "a thread stopped";
  type.role = EVT_ROLE_THREAD_STOP;
  type.field_count = 2;
  type.fields = fields;
  const evt_type* const stop = evt_declare(writer, &type, nullptr);
  evt_stream* const stream = evt_stream_open(writer, "HEC 0");

  evt_row row = evt_begin_at(stream, stop, 1000);
  evt_u32(&row, 3);
  evt_text_z(&row, "io");
  evt_commit(&row);
  evt_stream_lost(stream, EVT_LOST_RING_FULL, 2, 1300, 1500);
  row = evt_begin_at(stream, stop, 2000);
  evt_u32(&row, 4);
  evt_text_z(&row, "done");
  evt_commit(&row);
  evt_close(writer, nullptr);
  EXPECT_EQ(bytes, bytes_of_example("example"));
}

TEST(FormatDocument, ExampleReadsAsItSays) {
  EXPECT_EQ(text_of_trace(bytes_of_example("example")),
            "evtrace text 1\n"
            "session uuid=0x657674726163652d6578616d706c6521 start=1767225600.000000000 program=\"demo\"\n"
            "type 1024 sched.stop \"a thread stopped\" role=threadStop (thread u32) (why text)\n"
            "stream 1 \"HEC 0\"\n"
            "0.000001000 1 sched.stop thread=3 why=\"io\"\n"
            "0.000001500 1 !lost count=2 cause=ring_full duration=0.000000200\n"
            "0.000002000 1 sched.stop thread=4 why=\"done\"\n");
}

}  // namespace
}  // namespace evt::testing

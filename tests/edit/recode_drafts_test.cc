// Traces of the draft that became version 1.0: they are refused by that name, and a conversion makes traces of 1.0 of
// them.
#include <evt/recode.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/raw_trace.h"
#include "libtrace-read/core/src/session/metadata_reader.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

std::vector<std::string> archived() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(EVT_SOURCE_FOLDER "/testdata/candidate")) {
    if (entry.path().extension() == ".evt") all.push_back(entry.path().string());
  }
  return all;
}

// Calls visit(bits) with the incompat bits of each SESSION block, repeats too, which it may change.
template <typename Visit>
std::string with_bits(const std::string& bytes, Visit visit) {
  const std::size_t end = bytes.size() / EVT_ALIGNMENT * EVT_ALIGNMENT;  // one trace has zeros behind its end
  RawTrace trace = RawTrace::of(std::string_view(bytes).substr(0, end));
  for (std::size_t i = 0; i < trace.size(); ++i) {
    std::string& part = trace.part(i);
    const BlockHeader header = header_of(part);
    if (header.type != EVT_BLOCK_SESSION) continue;
    std::string payload = part.substr(header.header_size, header.payload_size);
    const std::size_t at = session_fixed_at(payload) + 8;
    payload.replace(at, 8, le64(visit(evt_load_u64(&payload[at]))));
    part.replace(header.header_size, payload.size(), payload);
    trace.header([&](BlockHeader& h) { h.payload_crc = crc32c(0, payload.data(), payload.size()); }, i);
  }
  return trace.bytes() + bytes.substr(end);
}

std::string as_declared(const std::string& bytes) {
  return with_bits(bytes, [](std::uint64_t bits) { return bits & ~EVT_INCOMPAT_DRAFT; });
}

std::string recoded(const std::string& path) {
  std::string bytes;
  const auto trace = recode(path, Form::kColumns, [&](Bytes more) {
    bytes += chars_of(more);
    return 0;
  });
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return bytes;
}

// The text that the draft's own reader printed of a trace.
std::string text_beside(const std::string& path) {
  return read_file(std::filesystem::path(path).replace_extension(".txt").string());
}

std::string text_of_bytes(const std::string& bytes) {
  Trace trace = open_trace(bytes);
  return text_of(trace);
}

TEST(Draft, ReadsTheSameWithoutItsBit) {
  for (const std::string& path : archived()) {
    const std::string bytes = read_file(path);
    EXPECT_NE(as_declared(bytes), bytes) << path;
    EXPECT_EQ(text_of_bytes(as_declared(bytes)), text_beside(path)) << path;
  }
}

TEST(Draft, IsRefusedAndConverted) {
  for (const std::string& path : archived()) {
    const auto refused = Trace::open(path);
    ASSERT_FALSE(refused.ok()) << path;
    EXPECT_EQ(refused.status().message(), path + " was written in a draft of format " EVT_FORMAT_NAME
                                                 ": evt convert --rows or --columns makes a trace of it");
    const std::string declared = recoded(path);
    with_bits(declared, [](std::uint64_t bits) {
      EXPECT_EQ(bits, 0u);
      return bits;
    });
    EXPECT_EQ(text_of_bytes(declared), text_beside(path)) << path;
    EXPECT_EQ(declared.find("1.0-candidate"), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace evt::testing

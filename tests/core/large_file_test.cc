// Files of more than 4 GiB: places and sizes are what they are. Private blocks, whose payloads are not read, are holes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "raw_trace.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kHole = EVT_MAX_PRIVATE_PAYLOAD;
constexpr std::uint64_t kHoles = 5;

class LargeFile : public ::testing::Test {
 protected:
  // Ticks on both sides of the holes.
  static RawTrace ticks() {
    RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
    for (std::uint64_t i = 0; i < kHoles; ++i) {
      trace.block(EVT_BLOCK_PRIVATE, "").header([](BlockHeader& h) { h.payload_size = h.raw_size = kHole; });
    }
    return trace.events(1, Rows().tick(2, 2)).events(2, Rows().tick(3, 3));
  }
  static RawTrace& close(RawTrace& trace) {
    return trace.trailer([](TrailerRecord& facts) { facts.session_size += kHoles * kHole; });
  }
  Result<Trace> open(const RawTrace& trace) {
    const std::string path = folder_.write("large.evt", "");
    const int fd = ::open(path.c_str(), O_WRONLY);
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const std::string& part = trace.part(i);
      EXPECT_EQ(pwrite(fd, part.data(), part.size(), static_cast<off_t>(at)), static_cast<ssize_t>(part.size()));
      at += part.size() + (header_of(part).type == EVT_BLOCK_PRIVATE ? kHole : 0);
    }
    ::close(fd);
    return Trace::open(path);
  }

 private:
  Folder folder_;
};

TEST_F(LargeFile, IsReadOnBothSidesOfFourGigabytes) {
  RawTrace raw = ticks();
  auto trace = open(close(raw));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_GT(trace->size(), kHoles * kHole);
  EXPECT_EQ(event_lines(text_of(*trace)), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000003 2 tick n=3\n");
  EXPECT_EQ(trace->status().message(), "");
  EXPECT_TRUE(trace->sessions()[0].closed);
  EXPECT_LT(trace->bytes_read(), 1u << 20) << "what nobody needs is not read";
}

TEST_F(LargeFile, HasItsDamageWhereItIs) {
  RawTrace raw = ticks();
  const std::size_t damaged = raw.size() - 2;
  const std::uint64_t place = raw.offset_of(damaged) + kHoles * kHole;
  raw.spoil_payload(damaged);
  auto trace = open(close(raw));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(event_lines(text_of(*trace)), "0.000000001 1 tick n=1\n0.000000003 2 tick n=3\n");
  ASSERT_EQ(trace->damage().size(), 1u);
  EXPECT_EQ(trace->damage()[0].offset, place);
}

TEST_F(LargeFile, SaysWhereItIsCut) {
  RawTrace raw = ticks();
  const std::uint64_t place = raw.offset_of(raw.size() - 1) + kHoles * kHole;
  raw.cut(120);
  auto trace = open(raw);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(event_lines(text_of(*trace)), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n");
  EXPECT_EQ(trace->status().code(), Code::kTruncated);
  EXPECT_EQ(trace->status().offset(), place);
}

}  // namespace
}  // namespace evt::testing

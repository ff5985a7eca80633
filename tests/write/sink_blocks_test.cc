// A function that takes the blocks of a session gets each of them whole, in a call of its own.
#include <evt/compact.h>
#include <gtest/gtest.h>

#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

struct Calls {
  std::vector<std::string> all;
  static int take(void* self, const void* bytes, std::size_t size) {
    static_cast<Calls*>(self)->all.emplace_back(static_cast<const char*>(bytes), size);
    return 0;
  }
};

class SinkBlocks : public ::testing::Test {
 protected:
  // Rows of all sizes, of several streams that end at the same time.
  void record(const evt_options& options) {
    auto writer = Writer::open(&Calls::take, &calls, options);
    ASSERT_TRUE(writer.ok());
    const auto types = writer->declare<Tick, Paper>();
    const std::string large = letters(3 << 20);
    std::vector<Stream> streams;
    for (int i = 0; i < 20; ++i) streams.push_back(writer->stream("s" + std::to_string(i)));
    for (std::uint32_t n = 0; n < 20'000; ++n) streams[n % 20].emit(types, Tick{n});
    streams[0].emit(types, Paper{{large}});
    writer->flush();
    for (Stream& stream : streams) stream.emit(types, Tick{1});
    ASSERT_TRUE(writer->close().ok());
  }
  // By the block header: its size, the payload's, and zeros up to a multiple of 8.
  void expect_whole_blocks() const {
    EXPECT_GT(calls.all.size(), 10u);
    for (const std::string& call : calls.all) {
      BlockHeader header;
      ASSERT_EQ(load_block_header(reinterpret_cast<const std::uint8_t*>(call.data()), call.size(), &header),
                HeaderState::kGood);
      EXPECT_EQ((header.header_size + header.payload_size + 7) / 8 * 8, call.size());
    }
  }

  StepClock clock;
  Calls calls;
};

TEST_F(SinkBlocks, AreWholeWithoutARing) {
  record(ordinary_options(clock));
  expect_whole_blocks();
}

TEST_F(SinkBlocks, AreWholeThroughARing) {
  evt_options options = ordinary_options(clock);
  options.flush_inline = 0;
  record(options);
  expect_whole_blocks();
}

TEST_F(SinkBlocks, AreWholeWhenTheyAreCompressed) {
  evt_options options = ordinary_options(clock);
  options.flush_inline = 0;
  options.compact = evt_columns();
  record(options);
  expect_whole_blocks();
}

}  // namespace
}  // namespace evt::testing

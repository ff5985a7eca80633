// Events that are recorded at a time that is still to come: their blocks state when they were made.
#include <evt/compact.h>
#include <gtest/gtest.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class ImpossibleStamp : public RingTest {
 protected:
  // With the machine's own clock: of a caller's nothing is known.
  static evt_options by_the_clock_of_the_machine() {
    evt_options options = {};
    options.full_wait_ms = EVT_WAIT_FOR_EVER;
    return options;
  }

  // 1, then 2 at the largest time that there is, then 3; and another stream, between and behind them.
  static void record(Writer& writer) {
    Stream stream = writer.stream("a");
    Stream other = writer.stream("b");
    const auto types = writer.declare<Tick>();
    stream.emit(types, Tick{1});
    stream.emit_at(UINT64_MAX, types, Tick{2});
    other.emit(types, Tick{3});
    stream.emit(types, Tick{4});
    other.emit(types, Tick{5});
  }

  void expect_all_in_order() const {
    Trace trace = open_file(path);
    EXPECT_EQ(ticks_in(trace), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(trace.sessions().front().stream(1)->impossible_stamps, 1u);
    EXPECT_EQ(trace.sessions().front().stream(2)->impossible_stamps, 0u);
    EXPECT_LT(trace.sessions().front().last_ns, 3600'000'000'000) << "an hour";
  }

  void expect_in_order_when_recorded_with(const evt_options& options) const {
    auto writer = Writer::open(path, options);
    ASSERT_TRUE(writer);
    record(*writer);
    EXPECT_TRUE(writer->close().ok());
    expect_all_in_order();
  }
};

TEST_F(ImpossibleStamp, CostsNoOtherEventItsPlace) {
  expect_in_order_when_recorded_with(by_the_clock_of_the_machine());
}

TEST_F(ImpossibleStamp, CostsNoOtherEventItsPlaceWithoutARing) {
  evt_options options = by_the_clock_of_the_machine();
  options.flush_inline = 1;
  expect_in_order_when_recorded_with(options);
}

TEST_F(ImpossibleStamp, CostsNoOtherEventItsPlaceInColumns) {
  evt_options options = by_the_clock_of_the_machine();
  options.compact = evt_columns();
  expect_in_order_when_recorded_with(options);
}

TEST_F(ImpossibleStamp, CostsNoOtherEventItsPlaceWhenTheProgramIsKilled) {
  killed_after([&] {
    auto writer = Writer::open(path, by_the_clock_of_the_machine());
    if (!writer) _exit(1);
    leave_out_events_of_writer(*writer);
    record(*writer);
    // The flusher states the bound each time that it is at work.
    Stream last = writer->stream("c");
    last.flush();
  });
  expect_all_in_order();
}

TEST_F(ImpossibleStamp, IsNotLookedForOnTheCallersClock) {
  Writer writer = open();
  Stream stream = writer.stream("a");
  const auto types = writer.declare<Tick>();
  stream.emit_at(UINT64_MAX / 2, types, Tick{1});
  stream.emit(types, Tick{2});
  ASSERT_TRUE(writer.close().ok());
  Trace trace = open_file(path);
  EXPECT_EQ(ticks_in(trace), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(trace.sessions().front().stream(1)->impossible_stamps, 0u);
}

TEST_F(ImpossibleStamp, IsNoneOfWhatTheProgramStampsItself) {
  auto writer = Writer::open(path, by_the_clock_of_the_machine());
  ASSERT_TRUE(writer);
  std::vector<Stream> streams;
  for (int i = 0; i < 50; ++i) streams.push_back(writer->stream("s"));
  const auto types = writer->declare<Tick>();
  for (std::uint32_t n = 0; n < 100'000; ++n) streams[n % 50].emit(types, Tick{n});
  ASSERT_TRUE(writer->close().ok());
  Trace trace = open_file(path);
  EXPECT_EQ(ticks_in(trace), numbers(0, 100'000));
  for (const StreamInfo& stream : trace.sessions().front().streams) EXPECT_EQ(stream.impossible_stamps, 0u);
}

}  // namespace
}  // namespace evt::testing

// Many events at once, as arrays.
#include "raw_trace.h"

namespace evt::testing {
namespace {

class Batches : public ::testing::Test {
 protected:
  // Two streams in turn, this many events.
  static std::string in_turn(std::uint32_t events) {
    Rows first;
    Rows second;
    for (std::uint32_t i = 0; i < events; ++i) (i % 2 == 0 ? first : second).tick(i, i);
    RawTrace trace = ordinary_trace();
    return trace.events(1, first).events(2, second).trailer().bytes();
  }
};

TEST_F(Batches, HaveWhatTheEventsHave) {
  const std::string bytes = in_turn(10'000);
  Trace trace = open_trace(bytes);
  Events one_by_one = trace.events();
  Events events = trace.events();
  std::size_t count = 0;
  while (const EventBatch* const batch = events.next_batch()) {
    ASSERT_GT(batch->size(), 0u);
    for (std::size_t i = 0; i < batch->size(); ++i, ++count) {
      const Event* const event = one_by_one.next();
      ASSERT_NE(event, nullptr);
      EXPECT_EQ(batch->session, &event->session());
      EXPECT_EQ(batch->ns[i], event->ns());
      EXPECT_EQ(batch->types[i]->name(), event->type().name());
      EXPECT_EQ(batch->streams[i], &event->stream());
      EXPECT_EQ(evt_load_u64(batch->payloads[i].data()), count);
    }
  }
  EXPECT_EQ(count, 10'000u);
  EXPECT_EQ(one_by_one.next(), nullptr);
}

TEST_F(Batches, GoOnWhereSingleEventsEnded) {
  const std::string bytes = in_turn(10'000);
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  for (int i = 0; i < 3; ++i) ASSERT_NE(events.next(), nullptr);
  const EventBatch* const batch = events.next_batch();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->ns[0], 3);
  const std::int64_t last = batch->ns[batch->size() - 1];
  const Event* const event = events.next();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->ns(), last + 1);
}

TEST_F(Batches, AreOfOneSessionEach) {
  const std::string bytes = in_turn(4);
  RawTrace other = ordinary_trace(7);
  const std::string both = bytes + other.events(1, Rows().tick(1, 1)).trailer().bytes();
  Trace trace = open_trace(both);
  Events events = trace.events();
  const EventBatch* batch = events.next_batch();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->size(), 4u);
  EXPECT_EQ(batch->session, &trace.sessions()[0]);
  batch = events.next_batch();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->size(), 1u);
  EXPECT_EQ(batch->session, &trace.sessions()[1]);
  EXPECT_EQ(events.next_batch(), nullptr);
}

TEST_F(Batches, LeaveOutWhatIsNotWanted) {
  const std::string bytes = in_turn(10'000);
  Trace trace = open_trace(bytes);
  EventOptions options;
  options.range = [](const Session&) { return TimeRange{100, 299}; };
  Events events = trace.events(options);
  std::size_t count = 0;
  while (const EventBatch* const batch = events.next_batch()) count += batch->size();
  EXPECT_EQ(count, 200u);
}

}  // namespace
}  // namespace evt::testing

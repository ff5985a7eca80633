// Events by a loop over a range.
#include <iterator>

#include "raw_trace.h"

namespace evt::testing {
namespace {

std::string three_ticks() {
  RawTrace trace = ordinary_trace();
  return trace.events(1, Rows().tick(5, 1).tick(6, 2).tick(7, 3)).trailer().bytes();
}

TEST(EventRange, HasEachEventOnce) {
  const std::string bytes = three_ticks();
  Trace trace = open_trace(bytes);
  std::vector<std::int64_t> times;
  for (const Event& event : trace.events()) times.push_back(event.ns());
  EXPECT_EQ(times, (std::vector<std::int64_t>{5, 6, 7}));
}

TEST(EventRange, GoesOnBehindTheEventsThatWereTaken) {
  const std::string bytes = three_ticks();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  events.next();
  std::size_t left = 0;
  for (const Event& event : events) left += event.ns() > 5 ? 1 : 0;
  EXPECT_EQ(left, 2u);
  EXPECT_TRUE(events.status().ok());
  for ([[maybe_unused]] const Event& event : events) ADD_FAILURE() << "none is left";
}

TEST(EventRange, IsEmptyOfATraceWithoutEvents) {
  const std::string bytes = ordinary_trace().trailer().bytes();
  Trace trace = open_trace(bytes);
  for ([[maybe_unused]] const Event& event : trace.events()) ADD_FAILURE() << "it has none";
}

static_assert(std::input_iterator<Events::Iterator>);
static_assert(std::sentinel_for<std::default_sentinel_t, Events::Iterator>);

}  // namespace
}  // namespace evt::testing

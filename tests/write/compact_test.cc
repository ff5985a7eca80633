// Sessions whose rows are compressed: the same events in less space, however they were written.
#include <evt/compact.h>

#include "support/folder.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

struct NamedStep {
  std::uint32_t thread = 0;
  std::string_view name;
};

}  // namespace
}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::NamedStep> =
    evt::event("test.step", "a step", evt::field("thread", &evt::testing::NamedStep::thread),
               evt::field("name", &evt::testing::NamedStep::name));

namespace evt::testing {
namespace {

constexpr std::uint32_t kSteps = 50'000;

int keep(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

// A session of many steps, written so.
std::string trace_of_steps(evt_options options) {
  options.full_wait_ms = EVT_WAIT_FOR_EVER;  // however busy the machine is
  std::string bytes;
  auto writer = Writer::open(keep, &bytes, options);
  leave_out_events_of_writer(*writer);
  const auto types = writer->declare<NamedStep>();
  Stream stream = writer->stream("a");
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    const std::string name = i % 3 == 0 ? "read" : "written and read";
    stream.emit(types, NamedStep{.thread = i % 7, .name = name});
  }
  EXPECT_TRUE(writer->close().ok());
  return bytes;
}

void expect_all_steps(const std::string& bytes) {
  auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
  Events events = trace->events();
  std::uint32_t i = 0;
  for (; const Event* event = events.next(); ++i) {
    const auto step = event->as<NamedStep>();
    ASSERT_TRUE(step) << i;
    ASSERT_EQ(step->thread, i % 7);
    ASSERT_EQ(step->name, i % 3 == 0 ? "read" : "written and read");
  }
  EXPECT_EQ(i, kSteps);
  EXPECT_TRUE(events.status().ok()) << events.status().message();
}

TEST(Compacted, SessionHasTheSameEventsInAFifthOfTheSpace) {
  evt_options options = {};
  const std::string rows = trace_of_steps(options);
  options.compact = evt_columns();
  const std::string columns = trace_of_steps(options);
  expect_all_steps(rows);
  expect_all_steps(columns);
  EXPECT_LT(columns.size(), rows.size() / 5);
}

TEST(Compacted, SessionWithoutAFlusherIsToo) {
  evt_options options = {};
  options.flush_inline = 1;
  options.compact = evt_columns();
  const std::string columns = trace_of_steps(options);
  expect_all_steps(columns);
  EXPECT_LT(columns.size(), kSteps * 6);
}

// A ring of which a quarter is always full: what waits too long is written as it is.
TEST(Compacted, SessionUnderPressureLosesNothing) {
  evt_options options = {};
  options.ring_size = 64 << 10;
  options.compact = evt_columns();
  expect_all_steps(trace_of_steps(options));
}

TEST(Compacted, SessionMayHaveEventsThatAreTooLargeForIt) {
  std::string bytes;
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  options.compact = evt_columns();
  auto writer = Writer::open(keep, &bytes, options);
  leave_out_events_of_writer(*writer);
  const auto types = writer->declare<NamedStep>();
  Stream stream = writer->stream("a");
  const std::string large(60'000, 'x');
  for (std::uint32_t i = 0; i < 100; ++i) stream.emit(types, NamedStep{.thread = i, .name = large});
  ASSERT_TRUE(writer->close().ok());
  auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
  Events events = trace->events();
  std::uint32_t i = 0;
  for (; const Event* event = events.next(); ++i) {
    const auto step = event->as<NamedStep>();
    ASSERT_TRUE(step);
    EXPECT_EQ(step->thread, i);
    EXPECT_EQ(step->name, large);
  }
  EXPECT_EQ(i, 100u);
  EXPECT_LT(bytes.size(), 200'000u);
}

}  // namespace
}  // namespace evt::testing

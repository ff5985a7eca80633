// Reading a part of a trace: some streams, some times. What is left out is not read from the file.
#include <evt/trace.h>
#include <evt/writer.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

struct Step {
  std::uint32_t n = 0;
};
template <>
inline constexpr auto evt::schema<Step> = evt::event("step", "", evt::field("n", &Step::n));

namespace evt::testing {
namespace {

int keep(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

// Two streams, an event each microsecond in turn, in blocks of 4 KiB.
class PartOfATrace : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kSteps = 20'000;

  PartOfATrace() {
    evt_clock clock = {};
    clock.hz = 1'000'000'000;
    evt_options options = {};
    options.flush_inline = 1;
    options.buffer_size = 4096;
    options.clock = &clock;
    auto writer = Writer::open(keep, &bytes, options);
    const auto types = writer->declare<Step>();
    Stream streams[] = {writer->stream("even"), writer->stream("odd")};
    for (std::uint32_t n = 0; n < kSteps; ++n) streams[n % 2].emit_at(n * 1000, types, Step{n});
    EXPECT_TRUE(writer->close().ok());
  }

  // The events that are read of a trace, and how many of its bytes.
  struct Part {
    std::vector<std::uint32_t> steps;
    std::uint64_t bytes = 0;
  };
  Part read(const EventOptions& options) const {
    auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
    const std::uint64_t before = trace->bytes_read();
    Part part;
    Events events = trace->events(options);
    while (const Event* event = events.next()) part.steps.push_back(event->as<Step>()->n);
    EXPECT_TRUE(events.status().ok());
    part.bytes = trace->bytes_read() - before;
    return part;
  }
  static std::vector<std::uint32_t> steps(std::uint32_t begin, std::uint32_t end, std::uint32_t by = 1) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t n = begin; n < end; n += by) all.push_back(n);
    return all;
  }
  static EventOptions range(std::int64_t from_ns, std::int64_t to_ns) {
    EventOptions options;
    options.range = [=](const Session&) { return TimeRange{from_ns, to_ns}; };
    return options;
  }

  std::string bytes;
};

TEST_F(PartOfATrace, IsAllOfItWhenNothingIsSaid) {
  const Part all = read({});
  EXPECT_EQ(all.steps, steps(0, kSteps));
  EXPECT_GE(all.bytes, kSteps * 12u);
  EXPECT_LT(all.bytes, kSteps * 12u * 104 / 100);  // blocks have headers too
}

TEST_F(PartOfATrace, IsWhatHappenedInATime) {
  EXPECT_EQ(read(range(5'000'000, 6'000'000)).steps, steps(5'000, 6'001));
  EXPECT_EQ(read(range(INT64_MIN, 999)).steps, steps(0, 1));
  EXPECT_EQ(read(range(19'999'000, INT64_MAX)).steps, steps(19'999, kSteps));
  EXPECT_EQ(read(range(20'000'000, INT64_MAX)).steps, steps(0, 0));
}

TEST_F(PartOfATrace, IsReadWithoutTheBlocksOfOtherTimes) {
  // 1001 events, and what else is in the first and last block of each stream.
  EXPECT_LT(read(range(5'000'000, 6'000'000)).bytes, 1001u * 12 + 4 * 4096u);
  EXPECT_EQ(read(range(20'000'000, INT64_MAX)).bytes, 0u);
}

TEST_F(PartOfATrace, IsWhatSomeStreamsHave) {
  EventOptions odd;
  odd.stream = [](const Session&, const StreamInfo& stream) { return stream.name == "odd"; };
  const Part part = read(odd);
  EXPECT_EQ(part.steps, steps(1, kSteps, 2));
  EXPECT_LT(part.bytes, read({}).bytes * 51 / 100);
}

TEST_F(PartOfATrace, KnowsWhenTheSessionEnds) {
  const auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(trace->sessions()[0].last_ns, 19'999'000);
}

}  // namespace
}  // namespace evt::testing

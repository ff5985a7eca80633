// Which sessions of one boot share a clock when they are merged: those whose counter has not stepped between them.
#include <evt/merge.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/raw_trace.h"

namespace evt::testing {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// A session of the machine's counter, of one tick a nanosecond, that reads `ticks` at `start_ns`; and one event there.
std::string session_at(std::uint8_t who, std::int64_t start_ns, std::uint64_t ticks) {
  RawTrace trace;
  trace.session(who, start_ns, "a boot").clock({1, EVT_CLOCK_X86_TSC, 1'000'000'000, ticks, start_ns});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\n").events(1, Rows().tick(0, who), ticks).trailer();
  return trace.bytes();
}

// How many clocks the merged trace has, then each event and when it was since the first.
std::string merge_of(const std::vector<std::string>& inputs) {
  MergeOptions options;
  for (std::size_t i = 0; i < inputs.size(); ++i) options.inputs.push_back({std::to_string(i), 0});
  options.open = [&](std::size_t i) -> Result<std::shared_ptr<Trace>> {
    return std::make_shared<Trace>(open_trace(inputs[i]));
  };
  std::string bytes;
  const auto done = merge(options, [&](Bytes more) {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
    return 0;
  });
  if (!done) return done.status().message();
  Trace trace = open_trace(bytes);
  std::string text = fmt::format("{}\n", trace.sessions().front().clocks.size());
  Events events = trace.events();
  while (const Event* e = events.next()) text += fmt::format("{} {}\n", e->value("n")->as_unsigned(), e->ns());
  return text;
}

TEST(MergedClock, IsSharedByWhatOneCounterCounted) {
  EXPECT_EQ(merge_of({session_at(1, 100 * kSecond, 500'000), session_at(2, 160 * kSecond, 500'000 + 60 * kSecond)}),
            "1\n1 0\n2 60000000000\n");
}

TEST(MergedClock, IsNotSharedWhereTheCounterBeganAgainBetween) {
  EXPECT_EQ(merge_of({session_at(1, 100 * kSecond, 90 * kSecond), session_at(2, 160 * kSecond, 500'000)}),
            "2\n1 0\n2 60000000000\n");
}

}  // namespace
}  // namespace evt::testing

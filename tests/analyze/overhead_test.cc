// Overhead against a model that counts as it makes the trace.
#include <evt/analysis/overhead.h>
#include <fmt/core.h>

#include <map>
#include <random>
#include <tuple>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

using Who = std::tuple<std::uint32_t, std::int64_t>;  // stream, and the thread that runs there, or -1
using Why = std::tuple<std::string, std::uint32_t, std::int64_t>;
using Lengths = std::pair<std::uint64_t, std::uint64_t>;  // count and sum

struct Counted {
  std::map<Who, std::uint64_t> events;
  std::map<Why, Lengths> lengths;

  friend bool operator==(const Counted&, const Counted&) = default;
};

struct Made {
  std::string text;
  Counted counted;  // from `since` on
};

Made make(unsigned seed, std::int64_t since) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Made made;
  made.text =
      "type 4 thread.run role=threadRun (thread u64 role=thread)\n"
      "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
      "type 30 trace.overhead role=overhead (reason interned role=reason) (duration tick_delta role=duration)\n"
      "type 1024 stalled role=overhead (why text role=reason) (us u16 role=duration unit=microseconds)\n"
      "type 1025 bare role=overhead\ntype 1026 tick\n"
      "stream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"c\"\nstring 1 \"flush\"\nstring 2 \"wait\"\n";
  std::map<std::uint32_t, std::int64_t> running = {{1, -1}, {2, -1}, {3, -1}};
  std::int64_t now = 1'000'000;
  for (int i = 0; i < 500; ++i) {
    now += 1 + below(3000);
    const std::uint32_t stream = 1 + below(3);
    std::int64_t& thread = running[stream];
    const auto line = [&](const std::string& what) { made.text += fmt::format("0.{:09} {} {}\n", now, stream, what); };
    const auto stall = [&](const std::string& reason, std::int64_t ns) {
      if (now < since) return;
      Lengths& lengths = made.counted.lengths[{reason, stream, thread}];
      ++lengths.first;
      lengths.second += static_cast<std::uint64_t>(now - std::max(now - ns, since));
    };
    const unsigned what = below(10);
    if (what == 0 && thread < 0) {
      thread = stream * 10 + below(3);
      line(fmt::format("thread.run thread={}", thread));
    } else if (what == 1 && thread >= 0) {
      line(fmt::format("thread.stop thread={}", thread));
      thread = -1;
    } else if (what == 2) {
      const unsigned ns = below(20'000);
      line(fmt::format("trace.overhead reason=#{} duration=0.{:09}", 1 + ns % 2, ns));
      stall(ns % 2 == 0 ? "flush" : "wait", ns);
    } else if (what == 3) {
      const unsigned us = below(20);
      line(fmt::format("stalled why=\"wait\" us={}", us));
      stall("wait", us * 1000);
    } else {
      line(what == 4 ? "bare" : "tick");
    }
    if (now >= since) ++made.counted.events[{stream, thread}];
  }
  return made;
}

Counted count(const std::string& bytes, std::int64_t since) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  Overhead overhead(timeline);
  take_all(timeline, overhead, since);
  const auto number = [&](std::uint32_t thread) {
    return thread == Actor::kNone ? -1 : static_cast<std::int64_t>(timeline.actors().threads()[thread].number);
  };
  Counted counted;
  for (const Overhead::Emitted& each : overhead.emitted()) {
    if (each.events > 0) counted.events[{each.by.stream->id, number(each.by.thread)}] = each.events;
  }
  for (const Overhead::Stall& each : overhead.stalls()) {
    if (each.lengths.count() == 0) continue;
    counted.lengths[{timeline.names().text(each.reason), each.of.stream->id, number(each.of.thread)}] = {
        each.lengths.count(), each.lengths.sum()};
  }
  return counted;
}

TEST(Overhead, IsWhatWasCountedWhenTheTraceWasMade) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const std::int64_t since = seed % 2 == 0 ? 0 : 1'000'000 + static_cast<std::int64_t>(seed) * 10'000;
    const Made made = make(seed, since);
    const std::string bytes = trace_from_text(made.text);
    ASSERT_EQ(count(bytes, since), made.counted) << "seed " << seed;
  }
}

TEST(Overhead, WithoutADurationItIsNotCounted) {
  const std::string bytes = trace_from_text(
      "type 1025 bare role=overhead\ntype 1026 odd role=overhead (n i32 role=duration unit=nanoseconds)\n"
      "stream 1 \"a\"\n0.1 1 bare\n0.2 1 odd n=-5\n");
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  Overhead overhead(timeline);
  take_all(timeline, overhead);
  EXPECT_EQ(overhead.doubts().without_duration, 1u);
  EXPECT_EQ(overhead.doubts().negative, 1u);
  ASSERT_EQ(overhead.stalls().size(), 1u);
  EXPECT_EQ(overhead.stalls()[0].lengths.sum(), 0u);
}

}  // namespace
}  // namespace evt::testing

// Samples of stacks, of which a hand count knows the truth.
#include <evt/analysis/stack_paths.h>
#include <evt/events.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/text_trace.h"
#include "timeline_items.h"
#include "write/recording.h"

namespace evt::testing {
struct Wait {
  std::uint64_t thread = 0;
  Reference stack;
  std::uint64_t waited = 0;
};
}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::Wait> = evt::event(
    "wait", "a wait ends", evt::Role::kSample, evt::field("thread", &evt::testing::Wait::thread, evt::Role::kThread),
    evt::field("stack", &evt::testing::Wait::stack, evt::Role::kStack),
    evt::field("waited", &evt::testing::Wait::waited, evt::Role::kDuration, evt::Unit::kNanoseconds));

namespace evt::testing {
namespace {

using events::StackFrame;
using events::StackFrames;
using events::StackSample;

// A session with samples.
class Sampled {
 public:
  Reference frame(const std::string& function, const std::string& module = "/bin/a", std::uint32_t line = 0) {
    return recording_->intern(types_, StackFrame{recording_->intern(function), recording_->intern(module), line});
  }
  // The innermost first.
  void sample(std::uint64_t thread, const std::vector<Reference>& frames, std::uint64_t ns) {
    stream_.emit(types_, StackSample{thread, recording_->intern(types_, StackFrames{frames}), ns});
  }
  void wait(std::uint64_t thread, const std::vector<Reference>& frames, std::uint64_t ns) {
    stream_.emit(types_, Wait{thread, recording_->intern(types_, StackFrames{frames}), ns});
  }
  // A line for each path that counts: samples in it, time with what it called, its own time.
  std::string paths(const StackPaths::Options& options = {}) {
    const std::string bytes = recording_.bytes();
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    EXPECT_TRUE(timeline.next_session());
    StackPaths paths(timeline, options);
    while (const TimelineItem* const item = timeline.next()) paths.take(*item);
    std::string text;
    std::vector<std::string> names;
    for (const CallPaths::Node& node : paths.nodes()) {
      const std::string of_thread =
          node.thread == Actor::kNone ? "" : fmt::format("t{}", timeline.actors().threads()[node.thread].number);
      names.push_back(node.is_root() ? of_thread
                                     : names[node.parent] + (names[node.parent].empty() ? "" : ";") +
                                           timeline.names().text(node.name));
      if (!node.is_root()) text += fmt::format("{} {} {} {}\n", names.back(), node.count, node.sum_ns, node.self.ns);
    }
    return text;
  }

 private:
  Recording recording_;
  decltype(recording_->declare<StackFrame, StackFrames, StackSample, Wait>()) types_ =
      recording_->declare<StackFrame, StackFrames, StackSample, Wait>();
  Stream stream_ = recording_->stream("a");
};

TEST(StackPaths, CountWaitsOrProcessorTime) {
  const auto paths = [](bool waiting) {
    Sampled sampled;
    const Reference main = sampled.frame("main");
    sampled.sample(1, {sampled.frame("work"), main}, 30);
    sampled.wait(1, {sampled.frame("lock"), main}, 500);
    return sampled.paths({.waiting = waiting});
  };
  EXPECT_EQ(paths(false),
            "main 0 30 0\n"
            "main;work 1 30 30\n");
  EXPECT_EQ(paths(true),
            "main 0 500 0\n"
            "main;lock 1 500 500\n");
}

TEST(StackPaths, CountASampleForItsInnermostFrameAndItsTimeForAll) {
  Sampled sampled;
  const Reference main = sampled.frame("main");
  const Reference work = sampled.frame("work");
  sampled.sample(1, {work, main}, 30);
  sampled.sample(1, {main}, 10);
  sampled.sample(2, {work, main}, 5);
  EXPECT_EQ(sampled.paths(), "main 1 45 10\nmain;work 2 35 35\n");
}

TEST(StackPaths, CountTimeOnceForAFunctionThatCallsItself) {
  Sampled sampled;
  const Reference again = sampled.frame("again");
  sampled.sample(1, {again, again, again}, 7);
  EXPECT_EQ(sampled.paths(), "again 0 7 0\nagain;again 0 0 0\nagain;again;again 1 0 7\n");
}

TEST(StackPaths, AreOfEachThreadIfAskedTo) {
  Sampled sampled;
  const Reference main = sampled.frame("main");
  sampled.sample(1, {main}, 30);
  sampled.sample(2, {main}, 5);
  EXPECT_EQ(sampled.paths({.by_thread = true}), "t1;main 1 30 30\nt2;main 1 5 5\n");
}

TEST(StackPaths, NameModulesOrLinesIfAskedTo) {
  const auto paths_by = [](StackPaths::By by) {
    Sampled sampled;
    sampled.sample(1, {sampled.frame("inflate", "/usr/lib/libz.so.1", 40), sampled.frame("main", "/bin/a", 7)}, 3);
    return sampled.paths({.by = by});
  };
  EXPECT_EQ(paths_by(StackPaths::By::kModule), "a 0 3 0\na;libz.so.1 1 3 3\n");
  EXPECT_EQ(paths_by(StackPaths::By::kLine), "main:7 0 3 0\nmain:7;inflate:40 1 3 3\n");
}

}  // namespace
}  // namespace evt::testing

// Random traces, of which a quadratic model knows the truth: call paths have to say the same as it.
#include <evt/analysis/call_paths.h>
#include <evt/analysis/share.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/sanitizer.h"
#include "support/text_trace.h"
#include "thread_stories.h"
#include "timeline_items.h"

namespace evt::testing::agreement {
namespace {

std::string stack_word(bool is_call, const std::string& name) { return (is_call ? "call " : "span ") + name; }

// What was open in a stretch of time, the outermost first.
std::vector<std::string> stack_in(const Life& life, std::int64_t from, std::int64_t to) {
  std::vector<const Instance*> open;
  for (const Instance& each : life.instances)
    if (each.began <= from && each.ended >= to) open.push_back(&each);
  std::stable_sort(open.begin(), open.end(), [](const Instance* a, const Instance* b) { return a->began < b->began; });
  std::vector<std::string> stack;
  for (const Instance* const each : open) stack.push_back(stack_word(each->is_call, each->name));
  return stack;
}

// Of each stretch between two moments what it adds, by itself.
Figures truth_of(const Story& story) {
  Figures truth;
  const std::set<std::int64_t> moments = story.moments();
  for (auto from = moments.begin(), to = std::next(from); to != moments.end(); ++from, ++to) {
    const auto ns = static_cast<std::uint64_t>(*to - *from);
    for (const Life& life : story.lives()) {
      if (!life.exists(*from, *to)) continue;
      const std::vector<std::string> stack = stack_in(life, *from, *to);
      if (stack.empty()) continue;
      const ThreadState state = life.at(*from).state;
      const bool may_be_held = state == ThreadState::kRunning || state == ThreadState::kUnknown;
      const bool is_held = may_be_held && story.collects_on(life, *from, *to);
      const bool runs = (state == ThreadState::kRunning || life.shown > *from) && !is_held;
      std::string path = life.key();
      for (std::size_t i = 0; i < stack.size(); ++i) {
        path += ";" + stack[i];
        if (std::find(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(i), stack[i]) ==
            stack.begin() + static_cast<std::ptrdiff_t>(i)) {
          truth[path + " sum"] += ns;
        }
      }
      truth[path + " self"] += ns;
      const bool is_stopped = story.is_stopped(*from, *to);
      const bool would_run = runs || is_held || state == ThreadState::kRunnable;
      truth[path + " running"] += runs && !is_stopped ? ns : 0;
      truth[path + " stopped"] += would_run && is_stopped ? ns : 0;
      truth[life.key() + " inside"] += ns;
    }
  }
  for (const Life& life : story.lives()) {
    for (const Instance& each : life.instances) {
      const std::string name = life.key() + " of " + stack_word(each.is_call, each.name);
      ++truth[name + " count"];
      if (each.ended == kOpen) ++truth[name + " unfinished"];
    }
  }
  return truth;
}

Figures said_by(const CallPaths& paths, Timeline& timeline) {
  const std::vector<std::string> threads = thread_keys(timeline);
  Figures said;
  std::vector<std::string> names;
  for (const CallPaths::Node& node : paths.nodes()) {
    if (node.is_root()) {
      names.push_back(threads.at(node.thread));
      continue;
    }
    const std::string name = stack_word(node.is_call, timeline.names().text(node.name));
    names.push_back(names[node.parent] + ";" + name);
    said[names.back() + " sum"] += node.sum_ns;
    said[names.back() + " self"] += node.self.ns;
    said[names.back() + " running"] += node.self.running_ns;
    said[names.back() + " stopped"] += node.self.stopped_ns;
    said[threads.at(node.thread) + " of " + name + " count"] += node.count;
    said[threads.at(node.thread) + " of " + name + " unfinished"] += node.unfinished;
  }
  for (const CallPaths::Inside& each : paths.inside()) said[threads.at(each.thread) + " inside"] = each.time.ns;
  return said;
}

TEST(CallPathsAgree, WithANaiveModel) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); seed += kEveryCase) {
    const Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    const std::string bytes = trace_from_text(story.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    CallPaths paths(timeline, {.by_thread = true});
    take_all(timeline, paths);
    EXPECT_EQ(words_of(said_by(paths, timeline)), words_of(truth_of(story)));
  }
}

// By thread and name, exactly.
using Shares = std::map<std::string, Uint128>;

TEST(CallPathsAgree, WithShareOnWhatEachNameHas) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); seed += kEveryCase) {
    const Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    const std::string bytes = trace_from_text(story.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    CallPaths paths(timeline, {.by_thread = true, .divides = true});
    Share share(timeline, ShareModel::kRunning);
    std::int64_t last_ns = 0;
    while (const TimelineItem* const item = timeline.next()) {
      paths.take(*item);
      share.take(*item);
      last_ns = item->ns;
    }
    const auto key = [&](std::uint32_t thread, std::uint32_t name, bool is_call) {
      return fmt::format("{} {} {}", thread, is_call, timeline.names().text(name));
    };
    Shares of_paths;
    for (const CallPaths::Node& node : paths.nodes()) {
      if (!node.is_root()) of_paths[key(node.thread, node.name, node.is_call)] += node.self.share;
    }
    Shares of_names;
    for (const Share::Row& row : share.rows(last_ns)) {
      const bool is_of_thread = row.name == Share::kNone || row.thread == Share::kNone;
      if (!is_of_thread) of_names[key(row.thread, row.name, row.is_call)] += row.time.share;
    }
    EXPECT_TRUE(of_paths == of_names);
  }
}

}  // namespace
}  // namespace evt::testing::agreement

// What belongs to a process is kept by process: of a merged trace, each part has the items that it has alone.
#include <evt/timeline.h>
#include <fmt/format.h>

#include <algorithm>

#include "analyze/thread_stories.h"
#include "merged_traces.h"

namespace evt::testing {
namespace {

// Streams of one process that collect at a time, some of them together.
class Collecting {
 public:
  explicit Collecting(unsigned seed) : random_(seed) {}

  // Beside the events of a story, on streams of their own.
  std::string to(std::string story) {
    story.insert(story.find("stream 1"),
                 "type 1070 gc.any role=gcStart (reason text role=reason)\n"
                 "type 1071 sync role=gcSync\nstream 6 \"6\"\nstream 7 \"7\"\n");
    std::int64_t ns = 0;
    for (unsigned i = 0; i < 60; ++i) {
      ns += 1 + pick(60);
      story += fmt::format("0.{:09} {} {}\n", ns, 6 + pick(2), event());
    }
    return story;
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string event() {
    static constexpr const char* kEvents[] = {"gc.end", "gc.end", "gc.idle", "gc.work", "gc.done", "sync"};
    const unsigned which = pick(10);
    if (which < std::size(kEvents)) return kEvents[which];
    return which < 8 ? fmt::format("gc.start generation={}", pick(2)) : fmt::format("gc.any reason=\"{}\"", pick(3));
  }

  std::mt19937 random_;
};

std::string part_of_story(int who, const std::string& events) {
  return trace_from_text(fmt::format("evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02x} "
                                     "start=1767225600.000000000 program=\"p{}\"\n",
                                     who, who) +
                         events);
}

class ItemsOfParts {
 public:
  explicit ItemsOfParts(const std::string& bytes) : trace_(open_trace(bytes)), timeline_(trace_, {}) {
    EXPECT_TRUE(timeline_.next_session());
    lines_.resize(std::max<std::size_t>(timeline_.actors().session().parts.size(), 1));
    while (const TimelineItem* const item = timeline_.next()) {
      // Those end where the session does, of several parts with the last of them.
      if (item->is_open || item->kind == ItemKind::kRow) continue;
      lines_[part_of(*item)].push_back(words_of(*item));
    }
    // When a collection is over is known by what comes next.
    for (std::vector<std::string>& lines : lines_) std::stable_sort(lines.begin(), lines.end());
  }
  std::string part(std::size_t number) const { return fmt::format("{}\n", fmt::join(lines_[number], "\n")); }

 private:
  std::size_t part_of(const TimelineItem& item) {
    std::uint32_t part = item.part;
    if (item.stream != nullptr) part = timeline_.actors().part_of(*item.stream);
    return part != Actor::kNone ? part : 0;
  }
  std::string words_of(const TimelineItem& item) {
    const bool is_of_collector = item.kind >= ItemKind::kCollectorBegan && item.kind <= ItemKind::kCollection;
    std::string words =
        fmt::format("{} kind={} {}>{} {}>{}", item.kind == ItemKind::kCollection ? 0 : item.ns,
                    static_cast<int>(item.kind), static_cast<int>(item.before), static_cast<int>(item.state),
                    static_cast<int>(item.phase_before), static_cast<int>(item.phase));
    words += fmt::format(" began={} ended={} depth={} value={} flags={}{}{}{}{}{}", item.began_ns, item.ended_ns,
                         item.depth, item.value, item.is_call, item.is_cut, item.is_uncertain, item.overlaps,
                         item.resumes, item.is_collecting);
    if (item.thread < Actor::kOthers && !is_of_collector) {
      const Actor& thread = timeline_.actors().threads()[item.thread];
      words += " thread=" + (thread.is_stream ? thread.name : std::to_string(thread.number));
    }
    if (item.cpu < Actor::kOthers) words += fmt::format(" cpu={}", timeline_.actors().cpus()[item.cpu].number);
    if (item.stream != nullptr) words += " on " + item.stream->name;
    const bool is_named = item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded || is_of_collector;
    if (is_named && item.name != EventNames::kNone && item.kind != ItemKind::kCollectorPhase)
      words += " name=" + timeline_.names().text(item.name);
    return words;
  }

  Trace trace_;
  Timeline timeline_;
  std::vector<std::vector<std::string>> lines_;
};

TEST(MergeProperty, APartHasTheItemsThatItHasAlone) {
  for (unsigned seed = 1; seed <= 100 && !::testing::Test::HasFailure(); ++seed) {
    std::vector<std::string> inputs;
    for (unsigned i = 0; i < 2; ++i) {
      const agreement::Story story(seed * 7 + i);
      inputs.push_back(part_of_story(static_cast<int>(i) + 1, Collecting(seed * 2 + i).to(story.text())));
    }
    const ItemsOfParts both(merged(inputs));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_EQ(both.part(i), ItemsOfParts(inputs[i]).part(0)) << "seed " << seed << ", part " << i;
    }
  }
}

}  // namespace
}  // namespace evt::testing

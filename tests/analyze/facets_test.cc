// An event that means several things: analyses see each facet as an event of its own at its time.
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/event_counts.h>
#include <evt/names.h>
#include <evt/timeline.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

// A scheduler's switch is a stop of one thread and a run of the next.
constexpr std::string_view kSwitches =
    "type 1024 switch role=threadStop facet=threadRun[next=thread cpu=cpu] (prev u32 role=thread) (cpu u8 role=cpu) "
    "(next u32)\n"
    "stream 1 \"a\"\n"
    "0.000000100 1 switch prev=0 cpu=3 next=7\n"
    "0.000000300 1 switch prev=7 cpu=3 next=8\n"
    "0.000000350 1 switch prev=8 cpu=3 next=7\n"
    "0.000000400 1 switch prev=7 cpu=3 next=0\n";

class Facets : public ::testing::Test {
 protected:
  Facets() : bytes_(trace_from_text(kSwitches)), trace_(open_trace(bytes_)), events_(trace_.events(with_markers())) {}
  static EventOptions with_markers() {
    EventOptions options;
    options.markers = true;
    return options;
  }

  std::string bytes_;
  Trace trace_;
  Events events_;
};

TEST_F(Facets, AreEventsInTheirOrder) {
  RoleEvents roles(trace_, events_);
  ASSERT_TRUE(roles.next_session());
  std::string seen;
  while (const RoleEvent* const event = roles.next()) {
    if (event->ns > 300) break;
    const auto thread = event->event->number(Role::kThread);
    seen += std::to_string(event->ns) + " " + to_string(event->role) + " " + std::to_string(thread.value_or(999)) +
            " ordinal " + std::to_string(event->event->ordinal()) + (event->is_facet ? " facet\n" : "\n");
  }
  EXPECT_EQ(seen,
            "100 threadStop 0 ordinal 0\n"
            "100 threadRun 7 ordinal 0 facet\n"
            "300 threadStop 7 ordinal 1\n"
            "300 threadRun 8 ordinal 1 facet\n");
}

TEST_F(Facets, HaveTheFieldsThatTheyName) {
  RoleEvents roles(trace_, events_);
  ASSERT_TRUE(roles.next_session());
  roles.next();
  const RoleEvent& run = *roles.next();
  EXPECT_EQ(run.event->number(Role::kThread), 7u);
  EXPECT_EQ(run.event->number(Role::kCpu), 3u);
  EXPECT_EQ(run.event->value("prev")->as_unsigned(), 0u) << "by name all are there";
}

TEST_F(Facets, MakeRunsOfOneEventEach) {
  Timeline timeline(trace_, {});
  ASSERT_TRUE(timeline.next_session());
  CpuTime cpu;
  EventCounts counts;
  while (const TimelineItem* const item = timeline.next()) {
    cpu.take(*item);
    if (item->kind == ItemKind::kRow) counts.take(*item->event);
  }
  std::map<std::uint64_t, std::uint64_t> ran;
  for (const CpuTime::Cell& cell : cpu.cells(400)) {
    if (cell.ns > 0) ran[timeline.actors().threads()[cell.thread].number] += cell.ns;
  }
  EXPECT_EQ(ran, (std::map<std::uint64_t, std::uint64_t>{{7, 250}, {8, 50}}));
  EXPECT_EQ(counts.all(), 4u) << "each switch is one event";
}

}  // namespace
}  // namespace evt::testing

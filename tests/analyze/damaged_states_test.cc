// States of sessions that were kept and are not what they were.
#include <evt/analysis/call_paths.h>
#include <evt/analysis/process_stops.h>
#include <evt/analysis/share.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/thread_times.h>
#include <gtest/gtest.h>

#include "anything.h"
#include "libtrace-read/analyze/src/checkpoint/replay.h"
#include "story_addition.h"
#include "support/text_trace.h"
#include "thread_stories.h"

namespace evt::testing {
namespace {

// In the middle of a session.
std::vector<std::uint64_t> state_in(Trace& trace, std::int64_t* ns) {
  Replay replay(trace, 0, INT64_MIN, Replay::Follows::kAll);
  const std::int64_t middle = trace.sessions().front().last_ns / 2;
  while (replay.next([&](const TimelineItem& item) { replay.take(item); })) {
    if (replay.actors().now() < middle || !replay.can_be_kept()) continue;
    Archive state;
    replay.archive(state);
    *ns = replay.actors().now();
    return state.words();
  }
  return {};
}

// Whether the words are a state. Analyses go on from there, whatever they say.
bool is_read(Trace& trace, std::int64_t ns, const std::vector<std::uint64_t>& words) {
  Replay replay(trace, 0, ns, Replay::Follows::kRange);
  Archive archive(words);
  replay.archive(archive);
  if (!archive.is_whole()) return false;
  SessionStart start = replay.begin();
  ThreadTimes times;
  Spans spans(start.timeline, {});
  CallPaths paths(start.timeline, {});
  Share share(start.timeline, ShareModel::kRunning);
  ProcessStops stops(trace.sessions().front());
  std::int64_t now = ns;
  while (const TimelineItem* const item = start.timeline.next()) {
    now = std::max(now, item->ns);
    times.take(*item);
    spans.take(*item);
    paths.take(*item);
    share.take(*item);
    stops.take(*item);
    start.collections.take(*item);
  }
  for (const ThreadTimes::Row& row : times.rows(now)) {
    for (const ThreadTimes::Waiting& waiting : row.waiting) EXPECT_LT(waiting.reason, start.timeline.reasons().size());
  }
  EXPECT_GE(share.rows(now).size() + start.collections.capabilities(now).size() + spans.rows(SpanKind::kSpan).size(),
            0U);
  return true;
}

// Checksums find accidents before; what is not a state is not one without them either.
TEST(KeptStates, OfWhichAnyWordIsAnotherAreRefusedOrGoOn) {
  for (unsigned seed = 1; seed < 3; ++seed) {
    const std::string bytes =
        trace_from_text(seed % 2 == 0 ? StoryAddition(seed).to(agreement::Story(seed).text()) : anything(seed));
    Trace trace = open_trace(bytes);
    std::int64_t ns = 0;
    const std::vector<std::uint64_t> words = state_in(trace, &ns);
    ASSERT_GT(words.size(), 100U);
    ASSERT_TRUE(is_read(trace, ns, words));
    std::size_t refused = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
      for (const std::uint64_t other : {std::uint64_t{0}, words[at] + 1, std::uint64_t{7}, UINT64_MAX}) {
        std::vector<std::uint64_t> damaged = words;
        damaged[at] = other;
        refused += is_read(trace, ns, damaged) ? 0 : 1;
      }
    }
    EXPECT_GT(refused, words.size()) << "of each four";
  }
}

}  // namespace
}  // namespace evt::testing

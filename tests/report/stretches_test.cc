// What analyses have of each of many stretches of time is what they have of that stretch by itself: of random traces,
// to the nanosecond.
#include <evt/report.h>
#include <evt/timeline.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyze/story_addition.h"
#include "analyze/thread_stories.h"
#include "cell_text.h"
#include "support/text_trace.h"

namespace evt::report {
namespace {

using testing::open_trace;
using testing::trace_from_text;

// Where a run goes on, its length is not known in a stretch, which ends with it.
bool is_compared(const Table::Column& column) { return column.name != "current" && column.name != "so far"; }

// The other cells of each row that begins with these, by their columns: whose order may differ.
std::vector<std::map<std::string, std::string>> rows_of(const Table& table, const std::vector<std::string>& front) {
  std::vector<std::map<std::string, std::string>> rows;
  for (const Table::Row& row : table.rows()) {
    const bool is_of_it = std::equal(front.begin(), front.end(), row.begin(),
                                     [](const std::string& text, const Cell& cell) { return text == text_of(cell); });
    if (!is_of_it) continue;
    std::map<std::string, std::string>& cells = rows.emplace_back();
    for (std::size_t i = front.size(); i < row.size(); ++i) {
      const Table::Column& column = table.columns()[i];
      if (is_compared(column) && !row[i].is_empty()) cells[column.key()] = text_of(row[i]);
    }
  }
  return rows;
}

// Without delays, which count in the stretch in which they end.
const std::vector<std::string> kAnalyses = {"cpu",    "threads",  "gc",    "spans",    "calls",
                                            "stacks", "counts",   "share", "usage",    "locks",
                                            "stops",  "counters", "heap",  "overhead", "events"};

std::vector<SessionFindings> found_in(std::string_view bytes, TimeRange range, std::optional<std::int64_t> every,
                                      bool with_filter, const std::vector<std::string>& analyses = kAnalyses) {
  Trace trace = open_trace(bytes);
  RunOptions run;
  run.range = [range](const Session&) { return range; };
  run.analysis.every = every;
  if (with_filter) run.counts = [](const Event& event) { return event.type().number() % 3 != 0; };
  EXPECT_TRUE(ask(analyses, &run).ok());
  run.analysis.longest = 4;
  std::vector<SessionFindings> found = run_sessions(trace, run);
  for (SessionFindings& session : found) session.session = nullptr;
  return found;
}

std::set<std::int64_t> moments_of(std::string_view bytes) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  std::set<std::int64_t> moments;
  while (timeline.next_session()) {
    while (const TimelineItem* const item = timeline.next()) moments.insert({item->ns, item->began_ns, item->ended_ns});
  }
  return moments;
}

// The stretches' ends, at none of which anything happens: what happens at an end is in both of the ranges beside it,
// and in one of the stretches.
std::vector<std::int64_t> ends_between(std::int64_t from, std::int64_t to, std::int64_t every,
                                       const std::set<std::int64_t>& moments) {
  std::vector<std::int64_t> ends;
  for (std::int64_t end = from; end < to; end += every) {
    if (moments.contains(end)) return {};
    ends.push_back(end);
  }
  ends.push_back(to);
  return ends;
}

TEST(Stretches, HaveWhatEachHasByItself) {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 100 && !::testing::Test::HasFailure(); ++seed) {
    const testing::agreement::Story story(seed);
    const std::string bytes = trace_from_text(testing::StoryAddition(seed).to(story.text()));
    const std::set<std::int64_t> moments = moments_of(bytes);
    std::mt19937 random(seed);
    std::vector<std::int64_t> ends;
    std::int64_t every = 0;
    for (int tries = 0; ends.size() < 3 && tries < 1000; ++tries) {
      const std::int64_t from = static_cast<std::int64_t>(random()) % (story.end_ns() / 2);
      every = 1 + story.end_ns() / 20 + static_cast<std::int64_t>(random()) % (story.end_ns() / 3);
      ends = ends_between(from, story.end_ns(), every, moments);
    }
    if (ends.size() < 3) continue;
    const std::vector<SessionFindings> all = found_in(bytes, {ends.front(), ends.back()}, every, seed % 3 == 0);
    for (std::size_t i = 1; i < ends.size(); ++i) {
      SCOPED_TRACE(fmt::format("seed {}, from {} to {}, every {}", seed, ends[i - 1], ends[i], every));
      const std::vector<SessionFindings> alone = found_in(bytes, {ends[i - 1], ends[i]}, std::nullopt, seed % 3 == 0);
      for (std::size_t a = 0; a < kAnalyses.size(); ++a) {
        for (const Table& table : all.front().by_analysis[a].second.tables) {
          const std::vector<Table>& of_it = alone.front().by_analysis[a].second.tables;
          const auto same =
              std::find_if(of_it.begin(), of_it.end(), [&](const Table& it) { return it.name() == table.name(); });
          const auto wanted = same != of_it.end() ? rows_of(*same, {}) : decltype(rows_of(*same, {}))();
          EXPECT_EQ(rows_of(table, {std::to_string(ends[i - 1]), std::to_string(ends[i])}), wanted)
              << kAnalyses[a] << " " << table.name();
          compared += wanted.size();
        }
      }
    }
  }
  EXPECT_GT(compared, 5000u);
}

// Number and sum of delays, by thread and kind.
using Delays = std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::uint64_t>>;

Delays delays_in(const Table& table) {
  Delays delays;
  for (const Table::Row& row : table.rows()) {
    const auto cell = [&](const char* name) { return row[*table.column(name)]; };
    auto& [count, ns] = delays[{text_of(cell("thread")), text_of(cell("delays"))}];
    count += *cell("count").as_unsigned();
    ns += *cell("sum").as_unsigned();
  }
  std::erase_if(delays, [](const auto& each) { return each.second.first == 0; });
  return delays;
}

TEST(Stretches, HaveAllDelaysOfTheRangeOnce) {
  const std::pair<std::string, std::string> kIdle = {"9", "all"};
  std::uint64_t compared = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const testing::agreement::Story story(seed);
    const std::string bytes = trace_from_text(testing::StoryAddition(seed).to(story.text()));
    std::mt19937 random(seed);
    const TimeRange range{static_cast<std::int64_t>(random()) % (story.end_ns() / 2), story.end_ns()};
    const std::int64_t every = 1 + story.end_ns() / 40 + static_cast<std::int64_t>(random()) % (story.end_ns() / 3);
    const auto table_of = [&](std::optional<std::int64_t> steps) {
      return found_in(bytes, range, steps, seed % 3 == 0, {"latency"})
          .front()
          .by_analysis.front()
          .second.tables.front();
    };
    const Delays whole = delays_in(table_of(std::nullopt));
    Delays steps = delays_in(table_of(every));
    // Only later events state that this thread is what cpus run when they have nothing to do.
    if (!whole.contains(kIdle)) steps.erase(kIdle);
    EXPECT_EQ(steps, whole);
    for (const auto& [thread, delays] : whole) compared += delays.first;
  }
  EXPECT_GT(compared, 500u);
}

}  // namespace
}  // namespace evt::report

// Running time in a range, from the states at its two ends: of what was lost across its begin, the part in it.
#include <evt/analysis/state_history.h>
#include <evt/cut.h>

#include "scheduling.h"
#include "support/folder.h"
#include "support/sanitizer.h"
#include "thread_stories.h"

namespace evt::testing {
namespace {

class RunsInARange : public ::testing::Test {
 protected:
  HistoryOptions kept(const std::string& name) const {
    HistoryOptions options;
    options.cache_folder = folder_ / name;
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    return options;
  }
  Folder folder_;
};

// By the numbers of threads and cpus.
std::string words_of(const std::vector<CpuTime::Cell>& before, const std::vector<CpuTime::Cell>& after,
                     const Actors& actors) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> times;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const CpuTime::Cell was = i < before.size() ? before[i] : CpuTime::Cell();
    auto& [ns, uncertain_ns] = times[{actors.threads()[after[i].thread].number, actors.cpus()[after[i].cpu].number}];
    ns += after[i].ns - was.ns;
    uncertain_ns += after[i].uncertain_ns - was.uncertain_ns;
  }
  std::string words;
  for (const auto& [who, sum] : times) {
    words += fmt::format("{} on {}: {} ns, {} uncertain\n", who.first, who.second, sum.first, sum.second);
  }
  return words;
}

std::string by_reading_all(Trace& trace, TimeRange range) {
  Timeline timeline(trace, {.range = [&](const Session&) { return range; }});
  timeline.next_session();
  CpuTime time;
  std::optional<std::vector<CpuTime::Cell>> before;
  while (const TimelineItem* const item = timeline.next()) {
    if (!before && item->ns >= range.from_ns) before = time.cells(range.from_ns);
    time.take(*item);
  }
  return words_of(before.value_or(time.cells(range.from_ns)), time.cells(range.to_ns), timeline.actors());
}

std::string by_states(StateHistory& history, TimeRange range) {
  const auto [before, after] = history.between(0, range);
  return words_of(before.cpu.cells(range.from_ns), after.cpu.cells(range.to_ns), after.actors);
}

// Ranges at random between the moments of a trace; how many events were read for them by checkpoints.
std::uint64_t expect_same(Trace& trace, const HistoryOptions& options, const std::set<std::int64_t>& moments,
                          unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<std::int64_t> all(moments.begin(), moments.end());
  StateHistory history(trace, options);
  std::uint64_t replayed = 0;
  for (int i = 0; i < 30; ++i) {
    const auto [from, to] = std::minmax({all[random() % all.size()], all[random() % all.size()]});
    const TimeRange range{from + static_cast<std::int64_t>(random() % 3), std::max(from + 2, to)};
    EXPECT_EQ(by_states(history, range), by_reading_all(trace, range)) << range.from_ns << " to " << range.to_ns;
    replayed += history.events_replayed();
  }
  EXPECT_FALSE(history.checkpoint_file().empty());
  return replayed;
}

TEST_F(RunsInARange, AreByCheckpointsWhatAFullReadingHasWhereEventsAreLost) {
  for (unsigned seed = 1; seed < 200; seed += 4 * kEveryCase) {  // those with losses
    SCOPED_TRACE(seed);
    const agreement::Story story(seed);
    const std::string bytes = trace_from_text(story.text());
    Trace trace = open_trace(bytes);
    expect_same(trace, kept(std::to_string(seed)), story.moments(), seed);
  }
}

// A part of a trace has what was before it at its first moment.
TEST_F(RunsInARange, AreTheSameInAPart) {
  for (unsigned seed = 1; seed < 200; seed += 4 * kEveryCase) {
    SCOPED_TRACE(seed);
    const agreement::Story story(seed);
    const std::string bytes = trace_from_text(story.text());
    Trace whole = open_trace(bytes);
    const TimeRange range{story.end_ns() / 3, story.end_ns()};
    CutOptions cutting;
    cutting.range = [&](const Session&) { return range; };
    std::string part_bytes;
    ASSERT_TRUE(cut(whole, cutting, [&](Bytes piece) {
                  part_bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                  return 0;
                }).ok());
    Trace part = open_trace(part_bytes);
    std::set<std::int64_t> moments = story.moments();
    moments.erase(moments.begin(), moments.lower_bound(range.from_ns));
    moments.insert(range.from_ns);
    expect_same(part, kept(std::to_string(seed)), moments, seed);
  }
}

// A loss behind each third step.
TEST_F(RunsInARange, AreTheSameWhereThreadsDoNotStopProperly) {
  for (unsigned seed = 0; seed < 40; seed += kEveryCase) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::string text;
    std::set<std::int64_t> moments;
    std::istringstream lines(Scheduling(seed).text());
    for (std::string line; std::getline(lines, line);) {
      text += line + "\n";
      if (line[0] < '0' || line[0] > '9') continue;
      moments.insert(std::stoll(line) * 1'000'000'000 + std::stoll(line.substr(line.find('.') + 1)));
      const std::size_t stream = line.find(' ', line.find(' ') + 1);
      if (random() % 3 == 0) text += line.substr(0, stream) + " !lost count=1 cause=ring_full duration=0.000000000\n";
    }
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    expect_same(trace, kept(std::to_string(seed)), moments, seed);
  }
}

// Of 100 runs of 10 ns, in each of which something is lost, a range needs those of its ends alone.
TEST_F(RunsInARange, AreReadFromTheCheckpointsAtItsEnds) {
  std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
  std::set<std::int64_t> moments;
  for (int i = 1; i <= 100; ++i) {
    const int ns = 20 * i;
    text += fmt::format(
        "0.{:09} 1 run.here thread=7\n0.{:09} 1 !lost count=1 cause=ring_full duration=0.000000000\n"
        "0.{:09} 1 stop.here thread=7\n",
        ns, ns + 8, ns + 10);
    moments.insert({ns, ns + 4, ns + 8, ns + 10});
  }
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  EXPECT_LT(expect_same(trace, kept("a"), moments, 1), 30U * 20);
  StateHistory history(trace, kept("a"));
  EXPECT_EQ(by_states(history, {1004, 1047}), "7 on 1: 23 ns, 16 uncertain\n")
      << "1004 to 1010 as the loss is since 1000, all of 1020 to 1030, and 1040 to 1047, of which the loss is later";
}

}  // namespace
}  // namespace evt::testing

// What analyses have of a range from a checkpoint before it is what they have with all events before it: of random
// traces, cell by cell.
#include <evt/cut.h>
#include <evt/report.h>
#include <evt/timeline.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "analyze/anything.h"
#include "analyze/story_addition.h"
#include "analyze/thread_stories.h"
#include "cell_text.h"
#include "edit/merged_traces.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::report {
namespace {

using testing::open_trace;
using testing::trace_from_text;

std::string text_of(const Findings& findings) {
  std::string text;
  for (const Table& table : findings.tables) {
    text += "  " + table.name() + ":";
    for (const Table::Column& column : table.columns())
      text += " " + column.key() + (column.is_hidden ? "(hidden)" : "");
    for (const Table::Row& row : table.rows()) {
      text += "\n   ";
      for (const Cell& cell : row) text += " " + text_of(cell);
    }
    text += "\n";
  }
  for (const std::string& note : findings.notes) text += "  " + note + "\n";
  return text;
}

// Each question, its analyses and options.
struct Question {
  std::vector<std::string> analyses;
  std::vector<std::string> by = {};
  bool over_time = false;
  std::size_t longest = 0;
};

class RangesFromCheckpoints : public ::testing::Test {
 protected:
  std::string answer_to(const std::string& bytes, const Question& question, TimeRange range, bool from_checkpoints) {
    Trace trace = open_trace(bytes);
    RunOptions run;
    run.range = [range](const Session&) { return range; };
    run.summary = question.analyses.size() > 1;
    run.analysis.by = question.by;
    if (question.over_time) run.analysis.every = 1 + (trace.sessions().front().last_ns - range.from_ns) / 3;
    EXPECT_TRUE(ask(question.analyses, &run).ok());
    run.analysis.longest = question.longest;
    if (from_checkpoints) {
      run.checkpoints.cache_folder = folder_ / "cache";
      run.checkpoints.events_per_checkpoint = 4;
      run.checkpoints.rows_per_byte = 0;
    }
    std::string text;
    for (const SessionFindings& session : run_sessions(trace, run)) {
      text += fmt::format("{} events from {} to {}\n", session.events, session.range.from_ns, session.range.to_ns);
      for (const auto& [name, findings] : session.by_analysis) text += name + "\n" + text_of(findings);
    }
    return text;
  }

  // How many events would be read of all before these ranges, and are not.
  void expect_same(const std::string& bytes, unsigned seed) {
    static const std::vector<Question> kQuestions = {
        {{"threads"}},
        {{"latency"}},
        {{"gc"}},
        {{"gc"}, {"reason"}},
        {{"spans"}},
        {{"spans"}, {}, false, 4},
        {{"spans"}, {"thread"}},
        {{"calls"}},
        {{"share"}},
        {{"calls"}, {"thread"}},
        {{"stops"}},
        {{"overhead"}},
        {{"stacks"}},
        {{"counts"}},
        {{"usage"}},
        {{"locks"}},
        {{"threads", "gc", "spans", "share", "stops", "overhead", "counts"}},
        {{"threads", "gc", "spans", "calls", "share", "stops", "overhead"}, {}, true},
        {{"threads", "cpu", "events"}},
        {{"cpu", "stops"}},
        {{"cpu", "calls"}, {}, true},
        {{"events", "usage"}}};
    std::int64_t last = 0;
    {
      Trace trace = open_trace(bytes);
      last = trace.sessions().front().last_ns;
    }
    std::mt19937 random(seed);
    for (const Question& question : kQuestions) {
      for (int i = 0; i < 3 && !HasFailure(); ++i) {
        const std::int64_t from = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 2));
        const bool is_to_end = random() % 3 != 0;
        const std::int64_t to = is_to_end ? INT64_MAX : from + static_cast<std::int64_t>(random() % 300);
        const TimeRange range{from, to};
        EXPECT_EQ(answer_to(bytes, question, range, true), answer_to(bytes, question, range, false))
            << fmt::format("seed {}: {} from {} to {}", seed, question.analyses.front(), from, to);
      }
    }
  }

  testing::Folder folder_;
};

TEST_F(RangesFromCheckpoints, AreTheSameOfStories) {
  for (unsigned seed = 0; seed < 30 && !HasFailure(); ++seed) {
    const testing::agreement::Story story(seed);
    expect_same(trace_from_text(testing::StoryAddition(seed).to(story.text())), seed);
  }
}

// Asynchronous spans, reasons of collections, counts of calls, waits of the tracer and losses that state how long they
// were, on streams whose clocks differ a little: so many events have earlier times than the one before.
std::string other_kinds(unsigned seed) {
  std::mt19937 engine(seed);
  const auto random = [&](unsigned below) { return static_cast<unsigned>(engine()) % below; };
  std::string text =
      "type 1 go role=asyncBegin (n text role=name) (i u8 role=spanId)\ntype 2 done role=asyncEnd (i u8 role=spanId)\n"
      "type 3 named role=asyncEnd (n text role=name) (i u8 role=spanId)\ntype 4 noid role=asyncBegin (n text "
      "role=name)\n"
      "type 5 gc role=gcStart (r text role=reason)\ntype 6 gcend role=gcEnd\ntype 7 lead role=gcSync\n"
      "type 8 count role=callCounts (f text role=function) (c u8 role=value)\n"
      "type 9 wait role=overhead (r text role=reason) (d u32 role=duration unit=nanoseconds)\n"
      "type 10 run role=threadRun (t u8 role=thread)\ntype 11 stop role=threadStop (t u8 role=thread) (r text "
      "role=reason)\n"
      "type 12 in role=callBegin (f text role=function) (r text role=resource)\ntype 13 out role=callEnd\n"
      "type 14 halt role=stopped (d u32 role=duration unit=nanoseconds) (r text role=reason)\n"
      "stream 1 \"a\"\nstream 2 \"b\" thread=3\nstream 3 \"c\"\n";
  std::int64_t ns = 1000;
  for (int i = 0; i < 150; ++i) {
    ns += random(3) == 0 ? 0 : random(30);
    const unsigned n = random(4);
    const std::string events[] = {fmt::format("go n=\"n{}\" i={}", n, random(3)),
                                  fmt::format("done i={}", random(3)),
                                  fmt::format("named n=\"n{}\" i={}", n, random(3)),
                                  fmt::format("noid n=\"n{}\"", n),
                                  fmt::format("gc r=\"{}\"", n % 2 == 0 ? "heap" : "asked"),
                                  "gcend",
                                  "lead",
                                  fmt::format("count f=\"f{}\" c={}", n, random(9)),
                                  fmt::format("wait r=\"w{}\" d={}", n, random(50)),
                                  fmt::format("run t={}", n),
                                  fmt::format("stop t={} r=\"{}\"", n, n % 2 == 0 ? "sleep" : "unknown"),
                                  fmt::format("in f=\"f{}\" r=\"{}\"", n, n % 2 == 0 ? "sleep" : "disk"),
                                  "out",
                                  fmt::format("halt d={} r=\"h{}\"", random(60), n),
                                  fmt::format("!lost count=1 cause=ring_full duration=0.0000000{:02}", random(100))};
    text +=
        fmt::format("0.{:09} {} {}\n", ns - random(2) * random(10), 1 + random(3), events[random(std::size(events))]);
  }
  return text;
}

TEST_F(RangesFromCheckpoints, AreTheSameOfOtherKinds) {
  for (unsigned seed = 0; seed < 30 && !HasFailure(); ++seed) expect_same(trace_from_text(other_kinds(seed)), seed);
}

TEST_F(RangesFromCheckpoints, AreTheSameOfMergedTraces) {
  for (unsigned seed = 0; seed < 8 && !HasFailure(); ++seed) {
    const testing::agreement::Story story(seed);
    expect_same(testing::merged({trace_from_text(testing::StoryAddition(seed).to(story.text())),
                                 trace_from_text(testing::anything(seed)), trace_from_text(other_kinds(seed))}),
                seed);
  }
}

// Of which each has what was before it at its first moment.
TEST_F(RangesFromCheckpoints, AreTheSameOfParts) {
  for (unsigned seed = 0; seed < 8 && !HasFailure(); ++seed) {
    const testing::agreement::Story story(seed);
    const std::string bytes = trace_from_text(testing::StoryAddition(seed).to(story.text()));
    Trace whole = open_trace(bytes);
    CutOptions cutting;
    cutting.range = [&](const Session&) { return TimeRange{story.end_ns() / 3, story.end_ns() * 9 / 10}; };
    std::string part;
    ASSERT_TRUE(cut(whole, cutting, testing::into(&part)).ok());
    expect_same(part, seed);
  }
}

TEST_F(RangesFromCheckpoints, AreTheSameOfAnything) {
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    expect_same(trace_from_text(testing::anything(seed, seed % 2 == 0)), seed);
  }
}

}  // namespace
}  // namespace evt::report

// Analyses that are asked for by names, and what is refused.
#include <evt/analysis/share.h>
#include <evt/report.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::report {
namespace {

std::string refusal(const std::vector<std::string>& analyses, const AnalysisOptions& options = {}) {
  RunOptions run;
  run.analysis = options;
  const Status status = ask(analyses, &run);
  EXPECT_EQ(run.kinds.empty() && !run.summary, !status.ok());
  return status.message();
}

TEST(Ask, ForWhatThereIsNotIsRefused) {
  EXPECT_EQ(refusal({"spend"}), "there is no analysis `spend`; did you mean spans?");
  EXPECT_EQ(refusal({"xyz"}),
            "there is no analysis `xyz`; there are summary, overview, cpu, threads, latency, gc, spans, calls, stacks, "
            "counts, share, "
            "usage, locks, stops, "
            "counters, heap, overhead, events");
  EXPECT_EQ(refusal({}), "no analysis is asked for");
}

TEST(Ask, WithWhatAnAnalysisDoesNotKnowIsRefused) {
  AnalysisOptions options;
  options.by = {"core"};
  EXPECT_EQ(refusal({"cpu"}, options), "by: expected one of thread cpu thread,cpu cpu,thread for cpu, found core");
  EXPECT_EQ(refusal({"cpu", "share"}, options),
            "by: works with cpu, threads, gc, spans, calls, stacks, counts and usage, not with share");
  options = {};
  options.every = 10;
  EXPECT_EQ(refusal({"gc", "summary"}, options), "every: summary has no table over time");
  options.every = -10;
  EXPECT_EQ(refusal({"cpu"}, options), "every: expected a time like 10ms, found -10 ns");
  options = {};
  options.longest = 200'000;
  EXPECT_EQ(refusal({"spans"}, options), "longest: expected 1 to 100000, found 200000");
  options = {};
  options.cost_ps = 5;
  EXPECT_EQ(refusal({"spans"}, options), "cost: works with overhead, or with spans, calls and usage plus subtract");
  options = {};
  options.calls.fold = true;
  options.every = 10;
  EXPECT_EQ(refusal({"calls"}, options), "fold: excludes every");
  options.every.reset();
  options.calls.callers = {"*"};
  EXPECT_EQ(refusal({"calls"}, options), "fold: excludes callers and callees");
  options = {};
  options.share.compare = true;
  options.share.model = ShareModel::kPhase;
  EXPECT_EQ(refusal({"share"}, options), "compare-models: excludes model");
}

TEST(Ask, SeveralAnalysesAreOnePass) {
  RunOptions run;
  ASSERT_TRUE(ask({"summary", "cpu", "events", "cpu"}, &run).ok());
  EXPECT_TRUE(run.summary);
  EXPECT_EQ(run.kinds.size(), 2u);
}

TEST(Ask, AnAnswerHasTablesAndNotes) {
  const std::string bytes = testing::trace_from_text(
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 left_out=[sampled=row one_in=10]\n"
      "type 1024 tick\n"
      "stream 1 \"main\"\n"
      "0.000000010 1 tick\n"
      "0.000000030 1 tick\n");
  Trace trace = testing::open_trace(bytes);
  const auto found = answer(trace, {"cpu", "events"}, {});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->sessions.size(), 1u);
  ASSERT_EQ(found->sessions[0].by_analysis.size(), 1u);
  EXPECT_EQ(*found->sessions[0].by_analysis[0].second.tables[0].rows()[0][0].text(), "tick");
  EXPECT_EQ(found->notes.size(), 2u);
  EXPECT_EQ(answer(trace, {"cpu"}, {}).status().message(), found->notes[0]);
}

// What is kept makes a later answer quick, and is no part of this one.
TEST(Ask, AnAnswerIsWholeWhereNoCheckpointsCanBeKept) {
  std::string text =
      "evtrace text 1\n"
      "session start=1767225600.000000000\n"
      "type 1024 run role=threadRun (thread u64 role=thread)\n"
      "type 1025 stop role=threadStop (thread u64 role=thread)\n"
      "stream 1 \"cpu 0\"\n";
  for (int i = 0; i < 70'000; ++i) text += fmt::format("0.{:06}000 1 {} thread=7\n", i, i % 2 == 0 ? "run" : "stop");
  const std::string bytes = testing::trace_from_text(text);
  const testing::Folder folder;
  folder.write("cache", "a file");
  RunOptions options;
  options.checkpoints.trace_file = folder / "app.evt";
  options.checkpoints.cache_folder = folder / "cache";
  Trace trace = testing::open_trace(bytes);
  const auto found = answer(trace, {"cpu"}, options);
  ASSERT_TRUE(found) << found.status().message();
  EXPECT_EQ(found->notes,
            std::vector<std::string>{"cannot keep checkpoints in " + folder / "cache" + ": it is no folder"});
  const Table& cpu = found->sessions[0].by_analysis[0].second.tables[0];
  EXPECT_EQ(cpu.rows()[0][cpu.column("running").value()].as_double(), 35e6);
}

TEST(Ask, ColumnsHaveUnitsAndDescriptions) {
  const Table table("cpu", 1, {{"running", CellKind::kDuration}, {"%", CellKind::kPercent}});
  const ColumnMeaning running = meaning_of("cpu", table, table.columns()[0]);
  EXPECT_EQ(running.unit, "ns");
  EXPECT_EQ(running.description, "time for which the thread ran (roles threadRun, threadStop)");
  EXPECT_EQ(meaning_of("cpu", table, table.columns()[1]).unit, "%");
  EXPECT_EQ(meaning_of("none", table, table.columns()[0]).description, "");
}

}  // namespace
}  // namespace evt::report

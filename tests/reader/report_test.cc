// Analyses by the reader's C interface, as a program in another language uses them.
#include <evt/reader.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kRuns =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"app\" pid=77\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
    "stream 1 \"main\"\n"
    "0.000000010 1 thread.run thread=9 cpu=1\n"
    "0.000000040 1 thread.stop thread=9\n"
    "0.000000050 1 thread.run thread=8 cpu=0\n"
    "0.000000110 1 thread.stop thread=8\n";

std::string as_string(const evtr_text& text) { return {text.data, text.size}; }

// The texts of a dictionary, or the numbers, of a column.
std::string cell_of(const ArrowSchema& schema, const ArrowArray& array, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  if (array.null_count > 0 && (static_cast<const std::uint8_t*>(array.buffers[0])[at / 8] >> at % 8 & 1) == 0)
    return "-";
  if (schema.dictionary != nullptr) {
    const ArrowArray& texts = *array.dictionary;
    const auto place = static_cast<std::size_t>(static_cast<const std::int32_t*>(array.buffers[1])[at]);
    const auto* const ends = static_cast<const std::int32_t*>(texts.buffers[1]);
    return {static_cast<const char*>(texts.buffers[2]) + ends[place],
            static_cast<const char*>(texts.buffers[2]) + ends[place + 1]};
  }
  const std::string format = schema.format;
  if (format == "g") return std::to_string(static_cast<int>(static_cast<const double*>(array.buffers[1])[at]));
  return std::to_string(static_cast<const std::int64_t*>(array.buffers[1])[at]);
}

// The columns but the session's, and the rows.
std::string text_of(ArrowArrayStream* stream) {
  ArrowSchema schema;
  EXPECT_EQ(stream->get_schema(stream, &schema), 0);
  std::string text;
  for (std::int64_t i = 1; i < schema.n_children; ++i) text += std::string(schema.children[i]->name) + " ";
  ArrowArray array;
  while (stream->get_next(stream, &array) == 0 && array.release != nullptr) {
    for (std::int64_t row = 0; row < array.length; ++row) {
      text += "\n";
      for (std::int64_t i = 1; i < array.n_children; ++i) {
        text += cell_of(*schema.children[i], *array.children[i], row) + " ";
      }
    }
    array.release(&array);
  }
  schema.release(&schema);
  stream->release(stream);
  return text;
}

class ReaderReport : public ::testing::Test {
 protected:
  ~ReaderReport() override {
    evtr_report_close(report_);
    evtr_close(trace_);
  }

  evtr_trace* open(std::string_view text = kRuns) {
    const std::string path = folder_.write("x.evt", trace_from_text(text));
    const char* const paths[] = {path.c_str()};
    evtr_close(trace_);
    trace_ = evtr_open(paths, 1, nullptr, &error_);
    return trace_;
  }
  void open_two(std::string_view first, std::string_view second) {
    const std::string a = folder_.write("a.evt", trace_from_text(first));
    const std::string b = folder_.write("b.evt", trace_from_text(second));
    const char* const paths[] = {a.c_str(), b.c_str()};
    evtr_close(trace_);
    trace_ = evtr_open(paths, 2, nullptr, &error_);
  }
  evtr_report* ask(const char* analyses, const evtr_report_options* options = nullptr) {
    evtr_report_close(report_);
    return report_ = evtr_report_open(trace_, analyses, options, &error_);
  }
  std::string table(const char* name) {
    ArrowArrayStream stream;
    if (!evtr_report_table(report_, name, &stream, &error_)) return error_.message;
    return text_of(&stream);
  }

  Folder folder_;
  evtr_trace* trace_ = nullptr;
  evtr_report* report_ = nullptr;
  evtr_error error_ = {};
};

TEST_F(ReaderReport, HandsOutATableOfAnAnalysis) {
  open();
  ASSERT_NE(ask("cpu"), nullptr) << error_.message;
  EXPECT_EQ(table("cpu"),
            "thread name running_ns percent current_ns so_far_ns slices uncertain_ns idle_ns \n"
            "8  60 60 60 - 1 0 0 \n"
            "9  30 30 30 - 1 0 0 ");
  EXPECT_EQ(evtr_report_note(report_, 0).size, 0u);
}

TEST_F(ReaderReport, HasTheStacksOfWaitsIfAsked) {
  open(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000\n"
      "type 1024 tick role=sample (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)\n"
      "type 1025 wait role=sample (stack interned[] role=stack) (waited u64 role=duration unit=nanoseconds)\n"
      "string 1 \"main\"\nstring 2 \"parse\"\nstream 1 \"log\"\n"
      "0.000001000 1 tick stack=[\"parse\" \"main\"] weight=30\n0.000002000 1 wait stack=[\"main\"] waited=500\n");
  evtr_report_options options = {};
  ASSERT_NE(ask("stacks", &options), nullptr) << error_.message;
  EXPECT_EQ(table("stacks"),
            "name samples sum_ns sum_percent self_ns self_percent error_percent \n"
            "parse 1 30 100 30 100 0 \nmain 0 30 100 0 0 0 ");
  options.waiting = 1;
  ASSERT_NE(ask("stacks", &options), nullptr) << error_.message;
  EXPECT_EQ(table("stacks"),
            "name samples sum_ns sum_percent self_ns self_percent error_percent \nmain 1 500 100 500 100 - ");
}

TEST_F(ReaderReport, ExplainsAnInterval) {
  open();
  evtr_why_options options = {};
  options.thread = "8";
  ASSERT_NE(report_ = evtr_why_open(trace_, &options, &error_), nullptr) << error_.message;
  EXPECT_EQ(table("why"),
            "time_ns share_percent what level kind thread name object resource cpu other_thread \n"
            "60 60 running 0 running thread 8 - - - - - \n"
            "40 40 did not exist 0 absent thread 8 - - - - - ");
  evtr_report_close(std::exchange(report_, nullptr));
  options.name = "job";
  EXPECT_EQ(evtr_why_open(trace_, &options, &error_), nullptr);
  EXPECT_STREQ(error_.message, "no span or call was recorded");
}

TEST_F(ReaderReport, TakesOptions) {
  open();
  evtr_report_options options = {};
  options.by = "cpu";
  options.every_ns = 50;
  ASSERT_NE(ask("cpu", &options), nullptr) << error_.message;
  EXPECT_EQ(table("cpu.cpu"),
            "from_ns to_ns cpu cpu_name running_ns percent current_ns so_far_ns slices uncertain_ns idle_ns \n"
            "10 60 0  10 20 - - 1 0 0 \n"
            "10 60 1  30 60 - - 1 0 0 \n"
            "60 110 0  50 100 - - 0 0 0 ");
  options = {};
  options.range.to_ns = 30;
  options.range.has_to = 1;
  ASSERT_NE(ask("events", &options), nullptr) << error_.message;
  EXPECT_EQ(table("events").substr(0, 60), "event events percent rate_per_second \nthread.run 1 100 50000");
}

TEST_F(ReaderReport, ListsTheTablesOfSeveralAnalyses) {
  open();
  ASSERT_NE(ask("events,cpu,threads"), nullptr) << error_.message;
  std::string names;
  for (std::size_t i = 0; i < evtr_report_table_count(report_); ++i) {
    names += as_string(evtr_report_table_name(report_, i)) + " ";
  }
  EXPECT_EQ(names, "cpu.cpu threads.threads threads.collectors threads.waiting threads.wakers events.events ");
  EXPECT_EQ(table("events.events").substr(0, 5), "event");
}

TEST_F(ReaderReport, ATableThatNoSessionHasIsEmpty) {
  open();
  ASSERT_NE(ask("gc"), nullptr);
  EXPECT_EQ(table("gc.sparks"), "stream all converted overflowed dud collected fizzled ");
  EXPECT_EQ(as_string(evtr_report_note(report_, 0)), "no event records a garbage collection (roles gcStart, gcEnd)");
}

TEST_F(ReaderReport, RefusesWhatItDoesNotKnow) {
  open();
  EXPECT_EQ(ask("spend"), nullptr);
  EXPECT_STREQ(error_.message, "there is no analysis `spend`; did you mean spans?");
  EXPECT_EQ(error_.code, EVT_CODE_INVALID);
  evtr_report_options options = {};
  options.by = "core";
  EXPECT_EQ(ask("cpu", &options), nullptr);
  EXPECT_STREQ(error_.message, "by: expected one of thread cpu thread,cpu cpu,thread for cpu, found core");
  options = {};
  options.model = "walking";
  EXPECT_EQ(ask("share", &options), nullptr);
  EXPECT_STREQ(error_.message, "model: expected running, existing or phase, found walking");
  const std::array limits = {"disk"};
  options = {};
  options.limits = limits.data();
  options.limit_count = 1;
  EXPECT_EQ(ask("usage", &options), nullptr);
  EXPECT_STREQ(error_.message, "limit: expected KIND=AMOUNT/s like disk=100M/s, found disk");
  ask("cpu");
  EXPECT_EQ(table("gc"), "there is no table `gc`; there are cpu.cpu");
}

TEST_F(ReaderReport, PairsNoEventsOfASample) {
  std::string sampled(kRuns);
  sampled.insert(sampled.find(" pid=77"), " left_out=[sampled=row one_in=10]");
  open(sampled);
  EXPECT_EQ(ask("cpu"), nullptr);
  EXPECT_STREQ(
      error_.message,
      "cpu: not computed, because events were sampled, which leaves out all but 1 of 10 events of each stream and "
      "type");
  ASSERT_NE(ask("cpu,events"), nullptr);
  EXPECT_EQ(
      as_string(evtr_report_note(report_, 0)),
      std::string(
          "cpu: not computed, because events were sampled, which leaves out all but 1 of 10 events of each stream and "
          "type"));
  EXPECT_EQ(
      as_string(evtr_report_note(report_, 1)),
      "only the events that sampling kept are counted: it left out all but 1 of 10 events of each stream and type");
  EXPECT_EQ(table("events").substr(0, 5), "event");
}

TEST_F(ReaderReport, LeavesOutTheTraceThatWasSampledAlone) {
  std::string sampled(kRuns);
  sampled.insert(sampled.find(" pid=77"), " left_out=[sampled=row one_in=10]");
  open_two(kRuns, sampled);
  ASSERT_NE(ask("cpu"), nullptr) << error_.message;
  const std::string lack =
      "cpu: not computed, because events were sampled, which leaves out all but 1 of 10 events of each stream and type";
  EXPECT_EQ(as_string(evtr_report_note(report_, 0)), folder_ / "b.evt: " + lack);
  EXPECT_EQ(as_string(evtr_report_note(report_, 1)), "");
  open();
  ask("cpu");
  const std::string alone = table("cpu");
  open_two(kRuns, sampled);
  ask("cpu");
  EXPECT_EQ(table("cpu"), alone);
  open_two(sampled, sampled);
  EXPECT_EQ(ask("cpu"), nullptr);
  EXPECT_EQ(error_.message, folder_ / "b.evt: " + lack);
}

TEST_F(ReaderReport, NamesTheTraceThatANoteIsOf) {
  const std::string without = "type 1024 tick\nstream 1 \"s\"\n0.000000001 1 tick\n";
  open_two(kRuns, without);
  ASSERT_NE(ask("threads"), nullptr) << error_.message;
  EXPECT_EQ(
      as_string(evtr_report_note(report_, 0)),
      folder_ / "b.evt: no event records a thread (roles threadCreate, threadRun ...): nothing is known about threads");
}

TEST_F(ReaderReport, CutsATraceIntoNoMoreStretchesThanItListsRowsOf) {
  std::string day(kRuns);
  day += "1000.000000000 1 thread.run thread=9 cpu=1\n";
  open(day);
  evtr_report_options options = {};
  options.every_ns = 1000;
  EXPECT_EQ(ask("cpu", &options), nullptr);
  EXPECT_STREQ(
      error_.message,
      "16.7 min has 1000000000 stretches of 1.00 us, at most 100000 are counted: choose a time range, or longer steps");
}

TEST_F(ReaderReport, OutlivesItsTrace) {
  open();
  ask("cpu");
  evtr_close(trace_);
  trace_ = nullptr;
  EXPECT_EQ(table("cpu").substr(0, 11), "thread name");
}

TEST(ReaderVersion, IsThatOfTheCommand) {
  const std::string shown = std::string("evt ") + evtr_version() + " ";
  EXPECT_EQ(run("evt --version").out.substr(0, shown.size()), shown);
}

}  // namespace
}  // namespace evt::testing

// Traces as tables: each with the columns that docs/TABLES.md has, from the text form of a trace.
#include <evt/events.h>
#include <evt/export/tables.h>

#include <array>
#include <deque>
#include <filesystem>
#include <fstream>

#include "pictures.h"
#include "table_lines.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

constexpr std::string_view kHead =
    "evtrace text 1\n"
    "session uuid=0x000102030405060788090a0b0c0d0e0f start=1767225600.000000000 program=\"app\" pid=77\n";

class TablesOf : public ::testing::Test {
 protected:
  // Of traces that these texts describe.
  const Tables& tables_of(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(trace_from_text(text));
    tables_.emplace(pointers_);
    return *tables_;
  }
  const Tables& tables_of_bytes(std::string bytes) {
    add(std::move(bytes));
    tables_.emplace(pointers_);
    return *tables_;
  }
  const Tables& tables_of_events(const std::string& text) { return tables_of({std::string(kPictureTypes) + text}); }

 private:
  void add(std::string bytes) {
    bytes_.push_back(std::move(bytes));
    traces_.push_back(open_trace(bytes_.back()));
    pointers_.push_back(&traces_.back());
  }

  std::deque<std::string> bytes_;
  std::deque<Trace> traces_;
  std::vector<Trace*> pointers_;
  std::optional<Tables> tables_;
};

TEST_F(TablesOf, StatesHaveEachThreadsLifeWithoutGaps) {
  EXPECT_EQ(lines_of(tables_of_events(kLife), "thread_states"),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 7 worker runnable - - @1767225600000001000 1000 2500 no 0 1000\n"
            "- 7 worker running 0 - @1767225600000002500 2500 5000 no 0 1000\n"
            "- 7 worker waiting - blocked @1767225600000005000 5000 6000 no 0 1000\n"
            "- 7 worker running 1 - @1767225600000006000 6000 9000 no 0 1000\n");
}

// The analyses have a row for each, too.
TEST_F(TablesOf, ThreadsThatHadOneNumberDifferInWhenTheyWereCreated) {
  const Tables& tables =
      tables_of({std::string(kHead) + "type 1 create role=threadCreate (thread u64 role=thread)\n"
                                      "type 4 run role=threadRun (thread u64 role=thread)\n"
                                      "type 5 exit role=threadExit (thread u64 role=thread)\n"
                                      "type 6 b role=spanBegin (name text role=name) (thread u64 role=thread)\n"
                                      "type 7 e role=spanEnd (thread u64 role=thread)\n"
                                      "stream 1 \"log\"\n"
                                      "0.000000010 1 create thread=7\n0.000000020 1 run thread=7\n"
                                      "0.000000021 1 b name=\"a\" thread=7\n0.000000022 1 e thread=7\n"
                                      "0.000000030 1 create thread=7\n0.000000040 1 run thread=7\n"
                                      "0.000000041 1 b name=\"a\" thread=7\n0.000000042 1 e thread=7\n"});
  const auto created = [&](const char* table) {
    std::string text;
    for_each_row(tables, table, {}, [&](const std::vector<std::string>& row) { text += row.back() + "\n"; });
    return text;
  };
  EXPECT_EQ(created("spans"), "10\n30\n");
  EXPECT_THAT(created("thread_states"), ::testing::AllOf(::testing::HasSubstr("10\n"), ::testing::HasSubstr("30\n")));
}

TEST_F(TablesOf, StatesGoOnWhereTheSessionEnds) {
  EXPECT_EQ(lines_of(tables_of_events("0.000001000 1 thread.run thread=7 cpu=0\n"
                                      "0.000005000 1 mark message=\"end\"\n"),
                     "thread_states"),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 7 - running 0 - @1767225600000001000 1000 5000 yes 0 -\n");
}

TEST_F(TablesOf, StatesAreNoneOfWhatCpusRunWhenTheyHaveNothingToDo) {
  EXPECT_EQ(lines_of(tables_of_events("0.000001000 1 thread.run thread=0 cpu=0\n"
                                      "0.000002000 1 thread.stop thread=0 reason=blocked\n"
                                      "0.000003000 1 thread.run thread=0 cpu=0\n"
                                      "0.000004000 1 thread.run thread=0 cpu=1\n"
                                      "0.000005000 1 thread.run thread=7 cpu=1\n"
                                      "0.000006000 1 thread.stop thread=7 reason=blocked\n"
                                      "0.000006000 1 thread.exit thread=7\n"),
                     "thread_states"),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 7 - running 1 - @1767225600000005000 5000 6000 no 0 -\n");
}

TEST_F(TablesOf, StatesAreAThreadsWithNumber0IfItNeverRunsTwice) {
  EXPECT_EQ(lines_of(tables_of_events("0.000001000 1 thread.run thread=0 cpu=0\n"
                                      "0.000002000 1 thread.exit thread=0\n"),
                     "thread_states"),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 0 - running 0 - @1767225600000001000 1000 2000 no 0 -\n");
}

TEST_F(TablesOf, SpansHaveTheirParentsAndTheTimeOfTheirOwn) {
  EXPECT_EQ(lines_of(tables_of_events(kLife), "spans"),
            "id parent depth kind name stream part thread thread_name time begin_ns end_ns duration_ns self_ns outcome "
            "uncertain thread_created_ns\n"
            "2 1 1 call read 1 - 7 worker @1767225600000003500 3500 4750 1250 1250 ended no 1000\n"
            "1 - 0 span step 1 - 7 worker @1767225600000003000 3000 7000 4000 2750 ended no 1000\n");
}

TEST_F(TablesOf, SpansThatDidNotEndHaveNoLength) {
  EXPECT_EQ(lines_of(tables_of_events("0.000001000 1 open thread=7 name=\"outer\"\n"
                                      "0.000002000 1 open thread=7 name=\"inner\"\n"
                                      "0.000003000 1 close thread=7 name=\"outer\" bytes=1\n"
                                      "0.000004000 1 open thread=7 name=\"last\"\n"),
                     "spans"),
            "id parent depth kind name stream part thread thread_name time begin_ns end_ns duration_ns self_ns outcome "
            "uncertain thread_created_ns\n"
            "2 1 1 span inner 1 - 7 - @1767225600000002000 2000 - - - cut no -\n"
            "1 - 0 span outer 1 - 7 - @1767225600000001000 1000 3000 2000 2000 ended no -\n"
            "3 - 0 span last 1 - 7 - @1767225600000004000 4000 - - - open no -\n");
}

TEST_F(TablesOf, CountersAndMarksHaveTheirMoments) {
  const Tables& tables = tables_of_events(
      "0.000001000 1 heap name=\"live\" bytes=100\n"
      "0.000002000 1 heap name=\"live\" bytes=250\n"
      "0.000003000 1 mark message=\"half \\xff done\"\n");
  EXPECT_EQ(lines_of(tables, "counters"),
            "stream name unit time ns value\n"
            "1 live B @1767225600000001000 1000 100\n"
            "1 live B @1767225600000002000 2000 250\n");
  EXPECT_EQ(lines_of(tables, "marks"),
            "stream part thread thread_name type time ns message\n"
            "1 - 1 log mark @1767225600000003000 3000 half \xEF\xBF\xBD done\n");
}

TEST_F(TablesOf, ATypeOfEventsHasAColumnForEachField) {
  const Tables& tables = tables_of(
      {std::string(kHead) +
       "type 1024 app.done (n i8) (ratio f64) (ok bool) (how enum8 labels=[1=disk 2=net]) (file text) (key bytes) "
       "(took tick_delta) (at ticks) (sizes u32[]) (heat i16 scale=-2) (left u8 absent=255)\n"
       "stream 1 \"log\" thread=70\n"
       "0.000000010 1 app.done n=-3 ratio=0.5 ok=true how=net file=\"a b\" key=0x4142 took=0.000000005 "
       "at=0.000000004 sizes=[1 22] heat=2150 left=255\n"});
  EXPECT_EQ(lines_of(tables, "app.done"),
            "time ns stream stream_thread n ratio ok how file key took at sizes heat left\n"
            "@1767225600000000010 10 1 70 -3 0.5 yes net a b AB 5 4 [1 22] 21.5 -\n");
}

TEST_F(TablesOf, TypesOfOneNameAreOneTable) {
  const std::string other = "session uuid=0x100102030405060788090a0b0c0d0e0f start=1767225700.000000000\n";
  const Tables& tables = tables_of(
      {std::string(kHead) + "type 1024 job (id u32) (size u16)\nstream 1 \"log\"\n0.000000010 1 job id=1 size=2\n",
       "evtrace text 1\n" + other +
           "type 1024 job (size text) (id u64) (host text)\nstream 1 \"log\"\n"
           "0.000000020 1 job size=\"big\" id=3 host=\"b\"\n"});
  EXPECT_EQ(lines_of(tables, "job"),
            "time ns stream stream_thread id size host\n"
            "@1767225600000000010 10 1 - 1 2 -\n"
            "@1767225700000000020 20 1 - 3 big b\n");
}

TEST_F(TablesOf, NamesThatAreTakenGetAWordInFront) {
  const Tables& tables =
      tables_of({std::string(kHead) + "type 1024 spans (ns u32) (stream text)\ntype 1025 event.spans (a u8)\n"
                                      "stream 1 \"log\"\n0.000000010 1 spans ns=7 stream=\"x\"\n"});
  EXPECT_EQ(lines_of(tables, "event.event.spans"),
            "time ns stream stream_thread field_ns field_stream\n"
            "@1767225600000000010 10 1 - 7 x\n");
  EXPECT_EQ(lines_of(tables, "event.spans"), "time ns stream stream_thread a\n");
}

TEST_F(TablesOf, WhatATraceStatesOfItself) {
  const Tables& tables =
      tables_of({std::string(kHead) + "type 1024 job role=mark (id u32) (names text[])\n"
                                      "stream 1 \"log\" thread=70\nstream 2 \"empty\"\n"
                                      "0.000000010 1 job id=1 names=[\"a\"]\n0.000000030 1 job id=2 names=[]\n"});
  EXPECT_EQ(lines_of(tables, "sessions"),
            "trace number uuid program command_line pid host boot_id writer start last_ns events lost missing closed "
            "end cut\n"
            "0 0 00010203-0405-0607-8809-0a0b0c0d0e0f app [] 77 - - - @1767225600000000000 30 2 0 0 yes closed -\n");
  EXPECT_EQ(lines_of(tables, "streams"),
            "stream name thread process events lost missing first_ns last_ns\n"
            "1 log 70 - 2 0 0 10 30\n"
            "2 empty - - 0 0 0 - -\n");
  EXPECT_EQ(lines_of(tables, "types"),
            "type name role description fields kinds events\n"
            "1024 job mark - [id names] [u32 text[]] 2\n");
}

TEST_F(TablesOf, ASessionsNumberIsTheFrontOfItsUuid) {
  const Tables& tables = tables_of_events(kLife);
  std::string first;
  for_each_row(tables, "sessions", {}, [&](const std::vector<std::string>& row) { first = row[0]; });
  EXPECT_EQ(first, std::to_string(0x0001020304054607));
}

TEST_F(TablesOf, LossesHaveTheirCauseAndWhen) {
  EXPECT_EQ(
      lines_of(tables_of({std::string(kHead) + "type 1024 tick\nstream 1 \"log\"\n"
                                               "0.000000010 1 tick\n"
                                               "0.000000020 1 !lost count=3 cause=ring_full duration=0.000000010\n"
                                               "0.000000030 1 tick\n"}),
               "lost"),
      "stream cause events time from_ns to_ns\n"
      "1 ring_full 3 @1767225600000000010 10 20\n");
}

TEST_F(TablesOf, BatchesHaveNoMoreRowsThanAreAskedFor) {
  std::string text = "evtrace text 1\n" + std::string(kHead.substr(15)) + "type 1024 tick (n u32)\nstream 1 \"log\"\n";
  for (int i = 0; i < 10; ++i) text += "0.00000001" + std::to_string(i) + " 1 tick n=" + std::to_string(i) + "\n";
  const Tables& tables = tables_of({text});
  std::vector<std::string> numbers;
  for_each_row(tables, "tick", {.most_rows = 3},
               [&](const std::vector<std::string>& row) { numbers.push_back(row[5]); });
  EXPECT_EQ(numbers, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST_F(TablesOf, BatchesWithLongTextsHaveFewRows) {
  std::string text = std::string(kHead) + "type 1024 page (body text32)\nstream 1 \"log\"\n";
  const std::string body(1 << 20, 'x');
  for (int i = 10; i < 50; ++i) text += fmt::format("0.0000000{} 1 page body=\"{}\"\n", i, body);
  const Tables& tables = tables_of({text});
  const Table* const table = tables.find("page");
  Tables::Rows rows = tables.read({&table, 1}, {});
  std::size_t all = 0;
  while (const TableBatch* const batch = rows.next()) {
    EXPECT_LE(batch->rows(), 17u);
    all += batch->rows();
  }
  EXPECT_EQ(all, 40u);
}

TEST_F(TablesOf, ARangeHasWhatReachesIntoIt) {
  const Tables& tables = tables_of_events(kLife);
  Tables::Options options;
  options.range = [](const Session&) { return TimeRange{5500, 6500}; };
  EXPECT_EQ(lines_of(tables, "thread_states", options),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 7 worker waiting - blocked @1767225600000005000 5000 6000 no 0 1000\n"
            "- 7 worker running 1 - @1767225600000006000 6000 6500 yes 0 1000\n");
  EXPECT_EQ(lines_of(tables, "thread.run", options),
            "time ns stream stream_thread thread cpu\n"
            "@1767225600000006000 6000 1 - 7 1\n");
}

TEST_F(TablesOf, ColumnsThatAreNotWantedHaveRowsAlone) {
  const Tables& tables = tables_of({std::string(kHead) + "type 1024 tick (n u32) (name text) (list u8[])\n"
                                                         "stream 1 \"log\"\n"
                                                         "0.000000001 1 tick n=5 name=\"a\" list=[1 2]\n"
                                                         "0.000000002 1 tick n=6 name=\"b\" list=[3]\n"});
  const Table& table = *tables.find("tick");
  Tables::Options options;
  options.column = [](const Table&, const Column& column) { return column.name == "n"; };
  const Table* const wanted = &table;
  Tables::Rows rows = tables.read({&wanted, 1}, options);
  const TableBatch* const batch = rows.next();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->rows(), 2u);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnValues& values = batch->columns[i];
    EXPECT_EQ(values.size(), 2u) << table.columns[i].name;
    EXPECT_EQ(values.numbers().size(), table.columns[i].name == "n" ? 2u : 0u) << table.columns[i].name;
    EXPECT_EQ(values.bytes(), "") << table.columns[i].name;
  }
  EXPECT_EQ(rows.next(), nullptr);
}

TEST_F(TablesOf, OfEventsAreBehindThoseOfAllTraces) {
  const Tables& tables = tables_of({std::string(kHead) + "type 1024 tick (n u32)\ntype 1025 spans (n u32)\n"});
  std::vector<std::string> names;
  for (const Table& table : tables.of_events()) names.push_back(table.name);
  EXPECT_EQ(names, (std::vector<std::string>{"event.spans", "tick"}));
  EXPECT_EQ(&tables.of_events().back(), &tables.all().back());
}

std::string kind_word(const Column& column) {
  constexpr const char* kWords[] = {"bool", "int64", "uint64", "double", "time", "text", "bytes"};
  const std::string word = kWords[static_cast<std::size_t>(column.kind)];
  return column.is_list ? "list of " + word : word;
}

TEST_F(TablesOf, AllTracesHaveWhatTheDocumentLists) {
  std::ifstream file(std::filesystem::path(EVT_SOURCE_FOLDER) / "docs" / "TABLES.md");
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  const Tables& tables = tables_of_events("");
  for (const char* const name : {"sessions", "attributes", "streams", "types", "lost", "thread_states", "spans",
                                 "counters", "marks", "collections", "async_spans", "samples", "stacks", "frames"}) {
    const Table& table = *tables.find(name);
    std::string section =
        fmt::format("## {}\n\n{}\n\n| column | kind | what it is |\n|---|---|---|\n", name, table.description);
    for (const Column& column : table.columns) {
      const std::string unit = column.unit.empty() ? "" : ", " + column.unit;
      section += fmt::format("| `{}` | {}{} | {} |\n", column.name, kind_word(column), unit, column.description);
    }
    EXPECT_NE(document.find(section), document.npos) << section;
  }
}

TEST_F(TablesOf, CollectionsAreOneByOne) {
  const Tables& tables =
      tables_of({std::string(kHead) +
                 "type 1040 gc.start role=gcStart (generation u16 role=generation) (reason text role=reason)\n"
                 "type 1041 gc.begin role=gcStart\ntype 1042 gc.end role=gcEnd\n"
                 "stream 1 \"heap\"\nstream 2 \"other\"\n"
                 "1.000000000 1 gc.start generation=1 reason=\"heap full\"\n1.000001000 2 gc.begin\n"
                 "1.000002000 1 gc.end\n1.000003000 1 gc.start generation=0 reason=\"\"\n1.000004000 1 gc.begin\n"});
  EXPECT_EQ(lines_of(tables, "collections"),
            "stream part generation reason time begin_ns end_ns outcome\n"
            "1 - 0 - @1767225601000003000 1000003000 - cut\n"
            "1 - 1 heap full @1767225601000000000 1000000000 1000002000 ended\n"
            "2 - - - @1767225601000001000 1000001000 - open\n"
            "1 - - - @1767225601000004000 1000004000 - open\n");
}

TEST_F(TablesOf, AsynchronousSpansAreOneByOne) {
  const Tables& tables =
      tables_of({std::string(kHead) + "type 1040 ask role=asyncBegin (name text role=name) (id u64 role=spanId)\n"
                                      "type 1041 answer role=asyncEnd (id u64 role=spanId)\n"
                                      "stream 1 \"asks\"\nstream 2 \"answers\"\n"
                                      "1.000000000 1 ask name=\"req\" id=7\n1.000001000 1 ask name=\"req\" id=8\n"
                                      "1.000002000 2 answer id=7\n1.000003000 1 ask name=\"late\" id=7\n"
                                      "1.000003500 1 !lost count=5 cause=ring_full duration=0.000000000\n"
                                      "1.000004000 2 answer id=8\n1.000005000 2 answer id=9\n"});
  EXPECT_EQ(lines_of(tables, "async_spans"),
            "name id stream end_stream part time begin_ns end_ns duration_ns outcome uncertain\n"
            "req 7 1 2 - @1767225601000000000 1000000000 1000002000 2000 ended no\n"
            "req 8 1 2 - @1767225601000001000 1000001000 1000004000 3000 ended yes\n"
            "late 7 1 - - @1767225601000003000 1000003000 - - open yes\n");
}

// Two samples of one stack, and one of another: each stack is there once, and so is each frame.
TEST_F(TablesOf, StacksAndTheirFramesAreThoseOfSamples) {
  Recording recording;
  const auto types = recording->declare<events::StackFrame, events::StackFrames, events::StackSample>();
  Stream stream = recording->stream("a");
  const auto frame = [&](const char* function, const char* module, std::uint32_t line) {
    return recording->intern(types, events::StackFrame{recording->intern(function), recording->intern(module), line});
  };
  const Reference main = frame("main", "/bin/a", 7);
  const Reference copy = frame("copy", "/lib/libc.so.6", 0);
  const Reference unknown = frame("", "", 0);
  const auto sample = [&](const std::vector<Reference>& frames) {
    stream.emit(types, events::StackSample{1, recording->intern(types, events::StackFrames{frames}), 30});
  };
  sample({copy, main});
  sample({copy, main});
  sample({unknown, main});
  const Tables& tables = tables_of_bytes(recording.bytes());
  EXPECT_EQ(lines_of(tables, "samples"),
            "stream part thread thread_name type time ns stack weight_ns waited_ns\n"
            "1 - 1 - stack.sample @1767225600000000001 1 8 30 -\n"
            "1 - 1 - stack.sample @1767225600000000002 2 8 30 -\n"
            "1 - 1 - stack.sample @1767225600000000003 3 9 30 -\n");
  EXPECT_EQ(lines_of(tables, "stacks"),
            "stack depth frame name\n8 0 6 copy\n8 1 3 main\n9 0 7 [unknown]\n9 1 3 main\n");
  EXPECT_EQ(lines_of(tables, "frames"),
            "frame function module line address inlined\n6 copy /lib/libc.so.6 - - no\n3 main /bin/a 7 - no\n"
            "7 - - - - no\n");
}

TEST_F(TablesOf, FramesSayWhatIsInlined) {
  const Tables& tables = tables_of_events(
      "type 2000 sample role=sample (stack reference role=stack)\n"
      "type 2001 frame role=frame (function interned role=function) (inlined bool role=inlined)\n"
      "type 2002 frames role=frames (frames reference[] role=stack)\n"
      "stream 9 \"s\"\nstring 1 \"inner\"\nstring 2 \"outer\"\n"
      "string 3 \"\\xff\\xff\\xff\\xff\\xd1\\x07\\x0d\\x00\\x01\\x00\\x00\\x00\\x01\"\n"
      "string 4 \"\\xff\\xff\\xff\\xff\\xd1\\x07\\x0d\\x00\\x02\\x00\\x00\\x00\\x00\"\n"
      "string 5 \"\\xff\\xff\\xff\\xff\\xd2\\x07\\x12\\x00\\x02\\x00\\x03\\x00\\x00\\x00\\x04\\x00\\x00\\x00\"\n"
      "1.000000000 9 sample stack=0x05000000\n");
  EXPECT_EQ(lines_of(tables, "frames"),
            "frame function module line address inlined\n3 inner - - - yes\n4 outer - - - no\n");
}

TEST_F(TablesOf, SamplesAreOfProcessorTimeOrOfWaits) {
  const Tables& tables = tables_of(
      {std::string(kHead) +
       "type 1040 tick role=sample (stack interned[] role=stack) (weight u64 role=weight unit=microseconds)\n"
       "type 1041 wait role=sample (stack interned[] role=stack) (waited u64 role=duration unit=nanoseconds)\n"
       "type 1042 odd role=sample (weight u64 role=weight)\n"
       "string 1 \"main\"\nstream 1 \"a\"\n"
       "1.000000000 1 tick stack=[\"main\"] weight=30\n1.000001000 1 wait stack=[\"main\"] waited=7\n"
       "1.000002000 1 odd weight=1\n"});
  EXPECT_EQ(lines_of(tables, "samples"),
            "stream part thread thread_name type time ns stack weight_ns waited_ns\n"
            "1 - 1 a tick @1767225601000000000 1000000000 - 30000 -\n"
            "1 - 1 a wait @1767225601000001000 1000001000 - - 7\n"
            "1 - 1 a odd @1767225601000002000 1000002000 - - -\n");
}

TEST_F(TablesOf, SeveralTablesComeFromOneReading) {
  const Tables& tables = tables_of_events(kLife);
  const std::array<const Table*, 3> wanted = {tables.find("spans"), tables.find("thread.run"), tables.find("streams")};
  std::map<std::string, std::size_t> rows;
  Tables::Rows batches = tables.read(wanted, {});
  while (const TableBatch* const batch = batches.next()) rows[batch->table->name] += batch->rows();
  EXPECT_EQ(rows, (std::map<std::string, std::size_t>{{"spans", 2}, {"thread.run", 2}, {"streams", 1}}));
}

}  // namespace
}  // namespace evt::testing

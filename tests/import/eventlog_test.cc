// GHC eventlogs, which open as traces do.
#include <gtest/gtest.h>

#include "eventlog_reading.h"

namespace evt::testing {
namespace {

// The types as the text form has them.
std::string types_of(const std::string& log) {
  Trace trace = open_trace(log);
  const std::string text = text_of(trace);
  std::string types;
  for (std::size_t at = text.find("type "); at != std::string::npos; at = text.find("\ntype ", at)) {
    if (text[at] == '\n') ++at;
    types += text.substr(at, text.find('\n', at) - at + 1);
  }
  return types;
}

TEST(Eventlog, OfEachCapabilityIsAStream) {
  GhcLog log;
  log.usual_types();
  log.block(0).run(10, 1).stop(30, 1, 5);
  log.block(1).run(20, 2);
  log.block(GhcLog::kGlobal).say(5, "hello").end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000005 1 ghc.user_msg message=\"hello\"\n"
            "0.000000010 2 ghc.run_thread thread=1\n"
            "0.000000020 3 ghc.run_thread thread=2\n"
            "0.000000030 2 ghc.stop_thread thread=1 status=finished info=0\n");
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions()[0].streams[0].name, "global");
  EXPECT_EQ(trace.sessions()[0].streams[1].name, "cap 0");
  EXPECT_EQ(trace.sessions()[0].streams[2].name, "cap 1");
}

TEST(Eventlog, SaysWhatItsTypesMean) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1).stop(2, 1, 3).end();
  EXPECT_EQ(
      types_of(log.bytes()),
      "type 1025 ghc.run_thread \"Run thread\" role=threadRun (thread u32 role=thread)\n"
      "type 1026 ghc.stop_thread \"Stop thread\" role=threadStop (thread u32 role=thread) (status enum16 role=reason "
      "labels=[0=none 1=heap_overflow 2=stack_overflow 3=yielding 4=blocked 5=finished 6=foreign_call 7=mvar "
      "8=black_hole 9=read 10=write 11=delay 12=stm 13=do_proc 16=ccall 17=interruptible_ccall 18=throw_to "
      "19=migrating 20=mvar_read 21=io_completion]) (info u32)\n");
}

TEST(Eventlog, NamesTheReasonsToStopAsItsVersionDid) {
  GhcLog log;
  log.usual_types().type(29, GhcLog::kVariable, "RTS name and version");
  log.block(GhcLog::kGlobal).event(29, 1, BigEndian().u32(0).text("GHC-7.8.2 rts_thr_l"));
  log.block(0).stop(2, 1, 8).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 1 ghc.rts_identifier capset=0 name=\"GHC-7.8.2 rts_thr_l\"\n"
            "0.000000002 2 ghc.stop_thread thread=1 status=mvar_read info=0\n");
}

TEST(Eventlog, KeepsAReasonWithoutAName) {
  GhcLog log;
  log.usual_types().block(0).stop(2, 1, 99).end();
  EXPECT_EQ(reading_of(log.bytes()), "0.000000002 2 ghc.stop_thread thread=1 status=99 info=0\n");
}

TEST(Eventlog, TellsWhoseItIs) {
  GhcLog log;
  log.usual_types()
      .type(29, GhcLog::kVariable, "RTS name and version")
      .type(30, GhcLog::kVariable, "Program arguments");
  log.type(32, 8, "Process ID").type(43, 16, "Wall clock time");
  log.block(GhcLog::kGlobal);
  log.event(29, 1, BigEndian().u32(0).text("GHC-9.0.2 rts"));
  log.event(30, 2,
            BigEndian().u32(0).text({"/usr/bin/parfib\0"
                                     "22\0",
                                     19}));
  log.event(32, 3, BigEndian().u32(0).u32(4711));
  log.event(43, 1'000, BigEndian().u32(0).u64(1'700'000'000).u32(500)).end();
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions()[0];
  EXPECT_EQ(session.program, "parfib");
  EXPECT_EQ(session.command_line, (std::vector<std::string>{"/usr/bin/parfib", "22"}));
  EXPECT_EQ(session.pid, 4711u);
  EXPECT_EQ(session.writer, "GHC-9.0.2 rts");
  EXPECT_EQ(session.start_utc_ns, 1'700'000'000'000'000'500 - 1'000);
  EXPECT_EQ(trace.size(), bytes.size());
}

TEST(Eventlog, PutsALateEventWhereItsTimeIs) {
  GhcLog log;
  log.usual_types().block(0).event(9, 100);
  log.event(53, 400, BigEndian().text(std::string(58, '\0'))).event(10, 300).run(500, 1).end();
  const std::string text = reading_of(log.bytes());
  EXPECT_LT(text.find("ghc.gc_end"), text.find("ghc.gc_stats"));
  EXPECT_TRUE(text.starts_with("0.000000100 2 ghc.gc_start\n0.000000300 2 ghc.gc_end\n0.000000400 2 ghc.gc_stats"));
}

TEST(Eventlog, PutsOneInOrderThatComesBeforeItsOwnBlock) {
  GhcLog log;
  log.usual_types().block(0, 100).run(100, 1);
  log.block(1).run(150, 7);
  log.block(0, 200).event(10, 90).run(200, 2).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000090 2 ghc.gc_end\n"
            "0.000000100 2 ghc.run_thread thread=1\n"
            "0.000000150 3 ghc.run_thread thread=7\n"
            "0.000000200 2 ghc.run_thread thread=2\n");
}

TEST(Eventlog, PutsAnyDisorderOfAPartInOrder) {
  GhcLog log;
  log.usual_types().block(0);
  for (std::uint32_t i = 1000; i > 0; --i) log.run(i, i);
  log.end();
  const std::string text = reading_of(log.bytes());
  EXPECT_TRUE(text.starts_with("0.000000001 2 ghc.run_thread thread=1\n0.000000002 2 ghc.run_thread thread=2\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1000);
}

// A late event may stand anywhere, also where one part of a large log would end and the next begin.
TEST(Eventlog, PutsALateEventInOrderWhereverItStands) {
  GhcLog log;
  log.usual_types().block(0);
  for (std::uint64_t i = 1; i < 60'000; ++i) log.run(i * 10, 7).stop(i * 10 - 5, 7, 3);
  const std::string bytes = log.end().bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::int64_t latest = 0;
  while (const Event* const event = events.next()) {
    ASSERT_GE(event->ns(), latest);
    latest = event->ns();
  }
}

TEST(Eventlog, KeepsEventsOfOneTimeInTheirOrder) {
  GhcLog log;
  log.usual_types().block(0).say(5, "a").say(5, "b").say(4, "c").say(5, "d").end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000004 2 ghc.user_msg message=\"c\"\n"
            "0.000000005 2 ghc.user_msg message=\"a\"\n"
            "0.000000005 2 ghc.user_msg message=\"b\"\n"
            "0.000000005 2 ghc.user_msg message=\"d\"\n");
}

TEST(Eventlog, HasTimesHoursApart) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1).run(7'200'000'000'001, 2).run(7'200'000'000'002, 3).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "7200.000000001 2 ghc.run_thread thread=2\n"
            "7200.000000002 2 ghc.run_thread thread=3\n");
}

TEST(Eventlog, CarriesUnknownTypesByTheirDescription) {
  GhcLog log;
  log.usual_types().type(900, 3, "A new thing!").type(901, GhcLog::kVariable, "");
  log.block(0).event(900, 1, BigEndian().u8(1).u8(2).u8(3)).event(901, 2, BigEndian().text("xy")).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 2 eventlog.a_new_thing payload=0x010203\n"
            "0.000000002 2 eventlog.type_901 payload=0x7879\n");
}

TEST(Eventlog, ReadsTypesOfOtherProducersByTheirDescription) {
  GhcLog log;
  log.usual_types().type(39, GhcLog::kVariable, "Register an id->string mapping").type(40, 0, "About to call main/2");
  log.block(0).event(39, 1, BigEndian().text("f").u32(7)).event(40, 2).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 2 eventlog.register_an_id_string_mapping payload=0x6600000007\n"
            "0.000000002 2 eventlog.about_to_call_main_2\n");
}

TEST(Eventlog, KeepsWhatALaterVersionPutBehindAPayload) {
  GhcLog log;
  log.type(18, 14, "Block marker").type(1, 6, "Run thread").type(164, GhcLog::kVariable, "Heap profile string sample");
  log.block(0).event(1, 1, BigEndian().u32(7).u16(0x0809));
  log.event(164, 2, BigEndian().u8(1).u64(1000).text({"Int\0", 4}).u32(5)).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 2 ghc.run_thread thread=7 more=0x0809\n"
            "0.000000002 2 ghc.heap_prof_sample_string profile=1 residency=1000 label=\"Int\" more=0x00000005\n");
}

TEST(Eventlog, ReadsThePayloadOfAnEarlierVersion) {
  GhcLog log;
  log.type(18, 14, "Block marker").type(2, 6, "Stop thread").type(53, 50, "GC statistics");
  log.block(0).event(2, 1, BigEndian().u32(7).u16(5)).end();
  EXPECT_EQ(reading_of(log.bytes()), "0.000000001 2 ghc.stop_thread thread=7 status=finished\n");
}

TEST(Eventlog, KeepsTextThatIsNotUtf8) {
  GhcLog log;
  log.usual_types().block(0).say(1, "caf\xE9").end();
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(events.next()->value("message")->as_text(), "caf\xE9");
}

TEST(Eventlog, HasTheLargestMessage) {
  GhcLog log;
  log.usual_types().block(0).say(1, std::string(0xFFFF, 'x')).say(2, "behind").end();
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(events.next()->value("message")->as_text(), std::string(0xFFFF, 'x'));
  EXPECT_EQ(events.next()->value("message")->as_text(), "behind");
}

// Larger than any buffer, so that parts are of several blocks of the log and blocks of several parts.
TEST(Eventlog, OfManyBlocksIsReadWhole) {
  GhcLog log;
  log.usual_types();
  std::uint64_t ns = 0;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    log.block(static_cast<std::uint16_t>(i % 3), ns);
    for (std::uint32_t j = 0; j < 50; ++j, ++ns) log.run(ns, i);
  }
  log.end();
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::int64_t expected = 0;
  while (const Event* const event = events.next()) {
    ASSERT_EQ(event->ns(), expected);
    ASSERT_EQ(event->value(0)->as_unsigned(), static_cast<std::uint64_t>(expected / 50));
    ++expected;
  }
  EXPECT_EQ(expected, 150'000);
  EXPECT_TRUE(trace.status().ok());
  EXPECT_EQ(trace.sessions()[0].rows, 150'000u);
}

TEST(Eventlog, IsTheSameTraceEachTime) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1).end();
  const std::string bytes = log.bytes();
  Trace first = open_trace(bytes);
  Trace second = open_trace(bytes);
  EXPECT_EQ(text_of(first), text_of(second));
}

}  // namespace
}  // namespace evt::testing

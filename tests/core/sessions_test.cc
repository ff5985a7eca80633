// Sessions: who was recorded, where one ends and another begins, whether it was closed (FORMAT.md, sections 4 and 6).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

TEST(Session, HasTheFactsOfItsBlock) {
  const std::string bytes = trace_from_text(
      "evtrace text 1\n"
      "session uuid=0x101112131415464788191a1b1c1d1e1f start=1700000000.123456789 program=\"the program\" pid=4711 "
      "host=\"a host\" boot=\"a boot\" writer=\"a writer\" args=[\"one\" \"\" \"three words long\"]\n");
  Trace trace = open_trace(bytes);
  ASSERT_EQ(trace.sessions().size(), 1u);
  const Session& session = trace.sessions()[0];
  const std::string uuid = "\x10\x11\x12\x13\x14\x15\x46\x47\x88\x19\x1a\x1b\x1c\x1d\x1e\x1f";
  EXPECT_EQ(std::string(session.uuid.begin(), session.uuid.end()), uuid);
  EXPECT_EQ(session.major, 1);
  EXPECT_EQ(session.minor, 0);
  EXPECT_EQ(session.start_utc_ns, 1700000000'123456789);
  EXPECT_EQ(session.program, "the program");
  EXPECT_EQ(session.command_line, (std::vector<std::string>{"one", "", "three words long"}));
  EXPECT_EQ(session.pid, 4711u);
  EXPECT_EQ(session.host, "a host");
  EXPECT_EQ(session.boot_id, "a boot");
  EXPECT_EQ(session.writer, "a writer");
  EXPECT_TRUE(session.declared);
  EXPECT_TRUE(session.closed);
  EXPECT_TRUE(trace.status().ok());
}

TEST(Session, HasItsClocks) {
  RawTrace raw;
  raw.session().clock({3, EVT_CLOCK_X86_TSC, 2'500'000'000, 111, -222, 0x100000000, 7}).clock({.id = 5});
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  const auto& clocks = trace.sessions()[0].clocks;
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_EQ(clocks[0].id, 3);
  EXPECT_EQ(clocks[0].kind, EVT_CLOCK_X86_TSC);
  EXPECT_EQ(clocks[0].hz, 2'500'000'000u);
  EXPECT_EQ(clocks[0].start_ticks, 111u);
  EXPECT_EQ(clocks[0].start_ns, -222);
  EXPECT_EQ(clocks[0].hz_denominator, 7u);
  EXPECT_EQ(clocks[0].tolerance_ns, 0x100000000u);
  EXPECT_EQ(clocks[0].name, "TSC");
  EXPECT_EQ(clocks[1].id, 5);
}

TEST(Session, HasItsStreamsInOrderOfTheirIds) {
  const std::string bytes = trace_from_text(
      "stream 9 \"nine\" thread=99 process=999\nstream 2 \"two\"\ntype 1024 tick (n u8)\n"
      "0.000000001 9 tick n=1\n0.000000002 9 !lost count=7 cause=sink duration=0.000000000\n");
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions()[0];
  ASSERT_EQ(session.streams.size(), 2u);
  EXPECT_EQ(session.streams[0].id, 2u);
  EXPECT_EQ(session.streams[0].name, "two");
  const StreamInfo& nine = session.streams[1];
  EXPECT_EQ(session.stream(9), &nine);
  EXPECT_EQ(session.stream(3), nullptr);
  EXPECT_EQ(nine.name, "nine");
  EXPECT_EQ(nine.thread, 99u);
  EXPECT_EQ(nine.process, 999u);
  EXPECT_TRUE(nine.declared);
  EXPECT_EQ(nine.rows, 2u);
  EXPECT_EQ(nine.lost, 7u);
  EXPECT_EQ(nine.missing, 0u);
  EXPECT_EQ(session.rows, 2u);
  EXPECT_EQ(session.lost, 7u);
}

TEST(Session, HasItsTypesWithAllThatIsSaidOfThem) {
  const std::string bytes = trace_from_text(
      "type 1024 sched.stop \"it stopped\" role=threadStop "
      "(why enum8 role=reason unit=percent labels=[0=done 255=io] \"the reason\") (note text)\n");
  Trace trace = open_trace(bytes);
  const EventType* const type = trace.sessions()[0].type("sched.stop");
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(trace.sessions()[0].type("stop"), nullptr);
  EXPECT_EQ(type->number(), 1024u);
  EXPECT_EQ(type->description(), "it stopped");
  EXPECT_EQ(type->role(), Role::kThreadStop);
  EXPECT_TRUE(type->declared());
  EXPECT_EQ(type->declared_size(), EVT_SIZE_VARIABLE);
  ASSERT_EQ(type->fields().size(), 2u);
  const Field& why = type->fields()[0];
  EXPECT_EQ(why.name, "why");
  EXPECT_EQ(why.description, "the reason");
  EXPECT_EQ(why.kind, Kind::kEnumeration);
  EXPECT_EQ(why.shape, Shape::kFixed);
  EXPECT_EQ(why.width, 1u);
  EXPECT_EQ(why.role, Role::kReason);
  EXPECT_EQ(why.unit, Unit::kPercent);
  ASSERT_EQ(why.labels.size(), 2u);
  EXPECT_EQ(why.label(255)->text, "io");
  EXPECT_EQ(why.label(1), nullptr);
}

TEST(Session, HasItsStrings) {
  const std::string bytes = trace_from_text("string 1 \"one\"\nstring 4000000000 \"\\x00\\xff\"\n");
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions()[0];
  EXPECT_EQ(*session.text({1}), "one");
  EXPECT_EQ(*session.text({4000000000}), std::string("\0\xFF", 2));
  EXPECT_EQ(*session.text({0}), "");
  EXPECT_EQ(session.text({2}), nullptr);
}

TEST(Session, OfNothingIsAWholeTrace) { EXPECT_EQ(reading_of(RawTrace().session().trailer()), ""); }

TEST(Session, FollowsAnotherInTheSameFile) {
  constexpr const char* kTextOfThree =
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=1.000000000 program=\"first\"\n"
      "type 1024 tick (n u8)\n"
      "stream 1 \"a\"\n"
      "0.000000009 1 tick n=1\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=2.000000000 program=\"second\"\n"
      "type 1024 tock (x text)\n"
      "stream 1 \"another a\"\n"
      "0.000000001 1 tock x=\"two\"\n"
      "truncated\n"
      "session uuid=0x200102030405460788090a0b0c0d0e2f start=3.000000000 program=\"third\"\n";
  EXPECT_EQ(text_of_trace(trace_from_text(kTextOfThree)), kTextOfThree) << "each has its own types, streams and time";
}

TEST(Session, IsReadWithoutItsBlockAndThatIsSaid) {
  RawTrace raw = ordinary_trace().events(1, Rows().tick(1, 1)).trailer().remove(0);
  EXPECT_EQ(reading_of(raw),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 4: a TRAILER whose session has another length\n"
            "not declared\n"
            "truncated\n");
  const std::string bytes = raw.bytes();
  EXPECT_EQ(open_trace(bytes).status().message(), "the SESSION block is missing: who was recorded is not known");
}

TEST(Session, ThatSecondInTheFileLostItsBlockIsReadToo) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  trace.append(ordinary_trace(1).events(2, Rows().tick(2, 2)).trailer().remove(0));
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 2 tick n=2\n"
            "status damaged\n"
            "damage 6: block 0 of the session is missing\n"
            "damage 10: a TRAILER whose session has another length\n"
            "not declared\n"
            "truncated\n");
}

TEST(Session, BehindATrailerIsReadThoughItsBlockIsDamaged) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  trace.append(ordinary_trace(1).events(2, Rows().tick(2, 2)).trailer()).spoil_header(6);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 2 tick n=2\n"
            "status damaged\n"
            "damage 6..7: a block header whose checksum is wrong\n"
            "damage 11: a TRAILER whose session has another length\n"
            "not declared\n"
            "truncated\n");
}

TEST(Session, IsDeclaredByARepeatOfItsBlockToo) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).session().remove(0);
  const std::string bytes = trace.bytes();
  EXPECT_EQ(open_trace(bytes).sessions().at(0).program, "test");
  EXPECT_TRUE(open_trace(bytes).sessions().at(0).declared);
}

TEST(Session, IsNotBegunAnewByARepeatOfItsBlock) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).session().events(1, Rows().tick(2, 2)).trailer();
  EXPECT_EQ(reading_of(trace), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n");
}

TEST(Session, WithoutATrailerWasCut) {
  RawTrace raw = ordinary_trace().events(1, Rows().tick(1, 1));
  EXPECT_EQ(reading_of(raw), "0.000000001 1 tick n=1\nstatus truncated\ntruncated\n");
  const std::string bytes = raw.bytes();
  EXPECT_EQ(open_trace(bytes).status().message(), "the session of test is truncated: its end is missing");
}

TEST(Session, ThatGoesOnBehindItsTrailerWasNotClosedByIt) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer().events(1, Rows().tick(2, 2));
  EXPECT_EQ(reading_of(trace), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\nstatus truncated\ntruncated\n");
}

TEST(Session, WithGarbageBehindItsTrailerWasClosedAllTheSame) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer().insert("garbage");
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 6..7: no block header\n");
}

TEST(Session, WithADamagedTrailerWasNotClosedByIt) {
  EXPECT_EQ(reading_of(ordinary_trace().trailer().spoil_payload()),
            "status damaged\n"
            "damage 4..5: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
            "truncated\n");
}

TEST(Session, MayHaveItsMessageMissingOrUnreadable) {
  for (const char* message : {"", "not a message at all, 40 bytes of noise "}) {
    RawTrace raw = ordinary_trace().trailer();
    std::string payload = raw.part(0).substr(48);
    const std::size_t fixed_at = session_fixed_at(payload);
    payload = payload.substr(0, fixed_at + EVT_SESSION_FIXED_SIZE) + message;
    payload.replace(fixed_at + 56, 4, le32(std::string_view(message).size()));
    RawTrace trace;
    trace.session().remove(0).block(EVT_BLOCK_SESSION, payload).header([](BlockHeader& h) { h.block_no = 0; });
    const std::string bytes = trace.bytes();
    Trace opened = open_trace(bytes);
    ASSERT_EQ(opened.sessions().size(), 1u);
    EXPECT_TRUE(opened.sessions()[0].declared);
    EXPECT_EQ(opened.sessions()[0].program, "");
    EXPECT_EQ(opened.sessions()[0].start_utc_ns, 1767225600'000'000'000);
    EXPECT_EQ(opened.damage().size(), *message == '\0' ? 0u : 1u);
  }
}

}  // namespace
}  // namespace evt::testing

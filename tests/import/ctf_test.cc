// Streams of CTF: what is good is read, and what is missing is counted.
#include <gtest/gtest.h>

#include <filesystem>

#include "ctf_trace.h"

namespace evt::testing {
namespace {

const std::string kTick = ctf_metadata("event { name = tick; id = 0; stream_id = 0; fields := struct { u32 v; }; };\n");

CtfBytes ticks() { return CtfBytes(); }

TEST(Ctf, EventsOfAllStreamsAreInOrderOfTime) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 30}.of(ticks().tick(10, 1).tick(30, 3)));
  trace.stream("b", CtfPacket{.begin = 20, .end = 20}.of(ticks().tick(20, 2)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=1\n"
            "0.000000010 2 tick v=2\n"
            "0.000000020 1 tick v=3\n");
  EXPECT_EQ(trace.reading("b"), "0.000000000 1 tick v=2\n");
}

TEST(Ctf, PacketsThatWereOverwrittenAreCounted) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 10, .sequence = 0}.of(ticks().tick(10, 1)) +
                        CtfPacket{.begin = 30, .end = 30, .sequence = 1}.of(ticks().tick(30, 2)) +
                        CtfPacket{.begin = 90, .end = 95, .sequence = 5}.of(ticks().tick(95, 3)) +
                        CtfPacket{.begin = 99, .end = 99, .sequence = 7}.of(ticks().tick(99, 4)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=1\n"
            "0.000000020 1 tick v=2\n"
            "0.000000080 1 !lost count=3 cause=overwritten duration=0.000000060\n"
            "0.000000085 1 tick v=3\n"
            "0.000000089 1 !lost count=1 cause=overwritten duration=0.000000004\n"
            "0.000000089 1 tick v=4\n"
            "damage 152+0: a: 3 packets (2 to 4) are missing: each counts as one lost event\n"
            "damage 228+0: a: packet 6 is missing: it counts as one lost event\n");
}

// The counter is of all since the beginning, of which a flight recorder has the last packets alone.
TEST(Ctf, DiscardedEventsAreThoseSinceThePacketBefore) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 20, .discarded = 2}.of(ticks().tick(15, 1)) +
                        CtfPacket{.begin = 30, .end = 40, .discarded = 2}.of(ticks().tick(35, 2)) +
                        CtfPacket{.begin = 50, .end = 60, .discarded = 9}.of(ticks().tick(55, 3)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=1\n"
            "0.000000005 1 !lost count=2 cause=ring_full duration=0.000000010\n"
            "0.000000020 1 tick v=2\n"
            "0.000000040 1 tick v=3\n"
            "0.000000045 1 !lost count=7 cause=ring_full duration=0.000000020\n");
}

TEST(Ctf, EventsWithoutAClockAreInTheOrderOfTheirFile) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := u8;\n"
      "trace { major = 1; minor = 8; byte_order = le; };\n"
      "stream { event.header := struct { u8 id; }; };\n"
      "event { name = a; id = 1; fields := struct { u8 v; }; };\n"
      "event { name = b; id = 2; };\n");
  trace.stream("s", std::string("\1\7\2\1\10", 5));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a v=7\n"
            "0.000000001 1 b\n"
            "0.000000002 1 a v=8\n"
            "note s: 3 events without a time: each is put a nanosecond behind the one before\n");
}

TEST(Ctf, ATimeThatStepsBackCostsNoEvent) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 100, .end = 200}.of(ticks().tick(100, 1).tick(200, 2).tick(50, 3).tick(60, 4)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=3\n"
            "0.000000010 1 tick v=4\n"
            "0.000000050 1 tick v=1\n"
            "0.000000150 1 tick v=2\n"
            "note a: the time of 1 event is earlier than that of the event before: all are in order of time\n");
}

TEST(Ctf, ZerosBehindTheLastPacketAreNoDamage) {
  CtfTrace trace(kTick);
  trace.stream("a",
               CtfPacket{.begin = 10, .end = 10, .padding = 100}.of(ticks().tick(10, 1)) + std::string(5000, '\0'));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=1\n"
            "note a: 5000 bytes 0 are behind its last packet\n");
}

TEST(Ctf, AnUnknownEventCostsTheRestOfItsPacket) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 40}.of(ticks().tick(10, 1).event(77, 20).tick(30, 3)) +
                        CtfPacket{.begin = 50, .end = 50, .sequence = 1}.of(ticks().tick(50, 5)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000000 1 tick v=1\n"
            "0.000000040 1 tick v=5\n"
            "damage 76+28: a: an event 77 that the metadata does not have\n");
}

TEST(Ctf, AStreamThatIsCutCostsTheOthersNothing) {
  CtfTrace trace(kTick);
  const std::string whole = CtfPacket{.begin = 10, .end = 20}.of(ticks().tick(10, 1).tick(20, 2));
  trace.stream("a", whole.substr(0, whole.size() - 2));
  trace.stream("b", CtfPacket{.begin = 15, .end = 15}.of(ticks().tick(15, 7)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000000 1 tick v=1\n"
            "0.000000005 2 tick v=7\n"
            "damage 76+14: a: the file ends inside a packet\n");
}

// Alignment is counted from where a packet begins: structures have that of their members.
TEST(Ctf, PacketsOfAnySizeAreAligned) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := u8;\n"
      "typealias integer { size = 32; align = 32; } := u32;\n"
      "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };\n"
      "stream { packet.context := struct { u8 packet_size; }; event.header := struct { u8 id; }; };\n"
      "event { name = a; id = 7; fields := struct { u8 x; u32 y; u8 z; }; };\n");
  const std::string packet =
      CtfBytes().number(0xC1FC1FC1, 4).number(17 * 8, 1).number(7, 1).raw("..\1...").number(2, 4).number(3, 1).bytes();
  trace.stream("s", packet + packet);
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a x=1 y=2 z=3\n"
            "0.000000001 1 a x=1 y=2 z=3\n"
            "note s: 2 events without a time: each is put a nanosecond behind the one before\n");
}

// 255, then 4: five more.
TEST(Ctf, CountersThatBeginAnewAreCountedOn) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := u8;\n"
      "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; } magic; }; };\n"
      "clock { name = c; freq = 1000000000; };\n"
      "stream { packet.context := struct { u8 packet_size; u8 events_discarded; u8 packet_seq_num; };\n"
      "  event.header := struct { integer { size = 8; map = clock.c.value; } timestamp; }; };\n"
      "event { name = a; };\n");
  const auto packet = [](std::uint8_t discarded, std::uint8_t sequence, std::uint8_t ns) {
    return CtfBytes()
        .number(0xC1FC1FC1, 4)
        .number(8 * 8, 1)
        .number(discarded, 1)
        .number(sequence, 1)
        .number(ns, 1)
        .bytes();
  };
  trace.stream("s", packet(255, 255, 1) + packet(4, 1, 9));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 !lost count=1 cause=overwritten duration=0.000000000\n"
            "0.000000000 1 !lost count=5 cause=ring_full duration=0.000000000\n"
            "0.000000000 1 !lost count=255 cause=ring_full duration=0.000000000\n"
            "0.000000000 1 a\n"
            "0.000000008 1 a\n"
            "damage 8+0: s: packet 256 is missing: it counts as one lost event\n");
}

TEST(Ctf, APacketThatStatesMoreThanTheFileHasCostsNotTheNext) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 10, .padding = 0, .stated = 5000}.of(ticks().tick(10, 1)) +
                        CtfPacket{.begin = 20, .end = 20, .sequence = 1}.of(ticks().tick(20, 2)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000000 1 tick v=1\n"
            "0.000000010 1 tick v=2\n"
            "damage 76+0: a: a packet states more than is there before the next\n");
}

TEST(Ctf, WhatLiesBetweenPacketsCostsNoPacket) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 10}.of(ticks().tick(10, 1)) + "garbage" +
                        CtfPacket{.begin = 20, .end = 20, .sequence = 1}.of(ticks().tick(20, 2)));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000000 1 tick v=1\n"
            "0.000000010 1 tick v=2\n"
            "damage 76+7: a: no packet begins here: 0x62726167 is there in place of 0xc1fc1fc1\n");
}

TEST(Ctf, NothingOfWhichAnEventCanBeReadIsRefused) {
  CtfTrace trace(kTick);
  trace.stream("a", "no packet at all");
  EXPECT_EQ(trace.reading(),
            "not a trace: ctf: no event of it can be read: a: no packet begins here: 0x70206f6e is there in place of "
            "0xc1fc1fc1\n");
}

// Each false packet could cost a look at the rest of the file.
TEST(Ctf, AFileOfMagicNumbersIsGivenUpBehindAThousand) {
  CtfTrace trace(kTick);
  std::string magic;
  for (int i = 0; i < 100'000; ++i) magic += "\xC1\x1F\xFC\xC1";
  trace.stream("a", CtfPacket{.begin = 10, .end = 10}.of(ticks().tick(10, 1)) + magic);
  const std::string reading = trace.reading();
  EXPECT_EQ(std::count(reading.begin(), reading.end(), '\n'), 1 + 2 * 1000);
  EXPECT_TRUE(
      reading.ends_with("damage 4072+396004: a: a packet of a stream 3254525889 that the metadata does not "
                        "have\n"))
      << reading.substr(reading.size() - 200);
}

// Each place where a packet might begin could cost as much as its header claims.
TEST(Ctf, AHeaderOfMoreThan64KiBIsRefused) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "trace { major = 1; minor = 8; byte_order = le;\n"
      "  packet.header := struct { integer { size = 32; } magic; integer { size = 16; } x[40000]; }; };\n"
      "stream { };\n"
      "event { name = a; };\n");
  trace.stream("s", "\xC1\x1F\xFC\xC1" + std::string(100'000, 'x'));
  EXPECT_EQ(trace.reading(),
            "not a trace: ctf: no event of it can be read: s: the header of a packet has more than 64 KiB\n");
}

// A byte of the file is 9000 lists without elements, which are one text.
TEST(Ctf, FieldsWithoutBitsMakeNoTraceOfAnySize) {
  std::string fields;
  for (int i = 0; i < 9000; ++i) fields += fmt::format("integer {{ size = 8; }} f{}[0];", i);
  CtfTrace trace(
      fmt::format("/* CTF 1.8 */\n"
                  "trace {{ major = 1; minor = 8; byte_order = le; }};\n"
                  "stream {{ event.header := struct {{ integer {{ size = 8; }} id; }}; }};\n"
                  "event {{ name = a; id = 1; fields := struct {{ {} }}; }};\n",
                  fields));
  trace.stream("s", std::string(2000, '\1'));
  EXPECT_EQ(trace.reading(), "not a trace: ctf/s: its events have more than 64 MiB and 200 times its size\n");
}

TEST(Ctf, TheLowestBitsOfAClockAreExtended) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := u8;\n"
      "trace { major = 1; minor = 8; byte_order = le; };\n"
      "clock { name = c; freq = 250; offset_s = 10; offset = 500; };\n"
      "typealias integer { size = 8; align = 8; map = clock.c.value; } := low;\n"
      "typealias integer { size = 32; align = 8; map = clock.c.value; } := time;\n"
      "stream { packet.context := struct { time timestamp_begin; }; event.header := struct { low timestamp; }; };\n"
      "event { name = a; };\n");
  // 0x1F0, 0x1FF, 0x201: ticks of 4 ms, behind 12 s.
  trace.stream("s", std::string("\xF0\1\0\0\xF0\xFF\1", 7));
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a\n"
            "0.060000000 1 a\n"
            "0.068000000 1 a\n");
  auto opened = Trace::open(trace.path());
  EXPECT_EQ(opened->sessions().front().start_utc_ns, std::int64_t{12 * 250 + 0x1F0} * 4'000'000);
}

TEST(Ctf, AnOffsetOfCenturiesIsLeftOut) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "trace { major = 1; minor = 8; byte_order = le; };\n"
      "clock { name = c; freq = 1000000000; offset_s = 1351530929945824323; };\n"
      "stream { event.header := struct { integer { size = 8; map = clock.c.value; } timestamp; }; };\n"
      "event { name = a; };\n");
  trace.stream("s", "\1\2");
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a\n"
            "0.000000001 1 a\n"
            "note ctf/metadata: the offset of its clock is one of centuries, and is left out\n");
}

TEST(Ctf, OneOfTwoTracesWithoutMetadataCostsTheOtherNothing) {
  CtfTrace trace(kTick);
  trace.stream("a", CtfPacket{.begin = 10, .end = 10}.of(ticks().tick(10, 1)));
  std::filesystem::create_directory(trace.path() + "/ust");
  trace.stream("ust/metadata", "trace {");
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 tick v=1\n"
            "damage 0+0: ctf/ust/metadata: line 1: a name is expected, and its end is there\n");
}

}  // namespace
}  // namespace evt::testing

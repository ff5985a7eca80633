// Events as CTF 1.8: its metadata, and its packets by the bytes.
#include "ctf_files.h"
#include "support/rows.h"

namespace evt::testing {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;

constexpr const char* kSession =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.250000000 program=\"app\" pid=77 "
    "host=\"here\"\n";

// By a hand count of a packet of a stream: 72 bytes, of which all but the last 40 are its header.
constexpr std::size_t kFront = 72;
std::string front(std::uint64_t instance, std::uint64_t begin, std::uint64_t end, std::size_t size,
                  std::uint64_t discarded) {
  return le32(0xC1FC1FC1) + "\x00\x01\x02\x03\x04\x05\x46\x07\x88\x09\x0a\x0b\x0c\x0d\x0e\x0f"s + le32(0) +
         le64(instance) + le64(begin) + le64(end) + le64(8 * size) + le64(8 * size) + le64(discarded);
}

TEST_F(CtfTraces, MetadataDescribesTheSessionItsStreamsAndTypes) {
  ASSERT_TRUE(
      write(std::string(kSession) +
            "type 1024 read (file text) (sizes u32[]) (took tick_delta) (how enum8 labels=[0=cached 1=\"from disk\"]) "
            "(key bytes) (id bytes(3)) (ok bool) (f f32) (n i16)\n"
            "stream 1 \"main \\\"1\\\"\"\n"
            "0.000000010 1 read file=\"x\" sizes=[1 22] took=0.000000005 how=cached key=0x00 id=0x010203 ok=true f=1 "
            "n=-1\n"));
  EXPECT_EQ(files_["metadata"],
            "/* CTF 1.8 */\n"
            "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
            "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
            "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
            "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
            "typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
            "typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
            "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
            "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
            "typealias integer { size = 8; align = 8; signed = false; base = 16; } := byte_t;\n"
            "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float;\n"
            "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double;\n"
            "trace {\n"
            "  major = 1;\n"
            "  minor = 8;\n"
            "  uuid = \"00010203-0405-4607-8809-0a0b0c0d0e0f\";\n"
            "  byte_order = le;\n"
            "  packet.header := struct {\n"
            "    uint32_t magic;\n"
            "    uint8_t uuid[16];\n"
            "    uint32_t stream_id;\n"
            "    uint64_t stream_instance_id;\n"
            "  };\n"
            "};\n"
            "env {\n"
            "  tracer_name = \"evtrace\";\n"
            "  hostname = \"here\";\n"
            "  procname = \"app\";\n"
            "  vpid = 77;\n"
            "  session_start = 1767225600250000000;\n"
            "  stream_1 = \"main \\\"1\\\"\";\n"
            "};\n"
            "clock {\n"
            "  name = session;\n"
            "  freq = 1000000000;\n"
            "  offset_s = 1767225600;\n"
            "  offset = 250000000;\n"
            "  absolute = TRUE;\n"
            "};\n"
            "typealias integer { size = 64; align = 8; signed = false; map = clock.session.value; } := time_t;\n"
            "stream {\n"
            "  id = 0;\n"
            "  packet.context := struct {\n"
            "    time_t timestamp_begin;\n"
            "    time_t timestamp_end;\n"
            "    uint64_t content_size;\n"
            "    uint64_t packet_size;\n"
            "    uint64_t events_discarded;\n"
            "  };\n"
            "  event.header := struct {\n"
            "    uint32_t id;\n"
            "    time_t timestamp;\n"
            "  };\n"
            "};\n"
            "event {\n"
            "  name = \"read\";\n"
            "  id = 0;\n"
            "  stream_id = 0;\n"
            "  fields := struct {\n"
            "    string _file;\n"
            "    uint16_t __sizes_length; uint32_t _sizes[__sizes_length];\n"
            "    int64_t _took;\n"
            "    enum : uint8_t { \"cached\" = 0, \"from disk\" = 1 } _how;\n"
            "    uint16_t __key_length; byte_t _key[__key_length];\n"
            "    byte_t _id[3];\n"
            "    enum : uint8_t { \"false\" = 0, \"true\" = 1 } _ok;\n"
            "    float _f;\n"
            "    int16_t _n;\n"
            "  };\n"
            "};\n");
}

TEST_F(CtfTraces, APacketHasItsTimesItsSizeAndTheEventsBehindOneAnother) {
  ASSERT_TRUE(write(std::string(kSession) +
                    "type 1024 tick (n u16)\n"
                    "type 1025 note (text text) (names interned[]) (texts text[]) (n u8)\n"
                    "string 5 \"five\"\n"
                    "stream 1 \"main\"\n"
                    "0.000000010 1 tick n=258\n"
                    "0.000000030 1 note text=\"so\" names=[\"five\" #9] texts=[\"\" \"z\"] n=7\n"));
  const std::string tick = le32(0) + le64(10) + le16(258);
  const std::string note = le32(1) + le64(30) + "so\0"s + le16(2) + "five\0#9\0"s + le16(2) + "\0z\0"s + le8(7);
  EXPECT_EQ(files_["stream_1"], front(0, 10, 30, kFront + tick.size() + note.size(), 0) + tick + note);
  EXPECT_THAT(left_out_, ElementsAre());
}

TEST_F(CtfTraces, ALossIsAPacketWithoutEventsOverItsTime) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 tick\n"
                                            "stream 1 \"main\"\n"
                                            "0.000000005 1 !lost count=3 cause=ring_full duration=0.000000002\n"
                                            "0.000000010 1 tick\n"
                                            "0.000000030 1 !lost count=4 cause=ring_full duration=0.000000015\n"
                                            "0.000000040 1 tick\n"));
  const auto tick = [](std::uint64_t ns) { return le32(0) + le64(ns); };
  EXPECT_EQ(files_["stream_1"], front(0, 3, 3, kFront, 0) + front(0, 3, 5, kFront, 3) +
                                    front(0, 10, 15, kFront + 12, 3) + tick(10) + front(0, 15, 30, kFront, 7) +
                                    front(0, 40, 40, kFront + 12, 7) + tick(40));
  EXPECT_THAT(left_out_, ElementsAre("2 losses of events have their causes left out"));
}

TEST_F(CtfTraces, EventsThatComeLateAreInAFileOfTheirOwn) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 tick (n u8)\n"
                                            "stream 7 \"main\"\n"
                                            "0.000000005 7 tick n=1\n"
                                            "0.000000010 7 tick n=2\n"
                                            "0.000000004 7 tick n=3\n"
                                            "0.000000020 7 tick n=4\n"));
  const auto tick = [](std::uint64_t ns, std::uint64_t n) { return le32(0) + le64(ns) + le8(n); };
  EXPECT_EQ(files_["stream_7"], front(0, 5, 20, kFront + 39, 0) + tick(5, 1) + tick(10, 2) + tick(20, 4));
  EXPECT_EQ(files_["stream_7_2"], front(1, 4, 4, kFront + 13, 0) + tick(4, 3));
  EXPECT_THAT(left_out_, ElementsAre("1 event that is earlier than others of its stream is in a file of its own"));
}

TEST_F(CtfTraces, EventsThatAreNotAsTheirTypeIsHaveClassesOfTheirOwn) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 grown (a u8) (t text) (c u8)\n"
                                            "stream 1 \"main\"\n"
                                            "0.000000001 1 grown a=1\n"
                                            "0.000000002 1 grown a=1 t=\"x\" c=2 +0xff\n"
                                            "0.000000003 1 grown a=1 t=\"x\\x00y\" c=3\n"
                                            "0.000000004 1 type#4711 +0x0102\n"));
  const auto declaration = [](const std::string& name, const std::string& id, const std::string& fields) {
    return "event {\n  name = \"" + name + "\";\n  id = " + id + ";\n  stream_id = 0;\n  fields := struct {\n" +
           fields + "  };\n};\n";
  };
  const std::string rest = "    uint32_t __rest_length; byte_t _rest[__rest_length];\n";
  EXPECT_EQ(event_classes(),
            declaration("grown", "0", "    uint8_t _a;\n    string _t;\n    uint8_t _c;\n") +
                declaration("grown", "1", "    uint8_t _a;\n") +
                declaration("grown", "2", "    uint8_t _a;\n    string _t;\n    uint8_t _c;\n" + rest) +
                declaration("grown", "3",
                            "    uint8_t _a;\n    uint16_t __t_length; byte_t _t[__t_length];\n    uint8_t _c;\n") +
                declaration("type#4711", "4", rest));
  EXPECT_EQ(files_["stream_1"].substr(kFront),
            le32(1) + le64(1) + le8(1) +                                           //
                le32(2) + le64(2) + le8(1) + "x\0"s + le8(2) + le32(1) + "\xff" +  //
                le32(3) + le64(3) + le8(1) + le16(3) + "x\0y"s + le8(3) +          //
                le32(4) + le64(4) + le32(2) + "\x01\x02");
  EXPECT_THAT(left_out_, ElementsAre("2 events that lack fields, or have more bytes, are of event classes of their own",
                                     "1 event with a byte 0 in a text has its texts as bytes"));
}

TEST_F(CtfTraces, NamesThatTsdlDoesNotHaveAreOthers) {
  ASSERT_TRUE(write(std::string(kSession) +
                    "type 1024 \"a \\\"name\\\" \\xc3\\xbc\" (int u8) (\"at.x\" u8) (\"at x\" u8) (plain u8)\n"
                    "stream 1 \"\"\n"));
  EXPECT_EQ(event_classes(),
            "event {\n  name = \"a \\\"name\\\" \\303\\274\";\n  id = 0;\n  stream_id = 0;\n  fields := struct {\n"
            "    uint8_t _int;\n    uint8_t _at_x;\n    uint8_t _at_x_2;\n    uint8_t _plain;\n  };\n};\n");
  EXPECT_THAT(left_out_, ElementsAre("2 fields have other names in CTF, which has no such names",
                                     "1 stream without events: left out"));
}

TEST_F(CtfTraces, CountsOfElementsHaveNamesThatNoFieldHas) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 sizes (s u8[]) (_s_length u8) (rest u8)\nstream 1 \"\"\n" +
                    "0.000000001 1 sizes s=[1] _s_length=2 rest=3 +0x04\n"));
  EXPECT_NE(event_classes().find("    uint16_t __s_length_2; uint8_t _s[__s_length_2];\n"
                                 "    uint8_t __s_length;\n"
                                 "    uint8_t _rest;\n"
                                 "    uint32_t __rest_2_length; byte_t _rest_2[__rest_2_length];\n"),
            std::string::npos)
      << event_classes();
}

TEST_F(CtfTraces, WhatTypesAndFieldsMeanIsNamed) {
  ASSERT_TRUE(write(std::string(kSession) +
                    "fact 0.000000000 session service.name \"shop\"\n"
                    "type 1024 open role=objectOpen (mode enum32 labels=[1=READ 2=WRITE] flags=true) (id u8 absent=0) "
                    "(heat i32 scale=-3) (at ticks)\n"));
  EXPECT_THAT(left_out_,
              ElementsAre("roles, units, descriptions and the like of types and fields have no place in CTF",
                          "facts of the session have no place in CTF", "1 field of flags is an enumeration in CTF",
                          "1 field has a number in CTF where its value means none",
                          "1 field has its number in CTF, without its scale",
                          "1 field of times or durations has nanoseconds in CTF, as a number"));
}

TEST_F(CtfTraces, TimesBeforeTheSessionsStartAreOfAClockThatBeganBefore) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 tick\n"
                                            "stream 1 \"main\"\n"
                                            "-0.500000000 1 tick\n"
                                            "0.000000001 1 tick\n"));
  EXPECT_NE(files_["metadata"].find("  offset_s = 1767225599;\n  offset = 750000000;\n"), std::string::npos);
  EXPECT_EQ(files_["stream_1"].substr(kFront), le32(0) + le64(0) + le32(0) + le64(500'000'001));
}

TEST_F(CtfTraces, EachSessionIsATraceOfItsOwn) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 tick\nstream 1 \"main\"\n0.000000001 1 tick\n" +
                    "session uuid=0x000102030405460788090a0b0c0d0e1f start=1767225601.000000000\n"
                    "session uuid=0x000102030405460788090a0b0c0d0e2f start=1767225602.000000000\n"
                    "type 1024 tock\nstream 5 \"main\"\n0.000000001 5 tock\n"));
  EXPECT_THAT(files_.names(), ElementsAre("session_0/metadata", "session_0/stream_1", "session_1/metadata",
                                          "session_2/metadata", "session_2/stream_5"));
}

constexpr std::size_t kHalf = std::size_t{600} << 10;  // of a packet, and some more
std::string event_of_half(int ns) {
  return "0.00000000" + std::to_string(ns) + " 1 big text=\"" + std::string(kHalf, 'x') + "\"\n";
}

TEST_F(CtfTraces, APacketHasAMiBOfEvents) {
  ASSERT_TRUE(write(std::string(kSession) + "type 1024 big (text text32)\nstream 1 \"a\"\n" + event_of_half(1) +
                    event_of_half(2) + event_of_half(3)));
  constexpr std::size_t kEvent = 12 + kHalf + 1;
  EXPECT_EQ(files_["stream_1"].size(), 2 * kFront + 3 * kEvent);
  EXPECT_EQ(files_["stream_1"].substr(0, kFront), front(0, 1, 2, kFront + 2 * kEvent, 0));
}

TEST_F(CtfTraces, PacketsAreSmallerWhereThereAreManyStreams) {
  std::string text = std::string(kSession) + "type 1024 big (text text32)\n";
  for (int i = 1; i <= 64; ++i) text += "stream " + std::to_string(i) + " \"s\"\n";
  for (int i = 1; i <= 64; ++i) text += "0.000000001 " + std::to_string(i) + " big text=\"\"\n";
  ASSERT_TRUE(write(text + event_of_half(2) + "0.000000003 1 big text=\"\"\n"));
  EXPECT_EQ(files_["stream_1"].size(), 2 * kFront + 13 + (12 + kHalf + 1) + 13);
}

TEST_F(CtfTraces, AFailureEndsIt) {
  files_.fail_after(1);
  EXPECT_FALSE(write(std::string(kSession) + "type 1024 tick\nstream 1 \"main\"\n0.000000001 1 tick\n"));
  EXPECT_THAT(files_.names(), ElementsAre("stream_1"));
}

constexpr const char* kScheduler =
    "type 4 thread.run role=threadRun (thread u64 role=thread scope=boot) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread scope=boot) (reason enum16 role=reason "
    "labels=[1=preempted 3=blocked])\n"
    "type 6 thread.wake role=threadWake (thread u64 role=thread scope=boot) (by u64 role=waker scope=boot)\n"
    "type 1024 tick\n"
    "stream 1 \"log\"\n";

TEST_F(CtfTraces, WithKernelNamesEachCpuHasItsSwitches) {
  write_with_kernel_names(std::string(kSession) + kScheduler +
                          "0.000000001 1 thread.run thread=7 cpu=0\n"
                          "0.000000002 1 thread.run thread=8 cpu=1\n"
                          "0.000000003 1 tick\n"
                          "0.000000004 1 thread.stop thread=8 reason=blocked\n"
                          "0.000000005 1 thread.wake thread=8 by=7\n"
                          "0.000000006 1 thread.stop thread=7 reason=preempted\n"
                          "0.000000006 1 thread.run thread=8 cpu=0\n");
  const auto thread = [](const std::string& name, std::uint32_t tid) { return name + '\0' + le32(tid) + le32(20); };
  const auto run = [&](std::uint64_t ns, const std::string& from, std::uint64_t state, const std::string& to) {
    return le32(0) + le64(ns) + from + le64(state) + to;
  };
  // Behind the front: cpu_id.
  EXPECT_EQ(files_["cpu_0"].substr(kFront), le32(0) + run(1, thread("swapper/0", 0), 0, thread("thread 7", 7)) +  //
                                                le32(1) + le64(5) + thread("thread 8", 8) + le32(1) +             //
                                                run(6, thread("thread 7", 7), 0, thread("swapper/0", 0)) +        //
                                                run(6, thread("swapper/0", 0), 0, thread("thread 8", 8)));
  EXPECT_EQ(files_["cpu_1"].substr(kFront), le32(1) + run(2, thread("swapper/1", 0), 0, thread("thread 8", 8)) +
                                                run(4, thread("thread 8", 8), 1, thread("swapper/1", 0)));
  EXPECT_EQ(files_["stream_1"].substr(kFront), le32(3) + le64(3));
  EXPECT_NE(files_["metadata"].find("  domain = \"kernel\";\n"), std::string::npos);
  EXPECT_THAT(left_out_, ElementsAre("roles, units, descriptions and the like of types and fields have no place in CTF",
                                     "6 events of threads that run, stop or are woken have only Linux's fields"));
}

}  // namespace
}  // namespace evt::testing

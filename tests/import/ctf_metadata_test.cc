// Metadata of CTF 1.8 and 2: what is wrong is said with its place.
#include <gtest/gtest.h>

#include "ctf_trace.h"

namespace evt::testing {
namespace {

// Why it is none.
std::string refusal(std::string_view metadata) {
  CtfTrace trace(metadata);
  trace.stream("s", "\1");
  return trace.reading();
}

TEST(CtfMetadata, WhatIsWrongHasItsLine) {
  const auto wrong = [](std::string_view text) { return refusal(text); };
  const std::string front = "not a trace: ctf/metadata: ";
  EXPECT_EQ(wrong(""), front + "it is empty\n");
  EXPECT_EQ(wrong("/* CTF 1.8 */\n\nnonsense"),
            front + "line 3: \"nonsense\" begins nothing that metadata of CTF 1.8 has\n");
  EXPECT_EQ(wrong("trace {\n  byte_order = ];\n};"), front + "line 2: a name is expected, and \"]\" is there\n");
  EXPECT_EQ(wrong("trace { byte_order = pdp; };"),
            front + "line 1: a byte order is le, be, network or native, and not \"pdp\"\n");
  EXPECT_EQ(wrong("trace { byte_order = native; };"), front + "line 1: the byte order of a trace is le or be\n");
  EXPECT_EQ(wrong("event { fields := struct { integer { size = 8; } v[n]; integer { size = 8; } n; }; };"),
            front + "line 1: no field n is before it\n");
  EXPECT_EQ(wrong("typealias integer { size = 65; } := x;"), front + "line 1: an integer has 1 to 64 bits\n");
  EXPECT_EQ(wrong("typealias integer { size = 8; align = 3; } := x;"),
            front + "line 1: an alignment is a power of two, at most 4096\n");
  EXPECT_EQ(wrong("event { fields := struct { u33 v; }; };"), front + "line 1: no type is called \"u33\"\n");
  EXPECT_EQ(wrong("event {\n fields := struct { integer { size = 8; } v[n]; };\n};"),
            front + "line 2: no field n is before it\n");
  EXPECT_EQ(wrong("event { fields := struct { string n; integer { size = 8; } v[n]; }; };"),
            front + "line 1: the field n is no integer\n");
  EXPECT_EQ(wrong("stream { id = 1; }; event { stream_id = 2; };"), front + "line 1: there is no stream 2\n");
  EXPECT_EQ(wrong("event { id = 1; };\nevent { id = 1; };"),
            front + "line 2: there are two events 1 of the stream 0\n");
  EXPECT_EQ(wrong("clock { name = c; freq = 0; };"),
            front + "line 1: a clock has a frequency of 1 to 1000000000000 Hz\n");
  EXPECT_EQ(wrong("env { a = \"no end"), front + "line 1: a name is expected, and a text without its end is there\n");
  EXPECT_EQ(wrong("env { a = 99999999999999999999; };"),
            front + "line 1: a name is expected, and a number that is none, or that has more than 64 bits is there\n");
  EXPECT_EQ(wrong("/* no end"), front + "line 1: a name is expected, and a comment without its end is there\n");
}

TEST(CtfMetadata, AnEventWithoutItsStreamIsOfTheOnlyOne) {
  CtfTrace trace(
      "trace { byte_order = le; }; stream { id = 5; event.header := struct { integer { size = 8; } id; }; };"
      "event { name = a; id = 1; };");
  trace.stream("s", "\1");
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a\n"
            "note s: 1 event without a time: each is put a nanosecond behind the one before\n");
}

TEST(CtfMetadata, NestingIsLimited) {
  std::string fields;
  for (int i = 0; i < 5000; ++i) fields += "struct { ";
  EXPECT_EQ(refusal("event { fields := " + fields),
            "not a trace: ctf/metadata: line 1: types are nested more than 64 deep\n");
}

// Each type has two of the one before: 2^40 fields.
TEST(CtfMetadata, CopiesOfTypesAreLimited) {
  std::string text = "typealias integer { size = 8; } := t0;\n";
  for (int i = 1; i <= 40; ++i) text += fmt::format("typealias struct {{ t{0} a; t{0} b; }} := t{1};\n", i - 1, i);
  EXPECT_EQ(refusal(text), "not a trace: ctf/metadata: line 17: there are more than 400000 fields\n");
}

// A packet of metadata: 37 bytes of header, in either byte order, and text.
std::string metadata_packet(std::string_view text, bool is_big, std::uint32_t content, std::uint32_t size) {
  CtfBytes packet(is_big);
  packet.number(0x75D11D57, 4).raw(std::string(16, 'u')).number(0, 4).number(content * 8, 4).number(size * 8, 4);
  packet.raw(std::string("\0\0\0\1\10", 5)).raw(text);
  return packet.bytes();
}

constexpr std::string_view kText =
    "trace { major = 1; minor = 8; byte_order = le; }; event { name = a; fields := struct { integer { size = 8; } v; "
    "}; };";

TEST(CtfMetadata, MayBeInPacketsOfEitherByteOrder) {
  for (const bool is_big : {false, true}) {
    std::string text = metadata_packet(kText.substr(0, 40), is_big, 77, 100);
    text.resize(100);
    text += metadata_packet(kText.substr(40), is_big, static_cast<std::uint32_t>(37 + kText.size() - 40), 4096);
    CtfTrace trace(text);
    trace.stream("s", "\7");
    EXPECT_EQ(trace.reading(),
              "0.000000000 1 a v=7\n"
              "note s: 1 event without a time: each is put a nanosecond behind the one before\n");
  }
}

TEST(CtfMetadata, PacketsThatClaimMoreThanThereIsAreRefused) {
  EXPECT_EQ(
      refusal(metadata_packet("/* 50 bytes */", false, 1 << 28, (1U << 29) - 1)),
      "not a trace: ctf/metadata: the packet of metadata at byte 0 states a content of 268435456 bytes in a packet of "
      "536870911, and 51 bytes are left\n");
  EXPECT_EQ(
      refusal(metadata_packet("", false, 0, 0)),
      "not a trace: ctf/metadata: the packet of metadata at byte 0 states a content of 0 bytes in a packet of 0, and "
      "37 bytes are left\n");
}

std::string fragments(std::initializer_list<std::string_view> more) {
  std::string text = "\x1E{\"type\": \"preamble\", \"version\": 2}\n";
  for (const std::string_view fragment : more) text += "\x1E" + std::string(fragment) + "\n";
  return text;
}
std::string u8(std::string_view name, std::string_view more = "") {
  return fmt::format(
      R"({{"name": "{}", "field-class": {{"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8{}}}}})",
      name, more);
}

constexpr std::string_view kClock =
    R"({"type": "clock-class", "id": "k", "frequency": 1000, "offset-from-origin": {"seconds": 5, "cycles": 500}})";

TEST(Ctf2Metadata, FieldsOfAllClassesAreRead) {
  const std::string payload = fmt::format(
      R"({{"type": "event-record-class", "name": "all", "payload-field-class": {{"type": "structure", "member-classes": [
{}, {},
{{"name": "b", "field-class": {{"type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian"}}}},
{{"name": "bits", "field-class": {{"type": "fixed-length-bit-array", "length": 8, "byte-order": "little-endian"}}}},
{{"name": "big", "field-class": {{"type": "fixed-length-signed-integer", "length": 16, "byte-order": "big-endian"}}}},
{{"name": "f", "field-class": {{"type": "fixed-length-floating-point-number", "length": 32, "byte-order": "little-endian"}}}},
{{"name": "leb", "field-class": {{"type": "variable-length-unsigned-integer"}}}},
{{"name": "sleb", "field-class": {{"type": "variable-length-signed-integer"}}}},
{{"name": "z", "field-class": {{"type": "null-terminated-string"}}}},
{{"name": "s", "field-class": {{"type": "static-length-string", "length": 4}}}},
{{"name": "d", "field-class": {{"type": "dynamic-length-string", "length-field-location": {{"path": ["n"]}}}}}},
{{"name": "blob", "field-class": {{"type": "static-length-blob", "length": 2}}}},
{{"name": "dblob", "field-class": {{"type": "dynamic-length-blob", "length-field-location": {{"origin": "event-record-payload", "path": ["n"]}}}}}},
{{"name": "a", "field-class": {{"type": "static-length-array", "length": 2, "element-field-class": "byte"}}}},
{{"name": "in", "field-class": {{"type": "structure", "member-classes": [
  {{"name": "l", "field-class": {{"type": "dynamic-length-array", "length-field-location": {{"path": [null, "n"]}}, "element-field-class": "byte"}}}}]}}}},
{{"name": "o", "field-class": {{"type": "optional", "selector-field-location": {{"path": ["b"]}}, "field-class": "byte"}}}},
{{"name": "v", "field-class": {{"type": "variant", "selector-field-location": {{"path": ["n"]}}, "options": [
  {{"selector-field-ranges": [[0, 1]], "field-class": "byte"}},
  {{"selector-field-ranges": [[2, 2], [7, 9]], "field-class": {{"type": "null-terminated-string"}}}}]}}}}
]}}}})",
      u8("n"), u8("e", R"(, "mappings": {"up": [[1, 1]], "down": [[2, 3]]})"));
  CtfTrace trace(fragments(
      {kClock,
       R"({"type": "field-class-alias", "name": "byte", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8}})",
       fmt::format(
           R"({{"type": "data-stream-class", "default-clock-class-id": "k", "event-record-header-field-class": {{"type": "structure", "member-classes": [{}]}}}})",
           u8("t", R"(, "roles": ["default-clock-timestamp"])")),
       payload}));
  trace.stream("s", CtfBytes()
                        .number(250, 1)
                        .number(2, 1)
                        .number(1, 1)
                        .number(1, 1)
                        .number(0xA5, 1)
                        .raw("\xFF\xFE")
                        .number(0x3FC00000, 4)
                        .raw("\xE5\x8E\x26")
                        .raw("\x7F")
                        .text("zero")
                        .raw(std::string("ab\0c", 4))
                        .raw("xy")
                        .raw("\1\2")
                        .raw("\3\4")
                        .raw("\5\6")
                        .raw("\7\10")
                        .raw("\11")
                        .text("two")
                        .bytes());
  EXPECT_EQ(
      trace.reading(),
      "0.000000000 1 all n=2 e=up b=true bits=\"0xa5\" big=-2 f=1.5 leb=624485 sleb=-1 z=\"zero\" s=\"ab\" d=\"xy\" "
      "blob=0x0102 dblob=0x0304 a=[5 6] in.l=[7 8] o=\"9\" v=\"two\"\n");
  const auto opened = Trace::open(trace.path());
  EXPECT_EQ(opened->sessions().front().start_utc_ns, 5'750'000'000);
}

TEST(Ctf2Metadata, WhatIsWrongHasItsFragment) {
  const std::string front = "not a trace: ctf/metadata: ";
  EXPECT_EQ(refusal("\x1E{\"type\": \"preamble\", \"version\": 3}"),
            front + "fragment 1: it is of version 3 of CTF, and 2 is what this program reads\n");
  EXPECT_EQ(refusal("\x1E{\"type\": "), front + "fragment 1: at byte 9: Invalid value.\n");
  EXPECT_EQ(refusal("\x1E{\"type\": \"trace-class\"}"), front + "fragment 1: it has no preamble of CTF 2\n");
  EXPECT_EQ(refusal(fragments({"{\"type\": \"other\"}"})), front + "fragment 2: \"other\" is no type of a fragment\n");
  EXPECT_EQ(refusal(fragments({R"({"type": "event-record-class"})"})),
            front + "fragment 2: there is no data stream class 0\n");
  EXPECT_EQ(refusal(fragments({R"({"type": "data-stream-class", "default-clock-class-id": "x"})"})),
            front + "fragment 2: no clock is called \"x\"\n");
  EXPECT_EQ(refusal(fragments({R"({"type": "data-stream-class", "packet-context-field-class": "x"})"})),
            front + "fragment 2: no field class is called \"x\"\n");
  EXPECT_EQ(refusal(fragments({R"({"type": "data-stream-class", "packet-context-field-class": {"type": "structure",
"member-classes": [{"name": "a", "field-class": {"type": "dynamic-length-string", "length-field-location": {"path": ["n"]}}}]}})"})),
            front + "no field n is before it\n");
}

}  // namespace
}  // namespace evt::testing

// Event types declared as structs: every type that a member can have, and how it comes back.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "write/recording.h"

namespace {

struct Numbers {
  std::uint8_t a = 0;
  std::uint16_t b = 0;
  std::uint32_t c = 0;
  std::uint64_t d = 0;
  std::int8_t e = 0;
  std::int16_t f = 0;
  std::int32_t g = 0;
  std::int64_t h = 0;
  float i = 0;
  double j = 0;
  bool k = false;
};

enum class Color : std::uint8_t { kRed, kGreen };
enum class Port : std::uint16_t { kHttp = 80 };
enum class Answer : std::int32_t { kBad = -1 };
enum class Hash : std::uint64_t {};

struct Enumerations {
  Color color{};
  Port port{};
  Answer answer{};
  Hash hash{};
};

struct OfTheSession {
  evt::Interned name;
  evt::Ticks when;
  evt::TickDelta took;
  std::array<std::byte, 3> key{};
};

struct Counted {
  std::string_view text;
  evt::LongText long_text;
  evt::Bytes bytes;
  evt::LongBytes long_bytes;
};

// Fields in another order than the members, one member left out.
struct Chosen {
  std::uint8_t first = 1;
  std::uint8_t kept_back = 2;
  std::uint16_t last = 3;
};

struct Nothing {};

struct Allocated {
  std::uint32_t thread = 0;
  std::uint64_t size = 0;
};

struct Pinned {
  std::uint8_t n = 0;
};

}  // namespace

template <>
inline constexpr auto evt::labels<Color> = std::array{evt::Label{0, "red"}, evt::Label{1, "green"}};

template <>
inline constexpr auto evt::schema<Numbers> = evt::event("numbers", "", evt::field("a", &Numbers::a),
                                                        evt::field("b", &Numbers::b), evt::field("c", &Numbers::c),
                                                        evt::field("d", &Numbers::d), evt::field("e", &Numbers::e),
                                                        evt::field("f", &Numbers::f), evt::field("g", &Numbers::g),
                                                        evt::field("h", &Numbers::h), evt::field("i", &Numbers::i),
                                                        evt::field("j", &Numbers::j), evt::field("k", &Numbers::k));
template <>
inline constexpr auto evt::schema<Enumerations> = evt::event("enumerations", "",
                                                             evt::field("color", &Enumerations::color),
                                                             evt::field("port", &Enumerations::port),
                                                             evt::field("answer", &Enumerations::answer),
                                                             evt::field("hash", &Enumerations::hash));
template <>
inline constexpr auto evt::schema<OfTheSession> = evt::event("session", "", evt::field("name", &OfTheSession::name),
                                                             evt::field("when", &OfTheSession::when),
                                                             evt::field("took", &OfTheSession::took),
                                                             evt::field("key", &OfTheSession::key));
template <>
inline constexpr auto evt::schema<Counted> = evt::event("counted", "", evt::field("text", &Counted::text),
                                                        evt::field("long_text", &Counted::long_text),
                                                        evt::field("bytes", &Counted::bytes),
                                                        evt::field("long_bytes", &Counted::long_bytes));
template <>
inline constexpr auto evt::schema<Chosen> = evt::event("chosen", "", evt::field("last", &Chosen::last),
                                                       evt::field("first", &Chosen::first));
template <>
inline constexpr auto evt::schema<Nothing> = evt::event("nothing", "something happened");
template <>
inline constexpr auto evt::schema<Allocated> = evt::event("reported", "a thread was given memory",
                                                          evt::Role::kThreadRun,
                                                          evt::field("thread", &Allocated::thread, evt::Role::kThread),
                                                          evt::field("size", &Allocated::size, evt::Role::kAmount,
                                                                     evt::Unit::kBytes, "all that it has"));
template <>
inline constexpr auto evt::schema<Pinned> = [] {
  auto pinned = evt::event("pinned", "", evt::field("n", &Pinned::n));
  pinned.number = 17;
  return pinned;
}();

namespace evt::testing {
namespace {

TEST(Struct, HoldsNumbersOfEveryWidth) {
  EXPECT_EQ(recorded(Numbers{255, 65535, 4294967295, UINT64_MAX, -128, -32768, INT32_MIN, INT64_MIN, 0.1f, 0.1, true}),
            "type 1024 numbers (a u8) (b u16) (c u32) (d u64) (e i8) (f i16) (g i32) (h i64) (i f32) (j f64) (k bool)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 numbers a=255 b=65535 c=4294967295 d=18446744073709551615 e=-128 f=-32768 g=-2147483648 "
            "h=-9223372036854775808 i=0.1 j=0.1 k=true\n");
}

TEST(Struct, HoldsFloatsThatAreNoOrdinaryNumbers) {
  Numbers odd;
  odd.i = std::numeric_limits<float>::infinity();
  odd.j = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(recorded(odd),
            "type 1024 numbers (a u8) (b u16) (c u32) (d u64) (e i8) (f i16) (g i32) (h i64) (i f32) (j f64) (k bool)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 numbers a=0 b=0 c=0 d=0 e=0 f=0 g=0 h=0 i=inf j=nan k=false\n");
}

TEST(Struct, HoldsEnumerationsWithTheirLabels) {
  EXPECT_EQ(recorded(Enumerations{Color::kGreen, Port::kHttp, Answer::kBad, Hash{UINT64_MAX}}),
            "type 1024 enumerations (color enum8 labels=[0=red 1=green]) (port enum16) (answer enum32) (hash enum64)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 enumerations color=green port=80 answer=4294967295 hash=18446744073709551615\n");
}

TEST(Struct, HoldsWhatOnlyTheSessionCanTell) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<OfTheSession>();
  const OfTheSession event = {recording->intern("main"), {3}, {-2}, {std::byte{1}, std::byte{2}, std::byte{255}}};
  stream.emit(types, event);
  EXPECT_EQ(recording.text(),
            "type 1024 session (name interned) (when ticks) (took tick_delta) (key bytes(3))\n"
            "stream 1 \"a\"\n"
            "string 1 \"main\"\n"
            "0.000000001 1 session name=\"main\" when=0.000000003 took=-0.000000002 key=0x0102ff\n");
}

TEST(Struct, HoldsTextAndBytes) {
  EXPECT_EQ(recorded(Counted{"short \xC3\xA9", {"long"}, as_bytes("\x01\x02"), {as_bytes("\x03")}}, Counted{}),
            "type 1024 counted (text text) (long_text text32) (bytes bytes) (long_bytes bytes32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 counted text=\"short \xC3\xA9\" long_text=\"long\" bytes=0x0102 long_bytes=0x03\n"
            "0.000000002 1 counted text=\"\" long_text=\"\" bytes=0x long_bytes=0x\n");
}

TEST(Struct, RecordsItsFieldsInTheOrderOfTheSchema) {
  EXPECT_EQ(recorded(Chosen()),
            "type 1024 chosen (last u16) (first u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 chosen last=3 first=1\n");
}

TEST(Struct, MayHaveNoFields) {
  EXPECT_EQ(recorded(Nothing(), Nothing()),
            "type 1024 nothing \"something happened\"\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 nothing\n"
            "0.000000002 1 nothing\n");
}

TEST(Struct, SaysWhatItMeans) {
  EXPECT_EQ(recorded(Allocated{7, 4096}),
            "type 1024 reported \"a thread was given memory\" role=threadRun (thread u32 role=thread) "
            "(size u64 role=amount unit=bytes \"all that it has\")\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 reported thread=7 size=4096\n");
}

TEST(Struct, MayHaveAPinnedNumber) {
  EXPECT_EQ(recorded(Pinned{5}),
            "type 17 pinned (n u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 pinned n=5\n");
}

}  // namespace
}  // namespace evt::testing

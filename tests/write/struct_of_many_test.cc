// Members of structs that hold many values: arrays and lists.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace {

enum class Paint : std::uint8_t { kRed, kGreen };
enum class Gateway : std::uint16_t { kHttp = 80 };

struct NumberArrays {
  std::span<const std::uint8_t> a;
  std::span<const std::uint16_t> b;
  std::span<const std::uint32_t> c;
  std::span<const std::uint64_t> d;
  std::span<const std::int8_t> e;
  std::span<const std::int16_t> f;
  std::span<const std::int32_t> g;
  std::span<const std::int64_t> h;
};

struct OtherArrays {
  std::span<const float> i;
  std::span<const double> j;
  std::span<const bool> k;
  std::span<const Gateway> port;
  std::span<const evt::Interned> names;
};

struct Rainbow {
  std::span<const Paint> colors;
};

struct Lists {
  std::span<const std::string_view> texts;
  std::span<const evt::Bytes> chunks;
};

}  // namespace

template <>
[[maybe_unused]] inline constexpr auto evt::labels<Paint> = std::array{evt::Label{0, "red"}, evt::Label{1, "green"}};

template <>
inline constexpr auto evt::schema<NumberArrays> =
    evt::event("arrays", "", evt::field("a", &NumberArrays::a), evt::field("b", &NumberArrays::b),
               evt::field("c", &NumberArrays::c), evt::field("d", &NumberArrays::d), evt::field("e", &NumberArrays::e),
               evt::field("f", &NumberArrays::f), evt::field("g", &NumberArrays::g), evt::field("h", &NumberArrays::h));
template <>
inline constexpr auto evt::schema<OtherArrays> = evt::event("arrays", "", evt::field("i", &OtherArrays::i),
                                                            evt::field("j", &OtherArrays::j),
                                                            evt::field("k", &OtherArrays::k),
                                                            evt::field("port", &OtherArrays::port),
                                                            evt::field("names", &OtherArrays::names));
template <>
inline constexpr auto evt::schema<Rainbow> = evt::event("rainbow", "", evt::field("colors", &Rainbow::colors));
template <>
inline constexpr auto evt::schema<Lists> = evt::event("lists", "", evt::field("texts", &Lists::texts),
                                                      evt::field("chunks", &Lists::chunks));

namespace evt::testing {
namespace {

TEST(StructOfMany, HoldsArraysOfNumbers) {
  const std::uint8_t a[] = {1, 255};
  const std::uint16_t b[] = {2, 65535};
  const std::uint32_t c[] = {3};
  const std::uint64_t d[] = {4, UINT64_MAX};
  const std::int8_t e[] = {-1};
  const std::int16_t f[] = {-2, 2};
  const std::int32_t g[] = {-3};
  const std::int64_t h[] = {-4, INT64_MIN};
  EXPECT_EQ(recorded(NumberArrays{a, b, c, d, e, f, g, h}, NumberArrays{}),
            "type 1024 arrays (a u8[]) (b u16[]) (c u32[]) (d u64[]) (e i8[]) (f i16[]) (g i32[]) (h i64[])\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 arrays a=[1 255] b=[2 65535] c=[3] d=[4 18446744073709551615] e=[-1] f=[-2 2] g=[-3] "
            "h=[-4 -9223372036854775808]\n"
            "0.000000002 1 arrays a=[] b=[] c=[] d=[] e=[] f=[] g=[] h=[]\n");
}

TEST(StructOfMany, HoldsArraysOfAllElseThatIsFixed) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<OtherArrays>();
  const float i[] = {0.5f, -1};
  const double j[] = {0.25};
  const bool k[] = {true, false};
  const Gateway port[] = {Gateway::kHttp};
  const Interned names[] = {recording->intern("x"), {}};
  stream.emit(types, OtherArrays{i, j, k, port, names});
  EXPECT_EQ(recording.text(),
            "type 1024 arrays (i f32[]) (j f64[]) (k bool[]) (port enum16[]) "
            "(names interned[])\n"
            "stream 1 \"a\"\n"
            "string 1 \"x\"\n"
            "0.000000001 1 arrays i=[0.5 -1] j=[0.25] k=[true false] port=[80] names=[\"x\" \"\"]\n");
}

TEST(StructOfMany, HoldsArraysOfEnumerationsWithTheirLabels) {
  const Paint colors[] = {Paint::kRed, Paint::kGreen};
  EXPECT_EQ(recorded(Rainbow{colors}),
            "type 1024 rainbow (colors enum8[] labels=[0=red 1=green])\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 rainbow colors=[red green]\n");
}

TEST(StructOfMany, HoldsListsOfTextAndBytes) {
  const std::string_view texts[] = {"one", "", "three"};
  const Bytes chunks[] = {as_bytes("\x01"), {}, as_bytes("\x02\x03")};
  EXPECT_EQ(recorded(Lists{texts, chunks}, Lists{}),
            "type 1024 lists (texts text[]) (chunks bytes[])\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 lists texts=[\"one\" \"\" \"three\"] chunks=[0x01 0x 0x0203]\n"
            "0.000000002 1 lists texts=[] chunks=[]\n");
}

}  // namespace
}  // namespace evt::testing

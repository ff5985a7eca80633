// Numbers in conditions, exact to the ends of what 64 bits hold.
#include "tools/where/where_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace evt::tools {
namespace {

constexpr WhereOperator kOperators[] = {WhereOperator::kLess, WhereOperator::kEqual, WhereOperator::kGreater};

// How a number lies to one in a condition: < = > as each of the three holds, and that <= >= != hold as they must.
template <typename T>
std::string lies(T number, const std::string& text) {
  const auto parsed = WhereNumber::parse(text);
  if (!parsed) return "no number";
  constexpr bool kSigned = std::is_signed_v<T>;
  const auto holds = [&](WhereOperator op) {
    return WhereRange(op, *parsed, kSigned).contains(WhereRange::key(number));
  };
  std::string found;
  for (const WhereOperator op : kOperators) {
    if (holds(op)) found += where_operator_text(op);
  }
  EXPECT_EQ(holds(WhereOperator::kNotEqual), found != "=") << text;
  EXPECT_EQ(holds(WhereOperator::kLessOrEqual), found != ">") << text;
  EXPECT_EQ(holds(WhereOperator::kGreaterOrEqual), found != "<") << text;
  return found;
}
std::string lies_signed(std::int64_t number, const std::string& text) { return lies(number, text); }
std::string lies_unsigned(std::uint64_t number, const std::string& text) { return lies(number, text); }

TEST(WhereNumber, AreDecimalOrHexadecimal) {
  EXPECT_EQ(lies_unsigned(10, "10"), "=");
  EXPECT_EQ(lies_unsigned(10, "+10"), "=");
  EXPECT_EQ(lies_unsigned(10, "010"), "=");
  EXPECT_EQ(lies_unsigned(10, "0xa"), "=");
  EXPECT_EQ(lies_unsigned(10, "0X0A"), "=");
  EXPECT_EQ(lies_signed(-10, "-0xa"), "=");
  EXPECT_EQ(lies_unsigned(9, "10"), "<");
  EXPECT_EQ(lies_unsigned(11, "10"), ">");
}

TEST(WhereNumber, MayBeLargeWithFewDigits) {
  EXPECT_EQ(lies_unsigned(4000, "4K"), "=");
  EXPECT_EQ(lies_unsigned(4000, "4k"), "=");
  EXPECT_EQ(lies_unsigned(1'500'000, "1.5M"), "=");
  EXPECT_EQ(lies_unsigned(2'000'000'000, "2G"), "=");
  EXPECT_EQ(lies_unsigned(3'000'000'000'000, "3T"), "=");
  EXPECT_EQ(lies_unsigned(4096, "4Ki"), "=");
  EXPECT_EQ(lies_unsigned(1'572'864, "1.5Mi"), "=");
  EXPECT_EQ(lies_unsigned(std::uint64_t{1} << 30, "1Gi"), "=");
  EXPECT_EQ(lies_unsigned(std::uint64_t{5} << 40, "5Ti"), "=");
  EXPECT_EQ(lies_unsigned(10'000, "1e4"), "=");
  EXPECT_EQ(lies_unsigned(12'500, "1.25e+4"), "=");
  EXPECT_EQ(lies_unsigned(1, "1000e-3"), "=");
}

TEST(WhereNumber, MayLieBetweenWholeOnes) {
  EXPECT_EQ(lies_unsigned(10, "10.5"), "<");
  EXPECT_EQ(lies_unsigned(11, "10.5"), ">");
  EXPECT_EQ(lies_unsigned(10, "10.000"), "=");
  EXPECT_EQ(lies_unsigned(0, ".5"), "<");
  EXPECT_EQ(lies_unsigned(0, "-.5"), ">");
  EXPECT_EQ(lies_unsigned(0, "-0"), "=");
  EXPECT_EQ(lies_signed(-10, "-10.5"), ">");
  EXPECT_EQ(lies_signed(-11, "-10.5"), "<");
  EXPECT_EQ(lies_signed(0, "-0.001"), ">");
  EXPECT_EQ(lies_signed(-1, "-0.001"), "<");
}

TEST(WhereNumber, AreExactToTheEndsOf64Bits) {
  constexpr std::uint64_t kMax = UINT64_MAX;
  EXPECT_EQ(lies_unsigned(kMax, "18446744073709551615"), "=");
  EXPECT_EQ(lies_unsigned(kMax, "18446744073709551614"), ">");
  EXPECT_EQ(lies_unsigned(kMax - 1, "18446744073709551615"), "<");
  EXPECT_EQ(lies_unsigned(kMax, "18446744073709551615.5"), "<");
  EXPECT_EQ(lies_unsigned(kMax, "18446744073709551616"), "<");
  EXPECT_EQ(lies_unsigned(kMax, "0xffffffffffffffff"), "=");
  EXPECT_EQ(lies_unsigned(kMax, "1e300"), "<");
  EXPECT_EQ(lies_unsigned(0, "-1"), ">");
  EXPECT_EQ(lies_unsigned(0, "-1e300"), ">");
  EXPECT_EQ(lies_signed(INT64_MAX, "9223372036854775807"), "=");
  EXPECT_EQ(lies_signed(INT64_MAX, "9223372036854775808"), "<");
  EXPECT_EQ(lies_signed(INT64_MAX, "9223372036854775806.5"), ">");
  EXPECT_EQ(lies_signed(INT64_MIN, "-9223372036854775808"), "=");
  EXPECT_EQ(lies_signed(INT64_MIN, "-9223372036854775807"), "<");
  EXPECT_EQ(lies_signed(INT64_MIN, "-9223372036854775808.5"), ">");
  EXPECT_EQ(lies_signed(INT64_MIN, "-9223372036854775809"), ">");
  // What a double holds is 9007199254740992.
  EXPECT_EQ(lies_unsigned(9007199254740993, "9007199254740993"), "=");
  EXPECT_EQ(lies_unsigned(9007199254740992, "9007199254740993"), "<");
  EXPECT_EQ(lies_unsigned(1, "inf"), "<");
  EXPECT_EQ(lies_signed(1, "-inf"), ">");
}

TEST(WhereNumber, AreNothingElse) {
  for (const char* text : {"",
                           "-",
                           "x",
                           "10x",
                           "1e",
                           "1e+-3",
                           "0x",
                           "0xg",
                           "1.2.3",
                           "--1",
                           "+-1",
                           "K",
                           "4KB",
                           "4Kib",
                           "1m",
                           "1e400",
                           "1e-400",
                           "0x10000000000000000",
                           "0x1.8",
                           "1,000",
                           " 1",
                           "infinity",
                           "1e99999999999999999999"}) {
    EXPECT_FALSE(WhereNumber::parse(text)) << text;
  }
}

TEST(WhereNumber, AreLengthsOfTimeInAnyUnit) {
  const auto is = [](const char* text, int power, bool seconds, std::int64_t number) {
    const auto parsed = WhereNumber::parse_length(text, power, seconds);
    return parsed && WhereRange(WhereOperator::kEqual, *parsed, true).contains(WhereRange::key(number));
  };
  EXPECT_TRUE(is("1.5", 0, true, 1'500'000'000));
  EXPECT_TRUE(is("-2s", 0, true, -2'000'000'000));
  EXPECT_TRUE(is("200ms", 0, true, 200'000'000));
  EXPECT_TRUE(is("3us", 0, true, 3000));
  EXPECT_TRUE(is("17ns", 0, true, 17));
  EXPECT_TRUE(is("1.5s", 6, false, 1500));
  EXPECT_TRUE(is("1500ms", 3, false, 1'500'000));
  EXPECT_FALSE(WhereNumber::parse_length("1.5", 3, false));
  EXPECT_TRUE(is("1.5h", 0, true, 5'400'000'000'000));
  EXPECT_TRUE(is("-2m", 9, false, -120));
  EXPECT_TRUE(is("2min", 9, false, 120));
  EXPECT_TRUE(is("1d", 9, false, 86400));
  EXPECT_FALSE(WhereNumber::parse_length("1.5y", 0, true));
  EXPECT_FALSE(WhereNumber::parse_length("s", 0, true));
  // A part of the unit is not cut off.
  EXPECT_FALSE(is("1500us", 6, false, 1));
}

TEST(WhereNumber, AreRoundedToAFloatOnce) {
  EXPECT_EQ(WhereNumber::parse("0.1")->single(), 0.1F);
  // Halfway between two floats but for its last digit, which a double does not hold.
  EXPECT_EQ(WhereNumber::parse("1.00000005960464477540")->single(), 1.00000011920928955078125F);
  EXPECT_EQ(WhereNumber::parse("-2.5K")->single(), -2500.0F);
  EXPECT_FALSE(WhereNumber::parse("1e39")->single());
}

// Each range, asked of each number of a width, is the same where the number is in the highest bits.
TEST(WhereRange, IsTheSameInTheHighestBits) {
  const std::vector<std::string> texts = {"-129", "-128.5", "-128", "-127", "-1",  "-0.5", "0",     "0.5",
                                          "1",    "126.5",  "127",  "128",  "254", "255",  "255.5", "256"};
  for (const std::string& text : texts) {
    for (const WhereOperator op : kOperators) {
      const WhereRange of_signed(op, *WhereNumber::parse(text), true);
      const WhereRange of_unsigned(op, *WhereNumber::parse(text), false);
      for (unsigned number = 0; number < 256; ++number) {
        const std::uint64_t highest = std::uint64_t{number} << 56;
        EXPECT_EQ(of_unsigned.in_highest(8, false).contains(highest),
                  of_unsigned.contains(WhereRange::key(std::uint64_t{number})))
            << number << where_operator_text(op) << text;
        const auto with_sign = static_cast<std::int64_t>(static_cast<std::int8_t>(number));
        EXPECT_EQ(of_signed.in_highest(8, true).contains(highest ^ kWhereSign),
                  of_signed.contains(WhereRange::key(with_sign)))
            << with_sign << where_operator_text(op) << text;
      }
    }
  }
}

}  // namespace
}  // namespace evt::tools

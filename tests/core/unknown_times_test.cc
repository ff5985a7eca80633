// Times in fields of before a step of the clock that their event is on (FORMAT.md, section 8).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct Epoch {
  std::uint64_t start_ticks;
  std::int64_t start_ns;
};

// An event at 1500 on the last of these clocks, with a reading of the clock and an interval that ends with it.
RawTrace event_on(const std::vector<Epoch>& epochs, std::uint64_t since, std::uint64_t length) {
  RawTrace trace;
  trace.session();
  std::uint16_t id = 0;
  for (const Epoch& epoch : epochs) {
    trace.clock({.id = ++id,
                 .kind = EVT_CLOCK_X86_TSC,
                 .hz = 1'000'000'000,
                 .start_ticks = epoch.start_ticks,
                 .start_ns = epoch.start_ns});
  }
  trace.declare("type 1024 e (since ticks) (length tick_delta)\nstream 1 \"a\"\n");
  return trace.events(1, Rows().row(0, 1024, le64(since) + le64(length)), 1500, id).trailer();
}

// Which of the two are known.
std::string known_of(const std::vector<Epoch>& epochs, std::uint64_t since, std::uint64_t length) {
  const std::string bytes = event_on(epochs, since, length).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  std::string text;
  for (const char* name : {"since", "length"}) {
    if (event->is_known(*event->value(name))) text += (text.empty() ? "" : " ") + std::string(name);
  }
  return text;
}

const std::vector<Epoch> kStepped = {{0, 0}, {1000, 10 * kSecond}};

TEST(TimeInAField, FromItsClocksStartOnIsKnown) {
  EXPECT_EQ(known_of(kStepped, 1000, 500), "since length");
  EXPECT_EQ(known_of(kStepped, 1500, 0), "since length");
}

TEST(TimeInAField, OfBeforeTheStepIsNotKnown) {
  EXPECT_EQ(known_of(kStepped, 999, 500), "length");
  EXPECT_EQ(known_of(kStepped, 1000, 501), "since");
}

TEST(TimeInAField, ThatIsNegativeBeginsBehindTheEvent) {
  EXPECT_EQ(known_of(kStepped, 1000, static_cast<std::uint64_t>(-501)), "since length");
}

TEST(TimeInAField, BeforeTheStartOfItsOnlyClockIsKnown) {
  EXPECT_EQ(known_of({{1000, 10 * kSecond}}, 7, 1400), "since length");
}

TEST(TimeInAField, OnTheFirstOfTwoEpochsIsKnown) {
  EXPECT_EQ(known_of({{2000, 10 * kSecond}, {1000, 5 * kSecond}}, 7, 1400), "since length")
      << "the first by its start, not by its number";
}

TEST(TimeInAField, OfAClockThatWentOnIsKnown) {
  EXPECT_EQ(known_of({{0, 0}, {1000, 1000}}, 7, 1400), "since length") << "no step is between these two clocks";
}

TEST(TimeInAField, OfAClockThatWentOnBehindAStepIsKnownFromTheStepOn) {
  const std::vector<Epoch> epochs = {{0, 0}, {900, 10 * kSecond}, {1000, 10 * kSecond + 100}};
  EXPECT_EQ(known_of(epochs, 900, 600), "since length");
  EXPECT_EQ(known_of(epochs, 899, 601), "");
}

}  // namespace
}  // namespace evt::testing

// A clock that steps: a counter that begins again, that another machine's counter replaces, that went on while time did
// not. The writer notices, and begins an epoch: a clock of its own (FORMAT.md, section 9).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// A counter of nanoseconds, and the time that it is paired with, as the test sets them.
struct SteppingClock {
  std::atomic<std::int64_t> ns{1000 * kSecond};
  std::atomic<std::int64_t> offset{0};  // of the counter
  std::atomic<int> interrupted{0};      // how many of the next readings take 3 s
  std::atomic<int> wrong{0};            // how many of them are 10 s ahead

  evt_clock clock = {};

  SteppingClock() {
    clock.hz = kSecond;
    clock.context = this;
    clock.now = [](void* self) {
      auto& c = *static_cast<SteppingClock*>(self);
      if (c.interrupted > 0 && c.interrupted-- > 0) c.ns += 3 * kSecond;
      const std::int64_t ahead = c.wrong > 0 && c.wrong-- > 0 ? 10 * kSecond : 0;
      return static_cast<std::uint64_t>(c.ns + c.offset + ahead);
    };
    clock.now_ns = [](void* self) { return std::int64_t{static_cast<SteppingClock*>(self)->ns}; };
  }
  SteppingClock(const SteppingClock&) = delete;
  SteppingClock& operator=(const SteppingClock&) = delete;
};

class ClockEpoch : public RingTest {
 protected:
  evt_options stepping() {
    evt_options options = this->options();
    options.clock = &stepping_.clock;
    return options;
  }
  // The event `n` at n milliseconds behind the start.
  void emit_at_its_time(Stream& stream, const Types<Tick>& types, std::uint32_t n) {
    stepping_.ns = 1000 * kSecond + std::int64_t{n} * 1'000'000;
    stream.emit(types, Tick{n});
  }
  // The thread that writes the trace looks at the clock: at the latest between two requests.
  static void let_it_look(Writer& writer) {
    writer.flush();
    writer.flush();
  }

  // Each event in the order of the trace; those that are not at their times with the time.
  std::string events() const {
    Trace trace = open_file(path);
    std::string text;
    Events events = trace.events();
    while (const Event* e = events.next()) {
      const auto n = static_cast<std::int64_t>(e->value("n")->as_unsigned());
      text += fmt::format("{}", n);
      if (e->ns() != n * 1'000'000) text += fmt::format(" at {}", e->ns());
      if (e->has_impossible_stamp()) text += " impossible";
      text += '\n';
    }
    return text;
  }
  std::size_t clocks() const { return open_file(path).sessions().front().clocks.size(); }

  // Two streams, one of them with few events, before and behind a step of the counter.
  void record_over_step(std::int64_t step, evt_options options) {
    auto writer = Writer::open(path, options);
    ASSERT_TRUE(writer);
    Stream stream = writer->stream("a");
    Stream slow = writer->stream("b");
    const auto types = writer->declare<Tick>();
    emit_at_its_time(stream, types, 0);
    emit_at_its_time(slow, types, 1);
    emit_at_its_time(stream, types, 2);
    let_it_look(*writer);
    emit_at_its_time(stream, types, 10);
    stepping_.offset += step;
    emit_at_its_time(stream, types, 20);
    let_it_look(*writer);
    emit_at_its_time(slow, types, 30);
    emit_at_its_time(stream, types, 40);
    EXPECT_TRUE(writer->close().ok());
  }
  static constexpr const char* kInOrder = "0\n1\n2\n10\n20\n30\n40\n";

  SteppingClock stepping_;
};

TEST_F(ClockEpoch, BeginsWhereTheCounterJumpsForward) {
  record_over_step(3600 * kSecond, stepping());
  EXPECT_EQ(events(), kInOrder);
  EXPECT_EQ(clocks(), 2u);
}

TEST_F(ClockEpoch, BeginsWhereTheCounterBeginsAgain) {
  record_over_step(-900 * kSecond, stepping());
  EXPECT_EQ(events(), kInOrder);
  EXPECT_EQ(clocks(), 2u);
}

TEST_F(ClockEpoch, BeginsWithoutARingToo) {
  for (const std::int64_t step : {3600 * kSecond, -900 * kSecond}) {
    stepping_.offset = 0;
    stepping_.ns = 1000 * kSecond;
    evt_options options = stepping();
    options.flush_inline = 1;
    record_over_step(step, options);
    EXPECT_EQ(events(), kInOrder) << step;
    EXPECT_EQ(clocks(), 2u) << step;
  }
}

TEST_F(ClockEpoch, BeginsAgainAndAgain) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  std::string expected;
  for (std::uint32_t n = 0; n < 100; ++n) {
    if (n % 10 == 5) stepping_.offset += (n % 20 == 5 ? -500 : 700) * kSecond;
    emit_at_its_time(stream, types, n);
    let_it_look(*writer);
    expected += fmt::format("{}\n", n);
  }
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(events(), expected);
  EXPECT_EQ(clocks(), 11u);
}

TEST_F(ClockEpoch, IsInTheRingOfAKilledProgram) {
  for (const std::int64_t step : {3600 * kSecond, -900 * kSecond}) {
    stepping_.offset = 0;
    std::filesystem::remove(path);
    killed_after([&] {
      auto writer = Writer::open(path, stepping());
      if (!writer) _exit(1);
      Stream stream = writer->stream("a");
      Stream slow = writer->stream("b");
      const auto types = writer->declare<Tick>();
      emit_at_its_time(stream, types, 0);
      emit_at_its_time(slow, types, 1);
      let_it_look(*writer);
      stepping_.offset = step;
      stepping_.ns += 2'000'000;
      let_it_look(*writer);
      emit_at_its_time(stream, types, 10);
      emit_at_its_time(slow, types, 11);
      emit_at_its_time(stream, types, 12);
    });
    EXPECT_EQ(events(), "0\n1\n10\n11\n12\n") << step;
    remove_rings_of(folder);
  }
}

TEST_F(ClockEpoch, BeginsSoonWhereAnEventSeesTheStep) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  emit_at_its_time(stream, types, 0);
  let_it_look(*writer);
  stepping_.offset = -900 * kSecond;
  emit_at_its_time(stream, types, 1);  // wakes the thread that writes the trace
  let_it_look(*writer);
  emit_at_its_time(stream, types, 2);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(events(), "0\n1\n2\n");
}

TEST_F(ClockEpoch, IsNoneInAQuietHourOfAClockThatIsSlewed) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  stream.emit(types, Tick{0});
  for (int second = 0; second < 3600; ++second) {
    stepping_.ns += kSecond;
    stepping_.offset += kSecond / 2000;  // 500 ppm
    if (second % 600 == 0) let_it_look(*writer);
  }
  stream.emit(types, Tick{1});
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(clocks(), 1u);
}

TEST_F(ClockEpoch, IsNoneWhereAReadingIsInterruptedForThreeSeconds) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  for (std::uint32_t n = 0; n < 20; ++n) {
    stream.emit(types, Tick{n});
    stepping_.interrupted = static_cast<int>(n % 4);
    let_it_look(*writer);
  }
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(clocks(), 1u);
}

TEST_F(ClockEpoch, LeavesWhatTheProgramStampsAlone) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  stream.emit(types, Tick{0});
  stream.emit_at(static_cast<std::uint64_t>(10 * kSecond), types, Tick{1});
  let_it_look(*writer);
  stream.emit(types, Tick{2});
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(clocks(), 1u);
}

// A second pair does not confirm it: of two readings each, one more than a look at the clock takes.
TEST_F(ClockEpoch, IsNoneWhereOnlyOnePairIsWrong) {
  auto writer = Writer::open(path, stepping());
  ASSERT_TRUE(writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  std::string expected;
  for (std::uint32_t n = 0; n < 20; ++n) {
    stepping_.wrong = 0;
    emit_at_its_time(stream, types, n);
    stepping_.wrong = 3;
    let_it_look(*writer);
    expected += fmt::format("{}\n", n);
  }
  stepping_.wrong = 0;
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(events(), expected);
  EXPECT_EQ(clocks(), 1u);
}

}  // namespace
}  // namespace evt::testing

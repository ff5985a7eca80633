// Signal handlers that record where their thread records: turned away and counted, and no row is damaged.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <chrono>

#include "write/ring_session.h"

namespace {

struct Pair {
  std::uint64_t n = 0;
  std::uint64_t same = 0;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Pair> = evt::event("pair", "", evt::field("n", &Pair::n),
                                                     evt::field("same", &Pair::same));

namespace evt::testing {
namespace {

// What the handler works with; a handler has no other way to get at it.
std::atomic<evt_stream*> stream_of_handler{nullptr};
std::atomic<const evt_type*> type_of_handler{nullptr};
std::atomic<std::uint32_t> handled{0};

void emit_in_handler(int) {
  ++handled;
  evt_row row = evt_begin(stream_of_handler, type_of_handler);
  if (row.p == nullptr) return;
  evt_u32(&row, handled);
  evt_commit(&row);
}

class Signal : public ::testing::Test {
 protected:
  void SetUp() override {
    handled = 0;
    stream_of_handler = stream.get();
    type_of_handler = types.get<Tick>().get();
    struct sigaction action = {};
    action.sa_handler = emit_in_handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before);
  }
  void TearDown() override { sigaction(SIGALRM, &before, nullptr); }

  Recording recording{{.buffer_size = 4096}};
  Types<Tick, Pair, Paper> types = recording->declare<Tick, Pair, Paper>();
  Stream stream = recording->stream("a");
  struct sigaction before = {};
};

TEST_F(Signal, RecordsBetweenTwoEvents) {
  stream.emit(types, Pair{1, 1});
  raise(SIGALRM);
  stream.emit(types, Pair{2, 2});
  EXPECT_EQ(recording.text(),
            "type 1025 pair (n u64) (same u64)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 pair n=1 same=1\n"
            "type 1024 tick (n u32)\n"
            "0.000000002 1 tick n=1\n"
            "0.000000003 1 pair n=2 same=2\n"
            "type 1026 paper (text text32)\n");
}

TEST_F(Signal, IsTurnedAwayAndCountedInTheMiddleOfAnEvent) {
  stream.emit(types, Pair{1, 1});
  stream.emit_with(types.get<Pair>(), [](RowBuilder& row) {
    row.add(std::uint64_t{2});
    raise(SIGALRM);
    raise(SIGALRM);
    row.add(std::uint64_t{2});
  });
  EXPECT_EQ(recording->counts().lost[EVT_LOST_REENTERED], 2u);
  EXPECT_EQ(recording.text(),
            "type 1025 pair (n u64) (same u64)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 pair n=1 same=1\n"
            "0.000000002 1 pair n=2 same=2\n"
            "0.000000004 1 !lost count=2 cause=reentered duration=0.000000001\n"
            "type 1024 tick (n u32)\n"
            "type 1026 paper (text text32)\n");
}

TEST_F(Signal, IsTurnedAwayInTheMiddleOfALargeEvent) {
  const std::string text(100'000, 'x');
  stream.emit_with(types.get<Paper>(), [&](RowBuilder& row) {
    row.add(LongText{text});
    raise(SIGALRM);
  });
  stream.emit(types, Pair{2, 2});
  EXPECT_EQ(recording->counts().lost[EVT_LOST_REENTERED], 1u);
  std::vector<std::string> names;
  each_event(recording.bytes(), [&](const Event& event) { names.push_back(event.type().name()); });
  EXPECT_EQ(names, (std::vector<std::string>{"paper", "!lost", "pair"}));
}

// A timer that fires as often as it can while the thread does nothing but record.
class SignalStorm : public Signal {
 protected:
  // Handlers may not allocate: all that is declared goes out first.
  void SetUp() override {
    Signal::SetUp();
    recording.blocks.reserve(200 << 20);
    for (int n = 0; n < 10; ++n) recording->intern(std::to_string(n));
    stream.emit(types, Pair{0, 0});
    stream.flush();
  }

  template <typename Work>
  void rain_on(Work work) {
    itimerval often = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &often, nullptr);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    for (std::uint64_t n = 0; std::chrono::steady_clock::now() < end; ++n) work(n);
    often = {};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
};

TEST_F(SignalStorm, TearsNothing) {
  std::uint64_t emitted = 1;
  rain_on([&](std::uint64_t n) {
    for (std::uint64_t i = 1; i <= 100; ++i) stream.emit(types, Pair{n * 100 + i, n * 100 + i});
    emitted = (n + 1) * 100 + 1;
  });
  std::uint64_t next = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost = 0;
  std::uint32_t latest = 0;
  each_event(recording.bytes(), [&](const Event& event) {
    if (const auto pair = event.as<Pair>()) {
      ASSERT_EQ(pair->n, next++);
      ASSERT_EQ(pair->same, pair->n);
    } else if (const auto tick = event.as<Tick>()) {
      ASSERT_GT(tick->n, latest);
      latest = tick->n;
      ++ticks;
    } else {
      ASSERT_TRUE(event.is_lost());
      lost += event.value("count")->as_unsigned();
    }
  });
  EXPECT_EQ(next, emitted);
  EXPECT_EQ(ticks + lost, handled);
  EXPECT_GT(handled, 10u);
}

// The handler finds the buffer full while its thread is in the library with the lock held.
TEST_F(SignalStorm, DoesNotWaitForItself) {
  rain_on([&](std::uint64_t n) {
    raise(SIGALRM);
    recording->counts();
    recording->intern(std::to_string(n % 10));
    recording->declare<Tick>();
  });
  std::uint64_t came = 0;
  each_event(recording.bytes(),
             [&](const Event& event) { came += event.is_lost() ? event.value("count")->as_unsigned() : 1; });
  EXPECT_EQ(came, handled + 1);
}

// Many alarms, in a session whose rows go through a ring: in the middle of events, of getting a slot, of handing one
// over.
class SignalWithRing : public RingTest {
 protected:
  void TearDown() override {
    signal(SIGALRM, SIG_DFL);
    RingTest::TearDown();
  }
};

TEST_F(SignalWithRing, MayComeAtAnyTime) {
  constexpr std::uint32_t kAlarms = 500;
  constexpr std::uint32_t kMine = 1u << 31;  // of the thread, not of its handler
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  handled = 0;
  stream_of_handler = stream.get();
  type_of_handler = types.get<Tick>().get();
  signal(SIGALRM, emit_in_handler);
  const itimerval often = {{0, 100}, {0, 100}};
  const itimerval never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  std::uint32_t emitted = 0;
  while (handled < kAlarms) stream.emit(types, Tick{kMine | emitted++});
  setitimer(ITIMER_REAL, &never, nullptr);
  EXPECT_TRUE(writer.close().ok());

  Trace trace = open_file(path);
  const Fate fate = fate_of(trace);
  EXPECT_EQ(fate.came + fate.lost[EVT_LOST_REENTERED], emitted + handled);
  std::uint32_t next = 0;
  for (const std::uint32_t n : ticks_in(path)) {
    if ((n & kMine) == 0) continue;
    ASSERT_EQ(n, kMine | next);
    ++next;
  }
  EXPECT_EQ(next, emitted);
}

}  // namespace
}  // namespace evt::testing

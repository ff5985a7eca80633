// Rings that grow while their flusher is kept from its work: by a sink that is blocked here, by other programs that
// have the processors elsewhere. As long as a ring may grow, nothing is lost.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <thread>

#include "support/events_of_writer.h"
#include "support/row_sizes.h"
#include "support/thread_without_signals.h"
#include "write/gate.h"
#include "write/ring_session.h"

namespace {

// As if signals came all the time: what can be interrupted is.
std::atomic<bool> signals_come{false};

bool is_interrupted() {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return signals_come && sigismember(&blocked, SIGALRM) == 0;
}

}  // namespace

extern "C" int fallocate(int fd, int, off_t offset, off_t size) {
  errno = is_interrupted() ? EINTR : posix_fallocate(fd, offset, size);
  return errno == 0 ? 0 : -1;
}

namespace evt::testing {
namespace {

constexpr std::uint64_t kTick = kRowHeader + 4;
constexpr std::uint64_t kMaxRing = 16 << 20;
// What of this many bytes of slots is rows at least: slots are of all sizes, and each has a header and a reserve.
constexpr auto kFit = static_cast<std::uint32_t>(kMaxRing / 4 * 3 / kTick);

class GrowingRing : public RingTest {
 protected:
  Writer open(std::uint8_t full = EVT_FULL_WAIT, std::uint32_t wait_ms = 0) {
    evt_options with = options();
    with.ring_size = kMaxRing;
    with.full = full;
    with.full_wait_ms = wait_ms;
    with.short_lived = short_lived;
    auto writer = Writer::open(&Gate::take, &gate, with);
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    // Where the processors are busy elsewhere, emitters wait long enough for memory that it is an event.
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
  // From here on the flusher waits at its gate.
  void hold_flusher(Stream stream, const Types<Tick>& types) {
    gate.shut();
    // Handlers are for the thread of the test. The flusher may be at its gate before this one has begun.
    flush_ = thread_without_signals([stream, types]() mutable {
      stream.emit(types, Tick{0});
      stream.flush();
    });
    gate.wait_for_flusher();
  }
  void release_flusher() {
    gate.open();
    flush_.join();
  }
  static std::uint64_t lost_of(evt_writer* writer) { return evt_writer_counts(writer).lost[EVT_LOST_RING_FULL]; }
  static std::uint64_t lost(Writer& writer) { return lost_of(writer.get()); }

  Gate gate;
  std::uint32_t short_lived = 0;

 private:
  std::thread flush_;
};

TEST_F(GrowingRing, LosesNothingUntilItIsAsLargeAsItMayBe) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  hold_flusher(writer.stream("held"), types);
  Stream stream = writer.stream("a");
  emit_ticks(stream, types, 0, kFit);
  EXPECT_EQ(lost(writer), 0u);
  std::uint32_t n = kFit;
  while (lost(writer) == 0) stream.emit(types, Tick{n++});
  EXPECT_LT(n, kMaxRing / kTick);
  release_flusher();
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(evt_writer_counts(raw).lost[EVT_LOST_RING_FULL], 1u);
  EXPECT_EQ(evt_writer_counts(raw).events_written, n);  // and the tick of the stream that was held, but the last one
}

TEST_F(GrowingRing, ThatBeginsSmallLosesNothing) {
  short_lived = 1;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  hold_flusher(writer.stream("held"), types);
  emit_ticks(writer.stream("a"), types, 0, kFit);
  EXPECT_EQ(lost(writer), 0u);
  release_flusher();
  EXPECT_TRUE(writer.close().ok());
}

int keep_largest(void* largest, const void*, std::size_t size) {
  auto& kept = *static_cast<std::size_t*>(largest);
  kept = std::max(kept, size);
  return 0;
}

// Though small slots come back in time: each is a block, and a write.
TEST_F(GrowingRing, ThatBeginsSmallHasLargeSlotsForAStreamThatFillsIt) {
  std::size_t largest = 0;
  evt_options with = options();
  with.short_lived = 1;
  auto writer = Writer::open(keep_largest, &largest, with);
  ASSERT_TRUE(writer);
  emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, (1 << 20) / kTick);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_GT(largest, 128u << 10);
}

// As much shared memory as a program takes from all others.
TEST_F(GrowingRing, BeginsSmallForProgramsThatEndSoon) {
  std::map<std::uint32_t, blkcnt_t> taken;
  for (const std::uint32_t each : {0u, 1u}) {
    const std::string at = folder / (std::to_string(each) + ".evt");
    evt_options with = options();
    with.short_lived = each;
    auto writer = Writer::open(at, with);
    ASSERT_TRUE(writer);
    struct stat facts {};
    ASSERT_EQ(stat(ring_path(open_file(at, false).sessions()[0]).c_str(), &facts), 0);
    taken[each] = facts.st_blocks * 512;
    EXPECT_TRUE(writer->close().ok());
  }
  EXPECT_GT(taken[0], 1'500'000);
  EXPECT_LT(taken[1], 400'000);
}

TEST_F(GrowingRing, LosesNothingOfManyThreads) {
  constexpr std::uint32_t kThreads = 8;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  hold_flusher(writer.stream("held"), types);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] { emit_ticks(writer.this_thread(), types, 0, kFit / 2 / kThreads); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lost(writer), 0u);
  release_flusher();
  EXPECT_TRUE(writer.close().ok());
  std::map<std::uint32_t, std::uint32_t> next;
  each_event(gate.blocks.bytes(),
             [&](const Event& event) { ASSERT_EQ(event.as<Tick>()->n, next[event.stream().id]++); });
  EXPECT_EQ(next.size(), kThreads + 1);
}

// At defaults, into a file, as fast as two threads can, where the processors have other work: the flusher is late, and
// the ring grows instead. EVT_TICKS=2000000: so many of each thread.
TEST_F(GrowingRing, LosesNothingAtDefaultsUnderLoad) {
  const char* const wanted = std::getenv("EVT_TICKS");
  const auto ticks = static_cast<std::uint32_t>(wanted != nullptr ? std::atoi(wanted) : 200'000);
  std::vector<pid_t> spinners;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      for (std::atomic<int> spun = 0;; ++spun) {
      }
    }
    spinners.push_back(child);
  }
  auto writer = Writer::open(path);
  ASSERT_TRUE(writer);
  evt_writer* const raw = writer->get();
  const auto types = writer->declare<Tick>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] { emit_ticks(writer->this_thread(), types, 0, ticks); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(writer->close().ok());
  for (const pid_t spinner : spinners) {
    kill(spinner, SIGKILL);
    waitpid(spinner, nullptr, 0);
  }
  EXPECT_EQ(lost_of(raw), 0u);
  Trace trace = open_file(path);
  std::map<std::uint32_t, std::uint32_t> next;
  Events events = trace.events();
  while (const Event* const event = events.next()) {
    if (const auto tick = event->as<Tick>()) {
      ASSERT_EQ(tick->n, next[event->stream().id]++);
    }
  }
  for (const auto& [stream, count] : next) EXPECT_EQ(count, ticks) << stream;
  EXPECT_EQ(next.size(), 2u);
}

// Who waits for ever waits for a ring that is full, not for one that may grow.
TEST_F(GrowingRing, IsNotWaitedForEver) {
  EXPECT_EQ(in_child([&] {
              Writer writer = open(EVT_FULL_WAIT, EVT_WAIT_FOR_EVER);
              const auto types = writer.declare<Tick>();
              hold_flusher(writer.stream("held"), types);
              emit_ticks(writer.stream("a"), types, 0, kFit);
              release_flusher();
              if (!writer.close().ok() || lost(writer) != 0) _exit(1);
            }),
            0);
}

// Who never waits does not wait for memory either.
TEST_F(GrowingRing, GrowsByTheFlusherAloneWhereEventsAreDroppedAtOnce) {
  Writer writer = open(EVT_FULL_DROP);
  const auto types = writer.declare<Tick>();
  hold_flusher(writer.stream("held"), types);
  emit_ticks(writer.stream("a"), types, 0, kFit);
  EXPECT_GT(lost(writer), 0u);
  release_flusher();
  EXPECT_TRUE(writer.close().ok());
}

std::atomic<evt_stream*> stream_in_alarm{nullptr};
std::atomic<const evt_type*> type_in_alarm{nullptr};
std::atomic<std::uint32_t> emitted_in_alarm{0};

void emit_in_alarm(int) {
  evt_row row = evt_begin(stream_in_alarm, type_in_alarm);
  evt_u32(&row, emitted_in_alarm);
  evt_commit(&row);
  if (row.p != nullptr) ++emitted_in_alarm;
}

// Events of a handler come into a stream of its own, between and within those of its thread; both make the ring larger.
TEST_F(GrowingRing, GrowsInSignalHandlersToo) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream in_handler = writer.stream("handler");
  hold_flusher(writer.stream("held"), types);
  Stream stream = writer.stream("a");
  emitted_in_alarm = 0;
  stream_in_alarm = in_handler.get();
  type_in_alarm = types.get<Tick>().get();
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) {
    for (int i = 0; i < 200; ++i) emit_in_alarm(0);
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before);
  const itimerval often = {{0, 200}, {0, 200}};
  const itimerval never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  std::uint32_t n = 0;
  while (n + emitted_in_alarm < kFit / 2) stream.emit(types, Tick{n++});
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(lost(writer), 0u);
  release_flusher();
  EXPECT_TRUE(writer.close().ok());
  std::map<std::string, std::uint32_t> next;
  each_event(gate.blocks.bytes(),
             [&](const Event& event) { ASSERT_EQ(event.as<Tick>()->n, next[event.stream().name]++); });
  EXPECT_EQ(next["a"], n);
  EXPECT_EQ(next["handler"], emitted_in_alarm);
}

// A close that comes while threads make the ring larger waits for them, and gives its memory back afterwards.
TEST_F(GrowingRing, MayBeClosedWhileItGrows) {
  for (int round = 0; round < 10; ++round) {
    Writer writer = open();
    const auto types = writer.declare<Tick>();
    std::vector<std::thread> threads;
    std::atomic<bool> ends{false};
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&ends, &types, stream = writer.stream("a")]() mutable {
        for (std::uint32_t n = 0; !ends; ++n) stream.emit(types, Tick{n});
      });
    }
    usleep(5'000);
    EXPECT_TRUE(writer.close().ok());
    ends = true;
    for (std::thread& thread : threads) thread.join();
  }
}

// Memory is had by a call that begins anew after each signal: where signals come faster than it is done, it would never
// end.
TEST_F(GrowingRing, IsHadThoughSignalsComeAllTheTime) {
  EXPECT_EQ(in_child([&] {
              signals_come = true;
              Writer writer = open();
              const auto types = writer.declare<Tick>();
              hold_flusher(writer.stream("held"), types);
              emit_ticks(writer.stream("a"), types, 0, kFit);
              const std::uint64_t lost_ticks = lost(writer);
              release_flusher();
              if (!writer.close().ok() || lost_ticks != 0) _exit(1);
            }),
            0);
}

}  // namespace
}  // namespace evt::testing

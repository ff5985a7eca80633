// More streams than the ring has slots for: idle ones give theirs back. And streams without end, one after another.
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

// EVT_STREAMS=1000000: that many, in place of what takes a second.
std::uint32_t streams_or(std::uint32_t usual) {
  const char* const wanted = std::getenv("EVT_STREAMS");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : usual;
}

class ManyStreams : public RingTest {
 protected:
  // Room for 16 slots.
  Writer open_small(std::uint8_t full = EVT_FULL_WAIT, std::uint32_t wait_ms = EVT_WAIT_FOR_EVER) {
    evt_options small = options();
    small.ring_size = 64 << 10;
    small.full = full;
    small.full_wait_ms = wait_ms;
    auto writer = Writer::open(path, small);
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    return *std::move(writer);
  }
  static std::vector<Stream> open_streams(Writer& writer, std::uint32_t count) {
    std::vector<Stream> streams;
    for (std::uint32_t i = 0; i < count; ++i) streams.push_back(writer.stream("s"));
    return streams;
  }
  // Of each stream all ticks from 0 on, in order: how many in all. What is lost leaves gaps.
  std::uint64_t ticks_in_order() const {
    Trace trace = open_file(path);
    EXPECT_EQ(trace.status().message(), "");
    std::map<std::uint32_t, std::uint32_t> next;
    std::uint64_t count = 0;
    Events events = trace.events();
    while (const Event* event = events.next()) {
      const std::uint32_t n = event->as<Tick>()->n;
      EXPECT_GE(n, next[event->stream().id]);
      next[event->stream().id] = n + 1;
      ++count;
    }
    return count;
  }
};

TEST_F(ManyStreams, AtOnceLoseNothingThoughTheRingHasFewSlots) {
  const std::uint32_t count = streams_or(kSanitizer ? 500 : 5'000);
  Writer writer = open_small();
  const auto types = writer.declare<Tick>();
  std::vector<Stream> streams = open_streams(writer, count);
  for (std::uint32_t n = 0; n < 3; ++n) {
    for (Stream& stream : streams) stream.emit(types, Tick{n});
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in_order(), 3 * std::uint64_t{count});
  Trace trace = open_file(path);
  EXPECT_EQ(fate_of(trace).lost_rows, 0u);
}

TEST_F(ManyStreams, ThatNeverWaitLoseWhatIsCounted) {
  const std::uint32_t count = kSanitizer ? 300 : 3'000;
  Writer writer = open_small(EVT_FULL_DROP, 0);
  evt_writer* const raw = writer.get();
  const auto types = writer.declare<Tick>();
  std::vector<Stream> streams = open_streams(writer, count);
  for (std::uint32_t n = 0; n < 3; ++n) {
    for (Stream& stream : streams) stream.emit(types, Tick{n});
    usleep(20'000);  // the flusher takes slots back meanwhile
  }
  EXPECT_TRUE(writer.close().ok());
  const std::uint64_t lost = evt_writer_counts(raw).lost[EVT_LOST_RING_FULL];
  EXPECT_EQ(ticks_in_order() + lost, 3 * std::uint64_t{count});
  Trace trace = open_file(path);
  EXPECT_EQ(fate_of(trace).lost[EVT_LOST_RING_FULL], lost);
}

// The first streams have all slots when the others want one for what they lost.
TEST_F(ManyStreams, ThatAreClosedBeforeAnySlotComesBackStateWhatTheyLost) {
  constexpr std::uint32_t kCount = 300;
  Writer writer = open_small(EVT_FULL_DROP, 0);
  evt_writer* const raw = writer.get();
  const auto types = writer.declare<Tick>();
  for (Stream& stream : open_streams(writer, kCount)) stream.emit(types, Tick{0});
  EXPECT_TRUE(writer.close().ok());
  const std::uint64_t lost = evt_writer_counts(raw).lost[EVT_LOST_RING_FULL];
  EXPECT_GT(lost, 0u);
  EXPECT_EQ(ticks_in_order() + lost, kCount);
  Trace trace = open_file(path);
  EXPECT_EQ(fate_of(trace).lost[EVT_LOST_RING_FULL], lost);
}

// Slots are taken from streams whose producers are at work at that moment.
TEST_F(ManyStreams, OfManyThreadsLoseNothing) {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kStreams = 20;
  constexpr std::uint32_t kTicks = kSanitizer ? 200 : 2'000;
  Writer writer = open_small();
  const auto types = writer.declare<Tick, Note>();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::vector<Stream> streams = open_streams(writer, kStreams);
      std::vector<std::uint32_t> next(kStreams);
      std::minstd_rand random(i);
      const std::string text = letters(300);  // outgrows what a row is begun with
      for (std::uint32_t n = 0; n < kStreams * kTicks; ++n) {
        const std::uint32_t which = static_cast<std::uint32_t>(random()) % kStreams;
        if (random() % 16 == 0) streams[which].emit(types, Note{text});
        streams[which].emit(types, Tick{next[which]++});
        if (random() % 64 == 0) streams[which].flush();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(writer.close().ok());
  Trace trace = open_file(path);
  std::map<std::uint32_t, std::uint32_t> next;
  std::uint64_t count = 0;
  Events events = trace.events();
  while (const Event* event = events.next()) {
    const auto tick = event->as<Tick>();
    if (!tick) continue;
    ASSERT_EQ(tick->n, next[event->stream().id]++);
    ++count;
  }
  EXPECT_EQ(count, std::uint64_t{kThreads} * kStreams * kTicks);
  EXPECT_EQ(fate_of(trace).lost_rows, 0u);
}

std::vector<Stream>* streams_in_alarm = nullptr;
const evt_type* type_in_alarm = nullptr;
std::uint32_t which_in_alarm = 0;
std::uint32_t emitted_in_alarm = 0;

// Handlers that come in the middle of an event, or while the slot of its stream is taken, are turned away and counted.
TEST_F(ManyStreams, CountWhatHandlersOfTheirThreadEmit) {
  constexpr std::uint32_t kStreams = 100;
  constexpr std::uint32_t kTicks = kSanitizer ? 30'000 : 300'000;
  Writer writer = open_small();
  evt_writer* const raw = writer.get();
  const auto types = writer.declare<Tick>();
  std::vector<Stream> streams = open_streams(writer, kStreams);
  streams_in_alarm = &streams;
  type_in_alarm = types.get<Tick>().get();
  emitted_in_alarm = 0;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) {
    evt_row row = evt_begin((*streams_in_alarm)[which_in_alarm].get(), type_in_alarm);
    evt_u32(&row, 0);
    evt_commit(&row);
    ++emitted_in_alarm;
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before);
  const itimerval often = {{0, 100}, {0, 100}};
  const itimerval never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (std::uint32_t n = 0; n < kTicks; ++n) {
    __atomic_store_n(&which_in_alarm, n % kStreams, __ATOMIC_RELAXED);
    streams[n % kStreams].emit(types, Tick{0});
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_TRUE(writer.close().ok());
  Trace trace = open_file(path);
  const Fate fate = fate_of(trace);
  EXPECT_EQ(fate.came + fate.lost[EVT_LOST_REENTERED], std::uint64_t{kTicks} + emitted_in_alarm);
  EXPECT_EQ(fate.lost[EVT_LOST_REENTERED], evt_writer_counts(raw).lost[EVT_LOST_REENTERED]);
}

class StreamsInTurn : public ManyStreams, public ::testing::WithParamInterface<std::uint8_t> {};

TEST_P(StreamsInTurn, UseTheSameMemoryAgainWhenTheyAreClosed) {
  const std::uint32_t count = GetParam() != 0 || kSanitizer ? 3'000 : streams_or(30'000);
  evt_options with = options();
  with.flush_inline = GetParam();
  with.buffer_size = 4 << 10;
  auto writer = Writer::open(path, with);
  ASSERT_TRUE(writer);
  const auto types = writer->declare<Tick>();
  malloc_trim(0);  // what earlier tests left free would hide that memory grows
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == 1'000) before = bytes_in_use();
    Stream stream = writer->stream("request " + std::to_string(i));
    emit_ticks(stream, types, 0, 3);
    stream.close();
  }
  // Descriptions on their way to the file are part of it.
  EXPECT_LT(bytes_in_use(), before + (16u << 20));
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(ticks_in_order(), 3 * std::uint64_t{count});
  EXPECT_EQ(open_file(path).sessions()[0].streams.size(), count);
}

INSTANTIATE_TEST_SUITE_P(Ways, StreamsInTurn, ::testing::Values(std::uint8_t{0}, std::uint8_t{1}),
                         [](const auto& way) { return way.param == 0 ? "Ring" : "Inline"; });

TEST_F(ManyStreams, MayBeClosedWhileOthersOpen) {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kEach = kSanitizer ? 200 : 2'000;
  Writer writer = open_small();
  const auto types = writer.declare<Tick>();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (std::uint32_t n = 0; n < kEach; ++n) {
        Stream stream = writer.stream("request");
        emit_ticks(stream, types, 0, 3);
        stream.close();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in_order(), std::uint64_t{3} * kThreads * kEach);
}

}  // namespace
}  // namespace evt::testing

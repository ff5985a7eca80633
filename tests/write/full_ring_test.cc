// Rings that are full because their sink is blocked: events wait or are lost, as was asked for, and each loss is
// counted, reported once, and reported where it happened.
#include <signal.h>

#include <thread>

#include "write/gate.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class FullRing : public RingTest {
 protected:
  // Four slots.
  Writer open_small(std::uint8_t full, std::uint32_t wait_ms) {
    evt_options small = options();
    small.ring_size = 16 << 10;
    small.full = full;
    small.full_wait_ms = wait_ms;
    auto writer = Writer::open(&Gate::take, &gate, small);
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    return *std::move(writer);
  }
  static std::uint64_t lost(Writer& writer) { return writer.counts().lost[EVT_LOST_RING_FULL]; }

  // All of `emitted` ticks, numbered from 0: each is there, or a !lost row in its place counts it.
  void expect_each_counted(std::uint32_t emitted, const evt_counts& counts) {
    std::uint64_t next = 0;
    std::uint64_t reported = 0;
    const std::string bytes = gate.blocks.bytes();
    each_event(bytes, [&](const Event& event) {
      if (event.is_lost()) {
        EXPECT_EQ(event.value("cause")->as_unsigned(), static_cast<std::uint64_t>(EVT_LOST_RING_FULL));
        reported += event.value("count")->as_unsigned();
        next += event.value("count")->as_unsigned();
      } else {
        ASSERT_EQ(event.as<Tick>()->n, next);
        ++next;
      }
    });
    EXPECT_EQ(next, emitted);
    EXPECT_EQ(reported, counts.lost[EVT_LOST_RING_FULL]);
    EXPECT_EQ(counts.events_written + reported, emitted);
    Trace trace = open_trace(bytes);
    EXPECT_EQ(trace.status().message(), "");
    EXPECT_EQ(trace.sessions()[0].lost, reported);
  }

  Gate gate;
};

TEST_F(FullRing, LosesAtOnceWhenToldTo) {
  Writer writer = open_small(EVT_FULL_DROP, 0);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  gate.shut();
  std::uint32_t n = 0;
  while (lost(writer) == 0) stream.emit(types, Tick{n++});
  const std::uint32_t came = n - 1;
  for (int i = 0; i < 999; ++i) stream.emit(types, Tick{n++});
  EXPECT_EQ(lost(writer), 1'000u);
  gate.open();
  stream.flush();
  stream.emit(types, Tick{n});
  EXPECT_TRUE(writer.close().ok());
  std::vector<std::string> end;
  each_event(gate.blocks.bytes(), [&](const Event& event) {
    if (event.is_lost()) end.push_back("lost " + std::to_string(event.value("count")->as_unsigned()));
    if (event.is_lost() || event.as<Tick>()->n < came) return;
    end.push_back("tick " + std::to_string(event.as<Tick>()->n - came));
  });
  EXPECT_EQ(end, (std::vector<std::string>{"lost 1000", "tick 1000"}));
}

TEST_F(FullRing, TellsOfEachLossOnceAndWhereItHappened) {
  Writer writer = open_small(EVT_FULL_DROP, 0);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  std::uint32_t n = 0;
  for (std::uint64_t round = 1; round <= 20; ++round) {
    gate.shut();
    for (const std::uint64_t before = lost(writer); lost(writer) < before + round;) stream.emit(types, Tick{n++});
    gate.open();
    for (int i = 0; i < 10; ++i) stream.emit(types, Tick{n++});
    stream.flush();
    for (int i = 0; i < 10; ++i) stream.emit(types, Tick{n++});
  }
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  expect_each_counted(n, evt_writer_counts(raw));
}

TEST_F(FullRing, TellsOfLossesAtTheEndOfASession) {
  Writer writer = open_small(EVT_FULL_DROP, 0);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  gate.shut();
  std::uint32_t n = 0;
  while (lost(writer) < 10) stream.emit(types, Tick{n++});
  gate.open();
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  expect_each_counted(n, evt_writer_counts(raw));
}

TEST_F(FullRing, TellsOfTheLossesOfAThreadThatEndedMeanwhile) {
  Writer writer = open_small(EVT_FULL_DROP, 0);
  const auto types = writer.declare<Tick>();
  gate.shut();
  std::uint32_t n = 0;
  std::thread([&] {
    Stream stream = writer.this_thread();
    while (lost(writer) < 10) stream.emit(types, Tick{n++});
  }).join();
  gate.open();
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  expect_each_counted(n, evt_writer_counts(raw));
}

TEST_F(FullRing, IsWaitedForByDefault) {
  Writer writer = open_small(EVT_FULL_WAIT, 50'000);
  const auto types = writer.declare<Tick>();
  gate.shut();
  std::thread producer([&] { emit_ticks(writer.stream("a"), types, 0, 5'000); });
  gate.wait_for_flusher();
  gate.open();
  producer.join();
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_of(gate.blocks.bytes()), numbers(0, 5'000));
  EXPECT_EQ(evt_writer_counts(raw).lost[EVT_LOST_RING_FULL], 0u);
}

// Only the first event waits: the others would stop the program as long as the sink does.
TEST_F(FullRing, IsWaitedForInVainOnce) {
  Writer writer = open_small(EVT_FULL_WAIT, 20);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  gate.shut();
  std::uint32_t n = 0;
  while (lost(writer) < 100'000) stream.emit(types, Tick{n++});  // 2,000 s, if each waited
  gate.open();
  stream.flush();
  for (int i = 0; i < 10; ++i) stream.emit(types, Tick{n++});
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  expect_each_counted(n, evt_writer_counts(raw));
  EXPECT_EQ(evt_writer_counts(raw).lost[EVT_LOST_RING_FULL], 100'000u);
}

TEST_F(FullRing, LosesNothingWhenWaitedForEver) {
  evt_options patient = options();
  patient.ring_size = 16 << 10;
  struct Slow {
    Sink blocks;
    static int take(void* self, const void* bytes, std::size_t size) {
      usleep(500);
      return Sink::take(&static_cast<Slow*>(self)->blocks, bytes, size);
    }
  } slow;
  auto writer = Writer::open(&Slow::take, &slow, patient);
  const auto types = writer->declare<Tick>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back([&] { emit_ticks(writer->this_thread(), types, 0, 5'000); });
  for (std::thread& thread : threads) thread.join();
  evt_writer* const raw = writer->get();
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(evt_writer_counts(raw).events_written, 30'000u);
  EXPECT_EQ(ticks_of(slow.blocks.bytes()).size(), 30'000u);
}

TEST_F(FullRing, IsNotWaitedForByASessionThatIsClosed) {
  Writer writer = open_small(EVT_FULL_WAIT, EVT_WAIT_FOR_EVER);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  gate.shut();
  std::atomic<std::uint32_t> emitted{0};
  std::thread producer([&] {
    for (std::uint32_t n = 0; n < 100'000; ++n) {
      stream.emit(types, Tick{n});
      ++emitted;
    }
  });
  while (emitted < 600) std::this_thread::yield();  // as many as there is room for, and more
  std::thread closer([&] { EXPECT_TRUE(writer.close().ok()); });
  producer.join();  // though the gate is shut
  gate.open();
  closer.join();
  const std::vector<std::uint32_t> came = ticks_of(gate.blocks.bytes());
  EXPECT_GT(came.size(), 500u);
  EXPECT_EQ(came, numbers(0, static_cast<std::uint32_t>(came.size())));
}

// A sink that records what it does in the session that it serves.
struct RecordingSink {
  Sink blocks;
  std::atomic<Stream*> stream{nullptr};
  const Types<Tick>* types = nullptr;
  static int take(void* self, const void* bytes, std::size_t size) {
    auto& sink = *static_cast<RecordingSink*>(self);
    Stream* const stream = sink.stream;
    for (std::uint32_t n = 0; n < 2'000 && stream != nullptr; ++n) stream->emit(*sink.types, Tick{n});
    return Sink::take(&sink.blocks, bytes, size);
  }
};

TEST_F(FullRing, IsNeverWaitedForByTheFlusher) {
  RecordingSink sink;
  evt_options small = options();
  small.ring_size = 16 << 10;
  auto writer = Writer::open(&RecordingSink::take, &sink, small);
  const auto types = writer->declare<Tick>();
  Stream of_sink = writer->stream("sink");
  Stream stream = writer->stream("a");
  stream.flush();
  {
    Writer& session = *writer;
    std::thread([&, stream]() mutable {
      sink.types = &types;
      sink.stream = &of_sink;
      emit_ticks(stream, types, 0, 2'000);
    }).join();
    EXPECT_TRUE(session.close().ok());
  }
  const std::string bytes = sink.blocks.bytes();
  EXPECT_EQ(open_trace(bytes).status().message(), "");
}

TEST_F(FullRing, LosesLargeEventsToo) {
  Writer writer = open_small(EVT_FULL_DROP, 0);
  const auto types = writer.declare<Tick, Paper>();
  const std::string text(100'000, 'x');
  Stream stream = writer.stream("a");
  gate.shut();
  std::uint64_t emitted = 0;
  for (int i = 0; i < 20; ++i) {
    for (std::uint32_t n = 0; n < 100; ++n) stream.emit(types, Tick{n});
    stream.emit(types, Paper{{text}});
    emitted += 101;
  }
  gate.open();
  evt_writer* const raw = writer.get();
  EXPECT_TRUE(writer.close().ok());
  const evt_counts counts = evt_writer_counts(raw);
  EXPECT_EQ(counts.events_written + counts.lost[EVT_LOST_RING_FULL], emitted);
  const std::string bytes = gate.blocks.bytes();
  Trace trace = open_trace(bytes);
  const Fate fate = fate_of(trace);
  EXPECT_EQ(fate.came, counts.events_written);
  EXPECT_EQ(fate.lost[EVT_LOST_RING_FULL], counts.lost[EVT_LOST_RING_FULL]);
  EXPECT_EQ(trace.status().message(), "");
}

}  // namespace
}  // namespace evt::testing

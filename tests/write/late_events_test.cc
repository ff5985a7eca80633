// Events that come while a stream is sealed, or when it has ended with its thread: none is recorded, and each counted.
#include <pthread.h>
#include <signal.h>

#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

// What a signal handler, and a destructor of a thread's value, work with.
struct Late {
  evt_stream* stream = nullptr;
  const Types<Tick>* types = nullptr;
  pthread_key_t key = 0;
  std::uint32_t emitted = 0;
};
Late* late;

void emit_late() {
  ++late->emitted;
  Stream(late->stream).emit(*late->types, Tick{late->emitted});
}

// Signals come while it is written to.
struct InterruptedSink {
  static int take(void* self, const void* bytes, std::size_t size) {
    auto& sink = *static_cast<InterruptedSink*>(self);
    if (sink.is_interrupted) raise(SIGALRM);
    return Sink::take(&sink.blocks, bytes, size);
  }
  bool is_interrupted = false;
  Sink blocks;
};

TEST(LateEvents, OfHandlersWhileAStreamIsSealedAreCounted) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { emit_late(); };
  sigaction(SIGALRM, &action, &before);
  InterruptedSink sink;
  StepClock clock;
  Writer writer = *Writer::open(&InterruptedSink::take, &sink, ordinary_options(clock));
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  Late all = {stream.get(), &types};
  late = &all;
  emit_late();
  sink.is_interrupted = true;
  stream.seal();
  sink.is_interrupted = false;
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_GE(all.emitted, 3u) << "while its rows are written, and then the losses";
  EXPECT_EQ(writer.counts().lost[EVT_LOST_REENTERED], all.emitted - 1);
  EXPECT_TRUE(writer.close().ok());
  const std::string bytes = sink.blocks.bytes();
  Trace trace = open_trace(bytes);
  const Fate fate = fate_of(trace);
  EXPECT_EQ(fate.came, 1u);
  EXPECT_EQ(fate.lost[EVT_LOST_REENTERED], all.emitted - 1);
}

// The last of them, when the thread's stream has been sealed by one before.
void emit_in_each_round(void* nothing) {
  emit_late();
  if (late->emitted < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(late->key, nothing);
}

class LateEventsOfThreads : public RingTest {};

TEST_F(LateEventsOfThreads, OfTheirLastDestructorsAreCounted) {
  if (kThreadSanitizer) GTEST_SKIP() << "has ended with the thread before its last destructors";
  for (const bool is_inline : {false, true}) {
    evt_options with = options();
    with.flush_inline = is_inline;
    Writer writer = *Writer::open(path, with);
    const auto types = writer.declare<Tick>();
    Late all = {nullptr, &types};
    late = &all;
    pthread_key_create(&all.key, emit_in_each_round);
    std::thread([&] {
      all.stream = writer.this_thread().get();
      pthread_setspecific(all.key, &all);
    }).join();
    pthread_key_delete(all.key);
    const std::uint64_t counted = writer.counts().lost[EVT_LOST_REENTERED];
    EXPECT_TRUE(writer.close().ok());
    Trace trace = open_file(path);
    const Fate fate = fate_of(trace);
    const std::uint64_t lost = fate.lost[EVT_LOST_REENTERED];
    EXPECT_EQ(all.emitted, std::uint32_t{PTHREAD_DESTRUCTOR_ITERATIONS});
    EXPECT_GE(lost, 1u);
    EXPECT_EQ(lost, counted);
    EXPECT_EQ(fate.came + lost, all.emitted);
  }
}

}  // namespace
}  // namespace evt::testing

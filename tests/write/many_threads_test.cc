// Many threads, long and short ones, in sessions with a ring; and programs that end in the middle of them.
#include <malloc.h>

#include <cstdlib>
#include <latch>
#include <map>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class ManyThreads : public RingTest {
 protected:
  // How often each number came; every stream's are its first ones, in order.
  std::map<std::uint32_t, std::uint32_t> counts_of_ticks() const {
    Trace trace = open_file(path);
    EXPECT_EQ(trace.status().message(), "");
    EXPECT_EQ(trace.sessions()[0].lost, 0u);
    std::map<std::uint32_t, std::uint32_t> next;
    std::map<std::uint32_t, std::uint32_t> count;
    Events events = trace.events();
    while (const Event* event = events.next()) {
      const std::uint32_t n = event->as<Tick>()->n;
      if (n != next[event->stream().id]++) throw std::runtime_error("out of order: " + std::to_string(n));
      ++count[n];
    }
    return count;
  }
};

TEST_F(ManyThreads, AllArriveWithAllThatTheyRecorded) {
  constexpr std::uint32_t kThreads = kThreadSanitizer ? 200 : 1'000;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::latch begin(1);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      begin.wait();
      emit_ticks(writer.this_thread(), types, 0, 100);
    });
  }
  begin.count_down();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(writer.close().ok());
  const auto counts = counts_of_ticks();
  ASSERT_EQ(counts.size(), 100u);
  for (const auto& [n, count] : counts) ASSERT_EQ(count, kThreads) << n;
}

TEST_F(ManyThreads, OneAfterAnotherUseMemoryAgain) {
  constexpr std::uint32_t kThreads = kThreadSanitizer ? 1'000 : kSanitizer ? 5'000 : 20'000;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  const auto run_thread = [&] { std::thread([&] { emit_ticks(writer.this_thread(), types, 0, 3); }).join(); };
  for (int i = 0; i < 100; ++i) run_thread();
  malloc_trim(0);  // what earlier tests left free would hide that memory grows
  const std::uint64_t before = bytes_in_use();
  for (std::uint32_t i = 100; i < kThreads; ++i) run_thread();
  EXPECT_LT(bytes_in_use(), before + (64u << 20));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(counts_of_ticks(), (std::map<std::uint32_t, std::uint32_t>{{0, kThreads}, {1, kThreads}, {2, kThreads}}));
  EXPECT_EQ(open_file(path).sessions()[0].streams.size(), kThreads);
}

// A stream's state that is used again must not carry over what the thread before it lost, or how far it came.
TEST_F(ManyThreads, OneAfterAnotherInheritNothing) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    evt_options small = options();
    small.ring_size = 16 << 10;
    small.full_wait_ms = 1;
    auto writer = Writer::open(path, small);
    const auto types = writer->declare<Tick>();
    for (int i = 0; i < 50; ++i) {
      std::thread([&] {
        Stream stream = writer->this_thread();
        emit_ticks(stream, types, 0, 1'000);
        evt_stream_lost(stream.get(), EVT_LOST_SINK, 1, 1, 1);
        stream.flush();
      }).join();
    }
    const std::uint64_t before = writer->counts().lost[EVT_LOST_TOO_LARGE];
    std::thread([&] {
      Stream stream = writer->this_thread();
      stream.emit_with(types.get<Tick>(), [](RowBuilder& row) {
        const std::vector<std::byte> most(20 << 20);
        row.raw(most);
      });
      if (writer->counts().lost[EVT_LOST_TOO_LARGE] != before + 1) _exit(1);
      kill(getpid(), SIGKILL);
    }).join();
  }));
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  const Fate fate = fate_of(trace);
  EXPECT_EQ(fate.lost[EVT_LOST_TOO_LARGE], 1u);
  EXPECT_EQ(fate.lost[EVT_LOST_SINK], 50u);
}

// A thread with the handle of a sealed stream may go on with it, to no effect, while other threads come.
TEST_F(ManyThreads, KeepTheStreamThatTheySealed) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream mine = writer.this_thread();
  mine.emit(types, Tick{0});
  mine.seal();
  for (std::uint32_t round = 0; round < 5; ++round) {
    Stream other = writer.stream("other");
    other.emit(types, Tick{0});
    other.flush();  // and the flusher has seen to the sealed one
    std::thread([&] {
      Stream stream = writer.this_thread();
      EXPECT_NE(stream.get(), mine.get());
      stream.emit(types, Tick{0});
      mine.emit(types, Tick{7});
      stream.emit(types, Tick{1});
    }).join();
  }
  writer.this_thread().emit(types, Tick{7});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(counts_of_ticks(), (std::map<std::uint32_t, std::uint32_t>{{0, 11}, {1, 5}}));
}

// Two that begin while others end: a stream's state must not be used again before its thread has left it.
TEST_F(ManyThreads, MayComeWhileOthersGo) {
  constexpr std::uint32_t kThreads = kSanitizer ? 300 : 3'000;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::vector<std::thread> makers;
  for (int i = 0; i < 3; ++i) {
    makers.emplace_back([&] {
      for (std::uint32_t n = 0; n < kThreads; ++n) {
        std::thread([&] { emit_ticks(writer.this_thread(), types, 0, 20); }).join();
      }
    });
  }
  for (std::thread& maker : makers) maker.join();
  EXPECT_TRUE(writer.close().ok());
  for (const auto& [n, count] : counts_of_ticks()) ASSERT_EQ(count, 3 * kThreads) << n;
}

TEST_F(ManyThreads, MayEndWithRowsThatNobodyFlushed) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::thread([&] { emit_ticks(writer.this_thread(), types, 0, 10); }).join();
  EXPECT_EQ(ticks_in(path), numbers(0, 10)) << "while the session goes on";
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
}

// The destructor of a thread_local object runs before or after the thread's stream is sealed, who knows.
TEST_F(ManyThreads, MayRecordUntilTheirVeryEnd) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  static Writer* the_writer;
  static const Types<Tick>* the_types;
  the_writer = &writer;
  the_types = &types;
  struct Last {
    ~Last() { emit_ticks(the_writer->this_thread(), *the_types, 1, 2); }
  };
  std::thread([&] {
    thread_local Last last;
    static_cast<void>(&last);
    emit_ticks(writer.this_thread(), types, 0, 1);
  }).join();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(0, 2));
}

TEST_F(ManyThreads, MayGoOnWhileTheSessionIsClosed) {
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    evt_options small = options();
    small.ring_size = round % 2 == 0 ? 64 << 10 : 0;
    auto writer = Writer::open(path, small);
    const auto types = writer->declare<Tick>();
    evt_writer* const raw = writer->get();
    std::atomic<bool> done{false};
    std::atomic<std::uint32_t> emitted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, stream = writer->stream("s")]() mutable {
        for (std::uint32_t n = 0; !done; ++n) {
          stream.emit(types, Tick{n});
          emitted.fetch_add(1, std::memory_order_relaxed);
        }
      });
    }
    threads.emplace_back([&] {
      while (!done) std::thread([&] { emit_ticks(Stream(evt_this_thread(raw)), types, 0, 2); }).join();
    });
    while (emitted < 20'000u) std::this_thread::yield();
    EXPECT_TRUE(writer->close().ok());
    done = true;
    for (std::thread& thread : threads) thread.join();
    counts_of_ticks();
    EXPECT_TRUE(open_file(path).sessions()[0].closed);
  }
}

// What an embedding program has in its static objects, and when they go.
struct Statics {
  Writer* writer = nullptr;
  Stream* stream = nullptr;
  Types<Tick> types;
} statics;

void emit_at_exit() {
  emit_ticks(*statics.stream, statics.types, 100, 200);
  emit_ticks(statics.writer->this_thread(), statics.types, 0, 100);
  emit_ticks(statics.writer->stream("late"), statics.types, 0, 100);
}

class ProgramEnd : public ManyThreads {
 protected:
  // A program whose second thread calls exit() while others record; its status.
  int end_while_recording(bool close_first) {
    return in_child([&] {
      statics.writer = new Writer(open());
      statics.types = statics.writer->declare<Tick>();
      statics.stream = new Stream(statics.writer->stream("main"));
      emit_ticks(*statics.stream, statics.types, 0, 100);
      std::atomic<bool> recording{false};
      std::thread([&] {
        for (;;) {
          emit_ticks(statics.writer->this_thread(), statics.types, 0, 100);
          recording = true;
        }
      }).detach();
      while (!recording) std::this_thread::yield();
      atexit(emit_at_exit);
      static bool closes = false;
      closes = close_first;
      atexit([] {
        if (closes && !statics.writer->close().ok()) _exit(1);
      });
      std::thread([] { exit(0); }).join();
    });
  }
};

TEST_F(ProgramEnd, MayComeFromAnyThread) {
  if (kSanitizer) GTEST_SKIP() << "looks for leaks and threads at exit";
  EXPECT_EQ(end_while_recording(false), 0);
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kRecovered);
  const StreamInfo* const of_main = trace.sessions()[0].stream(1);
  ASSERT_NE(of_main, nullptr);
  EXPECT_EQ(of_main->rows, 200u);
  EXPECT_EQ(trace.sessions()[0].streams.back().name, "late");
}

TEST_F(ProgramEnd, MayCloseTheSessionBeforeOthersRecord) {
  if (kSanitizer) GTEST_SKIP() << "looks for leaks and threads at exit";
  EXPECT_EQ(end_while_recording(true), 0);
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_TRUE(trace.sessions()[0].closed);
  EXPECT_EQ(trace.sessions()[0].stream(1)->rows, 100u);
}

}  // namespace
}  // namespace evt::testing

// Programs that fork while they have a ring: the ring is the parent's, whatever the child does, however it was made.
#include <sched.h>
#include <sys/syscall.h>

#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class ForkWithRing : public RingTest {
 protected:
  // A child that the library does not hear of: no handler of pthread_atfork runs.
  template <typename Work>
  static int in_silent_child(Work work) {
    const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child == 0) {
      alarm(60);
      work();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  // A thread that begins holds locks of the sanitizers, and a child made meanwhile would wait for them for ever when it
  // makes a thread of its own.
  static void let_flusher_begin(Stream stream) { stream.flush(); }

  // All that a child may try.
  static void do_everything(Writer& writer, Stream stream, const Types<Tick, Paper>& types) {
    for (std::uint32_t n = 0; n < 10'000; ++n) stream.emit(types, Tick{n});
    stream.emit(types, Paper{{std::string(100'000, 'x')}});
    stream.flush();
    stream.jump();
    stream.now();
    evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 1, 1, 1);
    writer.stream("b").emit(types, Tick{2});
    writer.this_thread().emit(types, Tick{3});
    writer.intern("text");
    writer.declare<Note>();
    writer.counts();
    writer.switch_types("*", false);
    stream.seal();
    if (!writer.close().ok()) _exit(1);
  }
  void expect_untouched(Writer& writer, Stream stream, const Types<Tick, Paper>& types) {
    stream.emit(types, Tick{4});
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(text(), tick_text("0.000000001 1 tick n=1\n"
                                "0.000000002 1 tick n=4\n"
                                "type 1025 paper (text text32)\n"));
  }
};

TEST_F(ForkWithRing, LetsTheChildDoWhatItWillInVain) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick, Paper>();
  Stream stream = writer.stream("a");
  stream.emit(types, Tick{1});
  EXPECT_EQ(in_child([&] { do_everything(writer, stream, types); }), 0);
  expect_untouched(writer, stream, types);
}

TEST_F(ForkWithRing, LetsAChildDoWhatItWillInVainOfWhichTheLibraryDoesNotHear) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick, Paper>();
  Stream stream = writer.stream("a");
  stream.emit(types, Tick{1});
  EXPECT_EQ(in_silent_child([&] { do_everything(writer, stream, types); }), 0);
  expect_untouched(writer, stream, types);
}

TEST_F(ForkWithRing, LetsTheChildOfAThreadDoWhatItWillInVain) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick, Paper>();
  Stream stream = writer.stream("a");
  stream.emit(types, Tick{1});
  std::thread([&] { EXPECT_EQ(in_child([&] { do_everything(writer, stream, types); }), 0); }).join();
  expect_untouched(writer, stream, types);
}

TEST_F(ForkWithRing, LeavesAnEventAloneInWhoseMiddleItHappens) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick, Paper>();
  Stream stream = writer.stream("a");
  const pid_t parent = getpid();
  int status = -1;
  stream.emit_with(types.get<Tick>(), [&](RowBuilder& row) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      row.raw(std::vector<std::byte>(100'000));  // needs room, and there is no stream
      return;
    }
    waitpid(child, &status, 0);
    row.add(1u);
  });
  if (getpid() != parent) _exit(0);
  EXPECT_EQ(status, 0);
  expect_untouched(writer, stream, types);
}

TEST_F(ForkWithRing, LetsTheChildEndInTheOrdinaryWay) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  writer.this_thread().emit(types, Tick{1});
  let_flusher_begin(writer.this_thread());
  EXPECT_EQ(in_child([&] {
              std::thread([&] { writer.this_thread().emit(types, Tick{2}); }).join();
              const Writer gone = std::move(writer);
            }),
            0);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(1, 2));
}

TEST_F(ForkWithRing, LetsTheChildRecordASessionOfItsOwn) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  const std::string each_its_own = folder / "of-%p.evt";
  Writer writer = open(each_its_own);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  stream.emit(types, Tick{1});
  let_flusher_begin(stream);
  EXPECT_EQ(in_child([&] {
              Writer mine = open(each_its_own);
              Stream own = mine.stream("a");
              emit_ticks(own, mine.declare<Tick>(), 10, 5'000);
              std::thread([&] { emit_ticks(mine.this_thread(), mine.declare<Tick>(), 0, 10); }).join();
              emit_ticks(stream, types, 0, 100);
              if (!mine.close().ok()) _exit(1);
            }),
            0);
  EXPECT_TRUE(writer.close().ok());
  const std::string own = folder / "of-" + std::to_string(getpid()) + ".evt";
  ASSERT_EQ(files().size(), 2u);
  for (const std::string& name : files()) {
    const std::size_t ticks = ticks_in(folder / name).size();
    EXPECT_EQ(ticks, folder / name == own ? 1u : 5'000u) << name;
  }
}

// A pipe whose reader waits until the test ends, or releases it.
class Leash {
 public:
  Leash() {
    if (pipe(ends_) != 0) throw std::runtime_error("pipe");
  }
  ~Leash() {
    close(ends_[0]);
    close(ends_[1]);
  }
  // Of the one on the leash.
  void wait_until_let_go() {
    *on_it_ = true;
    close(ends_[1]);
    char byte;
    static_cast<void>(!read(ends_[0], &byte, 1));
  }

  // Of the process that put it there.
  void wait_until_on_it() const {
    while (!*on_it_) usleep(100);
  }

 private:
  int ends_[2];
  std::atomic<bool>* on_it_ = shared<std::atomic<bool>>();
};

TEST_F(ForkWithRing, DoesNotMakeADeadParentLookAlive) {
  Leash leash;
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
    if (fork() == 0) {
      leash.wait_until_let_go();
      _exit(0);
    }
    leash.wait_until_on_it();
  }));
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kRecovered);
  EXPECT_EQ(ticks_in(trace), numbers(0, 10));
}

TEST_F(ForkWithRing, DoesNotMakeALivingParentLookDead) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
  EXPECT_EQ(in_child([] {}), 0);
  EXPECT_EQ(open_file(path).sessions()[0].ring, RingState::kLive);
}

TEST_F(ForkWithRing, ThenExecEndsASessionLikeAKill) {
  EXPECT_EQ(in_child([&] {
              auto* const writer = new Writer(open());
              emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
              execlp("true", "true", nullptr);
              _exit(1);
            }),
            0);
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kRecovered);
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(ticks_in(trace), numbers(0, 10));
}

TEST_F(ForkWithRing, NeverHoldsTheChildUpWhenOtherThreadsRecord) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("mine");
  std::atomic<bool> done{false};
  std::thread busy([&] {
    Stream own = writer.this_thread();
    for (std::uint32_t n = 0; !done; ++n) {
      own.emit(types, Tick{n});
      writer.intern(std::to_string(n % 100));
      if (n % 100 == 0) own.flush();
    }
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(in_child([&] {
                for (std::uint32_t n = 0; n < 2'000; ++n) stream.emit(types, Tick{n});
                stream.flush();
                writer.intern("text");
                writer.counts();
                if (!writer.close().ok()) _exit(1);
              }),
              0);
  }
  done = true;
  busy.join();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(open_file(path).status().message(), "");
}

}  // namespace
}  // namespace evt::testing

// Programs that fork while they record.
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class Fork : public ::testing::Test {
 protected:
  Result<Writer> open() {
    evt_options options = ordinary_options(clock);
    options.buffer_size = 4096;
    return Writer::open(path, options);
  }

  Folder folder;
  std::string path = folder / "a.evt";
  StepClock clock;
};

TEST_F(Fork, LetsTheChildWriteNothingIntoItsParentsFile) {
  auto writer = open();
  const auto types = writer->declare<Tick, Paper>();
  Stream stream = writer->stream("a");
  stream.emit(types, Tick{1});
  EXPECT_EQ(in_child([&] {
              for (std::uint32_t i = 0; i < 10'000; ++i) stream.emit(types, Tick{i});
              stream.emit(types, Paper{{std::string(100'000, 'x')}});
              stream.flush();
              stream.jump();
              evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 1, 1, 1);
              writer->stream("b").emit(types, Tick{2});
              writer->this_thread().emit(types, Tick{3});
              writer->intern("text");
              writer->declare<Note>();
              stream.seal();
              if (!writer->close().ok()) _exit(1);
            }),
            0);
  stream.emit(types, Tick{4});
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000001 1 tick n=1\n"
                                                      "0.000000002 1 tick n=4\n"
                                                      "type 1025 paper (text text32)\n"));
}

TEST_F(Fork, LetsTheChildEndInTheOrdinaryWay) {
  auto writer = open();
  const auto types = writer->declare<Tick>();
  writer->this_thread().emit(types, Tick{1});
  EXPECT_EQ(in_child([&] {
              std::thread([&] { writer->this_thread().emit(types, Tick{2}); }).join();
              Writer gone = *std::move(writer);
            }),
            0);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(ticks_of(read_file(path)), (std::vector<std::uint32_t>{1}));
}

TEST_F(Fork, LetsTheChildRecordASessionOfItsOwn) {
  auto writer = open();
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  stream.emit(types, Tick{1});
  const std::string own = folder / "child.evt";
  EXPECT_EQ(in_child([&] {
              auto mine = Writer::open(own, ordinary_options(clock));
              mine->stream("a").emit(mine->declare<Tick>(), Tick{2});
              if (!mine->close().ok()) _exit(1);
            }),
            0);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(ticks_of(read_file(path)), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(ticks_of(read_file(own)), (std::vector<std::uint32_t>{2}));
}

// The thread that held the writer's lock when the process was copied is not there in the child.
TEST_F(Fork, NeverHoldsTheChildUpWhenOtherThreadsRecord) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  auto writer = open();
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("mine");
  std::atomic<bool> done{false};
  std::thread busy([&] {
    Stream own = writer->this_thread();
    while (!done) {
      own.emit(types, Tick{1});
      own.flush();
    }
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(in_child([&] {
                for (std::uint32_t n = 0; n < 2'000; ++n) stream.emit(types, Tick{n});
                stream.flush();
                writer->intern("text");
                writer->counts();
                if (!writer->close().ok()) _exit(1);
              }),
              0);
  }
  done = true;
  busy.join();
  EXPECT_TRUE(writer->close().ok());
  const std::string bytes = read_file(path);
  EXPECT_EQ(open_trace(bytes).status().message(), "");
}

}  // namespace
}  // namespace evt::testing

// What a session records of its writer: what tracing took of its producers' time, the work of its flusher, and when the
// process was stopped.
#include <evt/compact.h>
#include <evt/events.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <map>
#include <sstream>
#include <thread>

#include "libtrace-write/src/stop_clock.h"
#include "write/gate.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What events of one type, and where there are reasons of one reason, state of a stream.
struct Stated {
  std::uint64_t count = 0;
  std::int64_t ns = 0;
  std::vector<std::int64_t> at_ns;  // UTC
};

Stated stated_in(std::string_view trace_bytes, std::string_view type, std::string_view stream,
                 std::string_view reason = "") {
  Stated stated;
  each_event(trace_bytes, [&](const Event& event) {
    if (event.is_lost() || event.type().name() != type || event.stream().name != stream) return;
    if (!reason.empty()) {
      const std::string* const text = event.session().text(event.as<events::Overhead>()->reason);
      ASSERT_NE(text, nullptr);
      EXPECT_EQ(*text, reason);
    }
    const std::uint64_t ticks = event.value("duration")->as_unsigned();
    ++stated.count;
    stated.ns += event.ns() - event.ticks_to_ns(event.ticks() - ticks);
    stated.at_ns.push_back(event.utc_ns());
  });
  return stated;
}

std::int64_t ns_since(steady_clock::time_point begin) {
  return std::chrono::nanoseconds(steady_clock::now() - begin).count();
}

evt_options small_ring() {
  evt_options small = {};
  small.ring_size = 16 << 10;
  small.full_wait_ms = EVT_WAIT_FOR_EVER;
  return small;
}

// A producer that waits for 50 ms, twice: the flusher cannot write, and so it cannot declare anything.
class WaitingProducer : public ::testing::Test {
 protected:
  void record(Writer& writer) {
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    const auto begin = steady_clock::now();
    for (int i = 0; i < 2; ++i) {
      gate_.shut();
      std::thread later([&] {
        gate_.wait_for_flusher();
        std::this_thread::sleep_for(milliseconds(50));
        gate_.open();
      });
      emit_ticks(stream, types, next_, next_ + 20'000);
      next_ += 20'000;
      later.join();
    }
    took_ns_ = ns_since(begin);
    EXPECT_EQ(writer.close().message(), "");
  }

  Gate gate_;
  std::uint32_t next_ = 0;
  std::int64_t took_ns_ = 0;
};

TEST_F(WaitingProducer, RecordsForHowLong) {
  auto writer = Writer::open(&Gate::take, &gate_, small_ring());
  ASSERT_TRUE(writer.ok());
  record(*writer);
  const std::string bytes = gate_.blocks.bytes();
  const Stated waited = stated_in(bytes, "trace.overhead", "a", "waiting for room");
  EXPECT_GE(waited.count, 1u);
  EXPECT_GE(waited.ns, 40'000'000);
  EXPECT_LE(waited.ns, took_ns_);
  EXPECT_EQ(ticks_of(bytes), numbers(0, next_));
}

// Waits of events that are earlier are recorded behind those, at the latest in front of the end: readers expect nothing
// behind it.
TEST_F(WaitingProducer, RecordsItInFrontOfTheEndOfItsStream) {
  auto writer = Writer::open(&Gate::take, &gate_, small_ring());
  ASSERT_TRUE(writer.ok());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  const auto emit_while_waiting = [&](auto emit) {
    gate_.shut();
    std::thread later([&] {
      gate_.wait_for_flusher();
      std::this_thread::sleep_for(milliseconds(50));
      gate_.open();
    });
    for (int i = 0; i < 20'000; ++i) emit(Tick{next_++});
    later.join();
  };
  emit_while_waiting([&](const Tick& tick) { stream.emit(types, tick); });  // then the type is declared
  const std::uint64_t earlier = stream.now();
  emit_while_waiting([&](const Tick& tick) { stream.emit_at(earlier, types, tick); });
  stream.end();
  stream.seal();
  EXPECT_EQ(writer->close().message(), "");
  std::istringstream lines(text_of_trace(gate_.blocks.bytes()));
  std::vector<std::string> words;  // of the stream, without times
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(" 1 ");
    if (line[0] == '0' && at == line.find(' ')) words.push_back(line.substr(at + 3, line.find(' ', at + 3) - at - 3));
  }
  ASSERT_GE(words.size(), 2u);
  EXPECT_EQ(words.back(), "!end");
  EXPECT_EQ(words[words.size() - 2], "trace.overhead");
}

// The type is declared while the first wait is over already: its row comes behind others, and has no earlier time.
TEST_F(WaitingProducer, HasAllRowsInTheOrderOfTheirTimes) {
  auto writer = Writer::open(&Gate::take, &gate_, small_ring());
  ASSERT_TRUE(writer.ok());
  record(*writer);
  const std::string bytes = gate_.blocks.bytes();
  EXPECT_GE(stated_in(bytes, "trace.overhead", "a", "waiting for room").count, 1u);
  std::map<std::string, std::int64_t> latest;  // by stream
  each_event(bytes, [&](const Event& event) {
    EXPECT_GE(event.ns(), latest[event.stream().name]) << event.type().name();
    latest[event.stream().name] = event.ns();
  });
}

TEST_F(WaitingProducer, DoesNotIfTheTypeIsOff) {
  auto writer = Writer::open(&Gate::take, &gate_, small_ring());
  ASSERT_TRUE(writer.ok());
  leave_out_events_of_writer(*writer);
  record(*writer);
  Trace trace = open_trace(gate_.blocks.bytes());
  EXPECT_EQ(trace.sessions()[0].types.size(), 1u);
  EXPECT_EQ(trace.sessions()[0].streams.size(), 1u);
  EXPECT_EQ(trace.sessions()[0].rows, next_);
}

// What a copy records of how it was made would look as if the origin had recorded it.
TEST_F(WaitingProducer, DoesNotInACopyOfATrace) {
  evt_options options = small_ring();
  options.session = &ordinary_session();
  auto writer = Writer::open(&Gate::take, &gate_, options);
  ASSERT_TRUE(writer.ok());
  record(*writer);
  EXPECT_EQ(open_trace(gate_.blocks.bytes()).sessions()[0].rows, next_);
}

// A sink that takes its time.
struct SleepingSink {
  static int take(void* self, const void* bytes, std::size_t size) {
    std::this_thread::sleep_for(milliseconds(3));
    return Sink::take(&static_cast<SleepingSink*>(self)->blocks, bytes, size);
  }
  Sink blocks;
};

TEST(InlineProducer, RecordsHowLongItWroteBlocks) {
  SleepingSink sink;
  evt_options options = {};
  options.flush_inline = 1;
  options.buffer_size = 4 << 10;
  auto writer = Writer::open(&SleepingSink::take, &sink, options);
  ASSERT_TRUE(writer.ok());
  const auto types = writer->declare<Tick>();
  const auto begin = steady_clock::now();
  emit_ticks(writer->stream("a"), types, 0, 3000);
  const std::int64_t took_ns = ns_since(begin);
  EXPECT_EQ(writer->close().message(), "");
  const Stated wrote = stated_in(sink.blocks.bytes(), "trace.overhead", "a", "writing a block");
  EXPECT_GE(wrote.count, 5u);
  EXPECT_GE(wrote.ns, 20'000'000);
  EXPECT_LE(wrote.ns, took_ns);
}

std::int64_t processor_time_of_process() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Three million events, as columns.
class BusyFlusher : public ::testing::Test {
 protected:
  void SetUp() override {
    evt_options options = {};
    options.full_wait_ms = EVT_WAIT_FOR_EVER;
    options.compact = evt_columns();
    auto writer = Writer::open(&Sink::take, &blocks_, options);
    ASSERT_TRUE(writer.ok());
    const auto types = writer->declare<Tick>();
    const std::int64_t before = processor_time_of_process();
    emit_ticks(writer->stream("a"), types, 0, 3'000'000);
    emit_ticks(writer->stream("b"), types, 3'000'000, 3'000'001);
    EXPECT_EQ(writer->close().message(), "");
    used_ns_ = processor_time_of_process() - before;
  }

  Sink blocks_;
  std::int64_t used_ns_ = 0;
};

TEST_F(BusyFlusher, RecordsItsWorkInAStreamOfItsOwn) {
  const Stated worked = stated_in(blocks_.bytes(), "trace.overhead", "evt-flusher", "flusher");
  EXPECT_GE(worked.count, 1u);
  EXPECT_GE(worked.ns, 10'000'000);
  EXPECT_LE(worked.ns, used_ns_);
  EXPECT_TRUE(std::is_sorted(worked.at_ns.begin(), worked.at_ns.end()));
}

// A program with ids of its own choice gets each of them.
TEST_F(BusyFlusher, TakesNoIdFromThoseThatFollow) {
  Trace trace = open_trace(blocks_.bytes());
  std::vector<std::uint32_t> ids;
  for (const StreamInfo& stream : trace.sessions()[0].streams) ids.push_back(stream.id);
  EXPECT_THAT(ids, ::testing::UnorderedElementsAre(1u, 2u, 0x7FFF'FFFFu));
}

class StoppedProgram : public ::testing::Test {
 protected:
  static constexpr std::int64_t kStoppedMs = 1000;

  // A program that records for a second, and is stopped for another one in between.
  void record(bool with_stops) {
    const std::string path = path_;
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      auto writer = Writer::open(path);
      if (!writer) _exit(1);
      if (!with_stops) writer->switch_types("process.stopped", false);
      const auto types = writer->declare<Tick>();
      Stream stream = writer->stream("a");
      for (std::uint32_t i = 0; i < 100; ++i) {
        stream.emit(types, Tick{i});
        if (i == 30 && ::write(told[1], "x", 1) != 1) _exit(3);
        usleep(10'000);
      }
      _exit(writer->close().ok() ? 0 : 2);
    }
    ::close(told[1]);
    char records = 0;
    EXPECT_EQ(::read(told[0], &records, 1), 1);
    ::close(told[0]);
    const auto begin = steady_clock::now();
    kill(child, SIGSTOP);
    std::this_thread::sleep_for(milliseconds(kStoppedMs));
    continued_ = std::chrono::system_clock::now();
    kill(child, SIGCONT);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    until_end_ns_ = ns_since(begin);
  }

  const Folder folder_;
  const std::string path_ = folder_ / "a.evt";
  std::chrono::system_clock::time_point continued_;
  std::int64_t until_end_ns_ = 0;
};

TEST_F(StoppedProgram, RecordsForHowLongAndWhenThatEnded) {
  std::uint64_t ns = 0;
  if (!read_run_delay(&ns)) GTEST_SKIP() << "this kernel counts no run delays";
  record(true);
  const Stated stopped = stated_in(read_file(path_), "process.stopped", "evt-flusher");
  ASSERT_GE(stopped.count, 1u);
  EXPECT_GE(stopped.ns, kStoppedMs * 1'000'000 / 2);
  EXPECT_LE(stopped.ns, until_end_ns_);
  // Both are CLOCK_MONOTONIC. What the machine's other threads took of the second before is not known to be from
  // before.
  const std::int64_t continued = std::chrono::nanoseconds(continued_.time_since_epoch()).count();
  EXPECT_GE(stopped.at_ns.back(), continued - kStoppedMs * 1'000'000 / 2);
}

TEST_F(StoppedProgram, DoesNotIfTheTypeIsOff) {
  record(false);
  EXPECT_EQ(stated_in(read_file(path_), "process.stopped", "evt-flusher").count, 0u);
}

}  // namespace
}  // namespace evt::testing

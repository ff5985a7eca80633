// Traces through pipes and sockets: slow readers, readers that go away, signals that interrupt.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <thread>

#include "support/thread_without_signals.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kPipeTicks = 30'000;  // many times what a pipe holds

std::vector<std::uint32_t> all_ticks() {
  std::vector<std::uint32_t> numbers(kPipeTicks);
  for (std::uint32_t i = 0; i < kPipeTicks; ++i) numbers[i] = i;
  return numbers;
}

// The other end of a pipe: takes what comes until nothing more can come, with the given pauses.
class PipeReader {
 public:
  explicit PipeReader(int fd, int pause_us = 0)
      : thread_(thread_without_signals([this, fd, pause_us] {  // interrupts are for who writes
          char some[2'048];
          for (ssize_t n = 0; (n = read(fd, some, sizeof some)) > 0;) {
            bytes_.append(some, static_cast<std::size_t>(n));
            if (pause_us > 0) usleep(static_cast<useconds_t>(pause_us));
          }
          close(fd);
        })) {}
  std::string bytes() {
    thread_.join();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  std::thread thread_;
};

Result<Writer> open_writer(int fd, const StepClock& clock) {
  evt_options options = ordinary_options(clock);
  options.buffer_size = 4096;
  return Writer::open(fd, options);
}

// Records through the descriptor, closes the session and the descriptor.
Status record_ticks(int fd) {
  StepClock clock;
  auto writer = open_writer(fd, clock);
  if (!writer) return writer.status();
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  for (std::uint32_t i = 0; i < kPipeTicks; ++i) stream.emit(types, Tick{i});
  const Status status = writer->close();
  close(fd);
  return status;
}

TEST(Pipe, CarriesATrace) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  PipeReader reader(ends[0]);
  EXPECT_TRUE(record_ticks(ends[1]).ok());
  EXPECT_EQ(ticks_of(reader.bytes()), all_ticks());
}

TEST(Pipe, MayBeASocket) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  PipeReader reader(ends[0]);
  EXPECT_TRUE(record_ticks(ends[1]).ok());
  EXPECT_EQ(ticks_of(reader.bytes()), all_ticks());
}

TEST(Pipe, ThatDoesNotBlockIsWaitedFor) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  PipeReader reader(ends[0], 500);
  EXPECT_TRUE(record_ticks(ends[1]).ok());
  EXPECT_EQ(ticks_of(reader.bytes()), all_ticks());
}

TEST(Pipe, WhoseReaderWentAwayEndsTheSessionAndNotTheProgram) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  StepClock clock;
  auto writer = open_writer(ends[1], clock);
  ASSERT_TRUE(writer.ok());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  close(ends[0]);
  for (std::uint32_t i = 0; i < kPipeTicks; ++i) stream.emit(types, Tick{i});
  const Status status = writer->close();
  EXPECT_EQ(status.code(), Code::kIo);
  EXPECT_EQ(status.message(), "cannot write descriptor " + std::to_string(ends[1]) + ": Broken pipe");
  close(ends[1]);
}

TEST(Pipe, WhoseReaderIsGoneCannotBeOpened) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  evt_error error;
  EXPECT_EQ(evt_open_fd(ends[1], nullptr, &error), nullptr);
  EXPECT_EQ(std::string(error.message), "cannot write descriptor " + std::to_string(ends[1]) + ": Broken pipe");
  close(ends[1]);
}

std::atomic<int> broken_pipes{0};

TEST(Pipe, LeavesTheProgramsOwnSignalOfABrokenOneAlone) {
  struct sigaction count = {};
  struct sigaction before = {};
  count.sa_handler = [](int) { ++broken_pipes; };
  sigaction(SIGPIPE, &count, &before);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  StepClock clock;
  auto writer = open_writer(ends[1], clock);
  close(ends[0]);
  writer->stream("a").emit(writer->declare<Tick>(), Tick{1});
  EXPECT_FALSE(writer->close().ok());
  EXPECT_EQ(broken_pipes, 0);
  EXPECT_LT(write(ends[1], "x", 1), 0);  // the program's own mistake is still reported
  EXPECT_EQ(broken_pipes, 1);
  close(ends[1]);
  sigaction(SIGPIPE, &before, nullptr);
}

std::atomic<int> alarms{0};

TEST(Pipe, IsWrittenToTheEndWhateverInterrupts) {
  struct sigaction ring = {};
  struct sigaction before = {};
  ring.sa_handler = [](int) { ++alarms; };  // without SA_RESTART
  sigaction(SIGALRM, &ring, &before);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  PipeReader reader(ends[0], 300);
  itimerval often = {{0, 1'000}, {0, 1'000}};
  setitimer(ITIMER_REAL, &often, nullptr);
  const Status status = record_ticks(ends[1]);
  often = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(ticks_of(reader.bytes()), all_ticks());
  EXPECT_GT(alarms, 10);
  sigaction(SIGALRM, &before, nullptr);
}

TEST(Pipe, ThatDoesNotBlockIsWrittenToTheEndWhateverInterrupts) {
  struct sigaction ring = {};
  struct sigaction before = {};
  ring.sa_handler = [](int) {};
  sigaction(SIGALRM, &ring, &before);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  PipeReader reader(ends[0], 300);
  itimerval often = {{0, 1'000}, {0, 1'000}};
  setitimer(ITIMER_REAL, &often, nullptr);
  const Status status = record_ticks(ends[1]);
  often = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(ticks_of(reader.bytes()), all_ticks());
  sigaction(SIGALRM, &before, nullptr);
}

}  // namespace
}  // namespace evt::testing

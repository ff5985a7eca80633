// The reader of a pipe that takes nothing any more must not keep a program from closing its session.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "write/failing_calls.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kManyTicks = 30'000;  // more than a pipe holds

class StoppedReader : public RingTest {
 protected:
  using Clock = std::chrono::steady_clock;

  StoppedReader() {
    if (pipe(ends_) != 0) throw std::runtime_error("pipe");
  }
  ~StoppedReader() override {
    for (const int end : ends_) ::close(end);
  }
  void given_socket() {
    for (const int end : ends_) ::close(end);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
  }
  Writer open_at_pipe(std::uint32_t close_wait_ms, bool inline_rows = false) {
    evt_options with = options();
    with.close_wait_ms = close_wait_ms;
    with.flush_inline = inline_rows ? 1 : 0;
    with.full = EVT_FULL_DROP;
    return *Writer::open(ends_[1], with);
  }
  static void record(Writer& writer) { emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, kManyTicks); }

  // The error, and what was written and what was lost are all that was recorded.
  void expect_given_up(Writer& writer, int at_least_ms) {
    evt_error error;
    const auto begin = Clock::now();
    evt_writer* const closed = writer.get();
    EXPECT_EQ(evt_close(closed, &error), EVT_CODE_IO);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
    EXPECT_EQ(std::string(error.message), "cannot write descriptor " + std::to_string(ends_[1]) +
                                              ": its reader takes nothing, and the session is being closed");
    EXPECT_GE(took, at_least_ms);
    EXPECT_LT(took, 20'000);
    const evt_counts counts = evt_writer_counts(closed);
    EXPECT_GT(counts.lost[EVT_LOST_SINK], 0u);
    EXPECT_EQ(counts.events_written + counts.lost[EVT_LOST_SINK], kManyTicks);
    EXPECT_EQ(ticks_of_pipe(), numbers(0, static_cast<std::uint32_t>(counts.events_written)));
  }
  // Of what is in the pipe.
  std::vector<std::uint32_t> ticks_of_pipe() {
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string bytes;
    char some[4096];
    for (ssize_t n = 0; (n = read(ends_[0], some, sizeof some)) > 0;) bytes.append(some, static_cast<std::size_t>(n));
    auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
    if (!trace) throw std::runtime_error(trace.status().message());
    return ticks_in(*trace);
  }
  int* ends() { return ends_; }

 private:
  int ends_[2];
};

TEST_F(StoppedReader, HasAsMuchTimeAsWasAskedFor) {
  Writer writer = open_at_pipe(300);
  record(writer);
  expect_given_up(writer, 300);
}

TEST_F(StoppedReader, HasASecondByDefault) {
  Writer writer = open_at_pipe(0);
  record(writer);
  expect_given_up(writer, 1000);
}

TEST_F(StoppedReader, OfASocketIsNotWaitedForEither) {
  ASSERT_NO_FATAL_FAILURE(given_socket());
  const int small = 16 << 10;
  ASSERT_EQ(setsockopt(ends()[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
  Writer writer = open_at_pipe(100);
  record(writer);
  expect_given_up(writer, 100);
}

// The thread that records holds the lock of the session while it waits.
TEST_F(StoppedReader, IsNotWaitedForWithoutARing) {
  Writer writer = open_at_pipe(200, true);
  std::thread thread([&] { record(writer); });
  pollfd room = {ends()[1], POLLOUT, 0};
  while (poll(&room, 1, 0) == 1) usleep(1000);
  evt_error error;
  EXPECT_EQ(evt_close(writer.get(), &error), EVT_CODE_IO);
  EXPECT_THAT(error.message, ::testing::HasSubstr("its reader takes nothing, and the session is being closed"));
  thread.join();
}

// A pause is no stop: each part that it takes gives it all of the time again.
TEST_F(StoppedReader, IsNoneThatReadsSlowly) {
  Writer writer = open_at_pipe(1000);
  record(writer);
  std::string bytes;
  std::thread reader([&, fd = dup(ends()[0])] {
    char some[4096];
    for (ssize_t n = 0; (n = read(fd, some, sizeof some)) > 0; usleep(30'000)) {
      bytes.append(some, static_cast<std::size_t>(n));
    }
    ::close(fd);
  });
  const auto begin = Clock::now();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_GT(Clock::now() - begin, std::chrono::milliseconds(1000)) << "the reader was not slow";
  ::close(std::exchange(ends()[1], -1));
  reader.join();
  auto trace = Trace::from_memory(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(ticks_in(*trace), numbers(0, kManyTicks));
}

// Which cannot write to a pipe without waiting for it.
TEST_F(StoppedReader, IsNotWaitedForByOlderSystems) {
  const int status = in_child([&] {
    if (!fail_from_now_on(SYS_pwritev2, ENOSYS)) _exit(kMayNot);
    Writer writer = open_at_pipe(100);
    record(writer);
    expect_given_up(writer, 100);
    _exit(HasFailure() ? 1 : 0);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace evt::testing

// Writes to a real file, behind a ring and its flusher: for every N of a small session the Nth fails once, or from
// there on, or in its middle, or is where the program is killed.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <map>

#include "write/reported_error.h"
#include "write/ring_session.h"

namespace {

enum class Fault {
  kOnce,
  kFromThereOn,
  kTorn,  // half of it is written, the rest fails
  kKill,  // half of it is written when the program is killed
};

// Which write from now on is met: 1 is the next one, less than 1 none.
std::atomic<long> meets{0};
std::atomic<Fault> fault{Fault::kOnce};
std::atomic<int> reason{EIO};

bool is_met() {
  if (meets <= 0) return false;
  if (fault == Fault::kFromThereOn && meets == 1) return true;
  return meets.fetch_sub(1) == 1;
}

}  // namespace

extern "C" ssize_t writev(int fd, const iovec* parts, int count) {
  if (!is_met()) return syscall(SYS_writev, fd, parts, count);
  if (fault == Fault::kTorn || fault == Fault::kKill) {
    const iovec half = {parts[0].iov_base, parts[0].iov_len / 2};
    const ssize_t written = syscall(SYS_writev, fd, &half, 1);
    if (fault == Fault::kKill) kill(getpid(), SIGKILL);
    fault = Fault::kOnce;
    meets = 1;
    return written;
  }
  errno = reason;
  return -1;
}

namespace evt::testing {
namespace {

constexpr std::uint32_t kTicksOfEach = 20;

// How many ticks of each stream there are, by its name. Each is the next one of its stream.
using Fronts = std::map<std::string, std::uint32_t>;

class FailingWrite : public RingTest {
 protected:
  ~FailingWrite() override { meets = 0; }

  void given(Fault kind, int error, long at) {
    fault = kind;
    reason = error;
    meets = at;
    reported.times = 0;
  }
  Result<Writer> open_telling() {
    evt_options with = options();
    with.on_error = &ReportedError::tell;
    with.on_error_context = &reported;
    return Writer::open(path, with);
  }
  // Ticks of two streams that are flushed now and then, with words and types in between.
  static void record(Writer& writer, std::atomic<std::uint32_t>& emitted) {
    const auto types = writer.declare<Tick>();
    Stream a = writer.stream("a");
    Stream b = writer.stream("b");
    for (std::uint32_t n = 0; n < kTicksOfEach; ++n) {
      a.emit(types, Tick{n});
      b.emit(types, Tick{n});
      emitted = n + 1;
      if (n % 5 != 4) continue;
      a.flush();
      writer.intern("word " + std::to_string(n));
      b.flush();
    }
  }
  Fronts fronts_in(Trace& trace) {
    Fronts next;
    Events events = trace.events();
    while (const Event* event = events.next()) {
      const auto tick = event->as<Tick>();
      EXPECT_EQ(tick ? tick->n : kTicksOfEach, next[event->stream().name]++);
    }
    EXPECT_TRUE(trace.damage().empty());
    return next;
  }
  // A session that cannot write on to the end: what was written is a front of each stream, what was recorded before it
  // was switched off is in the ring, and both are counted. False when it needs fewer writes.
  bool expect_front() {
    std::filesystem::remove(path);
    remove_rings_of(folder);
    const std::string reason = "cannot write " + path + ": Input/output error";
    auto writer = open_telling();
    if (!writer) {
      EXPECT_EQ(writer.status().message(), reason);
      EXPECT_TRUE(rings_of(folder).empty());
      return true;
    }
    std::atomic<std::uint32_t> emitted{0};
    record(*writer, emitted);
    evt_writer* const raw = writer->get();
    const Status closed = writer->close();
    if (closed.ok()) return false;
    EXPECT_EQ(reported.times, 1);
    EXPECT_EQ(reported.message, reason);
    const evt_counts counts = evt_writer_counts(raw);
    EXPECT_EQ(counts.bytes_written, std::filesystem::file_size(path)) << "nothing of the write that failed";
    Trace trace = open_file(path, /*rings=*/false);
    Fronts came = fronts_in(trace);
    EXPECT_EQ(trace.status().code(), Code::kTruncated);
    EXPECT_EQ(counts.events_written, came["a"] + came["b"]);
    EXPECT_LE(counts.events_written + counts.lost[EVT_LOST_SINK], 2 * kTicksOfEach);
    expect_ring(closed.message(), reason, counts);
    return true;
  }
  void expect_ring(const std::string& closed, const std::string& reason, const evt_counts& counts) {
    if (closed == reason) {  // what was recorded is in the file
      EXPECT_TRUE(rings_of(folder).empty());
      return;
    }
    Trace trace = open_file(path);
    const std::uint64_t rows = trace.sessions()[0].ring_rows;
    EXPECT_EQ(closed, reason + "; " + std::to_string(rows) + (rows == 1 ? " row is" : " rows are") +
                          " still in its ring: `evt check --recover` puts " + (rows == 1 ? "it" : "them") +
                          " into the file");
    const Fate fate = fate_of(trace);
    EXPECT_EQ(fate.came + fate.lost_rows, counts.events_written + rows);
    EXPECT_EQ(fate.lost[EVT_LOST_SINK], counts.lost[EVT_LOST_SINK]);
    fronts_in(trace);
  }
  void expect_front_at_every_write(Fault kind) {
    long n = 1;
    for (bool met = true; met && !HasFailure(); ++n) {
      SCOPED_TRACE(n);
      given(kind, EIO, n);
      met = expect_front();
    }
    EXPECT_GT(n, 10);
  }

  ReportedError reported;
};

TEST_F(FailingWrite, OnceAtAnyPlaceLeavesAWholeFrontAndIsToldOnce) { expect_front_at_every_write(Fault::kOnce); }

TEST_F(FailingWrite, FromAnyPlaceOnLeavesAWholeFrontAndIsToldOnce) { expect_front_at_every_write(Fault::kFromThereOn); }

TEST_F(FailingWrite, InTheMiddleOfAnyIsTakenBack) { expect_front_at_every_write(Fault::kTorn); }

TEST_F(FailingWrite, WithoutRoomOnceLosesNothing) {
  for (const Fault kind : {Fault::kOnce, Fault::kTorn}) {
    long n = 1;
    for (bool met = true; met && !HasFailure(); ++n) {
      SCOPED_TRACE(n);
      std::filesystem::remove(path);
      given(kind, ENOSPC, n);
      auto writer = open_telling();
      if (!writer) {
        EXPECT_EQ(writer.status().message(), "cannot write " + path + ": No space left on device");
        continue;
      }
      std::atomic<std::uint32_t> emitted{0};
      record(*writer, emitted);
      while (evt_writer_counts(writer->get()).events_written < 2 * kTicksOfEach) usleep(100);
      // Who closes does not wait for room: of its own words the last may be missing.
      const bool at_close = meets > 0;
      const Status closed = writer->close();
      met = meets <= 0;
      EXPECT_EQ(reported.times, met ? 1 : 0);
      EXPECT_EQ(closed.ok(), !at_close || !met) << closed.message();
      Trace trace = open_file(path);
      EXPECT_EQ(fronts_in(trace), (Fronts{{"a", kTicksOfEach}, {"b", kTicksOfEach}}));
      EXPECT_EQ(trace.status().ok(), closed.ok()) << trace.status().message();
    }
    EXPECT_GT(n, 10);
  }
}

TEST_F(FailingWrite, ThatIsTheLastBeforeAKillLosesNothing) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  auto* const emitted = shared<std::atomic<std::uint32_t>>();
  long n = 1;
  for (bool met = true; met && !HasFailure(); ++n) {
    SCOPED_TRACE(n);
    std::filesystem::remove(path);
    remove_rings_of(folder);
    *emitted = 0;
    given(Fault::kKill, 0, n);
    const int status = in_child([&] {
      auto writer = open_telling();
      if (!writer) _exit(1);
      record(*writer, *emitted);
      if (!writer->close().ok()) _exit(2);
    });
    met = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    EXPECT_TRUE(met || status == 0) << status;
    auto trace = Trace::open(path);
    if (!trace) {
      EXPECT_EQ(*emitted, 0u) << "it was killed while it opened";
      continue;
    }
    Fronts came = fronts_in(*trace);
    EXPECT_TRUE(trace->status().ok()) << trace->status().message();
    EXPECT_GE(came["a"], *emitted);
    EXPECT_GE(came["b"], *emitted);
  }
  EXPECT_GT(n, 10);
  munmap(emitted, sizeof *emitted);
}

// Its file has not one block: no program would ever ask for the ring.
TEST_F(FailingWrite, ThatIsTheFirstOfAllLeavesNoRingForEver) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  constexpr unsigned kMaxDeadRings = 16;
  leaves_many_dead_rings();
  for (unsigned i = 0; i < kMaxDeadRings + 8; ++i) {
    path = folder / std::to_string(i);
    given(Fault::kKill, 0, 1);
    EXPECT_TRUE(WIFSIGNALED(in_child([&] { EXPECT_FALSE(open_telling().ok()); })));
    EXPECT_FALSE(Trace::open(path).ok());
  }
  const std::size_t left = rings_of(folder).size();
  EXPECT_GE(left, 1u) << "a ring says whose it is from its beginning";
  EXPECT_LE(left, kMaxDeadRings + 1) << "and that of the last program, which none followed";
}

}  // namespace
}  // namespace evt::testing

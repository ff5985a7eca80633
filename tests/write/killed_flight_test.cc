// Flight recorders whose programs are killed, at any moment.
#include <gmock/gmock.h>

#include <random>

#include "support/sanitizer.h"
#include "write/flight.h"
#include "write/killed_at_call.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;

class KilledFlight : public Flight {
 protected:
  static constexpr std::uint64_t kFlight = 2 * kMiB;

  // Records until it is at work as it will be, and tells the test which thread is to be killed.
  [[noreturn]] void record(Progress& progress, bool is_closed) const {
    alarm(60);
    Writer writer = start(flight_of(kFlight));
    const auto types = writer.declare<Tick>();
    const Stream stream = writer.stream("a");
    emit_in_steps(writer, stream, types, 0, is_closed ? 250'000 : 100);
    progress.emitted[0] = is_closed ? 250'000 : 100;
    progress.flusher = is_closed ? getpid() : number_of_flusher();
    while (!progress.goes) usleep(100);
    for (std::uint32_t n = progress.emitted[0]; !is_closed && n < 400'000; n += 10'000) {
      emit_ticks(stream, types, n, n + 10'000);
      progress.emitted[0] = n + 10'000;
      writer.flush();
    }
    if (!is_closed) kill(getpid(), SIGKILL);
    _exit(writer.close().ok() ? 0 : 1);
  }
  // Of all files in the folder that are no segments, one is the trace.
  void expect_one_trace(std::uint32_t emitted, bool is_put_away) const {
    int found = 0;
    for (const std::string& name : files()) {
      if (!name.ends_with(".evt") || std::filesystem::file_size(folder / name) == 0) continue;
      Trace trace = open_file(folder / name);
      if (ticks_in(trace).empty()) continue;
      ASSERT_NO_FATAL_FAILURE(expect_the_last(trace, emitted)) << name;
      // A program that is killed between two calls leaves a whole copy under the name that it was to lose.
      found += name.ends_with(".new.evt") && !is_put_away ? 0 : 1;
    }
    ASSERT_EQ(found, 1);
  }
  void remove_all() const {
    for (const std::string& name : files()) {
      if (name.ends_with(".evt")) std::filesystem::remove(folder / name);
    }
    for (const auto& entry : std::filesystem::directory_iterator(rings)) std::filesystem::remove(entry.path());
  }
  template <typename Work>
  bool killed_at(int stops, Progress& progress, Work work) {
    const pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    return kill_at(child, progress, stops);
  }
};

TEST_F(KilledFlight, AtAnyCallOfItsFlusherHasTheLastRowsOnce) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  int stops = 1;
  for (bool is_killed = true; is_killed; stops += 23 * kStride) {
    SCOPED_TRACE(stops);
    Progress* const progress = shared<Progress>();
    ASSERT_NO_THROW(is_killed = killed_at(stops, *progress, [&] { record(*progress, false); }));
    ASSERT_NO_FATAL_FAILURE(expect_the_last(progress->emitted[0]));
    put_away();
    ASSERT_NO_FATAL_FAILURE(expect_one_trace(progress->emitted[0], true));
    remove_all();
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(stops, 100) << "of several changes";
}

TEST_F(KilledFlight, AtAnyCallThatClosesItIsWholeInOneFileOrInSegments) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  int stops = 1;
  for (bool is_killed = true; is_killed; stops += 7 * kStride) {
    SCOPED_TRACE(stops);
    Progress* const progress = shared<Progress>();
    ASSERT_NO_THROW(is_killed = killed_at(stops, *progress, [&] { record(*progress, true); }));
    ASSERT_NO_FATAL_FAILURE(expect_the_last(250'000));
    remove_all();
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(stops, 50);
}

// Under the name that it was to lose.
TEST_F(KilledFlight, LeavesNoCopyWhenItIsPutAway) {
  killed_after([&] {
    auto* const writer = new Writer(start(flight_of(kFlight)));
    emit_in_steps(*writer, writer->stream("a"), writer->declare<Tick>(), 0, 1'000);
  });
  std::filesystem::copy(path, folder / "a.77-0.new.evt");
  std::filesystem::copy(path, folder / "b.77-0.new.evt");
  EXPECT_TRUE(open(folder / "a.78-0.new.evt").close().ok());
  put_away();
  EXPECT_THAT(files(), ElementsAre(::testing::MatchesRegex("a\\.2[0-9T]+\\.evt"), "a.78-0.new.evt", "a.evt",
                                   "b.77-0.new.evt", "rings"));
}

TEST_F(KilledFlight, AtAnyCallThatPutsItAwayIsWhole) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  int stops = 1;
  for (bool is_killed = true; is_killed; stops += 41 * kStride) {
    SCOPED_TRACE(stops);
    killed_after([&] {
      auto* const writer = new Writer(start(flight_of(kFlight)));
      const auto types = writer->declare<Tick>();
      const Stream stream = writer->stream("a");
      emit_in_steps(*writer, stream, types, 0, 250'000);
      emit_ticks(stream, types, 250'000, 251'000);
    });
    Progress* const progress = shared<Progress>();
    ASSERT_NO_THROW(is_killed = killed_at(stops, *progress, [&] {
                      alarm(60);
                      progress->flusher = getpid();
                      while (!progress->goes) usleep(100);
                      start(flight_of(kFlight));
                      kill(getpid(), SIGKILL);
                    }));
    ASSERT_NO_FATAL_FAILURE(expect_one_trace(251'000, false));
    put_away();
    ASSERT_NO_FATAL_FAILURE(expect_one_trace(251'000, true));
    remove_all();
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(stops, 50);
}

// How many are killed is EVT_KILLS.
TEST_F(KilledFlight, LosesNothingOfTheLastSevenEighths) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  constexpr std::uint64_t kBytes = 16 * kMiB;
  const char* const wanted = std::getenv("EVT_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 20;
  std::mt19937 random(1);
  int full = 0;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(i);
    Progress* const progress = shared<Progress>();
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      Writer writer = start(flight_of(kBytes));
      const auto types = writer.declare<Tick>();
      Stream stream = writer.stream("a");
      progress->goes = true;
      for (std::uint32_t n = 0;; ++n) {
        stream.emit(types, Tick{n});
        progress->emitted[0].store(n + 1, std::memory_order_relaxed);
      }
    }
    const std::uint32_t enough = i % 2 == 0 ? 1'500'000 : 1;
    while (progress->emitted[0] < enough && waitpid(child, nullptr, WNOHANG) == 0) usleep(1000);
    usleep(static_cast<useconds_t>(random() % 60'000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const bool is_full = open_file(path, false).sessions()[0].last_segment == 0 && bytes() > kBytes / 2 &&
                         segments().front().find(".000001.") == std::string::npos;
    full += is_full ? 1 : 0;
    if (is_full) {
      ASSERT_GE(bytes() + kMiB / 4, kBytes / 8 * 7);
    }
    ASSERT_NO_FATAL_FAILURE(expect_the_last(progress->emitted[0]));
    remove_all();
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(full, 0);
}

}  // namespace
}  // namespace evt::testing

// How long a process was stopped between two moments: against every nanosecond counted, with a file and without.
#include "libtrace-record/stops/stop_log.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <vector>

#include "support/folder.h"

namespace evt::record {

void PrintTo(const StopLog::Answer& answer, std::ostream* out) {
  *out << "from " << answer.least_ns << " to " << answer.most_ns << " ns";
}

namespace {

constexpr const char* kNoFolder = "/dev/null/none";

// Each nanosecond of a short time is a field.
class NaiveStops {
 public:
  explicit NaiveStops(std::size_t ns) : is_stopped_(ns) {}
  void add(std::int64_t began_ns, std::int64_t ended_ns) {
    for (std::int64_t ns = began_ns; ns < ended_ns; ++ns) is_stopped_[static_cast<std::size_t>(ns)] = true;
  }
  std::uint64_t between(std::int64_t from_ns, std::int64_t to_ns) const {
    std::uint64_t sum = 0;
    for (std::int64_t ns = from_ns; ns < to_ns; ++ns) sum += is_stopped_[static_cast<std::size_t>(ns)] ? 1 : 0;
    return sum;
  }

 private:
  std::vector<bool> is_stopped_;
};

class AStopLog : public ::testing::Test {
 protected:
  // Stops beside each other, with gaps, and in each other.
  void add_random(int count, StopLog* log, NaiveStops* naive) {
    std::int64_t at = 0;
    for (int i = 0; i < count; ++i) {
      at += static_cast<std::int64_t>(random_() % 6);
      const auto end = at + static_cast<std::int64_t>(random_() % 5);
      log->add(at, end);
      naive->add(at, end);
    }
  }
  std::int64_t moment(std::int64_t below) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(below));
  }

  const evt::testing::Folder folder_;
  std::mt19937_64 random_{24};
};

TEST_F(AStopLog, CountsWhatIsBetweenTwoMoments) {
  StopLog log(folder_.path());
  log.add(100, 200);
  log.add(300, 350);
  EXPECT_EQ(log.stopped_between(0, 1000).least_ns, 150u);
  EXPECT_EQ(log.stopped_between(0, 100).least_ns, 0u);
  EXPECT_EQ(log.stopped_between(199, 301).least_ns, 2u);
  EXPECT_EQ(log.stopped_between(120, 130).least_ns, 10u);
  EXPECT_EQ(log.stopped_between(200, 300).least_ns, 0u);
  EXPECT_EQ(log.stopped_between(300, 300).least_ns, 0u);
  EXPECT_EQ(log.stopped_between(350, 100).least_ns, 0u);
  EXPECT_EQ(log.count(), 2u);
  EXPECT_EQ(log.total_ns(), 150u);
  EXPECT_TRUE(log.stopped_between(120, 320).is_exact());
}

TEST_F(AStopLog, HasNoStopsAtFirst) {
  const StopLog log(folder_.path());
  EXPECT_EQ(log.stopped_between(INT64_MIN, INT64_MAX).most_ns, 0u);
}

TEST_F(AStopLog, AnswersAsEveryNanosecondDoes) {
  constexpr std::int64_t kNs = 20'000;
  StopLog log(folder_.path());
  NaiveStops naive(kNs);
  add_random(2'000, &log, &naive);
  for (int i = 0; i < 2'000; ++i) {
    const std::int64_t from = moment(kNs);
    const std::int64_t to = std::min(kNs, from + moment(i % 2 == 0 ? 10 : kNs));
    const StopLog::Answer answer = log.stopped_between(from, to);
    ASSERT_EQ(answer.least_ns, naive.between(from, to)) << from << " " << to;
    ASSERT_TRUE(answer.is_exact()) << from << " " << to;
  }
  EXPECT_EQ(log.total_ns(), naive.between(0, kNs));
}

TEST_F(AStopLog, AnswersWithBoundsWhereNoFileCanBeHad) {
  constexpr std::int64_t kNs = 20'000;
  StopLog log(kNoFolder);
  NaiveStops naive(kNs);
  add_random(2'000, &log, &naive);
  bool any_is_open = false;
  for (int i = 0; i < 2'000; ++i) {
    const std::int64_t from = moment(kNs);
    const std::int64_t to = std::min(kNs, from + moment(i % 2 == 0 ? 10 : kNs));
    const StopLog::Answer answer = log.stopped_between(from, to);
    ASSERT_LE(answer.least_ns, naive.between(from, to)) << from << " " << to;
    ASSERT_GE(answer.most_ns, naive.between(from, to)) << from << " " << to;
    any_is_open |= !answer.is_exact();
  }
  EXPECT_TRUE(any_is_open);
  EXPECT_EQ(log.stopped_between(0, kNs).least_ns, naive.between(0, kNs)) << "of all of the time it is known";
  EXPECT_TRUE(log.stopped_between(0, kNs).is_exact());
}

TEST_F(AStopLog, MakesOneOfThoseThatAreClosest) {
  StopLog log(kNoFolder);
  std::int64_t at = 0;
  // All are 100 apart, but for two that are 10 apart.
  for (std::size_t i = 0; i < StopLog::kInMemory + 1; ++i) {
    log.add(at, at + 50);
    at += i == 7 ? 60 : 150;
  }
  const std::int64_t both = 7 * 150;
  EXPECT_EQ(log.stopped_between(both, both + 110), (StopLog::Answer{100, 100}));
  EXPECT_EQ(log.stopped_between(both, both + 55), (StopLog::Answer{45, 55}));
  EXPECT_EQ(log.stopped_between(both - 150, both - 125), (StopLog::Answer{25, 25}));
}

std::size_t bytes_in_use() { return mallinfo2().uordblks; }

TEST_F(AStopLog, OfAMillionIsExactInConstantMemory) {
  constexpr std::int64_t kStops = 1'000'000;
  EXPECT_LT(sizeof(StopLog), 20'000u);
  StopLog log(folder_.path());
  std::vector<std::int64_t> began(kStops);
  std::vector<std::uint64_t> before(kStops + 1);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < kStops; ++i) {
    began[i] = at += 1 + moment(1'000'000'000);
    const std::int64_t length = 1 + moment(1'000'000'000);
    before[i + 1] = before[i] + static_cast<std::uint64_t>(length);
    at += length;
  }
  std::size_t used = 0;
  for (std::size_t i = 0; i < kStops; ++i) {
    log.add(began[i], began[i] + static_cast<std::int64_t>(before[i + 1] - before[i]));
    if (i == 2'000) used = bytes_in_use();
  }
  EXPECT_EQ(bytes_in_use(), used);
  EXPECT_EQ(log.count(), static_cast<std::uint64_t>(kStops));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "its file has no name";
  const auto stopped_before = [&](std::int64_t ns) {
    const auto next = std::upper_bound(began.begin(), began.end(), ns) - began.begin();
    if (next == 0) return std::uint64_t{0};
    const auto i = static_cast<std::size_t>(next) - 1;
    return before[i] + std::min(before[i + 1] - before[i], static_cast<std::uint64_t>(ns - began[i]));
  };
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t from = moment(at);
    const std::int64_t to = from + moment(i % 2 == 0 ? 3'000'000'000 : at);
    const std::uint64_t expected = stopped_before(to) - stopped_before(from);
    ASSERT_EQ(log.stopped_between(from, to), (StopLog::Answer{expected, expected})) << from << " " << to;
  }
}

// What the disk has room for stays exact.
TEST_F(AStopLog, HasBoundsForWhatComesWhenTheDiskIsFull) {
  const auto before = signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small = {10'000, limit.rlim_max};
  StopLog log(folder_.path());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (std::int64_t i = 0; i < 5'000; ++i) log.add(i * 10, i * 10 + 5);
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGXFSZ, before);
  EXPECT_EQ(log.stopped_between(0, 50'000), (StopLog::Answer{25'000, 25'000}));
  EXPECT_EQ(log.stopped_between(12, 23), (StopLog::Answer{6, 6})) << "in the file";
  EXPECT_FALSE(log.stopped_between(40'012, 40'023).is_exact());
}

}  // namespace
}  // namespace evt::record

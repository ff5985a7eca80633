// Runs are exact in the columns that they were added in, and in all that are wider: compared with an array of single
// ns.
#include "libtrace-view/rows/state_runs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace evt::view {
namespace {

struct Interval {
  Key key;
  std::int64_t from_ns;
  std::int64_t to_ns;
};

// Something that changes between states and nothing, from before the scale to behind it.
std::vector<Interval> random_intervals(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Interval> all;
  for (std::int64_t now = -300; now < 9'000;) {
    if (random() % 4 == 0) now += static_cast<std::int64_t>(random() % 40);
    const auto ns = static_cast<std::int64_t>(random() % (random() % 8 == 0 ? 400 : 12));
    all.push_back({static_cast<Key>(random() % 5), now, now + ns});
    now += ns;
  }
  return all;
}

using Sums = std::map<std::pair<std::uint32_t, unsigned>, std::uint64_t>;  // by column and key

Sums counted(const std::vector<Interval>& all, const Scale& scale) {
  Sums sums;
  for (const Interval& each : all) {
    for (std::int64_t ns = std::max(each.from_ns, scale.from_ns()); ns < std::min(each.to_ns, scale.to_ns()); ++ns) {
      ++sums[{static_cast<std::uint32_t>((ns - scale.from_ns()) >> scale.level()), each.key}];
    }
  }
  return sums;
}

Sums shown(const StateRuns& runs, const Scale& of, const Scale& as) {
  Shares shares;
  runs.show(Zoom(of, as), &shares);
  Sums sums;
  for (const Shares::Cell& cell : shares.cells()) {
    EXPECT_TRUE(sums.emplace(std::pair(cell.column, cell.key), cell.ns).second);
  }
  return sums;
}

StateRuns runs_of(const std::vector<Interval>& all, const Scale& scale) {
  StateRuns runs;
  for (const Interval& each : all) runs.add(scale, each.key, each.from_ns, each.to_ns);
  return runs;
}

TEST(StateRuns, HaveTheNanosecondsOfEachStateInEachColumn) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Interval> all = random_intervals(seed);
    for (unsigned level = 0; level < 8; ++level) {
      const Scale scale = Scale::of_level(level, 0, 8'192u >> level);
      EXPECT_EQ(shown(runs_of(all, scale), scale, scale), counted(all, scale))
          << "seed " << seed << ", level " << level;
    }
  }
}

TEST(StateRuns, AreTheSameWhenTheirColumnsBecameWider) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Interval> all = random_intervals(seed);
    Scale scale = Scale::of_level(1, 0, 4'096);
    StateRuns runs = runs_of(all, scale);
    while (scale.level() < 9) {
      runs.coarsen(scale);
      scale = scale.coarser();
      EXPECT_EQ(shown(runs, scale, scale), counted(all, scale)) << "seed " << seed << ", level " << scale.level();
    }
  }
}

TEST(StateRuns, GoOnInColumnsThatBecameWider) {
  const std::vector<Interval> all = random_intervals(6);
  Scale scale = Scale::of_level(0, 0, 8'192);
  StateRuns runs;
  std::size_t added = 0;
  for (const Interval& each : all) {
    runs.add(scale, each.key, each.from_ns, each.to_ns);
    if (++added % 50 != 0 || scale.level() == 6) continue;
    runs.coarsen(scale);
    scale = scale.coarser();
  }
  EXPECT_EQ(shown(runs, scale, scale), counted(all, scale));
}

TEST(StateRuns, ShowAWindowInWiderColumns) {
  const std::vector<Interval> all = random_intervals(3);
  const Scale scale = Scale::of_level(2, 0, 2'048);
  const StateRuns runs = runs_of(all, scale);
  for (std::int64_t first = -20; first < 140; first += 7) {
    const Scale window = Scale::of_level(6, first, 9);
    Sums inside = counted(all, window);
    // What is outside the columns that there are is not there.
    std::erase_if(inside, [&](const auto& sum) {
      const std::int64_t ns = window.edge(sum.first.first);
      return ns < scale.from_ns() || ns >= scale.to_ns();
    });
    EXPECT_EQ(shown(runs, scale, window), inside) << first;
  }
}

TEST(StateRuns, OfOneStateAreOne) {
  const Scale scale = Scale::of_level(4, 0, 1'000'000);
  StateRuns runs;
  runs.add(scale, 2, 0, 5'000'000);
  runs.add(scale, 2, 5'000'000, 16'000'000);
  EXPECT_EQ(runs.size(), 1u);
}

TEST(StateRuns, HaveTimesUpToTheEndsOfTheirRange) {
  const Scale first = Scale::of_level(40, -(std::int64_t{1} << 23), 4);
  const Scale last = Scale::of_level(40, (std::int64_t{1} << 23) - 4, 3);
  StateRuns runs;
  runs.add(first, 1, INT64_MIN, INT64_MIN + 5);
  EXPECT_EQ(shown(runs, first, first), (Sums{{{0, 1}, 5}}));
  StateRuns late;
  late.add(last, 2, last.to_ns() - 5, INT64_MAX);
  EXPECT_EQ(shown(late, last, last), (Sums{{{2, 2}, 5}}));
}

TEST(StateRuns, HaveNanosecondsOfLongColumnsExactly) {
  Scale scale = Scale::of_level(36, 0, 8);
  StateRuns runs;
  const std::int64_t step = (std::int64_t{1} << 36) / 8 + 3;
  std::int64_t now = 1;
  for (Key key = 0; now + step < scale.to_ns(); now += step, key = static_cast<Key>((key + 1) % 5)) {
    runs.add(scale, key, now, now + step);
  }
  while (scale.columns() > 1) {
    runs.coarsen(scale);
    scale = scale.coarser();
  }
  Sums sums;
  std::int64_t then = 1;
  for (unsigned key = 0; then < now; then += step, key = (key + 1) % 5)
    sums[{0, key}] += static_cast<std::uint64_t>(step);
  EXPECT_EQ(shown(runs, scale, scale), sums);
}

TEST(StateRuns, AddMoreStatesToAColumnThanMostHave) {
  const Scale scale = Scale::of_level(20, 0, 4);
  StateRuns runs;
  Sums sums;
  for (std::int64_t i = 0; i < 12'000; ++i) {
    const auto key = static_cast<Key>(i * i % kKeys);
    runs.add(scale, key, i * 100, i * 100 + 7);
    sums[{static_cast<std::uint32_t>((i * 100) >> 20), key}] += 7;
  }
  EXPECT_EQ(shown(runs, scale, scale), sums);
  EXPECT_LE(runs.size(), 8u);
}

// What a course was, in the columns of another scale.
Sums shown(const Course& course, const Scale& of, const Scale& as) {
  Shares shares;
  course.show(Zoom(of, as), INT64_MAX, &shares);
  Sums sums;
  for (const Shares::Cell& cell : shares.cells()) {
    EXPECT_TRUE(sums.emplace(std::pair(cell.column, cell.key), cell.ns).second);
  }
  return sums;
}

void take(const Interval& each, const Scale& scale, Course* course) {
  course->become(scale, kNothing, each.from_ns);
  course->become(scale, each.key, each.from_ns);
  course->become(scale, kNothing, each.to_ns);
}

TEST(Course, HasTheNanosecondsOfEachStateWheneverColumnsBecomeWider) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<Interval> all = random_intervals(seed);
    Scale scale = Scale::of_level(seed % 3, 0, 8'192u >> seed % 3);
    Course course;
    std::size_t taken = 0;
    for (const Interval& each : all) {
      take(each, scale, &course);
      if (++taken % (seed * 20) != 0 || scale.level() == 6) continue;
      course.coarsen(scale);
      scale = scale.coarser();
    }
    for (const Scale& as : {scale, scale.coarser(), Scale::of_level(7, 3, 20)}) {
      EXPECT_EQ(shown(course, scale, as), counted(all, as)) << "seed " << seed << ", level " << as.level();
    }
  }
}

TEST(Course, IsInOneStateWhereItsColumnsAreParts) {
  const Scale scale(0, 9'000, 7);
  Course course;
  for (const Interval& each : random_intervals(9)) take(each, scale, &course);
  std::map<unsigned, std::uint64_t> of_key;
  for (const Interval& each : random_intervals(9)) {
    const std::int64_t ns = std::min(each.to_ns, scale.to_ns()) - std::max(each.from_ns, scale.from_ns());
    if (ns > 0) of_key[each.key] += static_cast<std::uint64_t>(ns);
  }
  std::map<unsigned, std::uint64_t> found;
  for (const auto& [where, ns] : shown(course, scale, scale)) found[where.second] += ns;
  EXPECT_EQ(found, of_key);
}

TEST(Course, TakesEightBytesOfAChangeUntilColumnsHaveSeveral) {
  Scale scale = Scale::of_level(0, 0, 1 << 20);
  Course course;
  for (std::int64_t ns = 0; ns < 1'000'000; ns += 100) {
    course.become(scale, 1, ns);
    course.become(scale, 2, ns + 50);
  }
  EXPECT_EQ(course.size(), 10'000u);
  for (; scale.level() < 14; scale = scale.coarser()) course.coarsen(scale);
  EXPECT_LT(course.size(), 100u);
}

TEST(Course, MayBeOfAnyTimes) {
  const Scale scale = Scale::of_level(42, -(1 << 19), 1 << 20);
  Course course;
  course.become(scale, 1, INT64_MIN + 1);
  course.become(scale, 2, -5);
  course.become(scale, 3, std::int64_t{1} << 60);
  course.become(scale, kNothing, INT64_MAX);
  std::map<unsigned, std::uint64_t> found;
  for (const auto& [where, ns] : shown(course, scale, scale)) found[where.second] += ns;
  EXPECT_EQ(found, (std::map<unsigned, std::uint64_t>{
                       {1, (std::uint64_t{1} << 61) - 5}, {2, (1ull << 60) + 5}, {3, 1ull << 60}}));
}

TEST(Shares, AreFewWhereAStateLasts) {
  const Scale scale = Scale::of_level(4, 0, 1'024);
  Shares shares;
  shares.add(scale, 1, 5, 16'000);
  shares.add(scale, 2, 15'990, 16'000);
  EXPECT_EQ(shares.runs().size(), 4u);
  Sums sums = counted({{1, 5, 16'000}, {2, 15'990, 16'000}}, scale);
  Sums found;
  for (const Shares::Cell& cell : shares.cells()) found[{cell.column, cell.key}] += cell.ns;
  EXPECT_EQ(found, sums);
}

}  // namespace
}  // namespace evt::view

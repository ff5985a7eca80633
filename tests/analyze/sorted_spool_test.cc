// Records that are handed out in order, in memory and from the temporary file.
#include "libtrace-read/analyze/src/timeline/sorted_spool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace evt::testing {
namespace {

struct Record {
  friend bool operator<(const Record& a, const Record& b) { return a.all() < b.all(); }
  friend bool operator==(const Record& a, const Record& b) { return a.all() == b.all(); }
  std::tuple<std::uint32_t, std::int64_t, std::uint32_t> all() const { return {epoch, at_ns, tie}; }

  std::int64_t at_ns = 0;
  std::uint32_t epoch = 0;
  std::uint32_t tie = 0;
};

// Of times up to `most_ns` before and behind 0; an epoch ends every `epoch` records.
std::vector<Record> random_records(std::size_t count, std::int64_t most_ns, std::size_t epoch) {
  std::mt19937_64 random(count);
  std::uniform_int_distribution<std::int64_t> at(-most_ns, most_ns);
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back({at(random), static_cast<std::uint32_t>(i / epoch), static_cast<std::uint32_t>(random())});
  }
  return records;
}

std::vector<Record> taken(SortedSpool<Record>* spool) {
  std::vector<Record> all;
  for (; spool->first() != nullptr; spool->pop()) all.push_back(*spool->first());
  return all;
}

void expect_in_order(std::size_t count, std::int64_t most_ns, std::size_t epoch) {
  std::vector<Record> records = random_records(count, most_ns, epoch);
  SortedSpool<Record> spool;
  for (const Record& record : records) ASSERT_TRUE(spool.add(record));
  ASSERT_TRUE(spool.finish());
  std::sort(records.begin(), records.end());
  EXPECT_TRUE(taken(&spool) == records) << count << " records up to " << most_ns << " ns, epochs of " << epoch;
}

TEST(SortedSpool, HandsOutAllInOrder) {
  for (const std::size_t count : {0U, 1U, 2000U}) {
    for (const std::int64_t most_ns : {std::int64_t{0}, std::int64_t{500}, INT64_MAX}) {
      for (const std::size_t epoch : {std::size_t{700}, SIZE_MAX}) expect_in_order(count, most_ns, epoch);
    }
  }
}

TEST(SortedSpool, HandsOutMoreThanMemoryHasRoomForInOrder) {
  expect_in_order(270'000, 50'000, SIZE_MAX);
  expect_in_order(270'000, 50'000, 100'000);
}

TEST(SortedSpool, IsTakenAgainFromAPlaceInMemory) {
  std::vector<Record> records = random_records(1000, 300, SIZE_MAX);
  SortedSpool<Record> spool;
  for (const Record& record : records) ASSERT_TRUE(spool.add(record));
  ASSERT_TRUE(spool.finish());
  std::sort(records.begin(), records.end());
  for (int i = 0; i < 400; ++i) spool.pop();
  SortedSpool<Record> again(spool, spool.place().value());
  EXPECT_EQ(taken(&again), std::vector<Record>(records.begin() + 400, records.end()));
}

}  // namespace
}  // namespace evt::testing

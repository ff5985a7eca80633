// The total order by windows, against a plain stable sort of all rows: many streams, equal times, sparse and dense
// times, blocks that are read in slices (FORMAT.md, section 9).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// One row, as the test wrote it and as the reader gave it.
struct Seen {
  std::uint32_t stream;
  std::uint64_t ticks;
  std::uint64_t n;
  friend bool operator==(const Seen&, const Seen&) = default;
};
std::ostream& operator<<(std::ostream& to, const Seen& s) {
  return to << "stream " << s.stream << " ticks " << s.ticks << " n " << s.n;
}

// Collects events in the order in which they are recorded, and makes a trace of them.
class Recording {
 public:
  explicit Recording(std::size_t rows_in_block = 500) : rows_in_block_(rows_in_block) {
    trace_.session().clock({.id = 1, .hz = 1'000'000'000}).declare("type 1024 tick (n u64)\n");
  }

  void tick(std::uint32_t stream, std::uint64_t ticks, std::uint64_t extra = 0) {
    std::vector<Seen>& rows = pending_[stream];
    if (!rows.empty() && (rows.size() == rows_in_block_ || ticks - rows.front().ticks > UINT32_MAX)) flush(stream);
    pending_[stream].push_back({stream, ticks, seen_.size()});
    extra_.push_back(static_cast<std::size_t>(extra));
    seen_.push_back({stream, ticks, seen_.size()});
  }
  std::string bytes() {
    for (const auto& [stream, rows] : pending_) flush(stream);
    return trace_.trailer().bytes();
  }
  // By the largest time so far in the stream, then stream, then place.
  std::vector<Seen> in_order() const {
    struct Keyed {
      std::uint64_t key;
      Seen seen;
    };
    std::map<std::uint32_t, std::uint64_t> latest;
    std::vector<Keyed> rows;
    rows.reserve(seen_.size());
    for (const Seen& seen : seen_) {
      std::uint64_t& key = latest[seen.stream];
      rows.push_back({key = std::max(key, seen.ticks), seen});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Keyed& a, const Keyed& b) {
      return a.key != b.key ? a.key < b.key : a.seen.stream < b.seen.stream;
    });
    std::vector<Seen> all;
    for (const Keyed& row : rows) all.push_back(row.seen);
    return all;
  }

 private:
  void flush(std::uint32_t stream) {
    std::vector<Seen>& rows = pending_[stream];
    if (rows.empty()) return;
    std::uint64_t base = UINT64_MAX;
    for (const Seen& row : rows) base = std::min(base, row.ticks);
    Rows block;
    for (const Seen& row : rows) {
      const std::string payload = le64(row.n) + std::string(extra_[static_cast<std::size_t>(row.n)], 'x');
      const auto delta = static_cast<std::uint32_t>(row.ticks - base);
      if (payload.size() < 60000) {
        block.row(delta, 1024, payload);
      } else {
        block.big_row(delta, 1024, payload);
      }
    }
    trace_.events(stream, block, base);
    rows.clear();
  }

  std::size_t rows_in_block_;
  RawTrace trace_;
  std::map<std::uint32_t, std::vector<Seen>> pending_;
  std::vector<std::size_t> extra_;  // bytes of payload, by n
  std::vector<Seen> seen_;
};

std::vector<Seen> read_window(const std::string& bytes, const ReadOptions& options = {},
                              const EventOptions& wanted = {}) {
  Trace trace = open_trace(bytes, options);
  Events events = trace.events(wanted);
  std::vector<Seen> seen;
  while (const Event* event = events.next()) {
    const std::uint64_t n = evt_load_u64(event->payload().data());
    const Bytes extra = event->payload().subspan(8);
    if (std::any_of(extra.begin(), extra.end(), [](std::byte b) { return b != std::byte{'x'}; })) {
      ADD_FAILURE() << "the payload of " << n << " is not what was written";
    }
    seen.push_back({event->stream().id, event->ticks(), n});
  }
  EXPECT_TRUE(events.status().ok()) << events.status().message();
  return seen;
}

ReadOptions with_budget(std::size_t bytes) {
  ReadOptions options;
  options.memory_budget = bytes;
  return options;
}

// The first difference alone, as there may be many.
void expect_same(const std::vector<Seen>& read, const std::vector<Seen>& expected) {
  for (std::size_t i = 0; i < std::min(read.size(), expected.size()); ++i)
    ASSERT_EQ(read[i], expected[i]) << "at " << i;
  EXPECT_EQ(read.size(), expected.size());
}

void expect_in_order(Recording& recording) {
  const std::string bytes = recording.bytes();
  const std::vector<Seen> expected = recording.in_order();
  expect_same(read_window(bytes), expected);
  expect_same(read_window(bytes, {}, {.by_ns = true}), expected);
  for (const std::size_t budget : {std::size_t{0}, std::size_t{64} << 10}) {
    expect_same(read_window(bytes, with_budget(budget)), expected);
  }
}

TEST(Window, OrdersManyStreams) {
  std::mt19937_64 random(1);
  Recording recording(50);
  std::uint64_t now = 1'000'000;
  for (int i = 0; i < 40'000; ++i) {
    now += random() % 100;
    recording.tick(1 + static_cast<std::uint32_t>(random() % 300), now - random() % 5000);
  }
  expect_in_order(recording);
}

// Of so many, more rows are ordered together than can be returned at a time.
TEST(Window, CountsTheRowsOfEachOfManyStreams) {
  Recording recording(50);
  for (std::uint32_t i = 0; i < 40'000; ++i) recording.tick(1 + i % 300, 10 * i);
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::map<std::uint32_t, std::uint64_t> rows;
  while (const Event* event = events.next()) ASSERT_EQ(event->ordinal(), rows[event->stream().id]++);
  EXPECT_EQ(rows.size(), 300u);
}

TEST(Window, OrdersMoreEqualTimesThanItHolds) {
  Recording recording(5000);
  for (int i = 0; i < 140'000; ++i) recording.tick(1 + static_cast<std::uint32_t>(i % 7), 5);
  for (int i = 0; i < 100; ++i) recording.tick(1 + static_cast<std::uint32_t>(i % 7), 6);
  expect_in_order(recording);
}

TEST(Window, OrdersEqualTimesOfStreamsOneAfterAnother) {
  Recording recording(5000);
  for (std::uint32_t stream = 2; stream >= 1; --stream) {
    for (int i = 0; i < 70'000; ++i) recording.tick(stream, 5);
  }
  expect_in_order(recording);
}

TEST(Window, OrdersSparseTimesThenDenseOnes) {
  std::mt19937_64 random(2);
  Recording recording;
  std::uint64_t now = 0;
  for (int i = 0; i < 300; ++i)
    recording.tick(1 + static_cast<std::uint32_t>(random() % 5), now += random() % (1ull << 55));
  for (int i = 0; i < 100'000; ++i) recording.tick(1 + static_cast<std::uint32_t>(random() % 5), now += random() % 2);
  for (int i = 0; i < 100; ++i)
    recording.tick(1 + static_cast<std::uint32_t>(random() % 5), now += random() % (1ull << 50));
  const std::string bytes = recording.bytes();
  expect_same(read_window(bytes), recording.in_order());
  expect_same(read_window(bytes, with_budget(64 << 10)), recording.in_order());
}

TEST(Window, OrdersAStreamThatIsFarAheadOfTheOthers) {
  Recording recording(100);
  for (std::uint64_t i = 0; i < 20'000; ++i) recording.tick(1, i);
  for (std::uint64_t i = 0; i < 20'000; ++i) recording.tick(2, i * 1000);
  for (std::uint64_t i = 0; i < 10; ++i) recording.tick(3, i * 1'000'000'000);
  recording.tick(4, 0);
  expect_in_order(recording);
}

TEST(Window, OrdersAStreamThatFallsBehindItselfAcrossBlocks) {
  Recording recording(10);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    recording.tick(1, 1'000'000 - i * 100);
    recording.tick(2, i * 2000);
  }
  expect_in_order(recording);
}

TEST(Window, GoesToTheLastTickThereIs) {
  Recording recording;
  recording.tick(1, UINT64_MAX);
  recording.tick(2, UINT64_MAX - 1);
  recording.tick(2, UINT64_MAX);
  recording.tick(3, 0);
  const std::string bytes = recording.bytes();
  expect_same(read_window(bytes), recording.in_order());
}

TEST(Window, ReadsLargeBlocksInSlices) {
  std::mt19937_64 random(3);
  Recording recording(100'000);
  std::uint64_t now = 0;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t extra =
        random() % 100 == 0 ? 5000 + random() % 3000 : random() % 40;  // larger than a slice at times
    recording.tick(1 + static_cast<std::uint32_t>(random() % 4), now += random() % 20, extra);
  }
  expect_in_order(recording);
}

TEST(Window, ReadsRowsThatAreLargerThanAllItsMemory) {
  Recording recording;
  for (std::uint32_t i = 0; i < 12; ++i) recording.tick(1 + i % 3, i, i % 2 == 0 ? 300'000 + i : i);
  expect_in_order(recording);
}

TEST(Window, FindsRowHeadersThatLieAcrossTheEndOfASlice) {
  for (std::size_t shift = 0; shift < 40; ++shift) {
    Recording recording(1000);
    recording.tick(1, 0, 4000 + shift);  // the slices of this budget have 4096 bytes
    for (std::uint64_t i = 1; i < 20; ++i) recording.tick(1, i, i % 3);
    recording.tick(1, 20, 70'000);
    recording.tick(1, 21);
    const std::string bytes = recording.bytes();
    expect_same(read_window(bytes, with_budget(1)), recording.in_order());
  }
}

TEST(Window, GivesTheSameEventsToEveryoneWhoAsks) {
  Recording recording(10);
  for (std::uint64_t i = 0; i < 500; ++i) recording.tick(static_cast<std::uint32_t>(1 + i % 3), i);
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  Events first = trace.events();
  Events second = trace.events();
  while (const Event* event = first.next()) {
    const std::uint64_t n = evt_load_u64(event->payload().data());
    const Event* const other = second.next();
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(evt_load_u64(other->payload().data()), n) << "side by side";
  }
  EXPECT_EQ(second.next(), nullptr);
  EXPECT_EQ(second.next(), nullptr) << "the end stays the end";
}

}  // namespace
}  // namespace evt::testing

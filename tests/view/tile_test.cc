// Tiles have what rows are, as bytes: decoded here by the layout that tile.h states.
#include "libtrace-view/tiles/tile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>

#include "libtrace-view/rows/shares.h"
#include "libtrace-view/tiles/finished_tiles.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "libtrace-view/tiles/tiles_making.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using view::ColumnShares;
using view::Key;
using view::RowState;
using view::SessionTiles;
using view::TilePlace;
using view::TileRow;
using view::TrackKind;

constexpr std::string_view kTypes =
    "type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 2 stop role=threadStop (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 3 exit role=threadExit (thread u64 role=thread)\n"
    "type 4 in role=spanBegin (name text role=name)\n"
    "type 5 out role=spanEnd\n"
    "type 6 load role=counter (name text role=name) (value u64 role=value)\n"
    "type 7 began role=asyncBegin (id u64 role=spanId) (name text role=name)\n"
    "type 8 ended role=asyncEnd (id u64 role=spanId)\n"
    "stream 1 \"worker\"\n";

class Payload {
 public:
  explicit Payload(const std::string& bytes) : bytes_(bytes) {}

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = u8();
      number |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return number;
    }
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(bytes_.at(at_++)); }
  float f32() {
    std::uint32_t bits = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) bits |= std::uint32_t{u8()} << shift;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

  // By column and key.
  std::vector<std::map<int, int>> shares() {
    std::vector<std::map<int, int>> columns;
    while (columns.size() < view::kTileColumns) {
      const std::uint64_t run = varint();
      std::map<int, int> column;
      for (int n = u8(); n > 0; --n) {
        const int key = u8();
        column[key] = u8();
      }
      columns.insert(columns.end(), run, column);
    }
    return columns;
  }
  std::vector<std::uint64_t> counts() {
    std::vector<std::uint64_t> columns;
    while (columns.size() < view::kTileColumns) {
      const std::uint64_t run = varint();
      columns.insert(columns.end(), run, varint());
    }
    return columns;
  }

  void skip_values() {
    for (std::uint64_t columns = 0; columns < view::kTileColumns;) {
      columns += varint();
      if (u8() == 1) at_ += 3 * sizeof(float);
    }
  }
  std::vector<std::string> bands() {
    static constexpr const char* kKinds[] = {"lost", "stopped", "uncertain", "unread"};
    std::vector<std::string> all;
    for (std::uint64_t n = varint(); n > 0; --n) {
      const char* const kind = kKinds[u8()];
      const std::uint64_t first = varint();
      all.push_back(fmt::format("{} {}-{}", kind, first, first + varint()));
    }
    return all;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::map<Key, int> shares_of(std::initializer_list<std::pair<Key, std::uint64_t>> parts, std::uint64_t width) {
  ColumnShares column;
  for (const auto& [key, ns] : parts) column.add(key, ns);
  std::map<Key, int> found;
  const auto shares = column.of(width);
  for (Key key = 0; key < view::kKeys; ++key) {
    if (shares[key] != 0) found[key] = shares[key];
  }
  return found;
}

TEST(ColumnShares, AreInProportion) {
  EXPECT_THAT(shares_of({{0, 50}, {1, 50}}, 100), ElementsAre(std::pair(0, 128), std::pair(1, 127)));
  EXPECT_THAT(shares_of({{0, 20}, {6, 60}}, 100), ElementsAre(std::pair(0, 51), std::pair(6, 153)));
}

TEST(ColumnShares, AreOneAtLeastOfWhatIsThere) {
  EXPECT_THAT(shares_of({{3, 1}}, 1'000'000), ElementsAre(std::pair(3, 1)));
  EXPECT_THAT(shares_of({{0, 999'998}, {1, 1}, {2, 1}}, 1'000'000),
              ElementsAre(std::pair(0, 253), std::pair(1, 1), std::pair(2, 1)));
}

TEST(ColumnShares, AreAllOf255OnlyWhereTheColumnIsFull) {
  EXPECT_THAT(shares_of({{0, 1'000'000}}, 1'000'000), ElementsAre(std::pair(0, 255)));
  EXPECT_THAT(shares_of({{0, 999'999}}, 1'000'000), ElementsAre(std::pair(0, 254)));
  EXPECT_THAT(shares_of({}, 1'000'000), ElementsAre());
}

TEST(TilePlace, IsInTimeUpToTheEndsOfIt) {
  EXPECT_TRUE((TilePlace{0, 0}.is_in_time()));
  EXPECT_TRUE((TilePlace{40, -3}.is_in_time()));
  EXPECT_FALSE((TilePlace{46, 0}.is_in_time()));
  EXPECT_FALSE((TilePlace{40, INT64_MAX >> 50}.is_in_time()));
  EXPECT_FALSE((TilePlace{40, INT64_MIN}.is_in_time()));
  const view::Scale scale = TilePlace{3, -2}.scale();
  EXPECT_EQ(scale.from_ns(), -16'384);
  EXPECT_EQ(scale.to_ns(), -8'192);
}

// A session, and its tiles.
class Tiles {
 public:
  enum Reading : bool { kUnread, kRead };

  explicit Tiles(const std::string& events, Reading reading = kRead)
      : bytes_(trace_from_text(std::string(kTypes) + events)),
        trace_(open_trace(bytes_)),
        tiles_(trace_, trace_.sessions()[0]) {
    while (reading == kRead && tiles_.read_on()) continue;
  }

  SessionTiles& all() { return tiles_; }
  std::vector<std::string> keys() {
    std::vector<std::string> keys;
    for (const SessionTiles::Row& row : tiles_.layout().rows) keys.push_back(row.key);
    return keys;
  }
  const TileRow& row(const std::string& key, TilePlace place) {
    const std::uint32_t id = tiles_.layout().row(key)->id;
    const SessionTiles::Tiles* tiles = nullptr;
    while (tiles == nullptr) tiles = tiles_.tiles_at(place, {id});
    return tiles->rows.at(id).value();
  }
  std::vector<std::map<int, int>> shares(const std::string& key, TilePlace place) {
    return Payload(row(key, place).payload).shares();
  }
  std::uint64_t count(const std::string& key, TilePlace place) {
    const auto counts = Payload(row(key, place).payload).counts();
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }

 private:
  std::string bytes_;
  Trace trace_;
  SessionTiles tiles_;
};

constexpr auto kRunning = static_cast<int>(RowState::kRunning);

TEST(SessionTiles, HaveEachColumnOfAThread) {
  Tiles tiles(
      "0.000000100 1 run thread=7 cpu=0\n"
      "0.000000612 1 stop thread=7 cpu=0\n"
      "0.000002000 1 exit thread=7\n");
  EXPECT_THAT(tiles.keys(), ElementsAre("cpu/0", "thread/0", "events/0"));
  const auto fine = tiles.shares("cpu/0", {0, 0});
  EXPECT_EQ(fine[99], (std::map<int, int>()));
  EXPECT_EQ(fine[100], (std::map<int, int>{{kRunning, 255}}));
  EXPECT_EQ(fine[611], (std::map<int, int>{{kRunning, 255}}));
  EXPECT_EQ(fine[612], (std::map<int, int>()));
  // 412 of the column's 512 ns, and 100.
  const auto coarse = tiles.shares("cpu/0", {9, 0});
  EXPECT_EQ(coarse[0], (std::map<int, int>{{kRunning, 205}}));
  EXPECT_EQ(coarse[1], (std::map<int, int>{{kRunning, 49}}));
}

TEST(SessionTiles, HaveAnEventInOneTile) {
  Tiles tiles(
      "0.000000000 1 in name=\"a\"\n"
      "0.000001024 1 out\n"
      "0.000002047 1 in name=\"a\"\n"
      "0.000002048 1 out\n");
  EXPECT_EQ(tiles.count("events/0", {0, 0}), 1u);
  EXPECT_EQ(tiles.count("events/0", {0, 1}), 2u);
  EXPECT_EQ(tiles.count("events/0", {0, 2}), 1u);
  EXPECT_EQ(tiles.count("events/0", {1, 0}), 3u);
  EXPECT_EQ(tiles.count("events/0", {20, 0}), 4u);
  EXPECT_EQ(tiles.count("events/0", {20, -1}), 0u);
}

TEST(SessionTiles, KeepRowsInTheirPlacesAtEachScale) {
  Tiles tiles(
      "0.000000100 1 run thread=7 cpu=0\n"
      "0.000000200 1 exit thread=7\n"
      "0.000900000 1 run thread=8 cpu=0\n"
      "0.001000000 1 exit thread=8\n");
  // Their lives have nothing in common, so they share a lane.
  EXPECT_THAT(tiles.keys(), ElementsAre("cpu/0", "thread/0", "events/0"));
  EXPECT_EQ(tiles.shares("thread/0", {0, 0})[150], (std::map<int, int>{{kRunning, 255}}));
  EXPECT_EQ(tiles.shares("thread/0", {0, 900})[0], (std::map<int, int>{{kRunning, 255}}));
  EXPECT_EQ(tiles.shares("thread/0", {10, 0})[0], (std::map<int, int>{{kRunning, 24}}));
}

TEST(SessionTiles, HaveTheNamesOfSpans) {
  Tiles tiles(
      "0.000000100 1 in name=\"outer\"\n"
      "0.000000200 1 in name=\"inner\"\n"
      "0.000000300 1 out\n"
      "0.000000400 1 out\n");
  EXPECT_THAT(tiles.keys(), ElementsAre("span/0/0", "span/0/1", "events/0"));
  Payload payload(tiles.row("span/0/1", {0, 0}).payload);
  payload.shares();
  EXPECT_EQ(payload.varint(), 1u);
  EXPECT_EQ(payload.varint(), 200u);
  EXPECT_EQ(payload.varint(), 100u);
  EXPECT_EQ(tiles.all().layout().names.all().at(payload.varint()), "inner");
  EXPECT_EQ(payload.varint(), 0u);  // bands
  EXPECT_TRUE(payload.is_at_end());
}

TEST(SessionTiles, HaveTheValuesOfCounters) {
  Tiles tiles(
      "0.000000000 1 load name=\"heap\" value=10\n"
      "0.000000512 1 load name=\"heap\" value=30\n"
      "0.000001024 1 load name=\"heap\" value=30\n");
  EXPECT_THAT(tiles.keys(), ElementsAre("counter/0/heap", "events/0"));
  Payload payload(tiles.row("counter/0/heap", {10, 0}).payload);
  EXPECT_EQ(payload.varint(), 1u);
  EXPECT_EQ(payload.u8(), 1u);
  EXPECT_EQ(payload.f32(), 10.0f);
  EXPECT_EQ(payload.f32(), 30.0f);
  EXPECT_EQ(payload.f32(), 20.0f);
}

// Between a span of one tile and a counter of another is one in which there is nothing but the loss.
TEST(SessionTiles, HaveTheBandsOfRowsThatHaveNothingElseThere) {
  Tiles tiles(
      "0.000000100 1 in name=\"a\"\n"
      "0.000001000 1 out\n"
      "0.000003000 1 !lost count=3 cause=ring_full duration=0.000001900\n"
      "0.000004000 1 load name=\"queue\" value=1\n");
  EXPECT_THAT(tiles.keys(), ElementsAre("span/0/0", "counter/0/queue", "events/0"));
  const TilePlace between{0, 1};
  Payload spans(tiles.row("span/0/0", between).payload);
  EXPECT_THAT(spans.shares(), ::testing::Each(std::map<int, int>()));
  EXPECT_EQ(spans.varint(), 0u);  // labels
  EXPECT_THAT(spans.bands(), ElementsAre("lost 76-1024", "uncertain 76-1024"));
  Payload counter(tiles.row("counter/0/queue", between).payload);
  counter.skip_values();
  EXPECT_THAT(counter.bands(), ElementsAre("lost 76-1024"));
  Payload events(tiles.row("events/0", between).payload);
  EXPECT_THAT(events.counts(), ::testing::Each(0u));
  EXPECT_THAT(events.bands(), ElementsAre("lost 76-1024"));
}

TEST(Tile, IsAHeaderAndItsRows) {
  view::Tile tile({9, -2}, 300);
  tile.add(70, TileRow::empty(TrackKind::kEvents), true);
  // The header; row 70 of kind 3, partial, with 4 bytes: 1024 columns of none, and no bands.
  EXPECT_EQ(tile.bytes(), std::string("EVTT\x01\x09\x03\xAC\x02"
                                      "\x46\x03\x01\x04"
                                      "\x80\x08\x00\x00",
                                      17));
}

// Whatever rows are asked for with it, in whatever order.
TEST(SessionTiles, HaveTheSameRowsOneByOneAndTogether) {
  std::mt19937_64 random(5);
  std::string events;
  for (int i = 0; i < 300; ++i) {
    const std::string at = fmt::format("0.{:09} 1 ", 1000 * i + static_cast<int>(random() % 1000));
    const std::string about = fmt::format("thread={} cpu={}\n", random() % 5, random() % 3);
    switch (random() % 6) {
      case 0:
        events += at + "in name=\"a\"\n";
        break;
      case 1:
        events += at + "out\n";
        break;
      case 2:
        events += at + fmt::format("load name=\"c{}\" value={}\n", random() % 2, random() % 9);
        break;
      case 3:
        events += at + "stop " + about;
        break;
      default:
        events += at + "run " + about;
    }
  }
  Tiles together(events);
  Tiles apart(events);
  std::vector<std::uint32_t> ids(together.all().end_of_ids());
  std::iota(ids.begin(), ids.end(), 0u);
  for (const TilePlace place : {TilePlace{0, 3}, TilePlace{4, 2}, TilePlace{9, 0}}) {
    const SessionTiles::Tiles* all = nullptr;
    while (all == nullptr) all = together.all().tiles_at(place, ids);
    std::vector<std::string> keys = apart.keys();
    EXPECT_THAT(keys, ::testing::IsSupersetOf({"cpus", "cpu/2", "thread/1", "span/0/0", "counter/0/c1", "events/0"}));
    std::shuffle(keys.begin(), keys.end(), random);
    for (const std::string& key : keys) {
      EXPECT_EQ(apart.row(key, place).payload, all->rows.at(together.all().layout().row(key)->id)->payload) << key;
    }
  }
}

// Threads, spans, asynchronous ones, a counter, marks and losses.
std::string of_all_kinds() {
  std::string events;
  for (int i = 0; i < 60; ++i) {
    const std::string at = fmt::format("0.{:09} 1 ", 50'000 * i);
    events += at + fmt::format("{} thread={} cpu={}\n", i % 3 == 2 ? "stop" : "run", i % 4, i % 2);
    if (i % 6 == 0) events += at + "in name=\"work\"\n";
    if (i % 6 == 5) events += at + "out\n";
    if (i % 10 == 1) events += at + fmt::format("began id={} name=\"job\"\n", i);
    if (i % 10 == 9 && i > 10) events += at + fmt::format("ended id={}\n", i - 18);
    if (i % 7 == 0) events += at + fmt::format("load name=\"queue\" value={}\n", i);
    if (i == 40) events += at + "!lost count=3 cause=ring_full duration=0.000030000\n";
  }
  return events;
}

view::FinishedTiles finished_of(SessionTiles& tiles) {
  view::TilesMaking making(tiles);
  while (making.go_on()) continue;
  return making.take();
}

TEST(FinishedTiles, AreTheSameTilesForAnotherTime) {
  Tiles first(of_all_kinds());
  const std::string bytes = finished_of(first.all()).bytes();
  const Session& session = first.all().session();
  Tiles second(of_all_kinds(), Tiles::kUnread);
  auto finished = view::FinishedTiles::from(bytes, session.last_ns, session.streams.size());
  ASSERT_TRUE(finished);
  ASSERT_GT(finished->levels.size(), 5u);
  const std::vector<view::FinishedTiles::Level> levels = finished->levels;
  second.all().restore(*std::move(finished));
  EXPECT_TRUE(second.all().is_complete());
  EXPECT_EQ(second.all().generation(), first.all().generation());
  EXPECT_EQ(second.all().until_ns(), first.all().until_ns());
  EXPECT_EQ(second.keys(), first.keys());
  EXPECT_EQ(second.all().layout().names.all(), first.all().layout().names.all());
  for (const view::FinishedTiles::Level& level : levels) {
    for (const std::string& key : first.keys()) {
      for (std::size_t i = 0; i < level.tiles.size(); ++i) {
        const TilePlace place{level.level, level.first + static_cast<std::int64_t>(i)};
        ASSERT_EQ(second.row(key, place).payload, first.row(key, place).payload) << key << " at level " << level.level;
      }
    }
  }
  EXPECT_FALSE(second.all().is_read());
}

// Restored, it reads up to the place, and from a mark: the same rows as a session that was read from its start.
TEST(FinishedTiles, OfALongSessionAreReadUpToThePlaceThatIsAskedFor) {
  std::string events;
  for (int i = 0; i < 300'000; ++i) {
    events += fmt::format("{}.{:09} 1 {} thread={} cpu={}\n", i / 100'000, i % 100'000 * 10'000,
                          i % 3 == 2 ? "stop" : "run", i % 4, i % 2);
  }
  Tiles first(events);
  Tiles second(events, Tiles::kUnread);
  second.all().restore(finished_of(first.all()));
  const TilePlace place{4, 1'500'000'000 >> 14};
  for (const std::string& key : first.keys()) {
    EXPECT_EQ(second.row(key, place).payload, first.row(key, place).payload) << key;
  }
  EXPECT_NE(second.all().mark_before(1'500'000'000), nullptr);
  EXPECT_FALSE(second.all().is_read());
  EXPECT_EQ(second.row("cpus", {3, 2'500'000'000 >> 13}).payload, first.row("cpus", {3, 2'500'000'000 >> 13}).payload);
  EXPECT_EQ(second.row("cpus", {3, 500'000'000 >> 13}).payload, first.row("cpus", {3, 500'000'000 >> 13}).payload);
}

TEST(FinishedTiles, AreReadAgainForWhatIsFiner) {
  std::string long_events = of_all_kinds();
  long_events += "90.000000000 1 run thread=1 cpu=0\n";
  Tiles first(long_events);
  const view::FinishedTiles finished = finished_of(first.all());
  ASSERT_GT(finished.levels.back().level, 0u);
  Tiles second(long_events, Tiles::kUnread);
  second.all().restore(finished);
  for (const std::string& key : first.keys()) {
    EXPECT_EQ(second.row(key, {2, 100}).payload, first.row(key, {2, 100}).payload) << key;
  }
  EXPECT_TRUE(second.all().is_read());
  EXPECT_EQ(second.all().generation(), first.all().generation());
}

// What is accepted is what was written.
TEST(FinishedTiles, AreRefusedOrWholeWhateverBytesAreChanged) {
  Tiles tiles(of_all_kinds());
  const Session& session = tiles.all().session();
  view::FinishedTiles finished = finished_of(tiles.all());
  finished.levels.resize(2);
  const std::string bytes = finished.bytes();
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const auto read = view::FinishedTiles::from(changed, session.last_ns, session.streams.size());
      if (read) {
        ASSERT_EQ(read->bytes(), changed) << at;
      }
      refused += read ? 0 : 1;
    }
    ASSERT_FALSE(view::FinishedTiles::from(bytes.substr(0, at), session.last_ns, session.streams.size())) << at;
  }
  EXPECT_GT(refused, bytes.size());
  EXPECT_FALSE(view::FinishedTiles::from(bytes + '\0', session.last_ns, session.streams.size()));
  EXPECT_FALSE(view::FinishedTiles::from(bytes, session.last_ns + 1, session.streams.size()));
  EXPECT_FALSE(view::FinishedTiles::from(bytes, session.last_ns, 0));
}

// Of what a coarse column has, its finer ones have their parts.
TEST(SessionTiles, OfALevelAreMeansOfTheLevelBelow) {
  std::mt19937_64 random(11);
  std::string events;
  std::int64_t ns = 0;
  for (int i = 0; i < 400; ++i) {
    ns += 1 + static_cast<std::int64_t>(random() % 500);
    events += "0." + std::to_string(1'000'000'000 + ns).substr(1) +
              (i % 2 == 0 ? " 1 run thread=7 cpu=0\n" : " 1 stop thread=7 cpu=0\n");
  }
  Tiles tiles(events);
  const auto coarse = tiles.shares("cpu/0", {9, 0});
  const auto fine = tiles.shares("cpu/0", {8, 0});
  for (std::size_t i = 0; i < 128; ++i) {
    const auto share = [&](const std::map<int, int>& column) {
      const auto found = column.find(kRunning);
      return found == column.end() ? 0 : found->second;
    };
    EXPECT_NEAR(share(coarse[i]), (share(fine[2 * i]) + share(fine[2 * i + 1])) / 2.0, 1.5) << i;
  }
}

}  // namespace
}  // namespace evt::testing

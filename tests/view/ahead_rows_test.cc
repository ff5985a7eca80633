// Tiles of what reading has not come to: from checkpoints on, with the bytes that they have when all was read.
#include "libtrace-view/tiles/ahead_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "libtrace-view/tiles/session_tiles.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

using view::AheadRows;
using view::SessionTiles;
using view::TilePlace;

constexpr unsigned kBusyEvents = 80'000;
constexpr std::int64_t kBusyStepNs = 100;

// Threads run and wait on four cpus, on one of which the collector works now and then, with spans of any lengths.
std::string busy_text(unsigned seed) {
  std::mt19937 random(seed);
  std::string text =
      "type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "type 2 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked])\n"
      "type 3 wake role=threadWake (thread u64 role=thread)\n"
      "type 4 in role=spanBegin (thread u64 role=thread) (name text role=name)\n"
      "type 5 out role=spanEnd (thread u64 role=thread)\n"
      "type 6 load role=counter (name text role=name) (value u64 role=value)\n"
      "type 7 exit role=threadExit (thread u64 role=thread)\n"
      "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
      "stream 1 \"scheduler\"\nstream 2 \"collector\"\n";
  for (unsigned n = 0; n < kBusyEvents; ++n) {
    const auto thread = 1 + random() % 40;
    const std::string events[] = {fmt::format("1 run thread={} cpu={}", thread, random() % 4),
                                  fmt::format("1 stop thread={} reason=blocked", thread),
                                  fmt::format("1 wake thread={}", thread),
                                  fmt::format("1 in thread={} name=\"n{}\"", thread, random() % 9),
                                  fmt::format("1 out thread={}", thread),
                                  fmt::format("1 load name=\"queue\" value={}", n % 100)};
    std::string event = events[random() % 6];
    if (n % 1'000 == 0) event = n % 2'000 == 0 ? "2 gc.start generation=0" : "2 gc.end";
    if (n == kBusyEvents / 2) event = "1 exit thread=50";
    if (n == 7) event = "1 run thread=50 cpu=9";
    text += fmt::format("0.{:09} {}\n", n * kBusyStepNs, event);
  }
  return text;
}

class AheadOfReading : public ::testing::TestWithParam<unsigned> {
 protected:
  AheadOfReading()
      : bytes_(trace_from_text(busy_text(GetParam()))), trace_(open_trace(bytes_)), history_(trace_, options()) {
    history_.at(0, 0);
  }

  HistoryOptions options() const {
    HistoryOptions options;
    options.cache_folder = folder_ / "cache";
    options.events_per_checkpoint = 500;
    options.rows_per_byte = 0;
    return options;
  }
  // Payloads, by keys, of rows that are known from checkpoints.
  static std::map<std::string, std::string> payloads(SessionTiles& tiles, TilePlace place) {
    std::vector<std::uint32_t> ids;
    for (const auto& row : tiles.layout().rows) {
      if (AheadRows::has(row.kind)) ids.push_back(row.id);
    }
    const SessionTiles::Tiles* found = nullptr;
    while (found == nullptr) found = tiles.tiles_at(place, ids);
    std::map<std::string, std::string> payloads;
    for (const auto& row : tiles.layout().rows) {
      if (AheadRows::has(row.kind)) payloads[row.key] = found->rows[row.id]->payload;
    }
    return payloads;
  }

  Folder folder_;
  std::string bytes_;
  Trace trace_;
  StateHistory history_;
};

TEST_P(AheadOfReading, TilesHaveTheBytesThatTheyHaveWhenAllWasRead) {
  ASSERT_FALSE(history_.checkpoint_file().empty()) << history_.status().message();
  SessionTiles tiles(trace_, trace_.sessions()[0]);
  tiles.look_ahead(history_, 0);
  ASSERT_TRUE(tiles.read_on());
  const std::int64_t read_ns = tiles.until_ns();
  ASSERT_LT(read_ns, kBusyEvents * kBusyStepNs / 2);
  ASSERT_GT(tiles.layout().rows.size(), 80u);
  std::map<TilePlace, std::map<std::string, std::string>> before;
  for (const std::int64_t ns : {4'200'000, 6'000'000, 7'990'000}) {
    for (const unsigned level : {0u, 5u, 9u}) {
      const TilePlace place = {level, ns >> (level + view::kTileBits)};
      before[place] = payloads(tiles, place);
      EXPECT_EQ(tiles.until_ns(), read_ns);
    }
  }
  while (tiles.read_on()) continue;
  for (const auto& [place, rows] : before) {
    const auto after = payloads(tiles, place);
    for (const auto& [key, payload] : rows) {
      EXPECT_EQ(payload, after.at(key)) << key << " at " << place.level << "/" << place.index;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AheadOfReading, ::testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace evt::testing

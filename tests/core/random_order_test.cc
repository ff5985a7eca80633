// The order of rows of all kinds, in traces made at random, against the words of FORMAT.md, section 9.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>

#include "raw_trace.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

// Ticks in a nanosecond of clocks 1, 2 and 3.
constexpr std::array<std::uint64_t, 3> kTicksPerNs = {1, 4, 1000};

// A time as ns, clock and ticks.
using Key = std::tuple<std::uint64_t, std::uint16_t, std::uint64_t>;

// The place of a row in the order, and which it is.
struct Place {
  Key key;
  std::uint32_t stream = 0;
  std::uint64_t ordinal = 0;
  std::uint64_t ticks = 0;
  bool is_lost = false;
};

std::string lines_of(const std::vector<Place>& places) {
  std::string text;
  for (const Place& p : places) {
    text += lines({std::to_string(p.stream), " ", std::to_string(p.ordinal), " at ", std::to_string(p.ticks),
                   p.is_lost ? " lost\n" : "\n"});
  }
  return text;
}

// A trace of blocks with rows of all kinds, and the rows that a reader hands out.
class RandomTrace {
 public:
  RandomTrace(unsigned seed, std::uint16_t clocks) : random_(seed), trace_(ordinary_trace()), clock_count_(clocks) {
    for (std::uint16_t i = 2; i <= clocks; ++i) {
      trace_.clock({i, EVT_CLOCK_OTHER, kTicksPerNs.at(i - 1) * 1'000'000'000, 0, 0});
    }
    stream_count_ = 1 + pick(4);
    spread_ = std::uint64_t{1} << pick(40);
    for (std::uint64_t i = pick(40); i > 0; --i) add_block();
  }

  std::string bytes() { return trace_.trailer().bytes(); }
  std::vector<Place> places(bool markers, bool by_ns) const {
    std::vector<Place> places = places_;
    if (!markers) std::erase_if(places, [](const Place& p) { return p.is_lost; });
    const auto rank = [&](const Place& p) {
      const auto& [ns, clock, ticks] = p.key;
      return std::tuple(by_ns ? Key{ns, 0, 0} : p.key, p.stream, p.ordinal);
    };
    std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) { return rank(a) < rank(b); });
    return places;
  }

 private:
  struct Stream {
    std::uint64_t now = 1'000'000;  // ns
    Key latest;                     // the key of its last row
    std::uint64_t ordinal = 0;
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  std::string some(std::uint64_t below, char c) { return std::string(static_cast<std::size_t>(pick(below)), c); }

  void add_block() {
    const auto id = static_cast<std::uint32_t>(1 + pick(stream_count_));
    const auto clock = static_cast<std::uint16_t>(1 + pick(clock_count_));
    const std::uint64_t per_ns = kTicksPerNs.at(clock - 1);
    Stream& stream = streams_[id];
    Rows rows;
    std::uint64_t base = (stream.now - std::min<std::uint64_t>(stream.now, pick(1000))) * per_ns;
    const std::uint64_t block_base = base;
    if (pick(4) == 0) {  // a jump, back or forth
      stream.now = pick(std::min(2 * stream.now, std::uint64_t{1} << 50));
      base = (stream.now - std::min<std::uint64_t>(stream.now, 10)) * per_ns;
      rows.time_base(base, EVT_TIME_BASE_JUMP);
      stream.ordinal += 1;
      stream.latest = {};
    }
    for (std::uint64_t i = 1 + pick(60); i > 0; --i) {
      stream.now += pick(spread_);
      const std::uint64_t ns =
          stream.now - std::min(stream.now, pick(3) == 0 ? pick(spread_) : 0);  // at times it falls back
      const std::uint64_t ticks = ns * per_ns + pick(per_ns);
      stream.latest = std::max(stream.latest, {ns, clock, ticks});
      if (ticks < base || ticks - base > UINT32_MAX) {
        base = ticks;
        rows.time_base(base);
        stream.ordinal += 1;
      }
      add_row(rows, id, stream, static_cast<std::uint32_t>(ticks - base), ticks);
    }
    trace_.events(id, rows, block_base, clock);
  }

  void add_row(Rows& rows, std::uint32_t id, Stream& stream, std::uint32_t delta, std::uint64_t ticks) {
    Place place{stream.latest, id, stream.ordinal++, ticks, false};
    switch (pick(12)) {
      case 0:
        rows.row(delta, EVT_ROW_PADDING, some(100, 'p'));
        return;
      case 1:
        rows.row(delta, static_cast<std::uint16_t>(0xFF05 + pick(200)), "later");
        return;
      case 2:
        rows.lost(delta, 1, 1);
        place.is_lost = true;
        break;
      case 3:
        rows.wide(delta, 70000, "wide");
        break;
      case 4:
        rows.big_row(delta, 1024, some(9000, 'b'));
        break;
      default:
        rows.row(delta, 1024, some(20, 'x'));
    }
    places_.push_back(place);
  }

  std::mt19937_64 random_;
  RawTrace trace_;
  std::uint16_t clock_count_;
  std::uint64_t stream_count_ = 1;
  std::uint64_t spread_ = 1;
  std::map<std::uint32_t, Stream> streams_;
  std::vector<Place> places_;
};

std::vector<Place> read(const std::string& bytes, std::size_t budget, bool markers, bool by_ns) {
  ReadOptions reading;
  reading.memory_budget = budget;
  Trace trace = open_trace(bytes, reading);
  EventOptions wanted;
  wanted.markers = markers;
  wanted.by_ns = by_ns;
  Events events = trace.events(wanted);
  std::vector<Place> places;
  while (const Event* e = events.next()) {
    if (!e->is_jump()) places.push_back({{}, e->stream().id, e->ordinal(), e->ticks(), e->is_lost()});
  }
  EXPECT_TRUE(events.status().ok()) << events.status().message();
  return places;
}

void expect_the_order_of_the_format(std::uint16_t clocks) {
  for (unsigned seed = 0; seed < 80; seed += kEveryCase) {
    RandomTrace trace(seed, clocks);
    const std::string bytes = trace.bytes();
    for (const bool markers : {false, true}) {
      for (const bool by_ns : {false, true}) {
        const std::string expected = lines_of(trace.places(markers, by_ns));
        for (const std::size_t budget : std::vector<std::size_t>{64 << 20, 30'000, 0}) {
          ASSERT_EQ(lines_of(read(bytes, budget, markers, by_ns)), expected)
              << "seed " << seed << ", budget " << budget << (by_ns ? ", by ns" : "");
        }
      }
    }
  }
}

TEST(RandomTrace, IsReadInTheOrderOfTheFormat) { expect_the_order_of_the_format(1); }

TEST(RandomTrace, OfSeveralClocksIsReadInTheOrderOfTheFormat) { expect_the_order_of_the_format(3); }

}  // namespace
}  // namespace evt::testing

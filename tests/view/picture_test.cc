// Pictures for papers: what is in their files.
#include "libtrace-view/picture/picture.h"

#include <gmock/gmock.h>

#include <regex>

#include "libtrace-view/look/axis.h"
#include "libtrace-view/look/column_stacks.h"
#include "libtrace-view/look/headings.h"
#include "libtrace-view/look/ruler.h"
#include "rows.h"
#include "view_test.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Picture : public View {
 protected:
  // The leak sanitizer of the command reports what libraries of librsvg keep, which is none of ours.
  Picture() {
    setenv("LSAN_OPTIONS", "suppressions=" EVT_SOURCE_FOLDER "/tests/view/leaks.supp:print_suppressions=0", 1);
  }
  void expect_golden(const std::string& name, const std::string& command) const {
    EXPECT_EQ(run(command + " -o drawn.svg").status, 0);
    EXPECT_EQ(content_of("drawn.svg"), source_file("tests/view/golden/" + name))
        << "of `" << command << "`: look at what is drawn, and keep it as the golden file if it is right";
  }
  // Not where there is no librsvg.
  bool draws(const std::string& name) const {
    const Outcome drawn = run("evt view -o " + name + " cpus.evt");
    if (drawn.err.find("librsvg") == std::string::npos) {
      EXPECT_EQ(drawn, prints(""));
    }
    return drawn.status == 0;
  }
  bool has_program(const std::string& name) const { return run("command -v " + name).status == 0; }
};

TEST_F(Picture, HasTheCpusOfATrace) {
  given_cpus();
  expect_golden("cpus.svg", "evt view --width 84mm cpus.evt");
}

TEST_F(Picture, HasEveryKindOfRow) {
  given_all_kinds();
  expect_golden("all.svg",
                "evt view --width 300pt --rows cpus,threads,spans,counters,marks,events all.evt 2> /dev/null");
}

TEST_F(Picture, HasTexturesInBlackAndWhite) {
  given_all_kinds();
  expect_golden("bw.svg", "evt view --bw --width 10cm --from 200us --to 900us all.evt 2> /dev/null");
}

TEST_F(Picture, OfSeveralTracesHasOneBelowAnother) {
  given_cpus();
  given_all_kinds();
  EXPECT_EQ(run("evt view -o two.svg cpus.evt all.evt 2> /dev/null").status, 0);
  const std::string svg = content_of("two.svg");
  EXPECT_THAT(svg, HasSubstr(">cpus.evt: test</text>"));
  EXPECT_THAT(svg, HasSubstr(">all.evt: test</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>Timeline of cpus.evt: test, all.evt: test</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>4 rows from 0 s to 0.0012 s; 8 rows from 0 s to 0.001 s</desc>"));
}

TEST_F(Picture, IsTheSameByteForByte) {
  given_cpus();
  for (const std::string name : {"a.svg", "a.pdf", "a.png"}) {
    if (!draws(name)) continue;
    const std::string first = content_of(name);
    ASSERT_TRUE(draws(name));
    EXPECT_EQ(content_of(name), first) << name;
    EXPECT_GT(first.size(), 1000u) << name;
  }
}

TEST_F(Picture, AsPdfHasOneFontTextAndNoImage) {
  given_cpus();
  if (!draws("a.pdf")) GTEST_SKIP() << "librsvg 2 is not here";
  for (const std::string program : {"pdffonts", "pdfimages", "pdftotext"}) {
    if (!has_program(program)) GTEST_SKIP() << program << " is not here";
  }
  const Outcome fonts = run("pdffonts a.pdf | tail -n +3");
  EXPECT_EQ(std::count(fonts.out.begin(), fonts.out.end(), '\n'), 1) << fonts.out;
  EXPECT_THAT(fonts.out, HasSubstr("yes yes yes"));
  EXPECT_EQ(run("pdfimages -list a.pdf | tail -n +3"), prints(""));
  EXPECT_THAT(run("pdftotext a.pdf -").out, HasSubstr("collecting"));
}

TEST_F(Picture, AsPdfHasTheDateOfTheSource) {
  given_cpus();
  if (!draws("a.pdf")) GTEST_SKIP() << "librsvg 2 is not here";
  EXPECT_EQ(run("SOURCE_DATE_EPOCH=86400 evt view -o later.pdf cpus.evt"), prints(""));
  if (!has_program("pdfinfo")) GTEST_SKIP() << "pdfinfo is not here";
  EXPECT_THAT(run("TZ=UTC pdfinfo a.pdf | grep CreationDate").out, HasSubstr("Jan  1 00:00:00 1970"));
  EXPECT_THAT(run("TZ=UTC pdfinfo later.pdf | grep CreationDate").out, HasSubstr("Jan  2 00:00:00 1970"));
}

// How wide a.png is, and whether there is more in it than one colour.
constexpr const char* kLookAtPng = R"PY(python3 -c "
import struct, zlib
png = open('a.png', 'rb').read()
print(struct.unpack('>I', png[16:20])[0])
data = b''
at = 8
while at < len(png):
    size, kind = struct.unpack('>I4s', png[at:at + 8])
    data += png[at + 8:at + 8 + size] if kind == b'IDAT' else b''
    at += size + 12
print(len(set(zlib.decompress(data))) > 20)")PY";

// 72 pt are an inch, of 300 dots.
TEST_F(Picture, AsPngHasThreeHundredDotsAnInch) {
  given_cpus();
  if (!draws("a.png")) GTEST_SKIP() << "librsvg 2 is not here";
  EXPECT_EQ(run("evt view -o a.png --width 144pt cpus.evt"), prints(""));
  EXPECT_EQ(run(kLookAtPng), prints("600\nTrue\n"));
}

// A thread runs for 1 us, half an hour after the start.
TEST_F(Picture, OfAnHourShowsAMicrosecond) {
  given_trace("hour.evt", std::string(kThreadTypes) +
                              "stream 1 \"s\"\n0.000000000 1 mark message=\"start\"\n"
                              "1800.000000000 1 thread.run thread=1 cpu=0\n"
                              "1800.000001000 1 thread.stop thread=1 reason=blocked object=0\n"
                              "3600.000000000 1 mark message=\"end\"\n");
  ASSERT_EQ(run("evt view -o hour.svg --rows cpus hour.evt"), prints(""));
  const std::string svg = content_of("hour.svg");
  std::smatch line;
  ASSERT_TRUE(
      std::regex_search(svg, line, std::regex("<path d=\"M([0-9.]+) [0-9.]+L([0-9.]+) [0-9.]+\"[^>]*width=\"\\.4\"")))
      << svg;
  const double left = std::stod(line[1]);
  const double right = std::stod(line[2]);
  std::smatch step;
  const std::regex running("fill=\"#257147\" d=\"M([0-9.]+) [0-9.]+h([0-9.]+)v-([0-9.]+)h([0-9.]+)v");
  ASSERT_TRUE(std::regex_search(svg, step, running)) << svg;
  const double at = std::stod(step[1]) + std::stod(step[2]);
  EXPECT_NEAR(at, (left + right) / 2, 0.5);
  EXPECT_GE(std::stod(step[3]), 0.6);
  EXPECT_GE(std::stod(step[4]), 0.3);
}

TEST_F(Picture, HasHeightsInProportion) {
  given_cpus();
  const std::string bytes = content_of("cpus.evt");
  Trace trace = open_trace(bytes);
  const view::Scale scale(0, 1'200'000, 12);
  const auto tracks = tracks_of(trace, scale, [](view::TrackKind kind, const std::string& name) {
    return kind == view::TrackKind::kCpu && name == "cpu 0";
  });
  ASSERT_EQ(tracks.size(), 1u);
  std::vector<double> heights;
  for (const view::Heights& shares : view::shares_of(tracks[0], scale))
    heights.push_back(view::stacked(shares, 20, 1)[0]);
  EXPECT_THAT(heights, ElementsAre(5, 5, 5, 5, 10, 10, 10, 10, 15, 15, 15, 15));
}

// What is there is seen, all fit, and none is far from its part.
TEST(Stacks, AreInProportionWithALeastHeight) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    view::Heights shares{};
    std::uint64_t sum = 0;
    std::array<std::uint64_t, view::kKeys> parts{};
    for (std::uint64_t& part : parts)
      sum += part = random() % 3 == 0 ? 1 + random() % (random() % 5 == 0 ? 1'000'000 : 9) : 0;
    const std::uint64_t whole = sum + random() % 2 * (random() % 1000) + 1;
    for (std::size_t key = 0; key < parts.size(); ++key) {
      shares[key] = static_cast<double>(parts[key]) / static_cast<double>(whole);
    }
    const view::Heights heights = view::stacked(shares, 20, 1);
    double all = 0;
    for (std::size_t key = 0; key < shares.size(); ++key) {
      all += heights[key];
      if (shares[key] == 0) {
        EXPECT_EQ(heights[key], 0);
      } else {
        EXPECT_GE(heights[key], 1 - 1e-9);
        EXPECT_NEAR(heights[key], std::max(shares[key] * 20, 1.0), 11);
      }
    }
    EXPECT_LE(all, 20 + 1e-6);
  }
}

std::string ticks_of(std::int64_t from_ns, std::int64_t to_ns, std::uint32_t most) {
  const view::Ruler ruler(view::Scale(from_ns, to_ns, 1000), most);
  std::string text = ruler.base + ":";
  for (const view::RulerTick& tick : ruler.ticks) text += " " + tick.text;
  return text;
}

// A process of one thread has no heading but its name; another has both, and a kind of rows is told from the other.
TEST(Headings, AreThoseOfGroupsAndKinds) {
  const auto track = [](view::TrackKind kind, const char* name, std::uint32_t group) {
    view::Track made;
    made.kind = kind;
    made.name = name;
    made.group = group;
    made.shares.resize(1);
    made.values.resize(100);
    return made;
  };
  using view::TrackKind;
  const view::Panel panel = {
      "",
      view::Scale(0, 100, 100),
      {track(TrackKind::kCpu, "worker 1", Actor::kNone), track(TrackKind::kThread, "sort 41", 0),
       track(TrackKind::kSpan, "", 0), track(TrackKind::kThread, "python3 43", 1), track(TrackKind::kSpan, "", 1),
       track(TrackKind::kThread, "worker 1", 1), track(TrackKind::kThread, "known_static 44", 2),
       track(TrackKind::kMark, "marks", Actor::kNone)},
      {{"bash 41: sort", true}, {"bash 43: python3", true}, {"bash 44", true}}};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < panel.tracks.size(); ++i) {
    for (const view::Heading& heading : headings_above(panel, i)) {
      found.push_back(fmt::format("{} {}{}", i, heading.text, is_whole_process(panel, i) ? ", all of it" : ""));
    }
  }
  EXPECT_THAT(found, ElementsAre("0 CPUS", "1 bash 41: sort, all of it", "3 bash 43: python3", "6 bash 44, all of it"));
  const std::string svg = view::svg_of({panel}, {});
  for (const char* const text :
       {">CPUS<", ">bash 41: sort<", ">bash 44: known_static<", ">bash 43: python3<", ">python3 43<", ">marks<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_THAT(svg, Not(HasSubstr("sort 41")));
}

// The largest value, zero, and the least where there is room for it.
TEST(Axis, HasZeroAndTheEndsOfTheValues) {
  const auto ticks_of = [](double least, double largest, const char* unit) {
    view::Track track;
    track.unit = unit;
    track.values = {{least, least, 0, 1}, {largest, largest, 0, 1}};
    std::vector<std::string> ticks;
    for (const view::AxisTick& tick : view::axis_of(track)) {
      ticks.push_back(fmt::format("{} at {:.2f}", tick.text, tick.part));
    }
    return ticks;
  };
  EXPECT_THAT(ticks_of(40e6, 80e6, "B"), ElementsAre("80 MB at 1.00", "0 at 0.00", "40 MB at 0.50"));
  EXPECT_THAT(ticks_of(3, 11, ""), ElementsAre("11 at 1.00", "0 at 0.00"));
  EXPECT_THAT(ticks_of(-5, 5, "Cel"), ElementsAre("5 Cel at 1.00", "0 at 0.50", "-5 Cel at 0.00"));
  EXPECT_THAT(ticks_of(0, 0, ""), ElementsAre("0 at 0.00"));
}

TEST(Ruler, HasTicksOneTwoOrFiveApart) {
  EXPECT_EQ(ticks_of(0, 1'000'000'000, 5), ": 0 ms 200 ms 400 ms 600 ms 800 ms 1000 ms");
  EXPECT_EQ(ticks_of(3, 27, 5), ": 5 ns 10 ns 15 ns 20 ns 25 ns");
  EXPECT_EQ(ticks_of(-1'500'000, 700'000, 3), ": -1 ms 0 ms");
  EXPECT_EQ(ticks_of(0, 7'200'000'000'000, 4), ": 0 s 2000 s 4000 s 6000 s");
}

TEST(Ruler, NamesWhatTicksHaveInCommonOnce) {
  EXPECT_EQ(ticks_of(60'100'000, 60'400'000, 6), "60 ms: +100 us +150 us +200 us +250 us +300 us +350 us +400 us");
}

TEST_F(Picture, ShowsHostileNamesAndNeverObeysThem) {
  given_trace("hostile.evt", std::string(kThreadTypes) +
                                 "stream 1 \"s\"\n"
                                 "0.000000000 1 thread.name thread=1 name=\"</text><script>a&b\\x1B\\xE2\\x80\\xAE\"\n"
                                 "0.000000000 1 thread.run thread=1 cpu=0\n0.000001000 1 mark message=\"end\"\n");
  EXPECT_EQ(run("evt view -o h.svg --rows threads --width 500pt hostile.evt"), prints(""));
  const std::string svg = content_of("h.svg");
  EXPECT_THAT(svg, HasSubstr(">&lt;/text&gt;&lt;script&gt;a&amp;b"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, Not(HasSubstr("\x1b")));
  EXPECT_THAT(svg, Not(HasSubstr("\xe2\x80\xae")));
  const Outcome text = run("COLUMNS=120 LC_ALL=C.UTF-8 evt view --text --rows threads hostile.evt");
  EXPECT_THAT(text.out, HasSubstr("</text><script>a&b"));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace evt::testing

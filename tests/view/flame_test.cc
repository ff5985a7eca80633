// Flame graphs: which boxes they have, and how they are drawn.
#include <gmock/gmock.h>

#include <regex>

#include "libtrace-view/look/flame_tree.h"
#include "view_test.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Flame : public View {
 protected:
  Flame() { given_samples(); }

  // Of a picture: what a pointer reads on each box, and where it is.
  std::string boxes(const std::string& options) const {
    EXPECT_EQ(run("evt view --width 200pt -o drawn.svg " + options), prints(""));
    const std::string svg = content_of("drawn.svg");
    const std::regex box("<g><title>(.*)</title>\n<rect x=\"([^\"]*)\" y=\"([^\"]*)\" width=\"([^\"]*)\"");
    std::string lines;
    for (std::sregex_iterator at(svg.begin(), svg.end(), box), none; at != none; ++at) {
      lines += fmt::format("{} at {} {}, {} wide\n", (*at)[1].str(), (*at)[2].str(), (*at)[3].str(), (*at)[4].str());
    }
    return lines;
  }
};

TEST_F(Flame, StandsOnTheThreadsWithTimeAsWidth) {
  EXPECT_EQ(boxes("--flame samples.evt"),
            "all: 100 ns, 100.0 % at 0 53, 199.6 wide\n"
            "thread 2: 30 ns, 30.0 % at 0 43, 59.6 wide\n"
            "main: 30 ns, 30.0 % at 0 33, 59.6 wide\n"
            "read&lt;a;b&gt;: 30 ns, 30.0 % at 0 23, 59.6 wide\n"
            "worker: 70 ns, 70.0 % at 60 43, 139.6 wide\n"
            "main: 70 ns, 70.0 % at 60 33, 139.6 wide\n"
            "parse: 60 ns, 60.0 % at 60 23, 119.6 wide\n"
            "read&lt;a;b&gt;: 40 ns, 40.0 % at 60 13, 79.6 wide\n");
}

TEST_F(Flame, HangsFromWhatRanIfInverted) {
  EXPECT_EQ(boxes("--flame --inverted --thread worker samples.evt"),
            "all: 70 ns, 100.0 % at 0 13, 199.6 wide\n"
            "main: 10 ns, 14.3 % at 0 23, 28.15 wide\n"
            "worker: 10 ns, 14.3 % at 0 33, 28.15 wide\n"
            "parse: 20 ns, 28.6 % at 28.55 23, 56.75 wide\n"
            "main: 20 ns, 28.6 % at 28.55 33, 56.75 wide\n"
            "worker: 20 ns, 28.6 % at 28.55 43, 56.75 wide\n"
            "read&lt;a;b&gt;: 40 ns, 57.1 % at 85.7 23, 113.9 wide\n"
            "parse: 40 ns, 57.1 % at 85.7 33, 113.9 wide\n"
            "main: 40 ns, 57.1 % at 85.7 43, 113.9 wide\n"
            "worker: 40 ns, 57.1 % at 85.7 53, 113.9 wide\n");
}

TEST_F(Flame, IsOfARangeOfTime) {
  EXPECT_EQ(boxes("--flame --from 20ns --to 30ns samples.evt"),
            "all: 20 ns, 100.0 % at 0 43, 199.6 wide\n"
            "worker: 20 ns, 100.0 % at 0 33, 199.6 wide\n"
            "main: 20 ns, 100.0 % at 0 23, 199.6 wide\n"
            "parse: 20 ns, 100.0 % at 0 13, 199.6 wide\n");
}

TEST_F(Flame, IsOfSpansIfAskedToOrWithoutSamples) {
  EXPECT_EQ(boxes("--flame=spans samples.evt"),
            "all: 70 ns, 100.0 % at 0 33, 199.6 wide\n"
            "worker: 70 ns, 100.0 % at 0 23, 199.6 wide\n"
            "work: 70 ns, 100.0 % at 0 13, 199.6 wide\n");
  given_all_kinds();
  EXPECT_EQ(run("evt view --flame -o drawn.svg all.evt 2> /dev/null").status, 0);
  EXPECT_THAT(content_of("drawn.svg"), HasSubstr("<title>request: 680 us, 100.0 %</title>"));
}

// Such as that of a program that ended before the first sample.
TEST_F(Flame, IsOfSpansWhereNoSampleWasTaken) {
  given_trace("none.evt",
              "type 1 sample role=sample (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)\n"
              "type 2 whole role=span (thread u64 role=thread) (name text role=name) (took tick_delta role=duration)\n"
              "stream 1 \"main\"\n0.000000070 1 whole thread=1 name=\"work\" took=0.000000050\n");
  EXPECT_EQ(run("evt view -q --flame --width 200pt -o drawn.svg none.evt"), prints(""));
  EXPECT_THAT(content_of("drawn.svg"), HasSubstr("<title>work: 50 ns, 100.0 %</title>"));
  EXPECT_EQ(run("evt convert -q --format folded none.evt"), prints("thread 1;work 50\n"));
}

TEST_F(Flame, IsTheSameByteForByte) {
  const std::string command = "evt view --flame --bw --width 200pt -o drawn.svg samples.evt";
  EXPECT_EQ(run(command), prints(""));
  EXPECT_EQ(content_of("drawn.svg"), source_file("tests/view/golden/flame.svg"))
      << "of `" << command << "`: look at what is drawn, and keep it as the golden file if it is right";
}

TEST_F(Flame, SaysWhatIsNotThere) {
  const Outcome unknown = run("evt view --flame --thread baker -o drawn.svg samples.evt");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("evt view: samples.evt: thread baker: "));
  given_cpus();
  EXPECT_EQ(run("evt view --flame -o none.svg cpus.evt"),
            refuses(1,
                    "evt view: cpus.evt: no event begins or ends a span or a call (roles spanBegin, span, callBegin, "
                    "call ...)\n"));
  EXPECT_EQ(run("evt view --flame=samples -o none.svg cpus.evt"),
            refuses(1, "evt view: cpus.evt: no event samples stacks (role sample): evt run --samples records them\n"));
  EXPECT_EQ(run("evt view --flame --from 30ns --to 20ns -o none.svg samples.evt").status, 2);
  EXPECT_EQ(files(), (std::vector<std::string>{"cpus.evt", "samples.evt"}));
}

TEST_F(Flame, RefusesWhatItCannotDraw) {
  const auto refused = [this](const std::string& options, const std::string& sentence) {
    EXPECT_EQ(run("evt view " + options + " samples.evt"), refuses(2, "evt view: " + sentence + "\n"));
  };
  const std::string for_pictures = "--flame: draws a picture: needs -o with a name in .svg, .pdf or .png";
  refused("--flame --no-open", for_pictures);
  refused("--flame --text", for_pictures);
  refused("--flame -o a.html", for_pictures);
  refused("--flame=cpus -o a.svg", "--flame: expected samples or spans, found cpus");
  refused("--flame --rows cpus -o a.svg", "--flame excludes --rows");
  refused("--inverted -o a.svg", "--inverted requires --flame");
  refused("--thread worker -o a.svg", "--thread: works only with --flame; --rows chooses rows");
}

TEST(FlameTree, LeavesOutWhatIsTooNarrowAndWhatIsOnIt) {
  const view::FlameTree tree({{"t;a;b", 1}, {"t;a", 1}, {"t;c;d", 998}}, false, 100);
  std::string lines;
  for (const auto& box : tree.boxes()) {
    lines += fmt::format("{} {} from {}, {} and self {}\n", box.depth, box.name, box.from, box.sum, box.self);
  }
  EXPECT_EQ(lines,
            "0 all from 0, 1000 and self 0\n1 t from 0, 1000 and self 0\n2 c from 2, 998 and self 0\n"
            "3 d from 2, 998 and self 998\n");
}

TEST(FlameTree, OfNoTimeHasNoBox) {
  EXPECT_TRUE(view::FlameTree({{"t;a", 0}}, false, 100).boxes().empty());
  EXPECT_EQ(view::FlameTree({}, true, 100).total(), 0u);
}

}  // namespace
}  // namespace evt::testing

// ./dev demo, but for what it builds: examples/demo.py.
#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <regex>

#include "tools/at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Demo : public AtTheShell {
 protected:
  const std::string demo = "python3 -B '" EVT_SOURCE_FOLDER "/examples/demo.py' '" EVT_BIN_FOLDER "' .";

  // All numbers that the text has behind `"name":`.
  static std::vector<std::int64_t> numbers(const std::string& json, const std::string& name) {
    const std::regex pattern("\"" + name + "\":([0-9]+)");
    std::vector<std::int64_t> found;
    for (std::sregex_iterator at(json.begin(), json.end(), pattern), end; at != end; ++at) {
      found.push_back(std::stoll((*at)[1]));
    }
    return found;
  }

  static std::string seconds(std::int64_t ns) { return fmt::format("{:.3f} s", static_cast<double>(ns) / 1e9); }
};

TEST_F(Demo, EndsWithEqualCountsInFewerThan40Lines) {
  const Outcome outcome = run(demo);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  EXPECT_LT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 40) << outcome.out;
  std::smatch counts;
  const std::regex pattern(
      "own tally: ([0-9]+)(?:, and [0-9]+ in the making)?\nEvents in the trace: +([0-9]+)\nNo event was lost.\n");
  ASSERT_TRUE(std::regex_search(outcome.out, counts, pattern)) << outcome.out;
  EXPECT_GE(std::stoll(counts[1]), 5000) << "it was killed before it had done anything";
  EXPECT_EQ(run("evt dump --count killed.evt").out, counts[2].str() + "\n");
  EXPECT_THAT(outcome.out, ::testing::EndsWith("$ evt view -o demo.html demo.evt\nIt is ./demo.html.\n"));
  EXPECT_EQ(run("grep -c 'id=\"embedded\"' demo.html"), prints("1\n"));
}

TEST_F(Demo, SaysWhatEvtStatsComputes) {
  const Outcome outcome = run(demo);
  const std::string share = run("evt stats share --json demo.evt").out;
  const std::string threads = run("evt stats threads --json demo.evt").out;
  const auto running = numbers(threads, "running_ns");
  double work = 0;
  for (const std::int64_t ns : running) work += static_cast<double>(ns);
  const std::int64_t wall = numbers(share, "wall_ns").at(0);
  EXPECT_THAT(outcome.out,
              HasSubstr(fmt::format("Found out: {:.2f} of {} threads ran on average; for {} of {} only one ran.\n",
                                    work / static_cast<double>(wall), running.size(),
                                    seconds(numbers(share, "serial_ns").at(0)), seconds(wall))));
  // Of each thread in all, and then of each of its reasons: the longest of these is behind a reason.
  std::int64_t longest = 0;
  for (const std::int64_t ns : numbers(threads.substr(threads.find("waits_for")), "waiting_ns"))
    longest = std::max(longest, ns);
  EXPECT_THAT(outcome.out, HasSubstr(" waited longest, " + seconds(longest) + " in all, reason "));
}

// The program of the picture in README.md: each of its threads has five frames.
TEST_F(Demo, DrawsTheFramesOfEveryThread) {
  const Outcome outcome = run(demo);
  for (const char* const worker : {"worker 0", "worker 1", "worker 2", "worker 3"}) {
    EXPECT_EQ(
        run("evt dump --stream '" + std::string(worker) + "' --event span.begin demo.evt | grep -c 'frame [1-5]'"),
        prints("5\n"))
        << outcome.out;
  }
}

TEST_F(Demo, EndsWithOneWhereTheCountsDiffer) {
  ASSERT_EQ(run("mkdir bin").status, 0);
  // A parsort whose tally is that of one event more.
  given_file("bin/parsort",
             "#!/bin/sh\n"
             "if [ \"$6\" != 0 ]; then exec '" EVT_BIN_FOLDER
             "/parsort' \"$@\"; fi\n"
             "'" EVT_BIN_FOLDER
             "/parsort' -n 1000 -c 100 -o killed.evt > out\n"
             "printf '\\377\\377\\0\\0\\0\\0\\0\\0\\377\\377\\0\\0\\0\\0\\0\\0' > tally\n"
             "head -c 48 /dev/zero >> tally\nexec sleep 100\n");
  const Outcome outcome =
      run("chmod +x bin/parsort && ln -s '" EVT_BIN_FOLDER "/evt' bin/evt && ln -s '" EVT_BIN_FOLDER
          "/mandelbrot' bin/mandelbrot && python3 -B '" EVT_SOURCE_FOLDER "/examples/demo.py' bin .");
  EXPECT_EQ(outcome.status, 1) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("own tally: 65535\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nThese differ.\n"));
}

}  // namespace
}  // namespace evt::testing

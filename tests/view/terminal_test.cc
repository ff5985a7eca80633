// Timelines in the terminal.
#include <gmock/gmock.h>

#include "view_test.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSixty = "COLUMNS=60 LC_ALL=C.UTF-8 evt view --text ";

class Terminal : public View {};

TEST_F(Terminal, HasEighthsOfBlocks) {
  given_cpus();
  EXPECT_EQ(run(kSixty + std::string("--rows cpus cpus.evt")),
            prints(R"(            |0 us               |500 us             |1000 us
cpu 0       █   █   █   █   ██  ██  ██  ██  ███ ███ ███ ███
cap 0                                                     gg
█ running   g collecting
)"));
}

TEST_F(Terminal, HasEveryKindOfRow) {
  given_all_kinds();
  EXPECT_EQ(run(kSixty + std::string("--rows cpus,threads,spans,counters,marks,events all.evt")),
            (Outcome{0, R"(            |0 us                   |500 us
all cpus

                 ██████████████               ████
                ▄██████████████▄             ▇████▇
CPUS
cpu 0           ▂██████████████▂
cpu 1                                        ▄████▄
THREADS
worker          ▂██████████████▂________rrrrrr████//////!!//
                 request██████████████████████████▄     !!
                   parse██▄                             !!
COUNTERS
queue                     ██████████████████████████████████
3 to 9      ▆▆▆▆▆▆▆▆▆▆▆▆▆▆██████████████████████████████!!██
marks                                         |half way    |
EVENTS
scheduler   █   █              █        █    █    █        █
worker      ▆    ▆ ▆      █                   ▆   ▆     !!
█ running   r runnable   / foreign call   _ waiting
! events lost
)",
                     "evt view: all.evt: 3 events of stream 2 \"worker\" lost: ring_full\n"}));
}

// Requests overlap; one of them is open at the end. Events were lost that may have ended two of them.
TEST_F(Terminal, HasAsynchronousSpansByNameInLanes) {
  given_asynchronous_spans();
  const std::string loss = "evt view: async.evt: 3 events of stream 2 \"server\" lost: ring_full\n";
  EXPECT_EQ(run("COLUMNS=80 LC_ALL=C.UTF-8 evt view --text async.evt"),
            (Outcome{0, R"(                |0 us       |200 us      |400 us      |600 us      |800 us
SPANS
client          main████████████████████████████████████████████████████████████
ASYNC SPANS
request               request████████████▅      request!!!~~~~~~~~~~~~~~~~~~~~~~
                            request████████████████████!!!~~~~~~~~~~
                                request███████████████▄!!!
dns                      dns███████▂                   !!!            dns███▇
~ uncertain   ! events lost
)",
                     loss}));
  EXPECT_EQ(run("COLUMNS=80 LC_ALL=C.UTF-8 evt view --text --rows 'async:d*' --from 0.2ms --to 0.6ms async.evt"),
            (Outcome{0, R"(                |200 us         |300 us         |400 us         |500 us
dns             dns█████████████
)",
                     loss}));
}

TEST_F(Terminal, HasAsciiAloneWithoutUtf8) {
  given_cpus();
  EXPECT_EQ(run("COLUMNS=60 LC_ALL=C evt view --text --rows cpus cpus.evt"),
            prints(R"(            |0 us               |500 us             |1000 us
cpu 0       #   #   #   #   ##  ##  ##  ##  ### ### ### ###
cap 0                                                     gg
# running   g collecting
)"));
}

TEST_F(Terminal, HasColoursWhereTheyAreWanted) {
  given_cpus();
  const std::string line = kSixty + std::string("--rows cpus cpus.evt");
  EXPECT_THAT(run(line).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run(line + " --color never").out, Not(HasSubstr("\x1b")));
  // A green, and the nearest of 256 to it.
  EXPECT_THAT(run("COLORTERM= " + line + " --color always").out, HasSubstr("\x1b[0;38;5;71m█"));
  EXPECT_THAT(run("COLORTERM=truecolor " + line + " --color always").out, HasSubstr("\x1b[0;38;2;52;158;102m█"));
}

TEST_F(Terminal, IsAsWideAsItIs) {
  given_cpus();
  for (const std::size_t width : {80u, 200u}) {
    const std::string out =
        run("COLUMNS=" + std::to_string(width) + " LC_ALL=C evt view --text --rows cpus cpus.evt").out;
    std::size_t longest = 0;
    for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1)
      longest = std::max(longest, out.find('\n', at) - at);
    EXPECT_LE(longest, width);
    EXPECT_GT(longest, width * 9 / 10);
  }
}

TEST_F(Terminal, HasACollectionOnTheThreadOnWhichItIsAndItsCpu) {
  given_trace("vm.evt",
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
              "labels=[1=preempted 5=finished])\n"
              "type 21 gc.start role=gcStart\ntype 22 gc.end role=gcEnd\n"
              "stream 1 \"vm\" thread=1\nstream 2 \"scheduler\"\n"
              "0.000000000 2 thread.run thread=1 cpu=0\n0.001000000 1 gc.start\n"
              "0.002000000 2 thread.stop thread=1 reason=preempted\n0.003000000 2 thread.run thread=1 cpu=1\n"
              "0.004000000 1 gc.end\n0.006000000 2 thread.stop thread=1 reason=finished\n");
  EXPECT_EQ(run(kSixty + std::string("vm.evt")), prints(R"(            |0 ms           |2 ms           |4 ms
all cpus

            ████████gggggggg        gggggggg████████████████
            ████████gggggggg        gggggggg████████████████
CPUS
cpu 0       ████████gggggggg
cpu 1                               gggggggg████████████████
THREADS
vm          ████████ggggggggrrrrrrrrgggggggg████████████████
█ running   g collecting   r runnable
)"));
}

}  // namespace
}  // namespace evt::testing

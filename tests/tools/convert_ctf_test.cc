// evt convert to folders of CTF.
#include <filesystem>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTicks =
    "type 1024 tick (n u64)\n"
    "stream 1 \"a\"\n"
    "stream 2 \"b\"\n"
    "0.000000001 1 tick n=1\n"
    "0.000000002 2 tick n=2\n"
    "0.000000003 1 tick n=3\n"
    "0.000000004 1 !lost count=5 cause=ring_full duration=0\n";

class ConvertCtf : public AtTheShell {
 protected:
  ConvertCtf() { given_trace("x.evt", kTicks); }

  // What is reported of every such trace.
  static constexpr const char* kReported =
      "evt convert: 1 loss of events has its cause left out\n"
      "evt convert: x.evt: 5 events of stream 1 \"a\" lost: ring_full\n";
};

TEST_F(ConvertCtf, AFolderIsMadeByItsSuffixOrByName) {
  EXPECT_EQ(run("evt convert x.evt -o x.ctf/ && ls x.ctf"), (Outcome{0, "metadata\nstream_1\nstream_2\n", kReported}));
  EXPECT_EQ(run("evt convert x.evt --format ctf -o y && diff -r x.ctf y"), (Outcome{0, "", kReported}));
  EXPECT_EQ(files(), (std::vector<std::string>{"x.ctf", "x.evt", "y"}));
}

TEST_F(ConvertCtf, FiltersChooseEvents) {
  // A packet of 72 bytes, and one event.
  EXPECT_EQ(run("evt convert x.evt -o x.ctf --stream a --where 'n>1' --to 3ns && stat -c '%n %s' x.ctf/stream_*"),
            (Outcome{0, "x.ctf/stream_1 92\n",
                     "evt convert: 1 stream without events: left out\n"
                     "evt convert: x.evt: 5 events of stream 1 \"a\" lost: ring_full\n"}));
}

TEST_F(ConvertCtf, LossesAreThereWhateverEventsAreChosen) {
  EXPECT_EQ(run("evt convert x.evt -o x.ctf --event none; stat -c '%n %s' x.ctf/stream_*"),
            (Outcome{0, "x.ctf/stream_1 144\n",
                     "evt convert: 1 loss of events has its cause left out\n"
                     "evt convert: 1 stream without events: left out\n"
                     "evt convert: x.evt: 5 events of stream 1 \"a\" lost: ring_full\n"
                     "evt convert: no event type is called none\n"}));
}

TEST_F(ConvertCtf, AnEarlierTraceIsReplacedAndNothingElse) {
  EXPECT_EQ(run("evt convert x.evt -o x.ctf --stream b 2>&1 && evt convert x.evt -o x.ctf && ls x.ctf"),
            (Outcome{0,
                     "evt convert: 1 stream without events: left out\n"
                     "evt convert: x.evt: 5 events of stream 1 \"a\" lost: ring_full\n"
                     "metadata\nstream_1\nstream_2\n",
                     kReported}));
  given_file("x.ctf/notes.txt", "mine");
  EXPECT_EQ(
      run("evt convert x.evt -o x.ctf"),
      refuses(3, "evt convert: cannot write x.ctf: it is a folder, but not a CTF trace written by evt (notes.txt)\n"));
  EXPECT_EQ(
      run("mkdir -p lttng other.ctf/deep && printf '/* CTF 1.8 */' > lttng/metadata && "
          "evt convert x.evt --format ctf -o lttng"),
      refuses(3, "evt convert: cannot write lttng: it is a folder, but not a CTF trace written by evt (metadata)\n"));
  EXPECT_EQ(
      run("evt convert x.evt -o other.ctf/"),
      refuses(3, "evt convert: cannot write other.ctf/: it is a folder, but not a CTF trace written by evt (deep)\n"));
  EXPECT_EQ(run("touch file && evt convert x.evt --format ctf -o file"),
            refuses(3, "evt convert: cannot write file: it exists and is not a folder\n"));
  EXPECT_EQ(run("mkdir empty && evt convert x.evt --format ctf -o empty 2>/dev/null && ls empty"),
            prints("metadata\nstream_1\nstream_2\n"));
}

TEST_F(ConvertCtf, AFailureLeavesNothing) {
  std::string many(kTicks);
  for (int i = 10; i < 90; ++i) many += "0.0000000" + std::to_string(i) + " 1 tick n=1\n";
  given_trace("x.evt", many);
  // Of a KiB.
  EXPECT_EQ(run("ulimit -f 1; trap '' XFSZ; evt convert x.evt -o x.ctf"),
            refuses(3, "evt convert: cannot write x.ctf/stream_1: File too large\n"));
  EXPECT_EQ(run("evt convert x.evt -o no/x.ctf"),
            refuses(3, "evt convert: cannot write no/x.ctf: the folder no does not exist\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"x.evt"});
}

TEST_F(ConvertCtf, ASignalLeavesNothingHalf) {
  std::string many(kTicks);
  for (int i = 0; i < 20'000; ++i) many += "1.0 1 tick n=1\n";
  given_trace("x.evt", many);
  for (const char* const signal : {"INT", "TERM"}) {
    // What has been completed before the signal came is whole.
    run(std::string("set -m; evt convert x.evt -o x.ctf & until ls | grep -q ctf; do :; done; kill -") + signal +
        " $!; wait $!");
    EXPECT_EQ(run("rm -rf x.ctf; ls"), prints("x.evt\n"));
  }
}

TEST_F(ConvertCtf, OptionsOfOtherFormatsAreRefused) {
  EXPECT_EQ(run("evt convert x.evt --format ctf"),
            refuses(2, "evt convert: --output: expected the name of a folder for the CTF trace\n"));
  EXPECT_EQ(run("evt convert x.evt -o x.json --kernel-names"),
            refuses(2, "evt convert: --kernel-names: works only with CTF\n"));
  EXPECT_EQ(run("evt convert x.evt -o x.ctf --columns"),
            refuses(2, "evt convert: --columns: works only if the output is a trace\n"));
}

}  // namespace
}  // namespace evt::testing

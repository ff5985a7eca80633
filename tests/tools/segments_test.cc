// Files of a session that is in several: what the tools make of one, and of a session beside one made from it.
#include <fmt/core.h>

#include <random>
#include <set>

#include "at_the_shell.h"
#include "core/segmented_trace.h"

namespace evt::testing {
namespace {

class Segment : public AtTheShell {
 protected:
  // Three files, each with an end, and nothing lost in the second.
  Segment() {
    const auto fits = [&] {
      const bool all_end = made_.has_trailer(0) && made_.has_trailer(1) && made_.has_trailer(2);
      return all_end && made_.gone({1}).not_kept > 1 && made_.lost_up_to(1) == made_.lost_up_to(0);
    };
    for (unsigned seed = 0; !fits(); ++seed) made_ = SegmentedTrace(seed, 3);
    for (std::size_t i = 0; i < 3; ++i) given_file(fmt::format("{}.evt", i), made_.segment(i));
  }

  // A trace of another session.
  void given_unrelated(std::string_view name, const std::string& end_of_uuid = "f0") const {
    given_trace(name,
                "evtrace text 1\n"
                "session uuid=0xf00102030405460788090a0b0c0d0e" +
                    end_of_uuid +
                    " start=1767225600.000000000\n"
                    "type 1024 tick (n u64)\n"
                    "stream 1 \"a\"\n"
                    "0.1 1 tick n=1\n");
  }

  // The numbers of the ticks in a text form, in their order.
  static std::vector<std::uint64_t> ticks_in(const std::string& text) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t at = 0; (at = text.find(" tick n=", at)) != std::string::npos;) {
      numbers.push_back(std::stoull(text.substr(at += 8)));
    }
    return numbers;
  }

  // Calls `test` with each subset of the segments, and their files in some order.
  template <typename Test>
  void with_each_subset(Test test) const {
    std::mt19937 random(1);
    for (unsigned bits = 1; bits < 8; ++bits) {
      std::set<std::size_t> kept;
      for (std::size_t i = 0; i < 3; ++i) {
        if ((bits >> i & 1) != 0) kept.insert(i);
      }
      std::vector<std::string> files;
      std::string whole;
      for (const std::size_t i : kept) {
        files.push_back(fmt::format("{}.evt", i));
        whole += made_.segment(i);
      }
      std::shuffle(files.begin(), files.end(), random);
      given_file("whole.evt", whole);
      std::string words;
      for (const std::string& file : files) words += " " + file;
      SCOPED_TRACE(words);
      test(kept, words.substr(1));
    }
  }

  SegmentedTrace made_{0, 3};
};

TEST_F(Segment, OfAMergedTraceLeavesThereWhatItLacked) {
  given_unrelated("other.evt");
  ASSERT_EQ(run("evt merge -q 1.evt other.evt -o both.evt").status, 0);
  const std::uint64_t rows = made_.gone({1}).not_kept;
  const auto sentence =
      ::testing::HasSubstr(fmt::format(": {} rows of its parts are not here: they were not kept\n", rows));
  EXPECT_THAT(run("evt check both.evt").err, sentence);
  EXPECT_THAT(run("evt dump --header both.evt").out,
              ::testing::ContainsRegex(fmt::format("\nnot kept +{} rows\n", rows)));
  EXPECT_EQ(run("evt dump --header --json both.evt | grep -o '\"not_kept[^,]*'").out,
            fmt::format("\"not_kept_of_parts\":{}\n", rows));
  given_unrelated("third.evt", "f1");
  ASSERT_EQ(run("evt merge -q both.evt third.evt -o again.evt").status, 0);
  EXPECT_THAT(run("evt check again.evt").err, sentence) << "however often";
}

TEST_F(Segment, IsWholeThoughOthersAreNotThere) {
  const SegmentedTrace::Gone gone = made_.gone({1});
  const Outcome checked = run("evt check 1.evt");
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.err, fmt::format("evt check: 1.evt: {} rows of other segments are not here: they were not kept\n"
                                     "evt check: 1.evt: the session goes on in segment 2\n",
                                     gone.not_kept));
  EXPECT_THAT(checked.out, ::testing::EndsWith(": continued\n"));
}

// Each with events.
SegmentedTrace three_segments() {
  for (unsigned seed = 0;; ++seed) {
    SegmentedTrace made(seed, 3);
    bool all = true;
    for (std::size_t i = 0; i < 3; ++i) all &= made.has_trailer(i) && !made.events_of({i}).empty();
    if (all) return made;
  }
}

TEST_F(Segment, IsSaidToBeTheLastPartOfItsSession) {
  const SegmentedTrace made = three_segments();
  for (std::size_t i = 0; i < 3; ++i) given_file(fmt::format("part.{}.evt", i), made.segment(i));
  EXPECT_THAT(run("evt check part.2.evt").err,
              ::testing::ContainsRegex(fmt::format("it has the last [0-9.]+ .?s: {} rows before that were not kept\n",
                                                   made.gone({2}).not_kept)));
  EXPECT_THAT(run("evt check part.0.evt part.2.evt").err,
              ::testing::HasSubstr(fmt::format("{} rows of other segments are not here: they were not kept\n",
                                               made.gone({0, 2}).not_kept)));
}

TEST_F(Segment, WhoseDescriptionIsDamagedHasNoNumber) {
  RawTrace damaged = RawTrace::of(made_.segment(1));
  damaged.spoil_payload(1);
  given_file("1.evt", damaged.bytes());
  EXPECT_THAT(run("evt check 1.evt").err, ::testing::EndsWith("1.evt: the session goes on in another segment\n"));
}

TEST_F(Segment, ThatIsTheLastEndsTheSession) {
  EXPECT_THAT(run("evt dump --header 2.evt").out,
              ::testing::AllOf(::testing::HasSubstr("segments  2\n"), ::testing::HasSubstr("closed\n")));
}

TEST_F(Segment, BehindAnotherGivesOneSession) {
  EXPECT_EQ(run("cat 0.evt 1.evt 2.evt | evt dump --count -").out,
            fmt::format("{}\n", made_.events_of({0, 1, 2}).size()));
  EXPECT_EQ(run("cat 2.evt 0.evt 1.evt | evt dump --count -").out,
            fmt::format("{}\n", made_.events_of({0, 1, 2}).size()));
}

TEST_F(Segment, AndOthersAreOneTraceInWhateverOrderTheyAreNamed) {
  with_each_subset([&](const std::set<std::size_t>& kept, const std::string& files) {
    const std::vector<std::uint64_t> expected = made_.events_of(kept);
    EXPECT_EQ(ticks_in(run("evt dump --canonical " + files).out), expected);
    EXPECT_EQ(run("evt dump --count " + files).out, fmt::format("{}\n", expected.size()));
    EXPECT_EQ(ticks_in(run("evt grep tick " + files).out), expected);
  });
}

TEST_F(Segment, AndOthersAreMergedAsOneSession) {
  with_each_subset([&](const std::set<std::size_t>& kept, const std::string& files) {
    const Outcome merged = run("evt merge -o merged.evt " + files);
    EXPECT_EQ(merged.status, 0) << merged;
    EXPECT_THAT(merged.err, ::testing::Not(::testing::HasSubstr("left out")));
    EXPECT_EQ(ticks_in(run("evt dump --canonical merged.evt").out), made_.events_of(kept));
  });
}

// A file that has all of them answers as they do.
TEST_F(Segment, AndOthersAreWhatTheyAreBehindOneAnotherToEveryCommand) {
  with_each_subset([&](const std::set<std::size_t>&, const std::string& files) {
    for (const std::string line :
         {"evt check FILES", "evt check --json FILES", "evt dump FILES", "evt dump --json FILES",
          "evt dump --header FILES", "evt dump --streams FILES", "evt grep 1 FILES", "evt stats --no-checkpoints FILES",
          "evt stats events --no-checkpoints --csv FILES", "evt stats diff events --no-checkpoints FILES other.evt",
          "evt convert FILES", "evt convert --format json FILES", "evt convert -o to.pftrace FILES && cat to.pftrace",
          "evt convert -o to.evt --columns FILES && cat to.evt", "evt convert --format rowbinary --table events FILES",
          "evt check --repair to.evt FILES && evt dump to.evt",
          "evt merge -o to.evt FILES other.evt && evt dump to.evt", "evt view --text FILES"}) {
      const auto with = [&](const std::string& words) {
        std::string command = line;
        return run(command.replace(command.find("FILES"), 5, words));
      };
      given_unrelated("other.evt");
      SCOPED_TRACE(line);
      const std::string first = files.substr(0, files.find(' '));
      const std::string name = files == first ? first : first + " and others";
      const auto as_whole = [&](std::string text) {
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
          text.replace(at, name.size(), "whole.evt");
        for (std::size_t at = 0; (at = text.find(first, at)) != std::string::npos;)
          text.replace(at, first.size(), "whole.evt");
        // Of several files a command that says more has none.
        for (std::size_t at = 0; (at = text.find(" FILE\n", at)) != std::string::npos;)
          text.replace(at, 6, " whole.evt\n");
        return text;
      };
      const Outcome of_files = with(files);
      EXPECT_EQ((Outcome{of_files.status, as_whole(of_files.out), as_whole(of_files.err)}), with("whole.evt"));
    }
  });
}

TEST_F(Segment, BesideUnrelatedTracesStandsWhereItsFirstFileIsNamed) {
  given_unrelated("x.evt");
  given_file("copy.evt", content_of("x.evt"));
  EXPECT_EQ(run("evt dump --count x.evt 2.evt copy.evt 0.evt").out,
            fmt::format("1 x.evt\n{} 2.evt and others\n1 copy.evt\n", made_.events_of({0, 2}).size()));
}

TEST_F(Segment, ThatIsThereTwiceIsReadOnce) {
  given_file("again.evt", made_.segment(0));
  const Outcome counted = run("evt dump --count 0.evt again.evt 1.evt");
  EXPECT_EQ(counted.out, fmt::format("{}\n", made_.events_of({0, 1}).size()));
  EXPECT_THAT(counted.err, ::testing::HasSubstr("again.evt begins as another file does: it was not read\n"));
  EXPECT_EQ(run("evt dump --count 0.evt again.evt").out, fmt::format("{}\n", made_.events_of({0}).size()));
}

TEST_F(Segment, BehindAnotherSessionIsNotMergedAsACopy) {
  given_unrelated("x.evt");
  EXPECT_EQ(run("cat x.evt 0.evt > both.evt && evt merge -o merged.evt both.evt 1.evt"),
            refuses(3,
                    "evt merge: both.evt and 1.evt have segments of one session, which are merged only as one input: "
                    "expected each segment in a file of its own, or all in one file\n"));
  EXPECT_EQ(run("cat 0.evt 1.evt > twice.evt && evt merge -q -o merged.evt twice.evt twice.evt && "
                "evt dump --count merged.evt")
                .out,
            fmt::format("{}\n", made_.events_of({0, 1}).size()));
}

TEST_F(Segment, AmongThreeLeavesNoTwoTracesToCompare) {
  EXPECT_EQ(run("evt stats diff 0.evt 2.evt"),
            refuses(2, "evt stats: expected two traces to compare, found 1; several runs: BEFORE... -- AFTER...\n"));
}

// Where the damage is, in which file.
TEST_F(Segment, ThatIsDamagedIsNamed) {
  RawTrace damaged = RawTrace::of(made_.segment(1));
  const std::size_t last = damaged.size() - 2;
  damaged.spoil_payload(last);
  given_file("1.evt", damaged.bytes());
  EXPECT_THAT(run("evt check 2.evt 1.evt 0.evt").err,
              ::testing::HasSubstr(fmt::format("from offset {} of 1.evt ignored", grouped(damaged.offset_of(last)))));
}

TEST_F(AtTheShell, ASessionBesideOneThatWasMadeFromItIsNamed) {
  given_trace("a.evt", "type 1024 tick (n u32)\nstream 1 \"a\"\n0.1 1 tick n=1\n");
  const Outcome both = run("evt cut a.evt -o b.evt && cat a.evt b.evt | evt dump --count -");
  EXPECT_EQ(both.out, "2\n");
  EXPECT_EQ(both.err,
            "evt dump: standard input: session 2 was made from session 1: events of both may be here twice\n");
  EXPECT_EQ(both.status, 0);
}

}  // namespace
}  // namespace evt::testing

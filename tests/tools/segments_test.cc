// Files of a session that is in several: what the tools make of one, and of a session beside one made from it.
#include <fmt/core.h>

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

  SegmentedTrace made_{0, 3};
};

TEST_F(Segment, IsWholeThoughOthersAreNotThere) {
  const SegmentedTrace::Gone gone = made_.gone({1});
  const Outcome checked = run("evt check 1.evt");
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.err, fmt::format("evt check: 1.evt: {} rows of other segments are not here: they were not kept\n"
                                     "evt check: 1.evt: the session goes on in segment 2\n",
                                     gone.not_kept));
  EXPECT_THAT(checked.out, ::testing::EndsWith(": goes on in another segment\n"));
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

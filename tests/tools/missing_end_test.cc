// What was made of a session whose end is missing states it, however often it is copied: there may have been more.
#include <fmt/core.h>

#include "at_the_shell.h"
#include "core/segmented_trace.h"

namespace evt::testing {
namespace {

class MissingEnd : public AtTheShell {
 protected:
  MissingEnd() {
    given_text("x.txt",
               "type 1024 tick (n u8)\n"
               "stream 1 \"a\"\n"
               "0.1 1 tick n=1\n"
               "0.2 1 tick n=2\n"
               "truncated\n");
    run("evt convert x.txt -o x.evt");
  }
  // What evt check says of y.evt, once the copy was made.
  std::string checked(const std::string& copy) const {
    run(copy);
    const Outcome checked = run("evt check y.evt");
    EXPECT_EQ(checked.out, "y.evt: session of test, 2 events, 0 lost: closed\n") << copy;
    EXPECT_EQ(checked.status, 0) << copy;
    return checked.err;
  }

  const std::string said_ = "evt check: y.evt: it is part of another session: nothing after 0.200000000 is in it";
};

TEST_F(MissingEnd, IsStatedByARepairedCopy) {
  EXPECT_EQ(checked("evt check -q --repair y.evt x.evt"), said_ + " (its end is missing)\n");
}

TEST_F(MissingEnd, IsStatedByACut) {
  EXPECT_EQ(checked("evt cut -q x.evt -o y.evt"), said_ + " (its end is missing)\n");
  EXPECT_EQ(checked("evt cut -q --from 0.05 x.evt -o y.evt"), said_ + " (--from 0.05; its end is missing)\n");
}

TEST_F(MissingEnd, IsStatedByAMerge) {
  EXPECT_EQ(checked("evt merge -q x.evt -o y.evt"), "evt check: y.evt: the end of part x.evt is missing\n");
}

TEST_F(MissingEnd, IsStatedByCopiesOfCopies) {
  EXPECT_EQ(checked("evt cut -q x.evt -o z.evt; evt cut -q z.evt -o y.evt"), said_ + "\n");
  EXPECT_EQ(checked("evt merge -q x.evt -o z.evt; evt cut -q z.evt -o y.evt"),
            "evt check: y.evt: the end of part x.evt is missing\n");
  EXPECT_EQ(checked("evt check -q --repair z.evt x.evt; evt merge -q z.evt -o y.evt"),
            "evt check: y.evt: the end of part z.evt is missing\n");
  EXPECT_EQ(checked("evt check -q --repair z.evt x.evt; evt convert z.evt -o z.txt; evt convert z.txt -o y.evt"),
            said_ + " (its end is missing)\n");
}

TEST_F(MissingEnd, StaysOneInAnotherForm) {
  for (const char* const copy :
       {"evt convert x.evt --columns -o y.evt", "evt convert x.evt -o y.txt; evt convert y.txt -o y.evt"}) {
    run(copy);
    EXPECT_EQ(run("evt check y.evt"),
              (Outcome{1, "y.evt: session of test, 2 events, 0 lost: truncated\n",
                       "evt check: y.evt: the session of test is truncated: its end is missing\n"}))
        << copy;
  }
}

TEST_F(MissingEnd, IsNotStatedOfASessionThatHasOne) {
  given_text("x.txt", "type 1024 tick (n u8)\nstream 1 \"a\"\n0.1 1 tick n=1\n0.2 1 tick n=2\n");
  run("evt convert x.txt -o x.evt");
  for (const char* const copy :
       {"evt check -q --repair y.evt x.evt", "evt cut -q x.evt -o y.evt", "evt merge -q x.evt -o y.evt"}) {
    EXPECT_EQ(checked(copy), "") << copy;
  }
}

TEST_F(MissingEnd, IsTheSameOfASessionThatGoesOnElsewhere) {
  SegmentedTrace made(0, 2);
  for (unsigned seed = 0; !made.has_trailer(0) || made.events_of({0}).empty(); ++seed) made = SegmentedTrace(seed, 2);
  given_file("x.evt", made.segment(0));
  for (const char* const copy : {"evt check -q --repair y.evt x.evt", "evt cut -q x.evt -o y.evt"}) {
    run(copy);
    EXPECT_THAT(run("evt check y.evt").err, ::testing::HasSubstr("is in it (it goes on in another segment)\n")) << copy;
  }
}

}  // namespace
}  // namespace evt::testing

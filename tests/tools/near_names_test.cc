// What a misspelled name was probably meant to be.
#include "libtrace-read/text/near_names.h"

#include <gmock/gmock.h>

namespace evt::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NearNames, AreOneOrTwoEditsAway) {
  EXPECT_THAT(near_names("dpeth", {"depth"}), ElementsAre("depth"));   // two swapped
  EXPECT_THAT(near_names("depht", {"depth"}), ElementsAre("depth"));   // the same at the end
  EXPECT_THAT(near_names("deph", {"depth"}), ElementsAre("depth"));    // one dropped
  EXPECT_THAT(near_names("deepth", {"depth"}), ElementsAre("depth"));  // one too many
  EXPECT_THAT(near_names("dexxh", {"depth"}), ElementsAre("depth"));   // two replaced
  EXPECT_THAT(near_names("dexxx", {"depth"}), IsEmpty());              // three
  EXPECT_THAT(near_names("--josn", {"--json", "--csv"}), ElementsAre("--json"));
}

TEST(NearNames, OfShortNamesAreOneEditAway) {
  EXPECT_THAT(near_names("cup", {"cpu", "gc"}), ElementsAre("cpu"));
  EXPECT_THAT(near_names("cat", {"cpu"}), IsEmpty());
  EXPECT_THAT(near_names("cpu", {"cpu", "cpus"}), ElementsAre("cpus"));
  EXPECT_THAT(near_names("x", {"y"}), IsEmpty());
  EXPECT_THAT(near_names("", {"a"}), IsEmpty());
}

TEST(NearNames, BeginAsWhatWasGiven) {
  EXPECT_THAT(near_names("thr", {"threads", "share"}), ElementsAre("threads"));
  EXPECT_THAT(near_names("t", {"threads"}), IsEmpty());
}

TEST(NearNames, MayDifferInCase) {
  EXPECT_THAT(near_names("DEPTH", {"depth"}), ElementsAre("depth"));
  EXPECT_THAT(near_names("threadid", {"threadId"}), ElementsAre("threadId"));
}

TEST(NearNames, AreThreeAtMostTheNearestFirst) {
  EXPECT_THAT(near_names("spans", {"spxxs", "span", "spawns", "Spans", "spin", "spans2"}),
              ElementsAre("Spans", "span", "spawns"));
  EXPECT_THAT(near_names("ab1", {"ab2", "ab2", "ab3"}), ElementsAre("ab2", "ab3"));
}

TEST(NearNames, EndASentence) {
  EXPECT_EQ(did_you_mean("cpus", {"cpu", "gc"}), "; did you mean cpu?");
  EXPECT_EQ(did_you_mean("ab1", {"ab2", "ab3"}), "; did you mean ab2 or ab3?");
  EXPECT_EQ(did_you_mean("ab1", {"ab2", "ab3", "ab4", "ab5"}), "; did you mean ab2, ab3 or ab4?");
  EXPECT_EQ(did_you_mean("nosuch", {"cpu"}), "");
}

}  // namespace
}  // namespace evt::tools

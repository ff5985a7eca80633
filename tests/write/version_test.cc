#include <evt/evt.h>
#include <gtest/gtest.h>

namespace {

TEST(Version, IsTheOneOfTheHeader) { EXPECT_STREQ(evt_version(), EVT_VERSION); }

}  // namespace

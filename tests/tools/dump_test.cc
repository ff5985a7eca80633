#include <gtest/gtest.h>

#include "support/command.h"
#include "support/folder.h"
namespace evt::testing { namespace {
TEST(Dump, Placeholder) { EXPECT_EQ(run("evt --version").status, 0); }
}}

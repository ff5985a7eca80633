// Every text that is in an anonymous trace of a run.
#include <gtest/gtest.h>

#include <string>

#include "recorded.h"

namespace evt::testing {
namespace {

class AnonymousRun : public Recorded {
 protected:
  // Of the fields of its events that have texts, `type field`, without those in which words of this program's own are.
  std::string fields_with_texts() const {
    return run("evt dump --canonical t.evt | grep '^[0-9]' | awk '{ type = $3; for (i = 4; i <= NF; ++i) "
               "if ($i ~ /^[a-z_]+=\"/) { split($i, field, \"=\"); print type, field[1] } }' | sort -u")
        .out;
  }
};

constexpr const char* kTexts =
    "call.begin function\ncall.begin resource\ncall.end function\nobject.open resource\nrun.buffered_call function\n"
    "run.buffered_call resource\nrun.thread_name name\n";

// Names of functions are those of the C library's that it called.
TEST_F(AnonymousRun, HasNamesOfItsThreadsAndOfCallsOnly) {
  ASSERT_EQ(run("cp $(which waited) secret_program && mkdir secret_folder").status, 0);
  ASSERT_EQ(record("./secret_program", "--calls all --anonymous").status, 0) << report();
  EXPECT_EQ(fields_with_texts(), std::string(kTexts) + "run.wait_begin function\nrun.wait_begin resource\n");
  EXPECT_EQ(run("grep -ac 'orders\\|is_held\\|place_order\\|secret_folder\\|bash_jobs' t.evt").out, "0\n");
}

TEST_F(AnonymousRun, HasNoNamesOfFiles) {
  ASSERT_EQ(run("cp $(which known) secret_program").status, 0);
  ASSERT_EQ(record("./secret_program files", "--calls all --anonymous"), prints("done\n"));
  EXPECT_EQ(fields_with_texts(), kTexts);
  EXPECT_EQ(run("grep -ac \"$PWD\" t.evt").out, "0\n");
}

}  // namespace
}  // namespace evt::testing

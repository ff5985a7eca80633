// Who waited, and for what, of a program that knows it.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

class Waits : public Recorded {
 protected:
  // By path from main() on, in ms.
  std::map<std::string, double> paths() const {
    std::istringstream lines(
        run("evt stats stacks --waiting --fold t.evt | sed -n 's/.*;main;//p' | sed 's/waited[.0-9]*://'").out);
    std::map<std::string, double> found;
    std::string path;
    for (double ns = 0; lines >> path >> ns;) found[path] += ns / 1e6;
    return found;
  }
};

// By whomever processor time is sampled.
TEST_F(Waits, AreThoseOfTheProgramByWhoCalled) {
  for (const char* const by : {"either", "signal"}) {
    SCOPED_TRACE(by);
    const Outcome outcome = record("waited", std::string("--samples-by ") + by);
    ASSERT_EQ(outcome.status, 0) << report();
    std::istringstream printed(outcome.out);
    const std::map<std::string, double> found = paths();
    for (const char* const path : {"place_order;append;pthread_mutex_lock;orders",
                                   "cancel_order;append;pthread_mutex_lock;orders", "read_reply;read"}) {
      SCOPED_TRACE(path);
      double own_ms = 0;
      ASSERT_TRUE(printed >> own_ms) << outcome.out;
      ASSERT_TRUE(found.contains(path)) << run("evt stats stacks --waiting --fold t.evt").out;
      // The program's clock is read a little before and after.
      EXPECT_LE(found.at(path), own_ms);
      EXPECT_GE(found.at(path), 0.9 * own_ms - 5);
    }
  }
}

// The longest first: what the wait was for, in which function, its share, and who called.
TEST_F(Waits, AreInTheSummaryWithWhatTheyWereForAndWhoCalled) {
  const Outcome outcome = record("waited");
  ASSERT_EQ(outcome.status, 0) << report();
  const std::string rows = run("sed -n '/^long waits for/,/^$/p' report | sed 's/waited[.0-9]*://'").out;
  EXPECT_THAT(rows, ::testing::ContainsRegex(
                        "^long waits for +in +time +% +reached through\n"
                        "(.*\n)*orders +pthread_mutex_lock +[0-9.]+ ms +[0-9.]+ %  place_order -> append\n"));
  EXPECT_THAT(rows,
              ::testing::ContainsRegex("orders +pthread_mutex_lock +[0-9.]+ ms +[0-9.]+ %  cancel_order -> append\n"));
  EXPECT_THAT(rows, ::testing::ContainsRegex("- +read +[0-9.]+ ms +[0-9.]+ %  read_reply\n"));
}

// What C++ has between a program's functions says nothing about the program.
TEST_F(Waits, OfCppLeaveOutFunctionsOfItsImplementation) {
  given_file("guarded.cc",
             "#include <chrono>\n#include <mutex>\n#include <thread>\n"
             "std::mutex orders;\n"
             "[[gnu::noinline]] void place_order() { const std::lock_guard<std::mutex> guard(orders); }\n"
             "int main() {\n"
             "  std::unique_lock<std::mutex> held(orders);\n"
             "  std::thread worker([] { place_order(); });\n"
             "  std::this_thread::sleep_for(std::chrono::milliseconds(50));\n"
             "  held.unlock();\n"
             "  worker.join();\n"
             "}\n");
  ASSERT_EQ(run(EVT_CXX_COMPILER " -O0 -g -pthread -o guarded guarded.cc").status, 0);
  ASSERT_EQ(record("./guarded").status, 0) << report();
  const std::string rows = run("sed -n '/^long waits for/,/^$/p' report").out;
  EXPECT_THAT(rows, ::testing::ContainsRegex("orders +pthread_mutex_lock .*place_order\\(\\)\n"));
  EXPECT_THAT(rows, ::testing::Not(::testing::HasSubstr("__gthread")));
}

TEST_F(Waits, AreNotProcessorTime) {
  ASSERT_EQ(record("waited").status, 0) << report();
  // The function itself takes some.
  const auto ns_of_lock = [this](const char* option) {
    return std::stod(run(std::string("evt stats stacks --fold t.evt 2>/dev/null ") + option +
                         " | awk '/pthread_mutex_lock/ { ns += $NF } END { print ns + 0 }'")
                         .out);
  };
  EXPECT_LT(ns_of_lock(""), ns_of_lock("--waiting") / 4);
  EXPECT_EQ(run("evt stats stacks --waiting t.evt | grep -c error").out, "0\n");
}

TEST_F(Waits, LeaveNoStacksWhereThereAreNoSamples) {
  ASSERT_EQ(record("waited", "--samples 0").status, 0) << report();
  EXPECT_EQ(
      run("evt stats stacks --waiting t.evt"),
      (Outcome{1, "",
               "evt stats: t.evt: no event has the stack of a wait: evt run records those of calls over 100 us\n"}));
}

TEST_F(Waits, OfAThreadAreAHundredASecond) {
  const int status = record("waited often").status;
  if (status == 77) GTEST_SKIP() << "the machine is too slow for as many";
  ASSERT_EQ(status, 0) << report();
  EXPECT_EQ(run("grep -c '^evt run: [0-9]* long waits left no stack: a thread keeps those of 100 long waits a second$' "
                "report")
                .out,
            "1\n")
      << report();
  for (const char* const command : {"check", "stats stacks --waiting", "stats calls"}) {
    EXPECT_EQ(run(std::string("evt ") + command +
                  " t.evt 2>&1 | grep -c ': [0-9]* long waits left no stack: a thread keeps those of 100 long waits a "
                  "second$'")
                  .out,
              "1\n")
        << command;
  }
}

}  // namespace
}  // namespace evt::testing

// What evt shows of times in fields that are from before a step of their clock.
#include "at_the_shell.h"
#include "core/raw_trace.h"

namespace evt::testing {
namespace {

// A clock that stepped from 10 s to 1000 ticks; behind that a call of 500 ns, and one that began before the step.
class UnknownTimes : public AtTheShell {
 protected:
  UnknownTimes() {
    constexpr std::int64_t kStep = 10'000'000'000;
    RawTrace trace;
    trace.session().clock({.id = 1, .hz = 1'000'000'000});
    trace.clock({.id = 2, .hz = 1'000'000'000, .start_ticks = 1000, .start_ns = kStep});
    trace.declare(
        "type 1024 call role=call (name text role=name) (began ticks role=began) (lasted tick_delta role=duration)\n"
        "stream 1 \"a\"\n");
    const auto call = [](std::string_view name, std::uint64_t began, std::uint64_t lasted) {
      return le16(name.size()) + std::string(name) + le64(began) + le64(lasted);
    };
    trace.events(1, Rows().row(0, 1024, call("in", 1000, 500)).row(0, 1024, call("across", 900, 600)), 1500, 2);
    given_file("x.evt", trace.trailer().bytes());
  }
};

const char* const kSentence =
    "x.evt: 2 times in fields of events are from before a step of their clock: when each was is not known\n";

TEST_F(UnknownTimes, AreShownAsUnknownAndCounted) {
  EXPECT_EQ(run("evt dump x.evt"),
            (Outcome{0,
                     "  10.000000500  a  call name=\"in\" began=10.000000000 lasted=0.000000500\n"
                     "  10.000000500  a  call name=\"across\" began=unknown lasted=unknown\n",
                     std::string("evt dump: ") + kSentence}));
}

TEST_F(UnknownTimes, AreNullInJsonAndEmptyInCsv) {
  EXPECT_EQ(run("evt dump --json x.evt 2>/dev/null | sed 's/.*fields/fields/'"),
            prints("fields\":{\"name\":\"in\",\"began\":10000000000,\"lasted\":500}}\n"
                   "fields\":{\"name\":\"across\",\"began\":null,\"lasted\":null}}\n"));
  EXPECT_EQ(run("evt dump --csv x.evt 2>/dev/null | cut -d, -f4-6"),
            prints("name,began,lasted\nin,10000000000,500\nacross,,\n"));
}

TEST_F(UnknownTimes, PassNoCondition) {
  EXPECT_EQ(run("evt dump --count --where 'began<3600' x.evt"), prints("1\n"));
  EXPECT_EQ(run("evt dump --count --where 'lasted>0' x.evt"), prints("1\n"));
}

TEST_F(UnknownTimes, AreFoundByCheck) {
  const Outcome checked = run("evt check --json x.evt");
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.err, std::string("evt check: ") + kSentence);
  EXPECT_NE(checked.out.find(",\"unknown_times\":2,"), std::string::npos) << checked;
}

TEST_F(UnknownTimes, AreCountedWhereTextHasThemAsIfTheClockHadNotStepped) {
  const Outcome text = run("evt convert x.evt | tail -1");
  EXPECT_EQ(text.out, "10.000000500 1 call name=\"across\" began=9.999999900 lasted=0.000000600\n");
  EXPECT_EQ(text.err, std::string("evt convert: ") + kSentence);
}

TEST_F(UnknownTimes, AreOfNoStatistics) {
  EXPECT_EQ(run("evt stats spans --csv x.evt 2>/dev/null | sed '/^name,kind/,$d' | grep ^call | cut -d, -f1-3"),
            prints("call,1,500\n"));
}

}  // namespace
}  // namespace evt::testing

// evt stats overhead: what tracing itself took.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kOverheadTypes =
    "type 4 thread.run role=threadRun (thread u64 role=thread)\ntype 5 thread.stop role=threadStop (thread u64 "
    "role=thread)\n"
    "type 30 trace.overhead role=overhead (reason interned role=reason) (duration tick_delta role=duration)\n"
    "type 1024 tick\nstring 1 \"flush\"\nstring 2 \"full ring\"\n"
    "stream 1 \"main\" thread=70\nstream 2 \"worker\" thread=71\n";

class StatsOverhead : public AtTheShell {
 protected:
  void given(std::string_view lines) const { given_trace("x.evt", std::string(kOverheadTypes) + std::string(lines)); }
};

constexpr const char* kNoCost =
    "evt stats: x.evt: the cost of emitting an event is not known: give the option cost, in ns, as measured on the "
    "same machine\n";
constexpr const char* kNothingTold =
    "evt stats: x.evt: no event has role overhead: the tracer's own waits and writes are not known\n";

TEST_F(StatsOverhead, IsWhatEventsSayAndWhatEmittingThemTook) {
  given(
      "0.000010 1 trace.overhead reason=\"flush\" duration=0.000002\n0.000020 1 tick\n0.000021 2 tick\n"
      "0.000030 1 trace.overhead reason=\"flush\" duration=0.000004\n"
      "0.000100 2 trace.overhead reason=\"full ring\" duration=0.000050\n");
  EXPECT_EQ(run("evt stats overhead --cost 100.5 x.evt"),
            prints("events         5\n"
                   "emitting       502 ns\n"
                   "self-reported  56.0 us\n"
                   "all            56.5 us\n"
                   "\n"
                   "reason     stream  name    times      sum       %   median      p99      max\n"
                   "full ring       2  worker      1  50.0 us  55.6 %  50.0 us  50.0 us  50.0 us\n"
                   "flush           1  main        2  6.00 us   6.7 %  2.00 us  4.00 us  4.00 us\n"
                   "\n"
                   "stream  name    events  emitting      %\n"
                   "     1  main         3    301 ns  0.3 %\n"
                   "     2  worker       2    201 ns  0.2 %\n"));
}

TEST_F(StatsOverhead, ATraceThatSaysNothingIsToldOf) {
  const Outcome nothing{1, "", std::string(kNothingTold) + kNoCost};
  given("0.1 1 tick\n");
  EXPECT_EQ(run("evt stats overhead x.evt"), nothing);
  given("");
  EXPECT_EQ(run("evt stats overhead x.evt"), nothing);
}

TEST_F(StatsOverhead, IsOfTheThreadThatRunsOnTheStream) {
  given(
      "0.1 1 tick\n0.2 1 thread.run thread=7\n0.3 1 tick\n0.4 1 trace.overhead reason=\"flush\" duration=0.05\n"
      "0.5 1 thread.stop thread=7\n");
  EXPECT_EQ(run("evt stats overhead --cost 0 --csv x.evt | tr -d '\\r'"),
            prints("events,emitting_ns,self_reported_ns,all_ns\n5,0,50000000,50000000\n\n"
                   "reason,stream,name,thread,thread_name,times,sum_ns,percent,median_ns,p99_ns,max_ns\n"
                   "flush,1,main,7,,1,50000000,12.5,50000000,50000000,50000000\n\n"
                   "stream,name,thread,thread_name,events,emitting_ns,percent\n1,main,7,,3,0,0\n1,main,,,2,0,0\n"));
}

TEST_F(StatsOverhead, FromSomeTimeOnItCountsFromThere) {
  given(
      "0.1 1 tick\n0.5 1 trace.overhead reason=\"flush\" duration=0.2\n0.6 1 !lost count=2 cause=ring_full "
      "duration=0.000000000\n");
  EXPECT_EQ(
      run("evt stats overhead --cost 10000 --from 0.4 --raw x.evt"),
      (Outcome{
          0,
          "events            1\nemitting ns       10000\nself-reported ns  100000000\nall ns            100010000\n\n"
          "reason  stream  name  times     sum ns   %  median ns     p99 ns     max ns\n"
          "flush        1  main      1  100000000  50  100000000  100000000  100000000\n\n"
          "stream  name  events  emitting ns      %\n"
          "     1  main       1        10000  0.005\n",
          "evt stats: x.evt: 1 event of role overhead began before the requested time: counted from the start of that "
          "time\n"
          "evt stats: x.evt: events were lost once: what those took is not counted\n"
          "evt stats: x.evt: 2 events of stream 1 \"main\" lost: ring_full\n"}));
}

TEST_F(StatsOverhead, ACostIsNanoseconds) {
  given("0.1 1 tick\n");
  for (const char* const wrong : {"fast", "-1", "12ns", "nan"}) {
    const Outcome outcome = run(std::string("evt stats overhead --cost=") + wrong + " x.evt");
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_NE(outcome.err.find("expected nanoseconds like 12.5, found " + std::string(wrong)), std::string::npos)
        << outcome.err;
  }
}

}  // namespace
}  // namespace evt::testing

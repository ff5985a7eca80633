// evt switch: event types of a program that runs.
#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class Switch : public RingTest {
 protected:
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }
};

TEST_F(Switch, TakesATraceOrAProcess) {
  Writer writer = *Writer::open(path, evt_options{});
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  EXPECT_EQ(run("evt switch a.evt 'ti*' off"), (Outcome{0, "", ""}));
  emit_ticks(stream, types, 0, 1);
  EXPECT_EQ(run("evt switch pid:" + std::to_string(getpid()) + " tick on"), (Outcome{0, "", ""}));
  emit_ticks(stream, types, 1, 2);
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(run("evt dump --fields type,types,on,n a.evt | tr -s ' ' | grep -v overhead"),
            (Outcome{0, "type types on n\ntrace.switched ti* false -\ntrace.switched tick true -\ntick - - 1\n", ""}));
}

TEST_F(Switch, TakesASessionAndASegment) {
  evt_options with = {};
  with.rotate_bytes = 1 << 20;
  with.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = Writer::open(folder / "app.%n.evt", with);
  ASSERT_TRUE(writer);
  const auto types = (*writer).declare<Tick>();
  Stream stream = (*writer).stream("a");
  emit_ticks(stream, types, 0, 150'000);
  const std::string session = run("evt list --json app.*.evt | sed 's/.*session\":\"//; s/\".*//'").out.substr(0, 16);
  EXPECT_EQ(run("evt switch " + session + " 'ti*' off"), (Outcome{0, "", ""}));
  EXPECT_EQ(run("evt switch app.000000.evt tick on"), (Outcome{0, "", ""})) << "a file that it does not write to now";
  EXPECT_EQ((*writer).close().message(), "");
  EXPECT_EQ(run("evt dump --fields types,on --event trace.switched app.*.evt | tr -s ' '"),
            (Outcome{0, "types on\nti* false\ntick true\n", ""}));
}

TEST_F(Switch, SaysThatThereIsNoSuchProgram) {
  // Beyond the last number that a process may have.
  EXPECT_EQ(run("evt switch pid:4194305 x on"), (Outcome{3, "",
                                                         "evt switch: pid:4194305: no process 4194305 records a trace "
                                                         "here, or left one that is not complete; evt list "
                                                         "shows those that do\n"}));
  EXPECT_EQ(run("evt switch none.evt x on"),
            (Outcome{3, "", "evt switch: none.evt: this program has no ring; evt list shows all rings\n"}));
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(*Writer::open(path, evt_options{}));
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 1);
  }));
  EXPECT_EQ(run("evt switch a.evt x on"), (Outcome{3, "", "evt switch: a.evt: the program has ended\n"}));
  EXPECT_EQ(run("evt switch a.evt x yes").err, "evt switch: expected on or off, found yes\n");
}

}  // namespace
}  // namespace evt::testing

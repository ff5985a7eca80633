// Events that were read, written again.
#include <evt/block_writer.h>
#include <evt/trace.h>
#include <gtest/gtest.h>

#include <regex>

#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

class BlockWriting : public ::testing::Test {
 protected:
  // The text of a copy of the trace that this text describes, of the events that `wanted` selects.
  template <typename Wanted>
  std::string copy_of(std::string_view text, Wanted wanted) const {
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    EventOptions all;
    all.markers = true;
    all.by_ns = true;
    Events events = trace.events(all);
    BlockWriter out(folder / "copy.evt");
    while (const Event* event = events.next()) {
      if (wanted(*event)) out.write(*event);
    }
    const Status written = out.close();
    EXPECT_TRUE(written.ok()) << written.message();
    auto copy = Trace::open(folder / "copy.evt");
    // Each session has a uuid of its own, names the one it came from, and was written by this version.
    return std::regex_replace(text_of(*copy), std::regex("uuid=0x[0-9a-f]* | writer=\"[^\"]*\"| origins=\\[[^\\]]*\\]"),
                              "");
  }
  std::string copy_of(std::string_view text) const {
    return copy_of(text, [](const Event&) { return true; });
  }

  Folder folder;
};

constexpr std::string_view kHead = "evtrace text 1\nsession start=1767225600.000000000 program=\"test\"\n";

TEST_F(BlockWriting, KeepsAllThatAnEventHas) {
  const std::string text =
      "type 1024 all \"every kind\" role=mark (u u8) (i i64 unit=bytes) (f f64) (b bool) (e enum16 labels=[7=seven]) "
      "(t text) "
      "(x bytes) (n interned) (a u32[]) (l text[]) (odd kind77:counted16) (last u16 role=thread \"the last\")\n"
      "stream 1 \"s\" thread=7 process=3\n"
      "string 1 \"main\"\n"
      "0.000000001 1 all u=255 i=-5 f=2.5 b=true e=seven t=\"hi\" x=0x00ff n=\"main\" a=[1 2] l=[\"p\" \"q\"] "
      "odd=0xabcd "
      "last=9 +0x0102\n"
      "0.000000002 1 all u=1\n"
      "0.000000003 1 type#5000 +0x01\n";
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const std::string original = std::regex_replace(text_of(trace), std::regex("uuid=0x[0-9a-f]* "), "");
  EXPECT_EQ(copy_of(text), original);
}

TEST_F(BlockWriting, KeepsTimesBeforeTheStartAndTimesInFields) {
  const std::string text =
      "type 1024 span (at ticks) (took tick_delta)\n"
      "stream 1 \"s\"\n"
      "-1.000000000 1 span at=-2.500000000 took=-0.000000001\n"
      "5.000000000 1 span at=4.000000000 took=1.000000000\n";
  EXPECT_EQ(copy_of(text), std::string(kHead) + text);
}

TEST_F(BlockWriting, KeepsLossesAndStepsBackInTime) {
  const std::string text =
      "type 1024 tick\n"
      "stream 1 \"s\"\n"
      "0.000000005 1 tick\n"
      "0.000000006 1 !lost count=3 cause=ring_full duration=0.000000000\n"
      "0.000000007 1 tick\n";
  EXPECT_EQ(copy_of(text), std::string(kHead) + text);
}

TEST_F(BlockWriting, KeepsWhatIsWanted) {
  const std::string text =
      "type 1024 tick (n u8)\n"
      "type 1025 tock\n"
      "stream 1 \"a\"\n"
      "stream 2 \"b\"\n"
      "0.000000001 1 tick n=1\n"
      "0.000000002 2 tock\n"
      "0.000000003 1 tick n=2\n";
  EXPECT_EQ(copy_of(text, [](const Event& event) { return event.type().name() == "tick"; }),
            std::string(kHead) +
                "type 1024 tick (n u8)\n"
                "stream 1 \"a\"\n"
                "0.000000001 1 tick n=1\n"
                "0.000000003 1 tick n=2\n");
}

TEST_F(BlockWriting, KeepsSessionsApartAndCutOnesCut) {
  const std::string text =
      "evtrace text 1\n"
      "session start=1.000000000 program=\"one\"\n"
      "type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\ntruncated\n"
      "session start=2.000000000 program=\"two\"\n"
      "type 1024 tock\nstream 1 \"b\"\n0.000000001 1 tock\n";
  EXPECT_EQ(copy_of(text), text);
}

TEST_F(BlockWriting, NamesTheSessionThatEachWasMadeFrom) {
  copy_of(
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=1.000000000\n"
      "stream 1 \"a\"\n0.000000001 1 type#5\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=2.000000000 "
      "origins=[0x200102030405460788090a0b0c0d0e2f]\n"  // which is not the copy's own
      "stream 1 \"a\"\n0.000000001 1 type#5\n");
  auto copy = Trace::open(folder / "copy.evt");
  ASSERT_EQ(copy->sessions().size(), 2u);
  const Session::Uuid first = {0x00, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15};
  const Session::Uuid second = {0x10, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 0x1f};
  EXPECT_EQ(copy->sessions()[0].origins, std::vector{first});
  EXPECT_EQ(copy->sessions()[1].origins, std::vector{second});
  EXPECT_NE(copy->sessions()[0].uuid, first);
}

TEST_F(BlockWriting, NamesNoOriginOfASessionThatIsNotKnown) {
  std::string bytes = trace_from_text("type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n");
  bytes.erase(0, bytes.find("\x89"
                            "EVT",
                            1));  // its SESSION block
  Trace trace = open_trace(bytes);
  ASSERT_FALSE(trace.sessions()[0].declared);
  Events events = trace.events();
  BlockWriter out(folder / "copy.evt");
  while (const Event* event = events.next()) out.write(*event);
  EXPECT_TRUE(out.close().ok());
  auto copy = Trace::open(folder / "copy.evt");
  ASSERT_EQ(copy->sessions().size(), 1u);
  EXPECT_EQ(copy->sessions()[0].origins, std::vector<Session::Uuid>());
}

TEST_F(BlockWriting, SaysThatItCannotWrite) {
  const std::string bytes = trace_from_text("type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  BlockWriter out(folder / "missing/copy.evt");
  while (const Event* event = events.next()) out.write(*event);
  EXPECT_EQ(out.close().message(), "cannot write " + folder / "missing/copy.evt" + ": No such file or directory");
}

}  // namespace
}  // namespace evt::testing

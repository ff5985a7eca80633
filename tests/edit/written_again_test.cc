// Traces that cut() and merge() made, written again event by event: what they state of themselves is kept.
#include <evt/block_writer.h>
#include <evt/cut.h>
#include <evt/merge.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/raw_trace.h"

namespace evt::testing {
namespace {

TakeBytes behind(std::string* out) {
  return [out](Bytes bytes) {
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return 0;
  };
}

int add_block(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

// All events of a trace, as BlockWriter writes them.
std::string written_again(const std::string& bytes, std::vector<std::string>* refused = nullptr) {
  Trace trace = open_trace(bytes);
  std::string copy;
  BlockWriter out(add_block, &copy);
  EventOptions all;
  all.markers = true;
  Events events = trace.events(all);
  while (const Event* const event = events.next()) out.write(*event);
  const Status written = out.close();
  EXPECT_TRUE(written.ok()) << written.message();
  if (refused != nullptr) *refused = out.refused_types();
  return copy;
}

// Parts, with times on a scale that begins that much later, and the keys of facts.
std::string parts_of(const Session& session, std::int64_t later_ns) {
  std::string text;
  for (const MergedPart& part : session.parts) {
    text += fmt::format("{} {:02x} streams {}+{} aligned {} ended {} offset {}\n", part.name, part.origin[0],
                        part.first_stream, part.stream_count, part.alignment, part.ended, part.offset_ns - later_ns);
  }
  for (const Fact& fact : session.facts) text += fmt::format("{} {} {}\n", fact.scope, fact.id, fact.key);
  return text;
}

TEST(WrittenAgain, ACutStatesWhatItLeavesOut) {
  const std::string bytes = trace_from_text(
      "type 1024 tick\ntype 1025 tock\nstream 1 \"a\"\nstream 2 \"b\"\n"
      "0.000000010 1 tick\n0.000000020 1 tick\n0.000000030 1 tock\n0.000000040 2 tick\n");
  Trace trace = open_trace(bytes);
  CutOptions options;
  options.range = [](const Session&) { return TimeRange{10, 25}; };
  options.stream = [](const Session&, const StreamInfo& stream) { return stream.id == 1; };
  options.type = [](const EventType& type) { return type.name() == "tick"; };
  options.event = [](const Session&, const StreamInfo&, const EventType&, Bytes, std::uint64_t, std::int64_t) {
    return true;
  };
  options.sampled_by = EVT_SAMPLED_ROW;
  options.one_in = 7;
  options.leaves_out_others = true;
  options.what = "--every 7";
  std::string part;
  ASSERT_TRUE(cut(trace, options, behind(&part)).ok());
  const std::string copy = written_again(part);
  const Trace again = open_trace(copy);
  const Session& session = again.sessions().front();
  EXPECT_EQ(session.cut, "--every 7");
  ASSERT_TRUE(session.left_out);
  const LeftOut& left_out = *session.left_out;
  EXPECT_TRUE(left_out.has_range);
  EXPECT_EQ(left_out.from_ns, 10);
  EXPECT_EQ(left_out.to_ns, 25);
  EXPECT_EQ(left_out.streams, std::vector<std::string>{"b"});
  EXPECT_EQ(left_out.types, std::vector<std::string>{"tock"});
  EXPECT_EQ(left_out.sampled_by, EVT_SAMPLED_ROW);
  EXPECT_EQ(left_out.one_in, 7u);
  EXPECT_TRUE(left_out.others);
  EXPECT_TRUE(left_out.separates_events());
}

TEST(WrittenAgain, ASessionThatLeavesNothingOutStatesNothing) {
  const std::string copy = written_again(trace_from_text("stream 1 \"a\"\n0.000000001 1 type#5\n"));
  const Trace again = open_trace(copy);
  const Session& session = again.sessions().front();
  EXPECT_EQ(session.cut, "");
  EXPECT_FALSE(session.left_out);
  EXPECT_TRUE(session.parts.empty());
}

// Its own time begins at 0: what was added to a part's times is less by the start of the one that was read.
TEST(WrittenAgain, AMergedSessionHasItsPartsAndTheirFacts) {
  constexpr std::int64_t kStart = 5'000'000'000;
  const auto input = [](std::uint8_t who) {
    RawTrace trace;
    trace.session(who, kStart).clock({.id = 1, .hz = 1'000'000'000, .start_ns = kStart});
    trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\n");
    return trace.events(1, Rows().tick(who, who)).trailer().bytes();
  };
  const std::string inputs[] = {input(1), input(2)};
  MergeOptions options;
  options.inputs = {{"one", 0}, {"two", 300}};
  options.open = [&](std::size_t i) -> Result<std::shared_ptr<Trace>> {
    return std::make_shared<Trace>(open_trace(inputs[i]));
  };
  std::string merged;
  ASSERT_TRUE(merge(options, behind(&merged)));
  const std::string copy = written_again(merged);
  const Trace before = open_trace(merged);
  const Trace again = open_trace(copy);
  const Session& from = before.sessions().front();
  const Session& to = again.sessions().front();
  ASSERT_EQ(from.start_ns, kStart);
  ASSERT_EQ(from.parts.size(), 2u);
  ASSERT_FALSE(from.facts.empty());
  EXPECT_EQ(to.start_ns, 0);
  EXPECT_EQ(parts_of(to, 0), parts_of(from, kStart));
}

TEST(WrittenAgain, AValueThatMeansNoneStaysOne) {
  evt_field at = {};
  at.name = "at";
  at.kind = EVT_KIND_TICKS;
  at.shape = EVT_SHAPE_FIXED;
  at.width = 8;
  at.has_absent = 1;
  evt_field took = at;
  took.name = "took";
  took.kind = EVT_KIND_TICK_DELTA;
  took.width = 4;
  took.absent = 6;  // which is the time of 3 ticks
  RawTrace trace;
  trace.session().clock({.id = 1, .hz = 500'000'000, .start_ticks = 7}).type(1024, "wait", {at, took});
  trace.declare("stream 1 \"a\"\n");
  trace.events(1, Rows().row(8, 1024, le64(0) + le32(6)).row(9, 1024, le64(8) + le32(3))).trailer();
  const std::string copy = written_again(trace.bytes());
  Trace again = open_trace(copy);
  std::string text;
  Events events = again.events();
  while (const Event* const event = events.next()) {
    const Value start = *event->value("at");
    const Value length = *event->value("took");
    text += start.is_absent() ? "none" : fmt::format("{}", event->ticks_to_ns(event->ticks_in(start)));
    text += length.is_absent() ? " none\n" : fmt::format(" {}\n", event->delta_to_ns(length.as_signed()));
  }
  EXPECT_EQ(text, "none none\n2 6\n");
}

TEST(WrittenAgain, LossesOfMoreThanTheLargestNumberAreThatNumber) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().lost(1, kHalf, EVT_LOST_RING_FULL)).events(2, Rows().lost(2, kHalf, EVT_LOST_RING_FULL));
  trace.events(2, Rows().lost(3, 7, EVT_LOST_DAMAGE).tick(4, 1)).trailer();
  const std::string copy = written_again(trace.bytes());
  ReadOptions checked;
  checked.check_index = true;
  Trace again = open_trace(copy, checked);
  EXPECT_EQ(event_lines(text_of(again)),
            "0.000000001 1 !lost count=9223372036854775808 cause=ring_full duration=0.000000000\n"
            "0.000000002 2 !lost count=9223372036854775807 cause=ring_full duration=0.000000000\n"
            "0.000000004 2 tick n=1\n");
  EXPECT_TRUE(again.status().ok()) << again.status().message();
  EXPECT_EQ(again.sessions().front().lost, UINT64_MAX);
}

evt_field number(const char* name, std::uint32_t width) {
  evt_field field = {};
  field.name = name;
  field.kind = EVT_KIND_UNSIGNED;
  field.shape = EVT_SHAPE_FIXED;
  field.width = width;
  return field;
}

TEST(WrittenAgain, TwoTypesOfOneNameStayTwo) {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "tick", {number("m", 1)});
  trace.events(1, Rows().tick(1, 5).row(2, 1025, le8(6))).trailer();
  std::vector<std::string> refused;
  const std::string copy = written_again(trace.bytes(), &refused);
  EXPECT_EQ(event_lines(text_of_trace(copy)), "0.000000001 1 type#1024 tick n=5\n0.000000002 1 type#1025 tick m=6\n");
  EXPECT_EQ(refused, std::vector<std::string>());
}

TEST(WrittenAgain, EventsOfATypeThatNoWriterDeclaresAreLosses) {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "twice", {number("m", 1), number("m", 1)}).type(1026, "empty", {number("e", 0)});
  trace.events(1, Rows().tick(1, 5).row(2, 1025, le8(6) + le8(7)).row(3, 1026, "").row(4, 1025, "").tick(5, 6));
  std::vector<std::string> refused;
  const std::string copy = written_again(trace.trailer().bytes(), &refused);
  EXPECT_EQ(event_lines(text_of_trace(copy)),
            "0.000000001 1 tick n=5\n"
            "0.000000002 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000003 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000004 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000005 1 tick n=6\n");
  const std::vector<std::string> both = {"event type twice: field m is declared twice: its events are left out",
                                         "event type empty: field e has a width of 0: its events are left out"};
  EXPECT_EQ(refused, both);
}

}  // namespace
}  // namespace evt::testing

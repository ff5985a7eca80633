// Of which process a stop is, in a merged session: of the one that its event names.
#include <evt/analysis/process_stops.h>
#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/timeline_items.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

int append_to(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

struct MergedProcess {
  const char* process;
  std::uint64_t began_ns;
  std::uint16_t alignment = EVT_ALIGNED_SAME_CLOCK;
};

// Each has a stream with an event when it began. The last one records a stop from 1000 to 1010 of process 8, unless
// `scope` is 0: then of none.
std::string session_of(const std::vector<MergedProcess>& parts, std::uint16_t scope = EVT_SCOPE_BOOT) {
  std::vector<evt_merged_part> merged(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    merged[i].first_stream = static_cast<std::uint32_t>(i) + 1;
    merged[i].stream_count = 1;
    merged[i].alignment = parts[i].alignment;
  }
  evt_session_info session = {};
  session.exact = 1;
  session.parts = merged.data();
  session.part_count = static_cast<std::uint32_t>(merged.size());
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  evt_options options = {};
  options.session = &session;
  options.clock = &clock;
  options.flush_inline = 1;
  std::string bytes;
  evt_error error;
  evt_writer* const writer = evt_open_sink(append_to, &bytes, &options, &error);
  evt_field fields[] = {EVT_FIELD_TICK_DELTA("duration"), EVT_FIELD_U64("process")};
  fields[0].role = EVT_ROLE_DURATION;
  fields[1].role = EVT_ROLE_PROCESS;
  fields[1].scope = scope;
  evt_event_type stop = {};
  stop.name = "stop";
  stop.role = EVT_ROLE_STOPPED;
  stop.field_count = scope != 0 ? 2 : 1;
  stop.fields = fields;
  evt_event_type tick = {};
  tick.name = "tick";
  const evt_type* const stopped = evt_declare(writer, &stop, &error);
  const evt_type* const ticked = evt_declare(writer, &tick, &error);
  evt_stream* stream = nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    evt_fact(writer, EVT_FACT_SCOPE_PART, i, EVT_FACT_PART_PID, parts[i].process, &error);
    evt_stream_info info = {};
    info.id = static_cast<std::uint32_t>(i) + 1;
    stream = evt_stream_open_as(writer, &info, nullptr);
    evt_row row = evt_begin_at(stream, ticked, parts[i].began_ns);
    evt_commit(&row);
  }
  evt_row row = evt_begin_at(stream, stopped, 1010);
  evt_i64(&row, 10);
  if (scope != 0) evt_u64(&row, 8);
  evt_commit(&row);
  evt_close(writer, &error);
  EXPECT_EQ(error.code, EVT_OK) << error.message;
  return bytes;
}

// PART: FROM to TO.
std::string stops_in(const std::string& bytes) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  ProcessStops stops(timeline.actors().session());
  take_all(timeline, stops);
  std::string found;
  for (const ProcessStops::Stop& stop : stops.stops()) {
    found += fmt::format("{}: {} to {}\n", stop.part != Actor::kNone ? std::to_string(stop.part) : "none",
                         stop.began_ns, stop.ended_ns);
  }
  return found;
}

TEST(AStop, IsOfThePartThatIsTheProcess) {
  EXPECT_EQ(stops_in(session_of({{"7", 0}, {"8", 10}, {"9", 20}})), "1: 1000 to 1010\n");
  EXPECT_EQ(stops_in(session_of({{"8", 0, EVT_ALIGNED_NONE}, {"7", 10}, {"9", 20}})), "0: 1000 to 1010\n");
}

TEST(AStop, IsOfItsOwnPartWhereItNamesNoProcess) {
  EXPECT_EQ(stops_in(session_of({{"7", 0}, {"8", 10}, {"9", 20}}, 0)), "2: 1000 to 1010\n");
  EXPECT_EQ(stops_in(session_of({{"7", 0}, {"8", 10}, {"9", 20}}, EVT_SCOPE_PROCESS)), "2: 1000 to 1010\n");
}

TEST(AStop, IsOfTheProgramThatTheProcessWasThen) {
  EXPECT_EQ(stops_in(session_of({{"8", 0}, {"8", 900}, {"9", 20}})), "1: 1000 to 1010\n");
  EXPECT_EQ(stops_in(session_of({{"8", 0}, {"9", 20}, {"8", 1005}, {"9", 20}})), "0: 1000 to 1010\n");
}

TEST(AStop, OfAProcessWithoutAPartIsOfNone) {
  EXPECT_EQ(stops_in(session_of({{"7", 0}, {"9", 20}})), "none: 1000 to 1010\n");
}

// Numbers of processes are others after each boot.
TEST(AStop, IsNotOfTheProcessWithThatNumberOnAnotherMachine) {
  EXPECT_EQ(stops_in(session_of({{"7", 0}, {"8", 10}, {"9", 20, EVT_ALIGNED_UTC}})), "none: 1000 to 1010\n");
}

// Its threads have no streams, and are of the part that records when they run.
TEST(AStop, OfTheOnlyProgramThatRecordsNothingIsOfTheFirstPart) {
  EXPECT_EQ(stops_in(session_of({{"9", 20}})), "0: 1000 to 1010\n");
}

TEST(ProcessStops, ThatBeganAtOneTimeHaveEachItsCause) {
  const std::string bytes = trace_from_text(
      "type 1 halt role=stopped (why text role=reason) (d u32 role=duration unit=nanoseconds)\nstream 1 \"a\"\n"
      "0.000000110 1 halt why=\"short\" d=10\n0.000000130 1 halt why=\"long\" d=30\n");
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  ProcessStops stops(timeline.actors().session());
  std::string found;
  while (const TimelineItem* const item = timeline.next()) stops.take(*item);
  for (const ProcessStops::Stop& stop : stops.stops()) {
    found += fmt::format("{} to {}: {}\n", stop.began_ns, stop.ended_ns, timeline.names().text(stop.cause));
  }
  EXPECT_EQ(found, "100 to 110: short\n100 to 130: long\n");
}

}  // namespace
}  // namespace evt::testing

// evt dump --header, --streams and --types with --json: what a trace declares, for programs.
#include <fmt/core.h>

#include "core/segmented_trace.h"
#include "json_value.h"
#include "traces_to_merge.h"

namespace evt::testing {
namespace {

class JsonTables : public TracesToMerge {
 protected:
  // The objects, one a line.
  std::vector<JsonValue> objects(const std::string& command) const {
    std::vector<JsonValue> all;
    std::string_view rest = last_ = run(command).out;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      all.push_back(JsonReader(rest.substr(0, end)).value());
      rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    }
    return all;
  }

 private:
  mutable std::string last_;
};

std::string text_at(const JsonValue& object, std::string_view name) {
  const JsonValue* const member = object.member(name);
  return member == nullptr ? "(none)" : member->text;
}

constexpr std::string_view kShop =
    "evtrace text 1\n"
    "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=1.500000000 program=\"shop\" pid=12 host=\"a-host\" "
    "boot=\"fba86de5\" writer=\"evtrace 0.1\" args=[\"shop\" \"-v\"] origins=[0x000102030405460788090a0b0c0d0e0f]\n"
    "fact 0.000000000 session service.name \"shop\"\n"
    "fact 0.500000000 stream 1 evt.name \"worker\"\n"
    "type 1024 tick (n u8)\n"
    "stream 1 \"a\" thread=7 process=3\n"
    "stream 2 \"\"\n"
    "string 1 \"x\"\n"
    "0.100000000 1 tick n=1\n"
    "0.900000000 1 !lost count=2 cause=ring_full duration=0.000000000\n";

constexpr const char* kStreams =
    R"({"stream":1,"name":"worker","declared_name":"a","thread":7,"process":3,"rows":2,"lost":2,"missing":0,)"
    R"("first_ns":100000000,"last_ns":900000000,)"
    R"("facts":[{"scope":"stream","id":1,"ns":500000000,"key":"evt.name","value":"worker"}]})"
    "\n"
    R"({"stream":2,"name":"","rows":0,"lost":0,"missing":0})"
    "\n";

TEST_F(JsonTables, HaveAnObjectForEachSession) {
  given_trace("x.evt", kShop);
  EXPECT_EQ(
      run("evt dump --header --json x.evt 2>/dev/null").out,
      fmt::format(
          R"({{"uuid":"3e4f16a9-83d6-4c13-8414-fd5598ee9e24","program":"shop","command":["shop","-v"],"pid":12,)"
          R"("host":"a-host","boot":"fba86de5","start_utc_ns":1500000000,)"
          R"("origins":["00010203-0405-4607-8809-0a0b0c0d0e0f"],)"
          R"("format":"1.0","writer":"evtrace 0.1",)"
          R"("clocks":[{{"id":1,"kind":"other","name":"other","hz":1000000000,"start_ticks":{},"start_ns":0,"tolerance_ns":0,"host":"a-host","boot":"fba86de5"}}],)"
          R"("facts":[{{"scope":"session","id":0,"ns":0,"key":"service.name","value":"shop"}},)"
          R"({{"scope":"stream","id":1,"ns":500000000,"key":"evt.name","value":"worker"}}],)"
          R"("types":1,"streams":2,"strings":1,"rows":2,"lost":2,"missing":0,"last_ns":900000000,)"
          R"("end":"closed","file_bytes":{}}})"
          "\n",
          std::uint64_t{1} << 62, content_of("x.evt").size()));
}

TEST_F(JsonTables, HaveAnObjectForEachStream) {
  given_trace("x.evt", kShop);
  EXPECT_EQ(run("evt dump --streams --json x.evt 2>/dev/null").out, kStreams);
}

TEST_F(JsonTables, OfSeveralKindsAreKnownByTheirMembers) {
  given_trace("x.evt", kShop);
  const std::vector<JsonValue> all = objects("evt dump --header --types --streams --json x.evt");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_NE(all[0].member("uuid"), nullptr);
  EXPECT_NE(all[1].member("fields"), nullptr);
  EXPECT_EQ(text_at(all[2], "stream"), "1");
  EXPECT_EQ(text_at(all[3], "stream"), "2");
}

TEST_F(JsonTables, NameTheFileOfSeveralAndTheSessionOfSeveral) {
  const std::string two =
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"first\"\n"
      "stream 1 \"m\"\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=0.000000000 program=\"second\"\n"
      "stream 4 \"n\"\n";
  given_trace("x.evt", two);
  given_trace("y.evt", "type 1024 tick\nstream 9 \"o\"\n");
  EXPECT_EQ(run("evt dump --streams --types --json x.evt y.evt"),
            prints(R"({"file":"x.evt","session":0,"stream":1,"name":"m","rows":0,"lost":0,"missing":0})"
                   "\n"
                   R"({"file":"x.evt","session":1,"stream":4,"name":"n","rows":0,"lost":0,"missing":0})"
                   "\n"
                   R"({"file":"y.evt","number":1024,"name":"tick","size":0,"fields":[]})"
                   "\n"
                   R"({"file":"y.evt","stream":9,"name":"o","rows":0,"lost":0,"missing":0})"
                   "\n"));
  const std::vector<JsonValue> sessions = objects("evt dump --header --json x.evt");
  ASSERT_EQ(sessions.size(), 2U);
  EXPECT_EQ(text_at(sessions[1], "session"), "1");
  EXPECT_EQ(text_at(sessions[1], "program"), "second");
}

TEST_F(JsonTables, StateWhatACutLeftOut) {
  given_trace("x.evt",
              "type 1024 tick\ntype 1025 tock\nstream 1 \"m\"\nstream 2 \"n\"\n0.1 1 tick\n0.2 1 tick\n0.3 2 tock\n");
  ASSERT_EQ(run("evt cut --from 150ms --stream m --event tick x.evt -o y.evt").status, 0);
  const std::vector<JsonValue> sessions = objects("evt dump --header --json y.evt");
  ASSERT_EQ(sessions.size(), 1U);
  const JsonValue* const left_out = sessions[0].member("left_out");
  ASSERT_NE(left_out, nullptr);
  EXPECT_EQ(text_at(*left_out, "before_ns"), "150000000");
  EXPECT_EQ(left_out->member("after_ns"), nullptr);
  EXPECT_EQ(text_at(*left_out, "streams"), "1");
  EXPECT_EQ(left_out->member("stream_names")->elements.at(0).text, "n");
  EXPECT_EQ(text_at(*left_out, "types"), "1");
  EXPECT_EQ(left_out->member("type_names")->elements.at(0).text, "tock");
  EXPECT_EQ(left_out->member("sampled_by"), nullptr);
}

TEST_F(JsonTables, StateHowASampleWasTaken) {
  given_trace("x.evt", "type 1024 tick\nstream 1 \"m\"\n0.1 1 tick\n0.2 1 tick\n0.3 1 tick\n");
  ASSERT_EQ(run("evt cut --every 2 x.evt -o y.evt").status, 0);
  const std::vector<JsonValue> sessions = objects("evt dump --header --json y.evt");
  ASSERT_EQ(sessions.size(), 1U);
  ASSERT_NE(sessions[0].member("left_out"), nullptr);
  EXPECT_EQ(text_at(*sessions[0].member("left_out"), "sampled_by"), "row");
  EXPECT_EQ(text_at(*sessions[0].member("left_out"), "one_in"), "2");
}

TEST_F(JsonTables, HaveThePartsOfAMergedTrace) {
  given("a.evt", 1, 0, "type 1024 tick\nstream 4 \"a\"\n0.1 4 tick\n");
  given("b.evt", 2, 500, "type 1024 tick\nstream 4 \"a\"\n0.2 4 tick\n");
  run("evt merge a.evt b.evt -o m.evt 2>/dev/null");
  const std::vector<JsonValue> sessions = objects("evt dump --header --json m.evt");
  ASSERT_EQ(sessions.size(), 1U);
  ASSERT_NE(sessions[0].member("parts"), nullptr);
  const std::vector<JsonValue>& parts = sessions[0].member("parts")->elements;
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(text_at(parts[0], "name"), "a.evt");
  EXPECT_EQ(text_at(parts[0], "aligned_by"), "none");
  EXPECT_EQ(text_at(parts[1], "origin"), "00010203-0405-4607-8809-0a0b0c0d0e02");
  EXPECT_EQ(text_at(parts[1], "first_stream"), "2");
  EXPECT_EQ(text_at(parts[1], "streams"), "1");
  EXPECT_EQ(text_at(parts[1], "aligned_by"), "utc");
  EXPECT_EQ(text_at(parts[1], "offset_ns"), "500000");
}

TEST_F(JsonTables, HaveTheRingAndTheClockOfARecordedSession) {
  ASSERT_EQ(run("hello"), prints(""));
  const std::vector<JsonValue> sessions = objects("evt dump --header --json hello.evt");
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(text_at(sessions[0], "ring"), "shared");
  auto trace = Trace::open(path_of("hello.evt"));
  ASSERT_TRUE(trace);
  EXPECT_EQ(text_at(sessions[0], "ring_name"), trace->sessions()[0].ring_name);
  EXPECT_EQ(text_at(sessions[0], "time_scale"), "monotonic");
  EXPECT_EQ(text_at(sessions[0].member("clocks")->elements.at(0), "hz"),
            std::to_string(trace->sessions()[0].clocks[0].hz));
}

TEST_F(JsonTables, HaveTheEndOfATruncatedSession) {
  given_trace("x.evt", "truncated\n");
  EXPECT_EQ(text_at(objects("evt dump --header --json x.evt").at(0), "end"), "truncated");
}

TEST_F(JsonTables, HaveTheSegmentsOfASessionThatGoesOn) {
  unsigned seed = 1;
  while (!SegmentedTrace(seed, 3).has_trailer(1) || SegmentedTrace(seed, 3).gone({1}).not_kept == 0) ++seed;
  const SegmentedTrace made(seed, 3);
  given_file("x.evt", made.segment(1));
  const std::vector<JsonValue> sessions = objects("evt dump --header --json x.evt");
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(text_at(sessions[0], "first_segment"), "1");
  EXPECT_EQ(text_at(sessions[0], "last_segment"), "1");
  EXPECT_EQ(text_at(sessions[0], "not_kept"), std::to_string(made.gone({1}).not_kept));
  EXPECT_EQ(text_at(sessions[0], "end"), "continued");
}

TEST_F(JsonTables, KeepHostileTextHarmless) {
  given_trace("x.evt", "stream 1 \"\\x1b[31m\\xff\"\n");
  EXPECT_EQ(run("evt dump --streams --json x.evt"),
            prints(R"({"stream":1,"name":"\u001b[31m\ufffd","rows":0,"lost":0,"missing":0})"
                   "\n"));
}

}  // namespace
}  // namespace evt::testing

// Files in Chrome's Trace Event Format.
#include <fmt/core.h>

#include <map>

#include "eventlog_reading.h"

namespace evt::testing {
namespace {

constexpr std::string_view kFirst = R"({"ph":"B","pid":1,"tid":7,"ts":1,"name":"a"})";
constexpr std::string_view kSecond = R"({"ph":"E","pid":1,"tid":7,"ts":2})";
constexpr std::string_view kBoth =
    "0.000000000 1 chrome.span_begin name=\"a\"\n"
    "0.000001000 1 chrome.span_end\n";

TEST(Chrome, AnEventHasItsFieldsAndTheMeaningOfItsPhase) {
  EXPECT_EQ(reading_of(R"({"traceEvents":[
{"ph":"B","pid":1,"tid":7,"ts":20,"name":"emit","cat":"back"},
{"ph":"i","pid":1,"tid":7,"ts":21,"name":"here","s":"t"},
{"ph":"E","pid":1,"tid":7,"ts":22.001},
{"ph":"X","pid":1,"tid":7,"ts":20.5,"dur":2.5,"name":"parse","args":{"detail":"a.h","depth":3,"share":0.5,"ok":true}},
{"ph":"C","pid":1,"tid":7,"ts":24,"name":"heap","args":{"bytes":5}},
{"ph":"O","pid":1,"tid":7,"ts":27,"name":"tab","id":"0x9","args":{"snapshot":{"a":[1, 2]},"none":null}}
]})"),
            "0.000000000 1 chrome.span_begin name=\"emit\" category=\"back\"\n"
            "0.000001000 1 chrome.mark name=\"here\" s=\"t\"\n"
            "0.000002001 1 chrome.span_end\n"
            "0.000003000 1 chrome.span duration=0.000002500 name=\"parse\" detail=\"a.h\" depth=3 share=0.5 ok=true\n"
            "0.000004000 1 chrome.counter name=\"heap\" value=5\n"
            "0.000007000 1 chrome.event phase=\"O\" name=\"tab\" id=\"0x9\" snapshot=\"{\\\"a\\\":[1, 2]}\" "
            "none=\"null\"\n");
}

TEST(Chrome, AsynchronousEventsAndFlowsOfOneIdHaveOneNumber) {
  const std::string json = R"([
{"ph":"b","pid":1,"tid":7,"ts":1,"name":"load","cat":"net","id":"0x1"},
{"ph":"n","pid":1,"tid":8,"ts":2,"name":"half","cat":"net","id":"0x1"},
{"ph":"e","pid":1,"tid":8,"ts":3,"name":"load","cat":"net","id":"0x1"},
{"ph":"b","pid":1,"tid":7,"ts":4,"name":"load","cat":"disk","id":"0x1"},
{"ph":"b","pid":1,"tid":7,"ts":5,"name":"load","cat":"net","id2":{"local":"0x1"}},
{"ph":"b","pid":2,"tid":7,"ts":6,"name":"load","cat":"net","id2":{"local":"0x1"}},
{"ph":"s","pid":1,"tid":7,"ts":7,"name":"go","cat":"x","id":5},
{"ph":"f","pid":2,"tid":7,"ts":8,"name":"go","cat":"x","id":5,"bp":"e"}])";
  Trace trace = open_trace(json);
  std::vector<std::uint64_t> ids;
  std::vector<Role> roles;
  Events events = trace.events({});
  while (const Event* const event = events.next()) {
    roles.push_back(event->type().role());
    ids.push_back(event->number(Role::kSpanId).value_or(event->number(Role::kFlow).value_or(0)));
  }
  EXPECT_EQ(roles, (std::vector<Role>{Role::kAsyncBegin, Role::kNone, Role::kAsyncEnd, Role::kAsyncBegin,
                                      Role::kAsyncBegin, Role::kAsyncBegin, Role::kFlowOut, Role::kFlowIn}));
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_NE(ids[0], ids[3]);
  EXPECT_NE(ids[0], ids[4]);
  EXPECT_NE(ids[4], ids[5]);
  EXPECT_EQ(ids[6], ids[7]);
}

TEST(Chrome, TimesAreExactToTheNanosecondHoweverLargeTheyAre) {
  EXPECT_EQ(reading_of(R"([{"ph":"i","pid":1,"tid":1,"ts":1700000000000000.001,"name":"a"},
{"ph":"i","pid":1,"tid":1,"ts":1700000000000000.0029,"name":"b"},
{"ph":"i","pid":1,"tid":1,"ts":1.7000000000000000049e15,"name":"c"},
{"ph":"i","pid":1,"tid":1,"ts":"1700000000000001","name":"d"}])"),
            "0.000000000 1 chrome.mark name=\"a\"\n"
            "0.000000001 1 chrome.mark name=\"b\"\n"
            "0.000000003 1 chrome.mark name=\"c\"\n"
            "0.000000999 1 chrome.mark name=\"d\"\n");
}

TEST(Chrome, EventsComeInOrderOfTimeAndInnerSpansEndFirst) {
  EXPECT_EQ(reading_of(R"([{"ph":"X","pid":1,"tid":1,"ts":5,"dur":5,"name":"outer"},
{"ph":"X","pid":1,"tid":1,"ts":7,"dur":3,"name":"inner"},
{"ph":"i","pid":1,"tid":1,"ts":1,"name":"first"},{"ph":"i","pid":1,"tid":1,"ts":1,"name":"second"}])"),
            "0.000000000 1 chrome.mark name=\"first\"\n"
            "0.000000000 1 chrome.mark name=\"second\"\n"
            "0.000009000 1 chrome.span duration=0.000003000 name=\"inner\"\n"
            "0.000009000 1 chrome.span duration=0.000005000 name=\"outer\"\n");
}

TEST(Chrome, ArraysWithoutTheirObjectAndOtherSpacingAreTheSame) {
  const std::string events = fmt::format("{},\n{}", kFirst, kSecond);
  EXPECT_EQ(reading_of("[" + events + "]"), kBoth);
  EXPECT_EQ(reading_of("\xEF\xBB\xBF \n[ " + events + " ]\n"), kBoth);
  EXPECT_EQ(reading_of(R"({"displayTimeUnit":"ns","other":[{"a":"]}"},3],"traceEvents" : [)" + events + "]}"), kBoth);
}

TEST(Chrome, AFileThatEndsInTheMiddleIsReadUpToThere) {
  EXPECT_EQ(reading_of(fmt::format("{{\"traceEvents\":[{},\n{},\n", kFirst, kSecond)),
            std::string(kBoth) + "truncated\n");
  EXPECT_EQ(reading_of(fmt::format("{{\"traceEvents\":[{},{},{{\"ph\":\"B\",\"na", kFirst, kSecond)),
            std::string(kBoth) +
                "0.000001000 1 !lost count=1 cause=damage duration=0.000000000\n"
                "damage 95+13: the file ends inside an event, or is no JSON from here on\ntruncated\n");
}

TEST(Chrome, WhatIsNoEventIsALossWhereItIs) {
  EXPECT_EQ(reading_of(fmt::format("[{},\n{{\"ph\":\"B\",,}},{{\"name\":\"c\"}},{{\"ph\":\"X\",\"ts\":1e99}},\n{}]",
                                   kFirst, kSecond)),
            "0.000000000 1 chrome.span_begin name=\"a\"\n"
            "0.000001000 1 !lost count=3 cause=damage duration=0.000000000\n"
            "0.000001000 1 chrome.span_end\n"
            "damage 47+12: no event: Missing a name for object member\n"
            "damage 60+12: no event: its phase (ph) is no character\n"
            "damage 73+20: no event: its time (ts) is no number of microseconds, or out of range\n");
}

TEST(Chrome, JsonThatIsNoTraceIsASentence) {
  EXPECT_EQ(reading_of("{\"a\":[1,2]}"), "not a trace: memory is JSON and not a trace: it has no array traceEvents\n");
  EXPECT_EQ(reading_of("[{\"a\":1}]"),
            "not a trace: memory is JSON and not a trace: no event: its phase (ph) is no character\n");
  EXPECT_EQ(reading_of("[]"), "");
  EXPECT_EQ(reading_of("{\"traceEvents\":[]}"), "");
}

TEST(Chrome, ThreadsAreStreamsAndProcessesAreParts) {
  const std::string json = R"([{"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"name":"process_name","args":{"name":"browser"}},
{"ph":"M","pid":1,"tid":7,"name":"thread_sort_index","args":{"sort_index":-1}},
{"ph":"B","pid":1,"tid":7,"ts":1,"name":"a"},{"ph":"B","pid":"GPU 0","tid":"stream 7","ts":2,"name":"b"},
{"ph":"C","pid":1,"ts":3,"name":"heap","args":{"used":1,"free":2}}])";
  Trace trace = open_trace(json);
  const Session& session = trace.sessions().front();
  std::string text;
  for (const StreamInfo& stream : session.streams) {
    text += fmt::format("{} {} of thread {}\n", stream.id, stream.name, stream.thread);
  }
  for (const MergedPart& part : session.parts) {
    text += fmt::format("{} from {}, {}\n", part.name, part.first_stream, part.stream_count);
  }
  for (const Fact& fact : session.facts)
    text += fmt::format("{} {} {}={}\n", fact.scope, fact.id, fact.key, fact.value);
  EXPECT_EQ(text,
            "1 main of thread 7\n"
            "2 stream 7 of thread 0\n"
            "browser from 1, 1\n"
            "GPU 0 from 2, 1\n"
            "2 1 org.chromium.trace_event.thread_sort_index={\"sort_index\":-1}\n"
            "5 0 process.executable.name=browser\n"
            "5 0 process.pid=1\n");
  EXPECT_EQ(reading_of(json),
            "0.000000000 1 chrome.span_begin name=\"a\"\n"
            "0.000001000 2 chrome.span_begin name=\"b\"\n"
            "0.000002000 1 chrome.counter name=\"heap used\" value=1\n"
            "0.000002000 1 chrome.counter name=\"heap free\" value=2\n");
}

TEST(Chrome, WhatAFileStatesOfItsStartAndOfItselfIsKept) {
  Trace clang = open_trace(
      R"({"traceEvents":[{"ph":"i","pid":1,"tid":1,"ts":5,"name":"a"}],"beginningOfTime":1700000000000001})");
  EXPECT_EQ(clang.sessions().front().start_utc_ns, 1700000000000001000);
  EXPECT_EQ(clang.sessions().front().facts.front().value, "1700000000000001");
  Events of_clang = clang.events({});
  EXPECT_EQ(of_clang.next()->ns(), 5000);
  Trace torch =
      open_trace(R"({"baseTimeNanoseconds":17,"traceEvents":[{"ph":"i","pid":1,"tid":1,"ts":5,"name":"a"}]})");
  EXPECT_EQ(torch.sessions().front().start_utc_ns, 17);
  Events events = torch.events({});
  EXPECT_EQ(events.next()->ns(), 5000);
}

TEST(Chrome, MoreListsOfFieldsThanTypesAreKeptAsJson) {
  std::string json = "[";
  for (int i = 0; i < 3000; ++i) {
    json +=
        fmt::format(R"({}{{"ph":"i","pid":1,"tid":1,"ts":{},"name":"a","args":{{"k{}":1}}}})", i == 0 ? "" : ",", i, i);
  }
  json += "]";
  Trace trace = open_trace(json);
  EXPECT_LT(trace.sessions().front().types.size(), 2100U);
  Events events = trace.events({});
  int count = 0;
  std::string last;
  while (const Event* const event = events.next()) {
    ++count;
    const auto text = event->value("json");
    if (text) last = text->as_text();
  }
  EXPECT_EQ(count, 3000);
  EXPECT_EQ(last, R"({"ph":"i","pid":1,"tid":1,"ts":2999,"name":"a","args":{"k2999":1}})");
}

TEST(Chrome, EventsOfProcessesBeyondTheLimitAreWithoutTheirMeaning) {
  std::string json = "[";
  for (int i = 0; i < 1026; ++i) json += fmt::format(R"({{"ph":"B","pid":{},"tid":1,"ts":{},"name":"a"}},)", i, i);
  Trace trace = open_trace(json + "]");
  EXPECT_EQ(trace.sessions().front().parts.size(), 1024U);
  std::map<std::string, int> counts;
  Events events = trace.events({});
  while (const Event* const event = events.next()) ++counts[event->type().name()];
  EXPECT_EQ(counts, (std::map<std::string, int>{{"chrome.span_begin", 1024}, {"chrome.event", 2}}));
  ASSERT_EQ(trace.damage().size(), 1U);
  EXPECT_EQ(trace.damage().front().reason,
            "there are more than 1024 processes or 65536 threads: events of those beyond are without their meaning");
}

TEST(Chrome, AnEventThatIsTooLongIsALossAndTheNextIsRead) {
  const std::string json =
      fmt::format(R"([{},{{"ph":"i","ts":1,"name":"{}"}},{}])", kFirst, std::string(5 << 20, 'x'), kSecond);
  EXPECT_EQ(reading_of(json),
            "0.000000000 1 chrome.span_begin name=\"a\"\n"
            "0.000001000 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000001000 1 chrome.span_end\n"
            "damage 46+5242907: no event: it is longer than 4 MiB\n");
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string nested = fmt::format(R"([{},{{"ph":"i","ts":1,"args":{{"a":{}}}}}])", kFirst, deep);
  EXPECT_NE(reading_of(nested).find(deep), std::string::npos);
}

TEST(Chrome, NamesThatNoFieldCanHaveOrThatAreTakenLoseNothing) {
  EXPECT_EQ(reading_of(R"([{"ph":"i","pid":1,"tid":1,"ts":0,"name":"a","args":{"name":1}},
{"ph":"i","pid":1,"tid":1,"ts":1,"name":"a","args":{"":1}},
{"ph":"i","pid":1,"tid":1,"ts":2,"name":"a","args":{"b":1,"b":2}}])"),
            "0.000000000 1 type#1024 chrome.mark name=\"a\" args.name=1\n"
            "0.000001000 1 type#1025 chrome.mark name=\"a\" "
            "json=\"{\\\"ph\\\":\\\"i\\\",\\\"pid\\\":1,\\\"tid\\\":1,\\\"ts\\\":1,"
            "\\\"name\\\":\\\"a\\\",\\\"args\\\":{\\\"\\\":1}}\"\n"
            "0.000002000 1 type#1026 chrome.mark name=\"a\" b=1 args.b=2\n");
}

TEST(Chrome, ACounterIsItsProcesssNameAndIdWhicheverThreadsWriteIt) {
  EXPECT_EQ(reading_of(R"([{"ph":"C","pid":1,"tid":7,"ts":0,"name":"heap","args":{"bytes":10}},
{"ph":"C","pid":1,"tid":8,"ts":1,"name":"heap","args":{"bytes":20}},
{"ph":"C","pid":2,"tid":7,"ts":2,"name":"heap","args":{"bytes":30}},
{"ph":"C","pid":1,"tid":8,"ts":3,"name":"tab","id":"a","args":{"used":1,"free":2}},
{"ph":"C","pid":1,"tid":7,"ts":4,"name":"tab","id":2,"args":{"used":3}}])"),
            "0.000000000 1 type#1024 chrome.counter name=\"heap\" value=10\n"
            "0.000001000 1 type#1025 chrome.counter name=\"heap\" value=20 tid=8\n"
            "0.000002000 3 type#1024 chrome.counter name=\"heap\" value=30\n"
            "0.000003000 2 type#1026 chrome.counter name=\"tab[a] used\" value=1 id=\"a\"\n"
            "0.000003000 2 type#1026 chrome.counter name=\"tab[a] free\" value=2 id=\"a\"\n"
            "0.000004000 1 type#1027 chrome.counter name=\"tab[2]\" value=3 id=2\n");
}

TEST(Chrome, AnEventThatIsAlmostJsonIsKept) {
  EXPECT_EQ(
      reading_of("[{\"ph\":\"i\",\"ts\":0,\"name\":\"a\",\"args\":{\"a\":NaN,\"b\":-inf,\"c\":Infinity,\"d\":-1.#IND,"
                 "\"e\":[1,nan]}},\n"
                 "{\"ph\":\"i\",\"ts\":1,\"name\":\"a\tb\x01\nc\"},\n"
                 "{\"ph\":\"i\",\"ts\":2,\"name\":\"\\ud83d, \\uDE00 and \\ud83d\\ude00\"},\n"
                 "{\"ph\":\"i\",\"ts\":3,\"name\":\"C:\\src\\u12\\\"\"}]"),
      "0.000000000 1 type#1024 chrome.mark name=\"a\" a=\"NaN\" b=\"-inf\" c=\"Infinity\" d=\"-1.#IND\" "
      "e=\"[1,\\\"nan\\\"]\"\n"
      "0.000001000 1 type#1025 chrome.mark name=\"a\\tb\\x01\\nc\"\n"
      "0.000002000 1 type#1025 chrome.mark name=\"\xEF\xBF\xBD, \xEF\xBF\xBD and \xF0\x9F\x98\x80\"\n"
      "0.000003000 1 type#1025 chrome.mark name=\"C:\\\\src\\\\u12\\\"\"\n");
}

TEST(Chrome, ASpanThatHadNotEndedIsUnfinishedAndThoseAroundItEnd) {
  EXPECT_EQ(reading_of(R"([{"ph":"B","pid":1,"tid":7,"ts":0,"name":"outer"},
{"ph":"X","pid":1,"tid":7,"ts":1,"name":"open"},
{"ph":"B","pid":1,"tid":7,"ts":2,"name":"inner"},
{"ph":"E","pid":1,"tid":7,"ts":3},
{"ph":"X","pid":1,"tid":7,"ts":4,"dur":null,"name":"open too"},
{"ph":"E","pid":1,"tid":7,"ts":5,"args":{"result":1}}])"),
            "0.000000000 1 chrome.span_begin name=\"outer\"\n"
            "0.000001000 1 chrome.span_unfinished name=\"open\"\n"
            "0.000002000 1 chrome.span_begin name=\"inner\"\n"
            "0.000003000 1 type#1026 chrome.span_end\n"
            "0.000004000 1 chrome.span_unfinished name=\"open too\"\n"
            "0.000005000 1 type#1029 chrome.span_end name=\"outer\" result=1\n");
}

TEST(Chrome, WhatEndsComesBeforeWhatBeginsAtItsTimeWhereItsNameSaysSo) {
  EXPECT_EQ(reading_of(R"([{"ph":"B","pid":1,"tid":7,"ts":0,"name":"A"},
{"ph":"B","pid":1,"tid":7,"ts":10,"name":"B"},{"ph":"B","pid":1,"tid":8,"ts":10,"name":"A"},
{"ph":"B","pid":1,"tid":7,"ts":10,"name":"C"},{"ph":"E","pid":1,"tid":7,"ts":10,"name":"C"},
{"ph":"E","pid":1,"tid":7,"ts":10,"name":"A"},{"ph":"E","pid":1,"tid":8,"ts":10,"name":"A"},
{"ph":"B","pid":1,"tid":7,"ts":10,"name":"D"},{"ph":"E","pid":1,"tid":7,"ts":10},
{"ph":"E","pid":1,"tid":7,"ts":20,"name":"B"}])"),
            "0.000000000 1 chrome.span_begin name=\"A\"\n"
            "0.000010000 1 type#1025 chrome.span_end name=\"A\"\n"
            "0.000010000 1 chrome.span_begin name=\"B\"\n"
            "0.000010000 1 chrome.span_begin name=\"C\"\n"
            "0.000010000 1 type#1025 chrome.span_end name=\"C\"\n"
            "0.000010000 1 chrome.span_begin name=\"D\"\n"
            "0.000010000 1 type#1026 chrome.span_end\n"
            "0.000010000 2 chrome.span_begin name=\"A\"\n"
            "0.000010000 2 type#1025 chrome.span_end name=\"A\"\n"
            "0.000020000 1 type#1025 chrome.span_end name=\"B\"\n");
}

TEST(Chrome, OfEndsOfOneTimeThatOfTheInnermostComesFirst) {
  EXPECT_EQ(
      reading_of(R"([{"ph":"B","pid":1,"tid":7,"ts":1,"name":"beta"},{"ph":"B","pid":1,"tid":7,"ts":1,"name":"gamma"},
{"ph":"E","pid":1,"tid":7,"ts":2,"name":"alpha"},{"ph":"E","pid":1,"tid":7,"ts":2,"name":"beta"},
{"ph":"E","pid":1,"tid":7,"ts":2,"name":"gamma"},{"ph":"B","pid":1,"tid":7,"ts":0,"name":"alpha"}])"),
      "0.000000000 1 chrome.span_begin name=\"alpha\"\n"
      "0.000001000 1 chrome.span_begin name=\"beta\"\n"
      "0.000001000 1 chrome.span_begin name=\"gamma\"\n"
      "0.000002000 1 chrome.span_end name=\"gamma\"\n"
      "0.000002000 1 chrome.span_end name=\"beta\"\n"
      "0.000002000 1 chrome.span_end name=\"alpha\"\n");
}

TEST(Chrome, FactsThatAreLeftOutAndSamplesAreNamed) {
  const std::string json =
      fmt::format(R"({{"traceEvents":[{}],"systemTraceEvents":"{}","stackFrames":{{"1":{{"name":"main"}}}},)"
                  R"("samples":[{{"cpu":0,"tid":1,"ts":1,"name":"cycles","sf":1}}],"other":[ ]}})",
                  kFirst, std::string(70'000, 's'));
  EXPECT_EQ(reading_of(json), fmt::format("0.000000000 1 chrome.span_begin name=\"a\"\n"
                                          "damage 70131+49: its member samples is not read: stacks are no events here\n"
                                          "damage {}+0: 1 fact is left out, too long or too many: systemTraceEvents\n",
                                          json.size()));
}

TEST(Chrome, AnArrayMayLackItsEndAndDurationsMayBeNegative) {
  const std::string json = fmt::format(
      "[{},\n{},\n{{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":9,\"dur\":-2,\"name\":\"back\"}},\n", kFirst, kSecond);
  EXPECT_EQ(reading_of(json),
            std::string(kBoth) +
                "0.000006000 1 chrome.span duration=-0.000002000 name=\"back\"\n"
                "note: its array of events has no end, which the format allows: its writer may have been killed\n"
                "note: the duration of the event at offset 82 is negative\n");
}

TEST(Chrome, MoreEventsThanMemoryHoldsComeInOrder) {
  constexpr int kCount = 300'000;
  std::string json = "[";
  for (int i = 0; i < kCount; ++i) {
    // 7919 is prime: each time once.
    json += fmt::format(R"({}{{"ph":"i","pid":1,"tid":{},"ts":{},"name":"a mark"}})", i == 0 ? "" : ",", i % 3,
                        std::int64_t{i} * 7919 % kCount);
  }
  json += "]";
  Trace trace = open_trace(json);
  Events events = trace.events({});
  for (std::int64_t i = 0; i < kCount; ++i) {
    const Event* const event = events.next();
    ASSERT_TRUE(event != nullptr && event->ns() == i * 1000) << i;
  }
  EXPECT_EQ(events.next(), nullptr);
}

}  // namespace
}  // namespace evt::testing

// Recording in one line: EVT_TRACE and EVT_SPAN, into the default session.
#include <evt/trace_macros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <map>
#include <memory>
#include <regex>
#include <thread>

#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

// Without what differs from machine to machine: where in the sources, and which thread.
std::string plain(const std::string& text) {
  static const std::regex kVaries(R"re( file="[^"]*"| line=[0-9]+| function="[^"]*"| thread=[0-9]+ process=[0-9]+)re");
  return std::regex_replace(text, kVaries, "");
}

// A session in memory that is the default one.
class DefaultRecording : public Recording {
 public:
  DefaultRecording() { (*this)->make_default(); }
  std::string plain_text() { return plain(text()); }
};

enum class Color : std::uint8_t { kRed, kGreen };

void trace_value(int value) { EVT_TRACE("value", "n", value); }

TEST(TraceLine, RecordsEachKindOfValue) {
  DefaultRecording recording;
  const char* const none = nullptr;
  EVT_TRACE("all", "int", -1, "unsigned", 2U, "short", static_cast<short>(-3), "large", UINT64_MAX, "bool", true,
            "float", 0.5F, "double", 0.25, "enum", Color::kGreen, "literal", "a", "text", std::string("b") + "c",
            "view", std::string_view("de").substr(1), "none", none);
  EVT_TRACE("bare");
  EXPECT_EQ(recording.plain_text(),
            "type 1024 all (int i64) (unsigned u64) (short i64) (large u64) (bool bool) (float f64) (double f64) "
            "(enum u64) (literal text) (text text) (view text) (none text)\n"
            "stream 1 \"write_tests\"\n"
            "0.000000001 1 all int=-1 unsigned=2 short=-3 large=18446744073709551615 bool=true float=0.5 double=0.25 "
            "enum=1 literal=\"a\" text=\"bc\" view=\"e\" none=\"\"\n"
            "type 1025 bare\n"
            "0.000000002 1 bare\n");
}

TEST(TraceLine, RecordsWhatIsVolatile) {
  DefaultRecording recording;
  volatile bool stop = true;
  volatile int count = 7;
  volatile Color color = Color::kGreen;
  EVT_TRACE("volatile", "stop", stop, "count", count, "color", color);
  EXPECT_THAT(recording.plain_text(), HasSubstr("0.000000001 1 volatile stop=true count=7 color=1\n"));
}

TEST(TraceLine, StatesWhereItIs) {
  DefaultRecording recording;
  const int line = __LINE__ + 1;
  EVT_TRACE("here", "n", 1);
  EXPECT_THAT(recording.text(), HasSubstr("type 1024 here file=\"" __FILE__ "\" line=" + std::to_string(line) +
                                          " function=\"TestBody\" (n i64)\n"));
}

TEST(TraceLine, EvaluatesNothingWithoutASession) {
  int evaluated = 0;
  EVT_TRACE("unseen", "n", ++evaluated);
  EXPECT_EQ(evaluated, 0);
  EXPECT_EQ(evt_default(), nullptr);
}

TEST(TraceLine, RecordsWhatItsValuesRecordBeforeIt) {
  DefaultRecording recording;
  const auto inner = [] {
    trace_value(1);
    return 2;
  };
  EVT_TRACE("outer", "n", inner());
  EXPECT_EQ(recording.plain_text(),
            "type 1024 value (n i64)\n"
            "stream 1 \"write_tests\"\n"
            "0.000000001 1 value n=1\n"
            "type 1025 outer (n i64)\n"
            "0.000000002 1 outer n=2\n");
}

TEST(TraceLine, RecordsInTheSessionThatIsTheDefaultThen) {
  DefaultRecording first;
  trace_value(1);
  const std::string of_first = first.plain_text();
  trace_value(2);
  DefaultRecording second;
  second->declare<Note>();
  trace_value(3);
  const std::string of_second = second.plain_text();
  EXPECT_EQ(of_first, "type 1024 value (n i64)\nstream 1 \"write_tests\"\n0.000000001 1 value n=1\n");
  EXPECT_EQ(of_second,
            "type 1025 value (n i64)\nstream 1 \"write_tests\"\n0.000000001 1 value n=3\n"
            "type 1024 note (text text)\n");
}

TEST(TraceLine, FollowsTheDefaultFromOneOpenSessionToAnotherAndBack) {
  DefaultRecording first;
  trace_value(1);
  DefaultRecording second;
  trace_value(2);
  first->make_default();
  trace_value(3);
  EXPECT_THAT(first.plain_text(), HasSubstr("0.000000001 1 value n=1\n0.000000002 1 value n=3\n"));
  EXPECT_THAT(second.plain_text(), HasSubstr("0.000000001 1 value n=2\n"));
}

TEST(TraceLine, IsSwitchedByTheNameOfItsType) {
  DefaultRecording recording;
  recording->switch_types("value", false);
  trace_value(1);
  recording->switch_types("value", true);
  trace_value(2);
  EXPECT_THAT(recording.plain_text(), HasSubstr("stream 1 \"write_tests\"\n0.000000001 1 value n=2\n"));
}

TEST(TraceLine, MayAddFieldsToThoseOfAnotherPlace) {
  DefaultRecording recording;
  EVT_TRACE("grows", "a", 1);
  EVT_TRACE("grows", "a", 2, "b", "x");
  EXPECT_EQ(recording->notices(), "");
  EXPECT_THAT(recording.plain_text(), HasSubstr("grows a=2 b=\"x\"\n"));
}

TEST(TraceLine, RecordsNothingWhereFieldsDifferAndNotesThePlace) {
  DefaultRecording recording;
  EVT_TRACE("twice", "page", 1);
  const int line = __LINE__ + 1;
  for (int i = 0; i < 2; ++i) EVT_TRACE("twice", "size", 2);
  EXPECT_EQ(recording->notices(), "nothing is recorded in trace_macros_test.cc:" + std::to_string(line) +
                                      ": event type twice: field 0 is size, declared before as page\n");
  EXPECT_EQ(recording.plain_text(),
            "type 1024 twice (page i64)\nstream 1 \"write_tests\"\n0.000000001 1 twice page=1\n");
}

TEST(TraceLine, OfATemplateNotesTheInstanceThatDiffers) {
  DefaultRecording recording;
  const auto trace = [](const auto& value) { EVT_TRACE("generic", "value", value); };
  trace(1);
  trace("text");
  EXPECT_THAT(recording->notices(), HasSubstr("event type generic: field value has kind 6, shape 1, width 0; declared "
                                              "before as 2, 0, 8\n"));
  EXPECT_THAT(recording.plain_text(), HasSubstr("0.000000001 1 generic value=1\n"));
}

TEST(TraceLine, OfEachThreadIsInAStreamOfItsOwn) {
  constexpr int kThreads = 4;
  constexpr int kEvents = 1'000;
  DefaultRecording recording;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([] {
      EVT_SPAN("thread");
      for (int n = 0; n < kEvents; ++n) trace_value(n);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::uint32_t, std::int64_t> next;
  std::size_t others = 0;
  each_event(recording.bytes(), [&](const Event& event) {
    if (event.type().name() != "value") return void(++others);
    EXPECT_EQ(event.value("n")->as_signed(), next[event.stream().id]++);
  });
  EXPECT_EQ(others, 2U * kThreads);
  EXPECT_EQ(next.size(), std::size_t{kThreads});
  for (const auto& [stream, count] : next) EXPECT_EQ(count, kEvents) << stream;
}

TEST(SpanLine, LastsUntilTheEndOfItsScope) {
  DefaultRecording recording;
  {
    EVT_SPAN("outer");
    for (int i = 0; i < 2; ++i) {
      EVT_SPAN("inner");
    }
  }
  EXPECT_EQ(recording.plain_text(),
            "type 1024 outer role=spanBegin (name interned role=name)\n"
            "stream 1 \"write_tests\"\n"
            "string 1 \"outer\"\n"
            "0.000000001 1 outer name=\"outer\"\n"
            "type 1025 inner role=spanBegin (name interned role=name)\n"
            "string 2 \"inner\"\n"
            "0.000000002 1 inner name=\"inner\"\n"
            "type 10 span.end \"the innermost thing that began ends\" role=spanEnd\n"
            "0.000000003 1 span.end\n"
            "0.000000004 1 inner name=\"inner\"\n"
            "0.000000005 1 span.end\n"
            "0.000000006 1 span.end\n");
}

TEST(SpanLine, EndsWithAnException) {
  DefaultRecording recording;
  try {
    EVT_SPAN("fails");
    throw std::runtime_error("on purpose");
  } catch (const std::runtime_error&) {
    EVT_TRACE("caught");
  }
  EXPECT_THAT(recording.plain_text(), HasSubstr("0.000000002 1 span.end\ntype 1025 caught\n0.000000003 1 caught\n"));
}

TEST(SpanLine, HasNoEndInASessionThatBeganInTheMiddle) {
  std::string text;
  {
    EVT_SPAN("before");
    DefaultRecording recording;
    EVT_TRACE("first");
    { EVT_SPAN("after"); }
    text = recording.plain_text();
  }
  EXPECT_THAT(text, HasSubstr("0.000000001 1 first\n"));
  EXPECT_THAT(text, HasSubstr("0.000000002 1 after name=\"after\"\n"));
  EXPECT_THAT(text, ::testing::EndsWith("\n0.000000003 1 span.end\n"));
}

TEST(SpanLine, RecordsNoEndForABeginThatIsSwitchedOff) {
  DefaultRecording recording;
  recording->switch_types("quiet", false);
  {
    EVT_SPAN("quiet");
    EVT_TRACE("within");
  }
  EXPECT_THAT(recording.plain_text(), ::testing::Not(HasSubstr("0.000000002")));
}

TEST(SpanLine, LeavesTheStreamOfAnotherThreadAlone) {
  DefaultRecording recording;
  static constinit evt_site_ site = {};
  auto span = std::make_unique<tracing::Span>(site, evt_place_{"moves", __FILE__, __func__, __LINE__, 0});
  std::thread([&] { span.reset(); }).join();
  const std::string text = recording.plain_text();
  EXPECT_THAT(text, HasSubstr("0.000000001 1 moves name=\"moves\"\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("0.000000002")));
}

// A thread's storage is the next one's when it has ended.
TEST(SpanLine, OfAThreadThatHasEndedIsNotEndedByTheNext) {
  DefaultRecording recording;
  static constinit evt_site_ site = {};
  std::unique_ptr<tracing::Span> span;
  std::thread([&] {
    span = std::make_unique<tracing::Span>(site, evt_place_{"moves", __FILE__, __func__, __LINE__, 0});
  }).join();
  std::thread([&] {
    EVT_SPAN("own");
    span.reset();
  }).join();
  const std::string text = recording.plain_text();
  EXPECT_THAT(text, HasSubstr(" own name=\"own\"\n"));
  EXPECT_EQ(text.find("span.end\n0"), text.npos) << text;
  std::size_t ends = 0;
  for (std::size_t at = text.find(" span.end\n"); at != text.npos; at = text.find(" span.end\n", at + 1)) ++ends;
  EXPECT_EQ(ends, 1u + (text.find("type 10 span.end\n") != text.npos ? 1u : 0u)) << text;
}

TEST(SpanLine, ThatCouldNotEndDoesNotBegin) {
  DefaultRecording recording;
  EVT_TRACE("span.end", "n", 1);
  { EVT_SPAN("endless"); }
  EXPECT_THAT(recording.plain_text(), ::testing::Not(HasSubstr(" endless name=")));
}

TEST(TraceLine, TakesNoSessionThatIsClosed) {
  auto first = std::make_unique<Recording>();
  evt_writer* const writer = (*first)->get();
  EXPECT_TRUE((*first)->close().ok());
  evt_set_default(writer);
  EXPECT_EQ(evt_default(), nullptr);
}

void trace_in_handler(int) { EVT_TRACE("handler", "n", 1); }

class TraceLineInHandler : public ::testing::Test {
 protected:
  void SetUp() override {
    // Handlers run when the program is at a place where the sanitizer lets them.
    if (kThreadSanitizer) GTEST_SKIP() << "calls handlers itself";
    struct sigaction action = {};
    action.sa_handler = trace_in_handler;
    sigaction(SIGALRM, &action, &before);
  }
  void TearDown() override { sigaction(SIGALRM, &before, nullptr); }

  struct sigaction before = {};
};

TEST_F(TraceLineInHandler, IsCountedAsLostTheFirstTimeAndRecordedLater) {
  DefaultRecording recording;
  trace_value(1);
  raise(SIGALRM);
  EXPECT_EQ(recording->counts().lost[EVT_LOST_REENTERED], 1u);
  trace_in_handler(0);
  raise(SIGALRM);
  EXPECT_EQ(recording->counts().lost[EVT_LOST_REENTERED], 1u);
  const std::string text = recording.plain_text();
  EXPECT_THAT(text, HasSubstr("1 !lost count=1 cause=reentered"));
  EXPECT_THAT(text, HasSubstr("0.000000003 1 handler n=1\n0.000000004 1 handler n=1\n"));
}

TEST_F(TraceLineInHandler, OfAThreadWithoutAStreamIsCountedInOneForHandlers) {
  DefaultRecording recording;
  raise(SIGALRM);
  raise(SIGALRM);
  EXPECT_EQ(recording->counts().lost[EVT_LOST_REENTERED], 2u);
  EXPECT_EQ(recording.plain_text(),
            "stream 1 \"signal handlers\"\n0.000000002 1 !lost count=2 cause=reentered duration=0.000000001\n");
}

// A session with a ring, in a file.
class TraceLineOfProgram : public RingTest {
 protected:
  void TearDown() override { unsetenv("EVTRACE"); }
};

TEST_F(TraceLineOfProgram, RecordsWhatTheEnvironmentAsksFor) {
  setenv("EVTRACE", (path + ",types=chosen").c_str(), 1);
  Writer writer = *Writer::open_from_env(options());
  EXPECT_EQ(evt_default(), writer.get());
  EVT_TRACE("chosen", "n", 1);
  EVT_TRACE("other", "n", 2);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(evt_default(), nullptr);
  EXPECT_EQ(plain(text()),
            "type 1024 chosen (n i64)\nstream 1 \"write_tests\"\n0.000000001 1 chosen n=1\ntype 1025 other (n i64)\n");
}

TEST_F(TraceLineOfProgram, KeepsTheDefaultThatThereIsWhenTheEnvironmentAsksForASession) {
  DefaultRecording recording;
  setenv("EVTRACE", path.c_str(), 1);
  Writer writer = *Writer::open_from_env(options());
  EXPECT_EQ(evt_default(), recording->get());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(evt_default(), recording->get());
}

TEST_F(TraceLineOfProgram, RecordsNothingInAForkChildUntilItHasASession) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  writer.make_default();
  trace_value(1);
  const std::string of_child = folder / "child.evt";
  EXPECT_EQ(in_child([&] {
              trace_value(2);
              Writer own = open(of_child);
              own.make_default();
              trace_value(3);
              if (!own.close().ok()) _exit(1);
            }),
            0);
  trace_value(4);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_THAT(plain(text()), HasSubstr("0.000000001 1 value n=1\n0.000000002 1 value n=4\n"));
  Trace trace = open_file(of_child);
  EXPECT_THAT(plain(text_of(trace)), HasSubstr("1 value n=3\n"));
}

TEST_F(TraceLineOfProgram, IsInTheTraceOfAProgramThatWasKilled) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    writer->make_default();
    EVT_SPAN("work");
    trace_value(7);
    kill(getpid(), SIGKILL);
  }));
  EXPECT_THAT(plain(text()), HasSubstr("0.000000001 1 work name=\"work\"\n"));
  EXPECT_THAT(plain(text()), HasSubstr("0.000000002 1 value n=7\n"));
}

TEST_F(TraceLineOfProgram, IsWholeThoughSessionsComeAndGoWhileThreadsRecord) {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (std::uint64_t n = 0; !done; ++n) EVT_TRACE("pair", "n", n, "same", n);
    });
  }
  for (int session = 0; session < 10; ++session) {
    Sink blocks;
    Writer writer = *Writer::open(&Sink::take, &blocks, options());
    // Numbers of types differ from one session to the next.
    if (session % 2 == 1) writer.declare<Tick, Note>();
    writer.make_default();
    while (writer.counts().events_written == 0) std::this_thread::yield();
    EXPECT_TRUE(writer.close().ok());
    each_event(blocks.bytes(), [](const Event& event) {
      EXPECT_EQ(event.type().name(), "pair");
      EXPECT_EQ(event.value("n")->as_unsigned(), event.value("same")->as_unsigned());
    });
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

// A library in C that the program loads, unloads and loads again.
TEST_F(TraceLineOfProgram, OfALibraryIsInItsSessionBeforeAndAfterTheLibraryIsUnloaded) {
  EXPECT_EQ(run("one_line_host a.evt '" EVT_BIN_FOLDER "/one_line_plugin.so'", folder.path()), (Outcome{0, "", ""}));
  const std::string rest = " size=3 ratio=0.5 done=";
  const std::string end = " whole=true text=\"an \xC3\xA4\" none=\"\" address=7\n";
  EXPECT_EQ(std::regex_replace(plain(text()), std::regex("(^|\n)[0-9]+\\.[0-9]+ "), "$1at "),
            "type 1024 plugin.work role=spanBegin (name interned role=name)\n"
            "stream 1 \"one_line_host\"\n"
            "string 1 \"plugin.work\"\n"
            "at 1 plugin.work name=\"plugin.work\"\n"
            "type 1025 plugin.bare\n"
            "at 1 plugin.bare\n"
            "type 1026 plugin.step (n i64) (size u64) (ratio f64) (done i64) (whole bool) (text text) (none text) "
            "(address u64)\n"
            "at 1 plugin.step n=1" +
                rest + "0" + end +
                "type 10 span.end \"the innermost thing that began ends\" role=spanEnd\n"
                "at 1 span.end\n"
                "at 1 plugin.work name=\"plugin.work\"\n"
                "at 1 plugin.bare\n"
                "at 1 plugin.step n=2" +
                rest + "1" + end +
                "at 1 span.end\n"
                "type 1027 host.after (n i64)\n"
                "at 1 host.after n=3\n");
}

// What is compiled without the lines has nothing of the library.
constexpr const char* kSource =
    "#include <evt/trace_macros.h>\n"
    "int traced(int n);\n"
    "int traced(int n) {\n"
    "  EVT_SPAN(\"span\");\n"
    "  EVT_TRACE(\"event\", \"n\", n, \"text\", \"x\");\n"
    "  return n;\n"
    "}\n";

std::string references_of(const std::string& compiler, const std::string& options) {
  const Folder folder;
  const std::string include =
      " -I" EVT_SOURCE_FOLDER "/format-spec/include -I" EVT_SOURCE_FOLDER "/libtrace-write/include ";
  const Outcome built = run(compiler + " -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -O0 " + options +
                                include + "-c -o traced.o - && nm traced.o | grep -c ' [UuwVvBbDd] .*evt_'",
                            folder.path(), kSource);
  return built.err.empty() ? built.out : built.err;
}

TEST(NoTrace, LeavesNoReferenceInAnObject) {
  const std::string c = EVT_C_COMPILER " -std=c11 -x c";
  const std::string cpp = EVT_CXX_COMPILER " -std=c++20 -x c++";
  EXPECT_EQ(references_of(c, "-DEVT_NO_TRACE"), "0\n");
  EXPECT_EQ(references_of(cpp, "-DEVT_NO_TRACE"), "0\n");
  EXPECT_NE(references_of(c, ""), "0\n");
  EXPECT_NE(references_of(cpp, ""), "0\n");
}

}  // namespace
}  // namespace evt::testing

// Sessions that the environment asks for, and event types that go on and off.
#include <evt/compact.h>
#include <stdlib.h>

#include "write/ring_session.h"

namespace {

struct Collection {
  std::uint32_t n = 0;
};
struct Sweep {
  std::uint32_t n = 0;
};
struct Costly {
  std::uint32_t n = 0;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Collection> = evt::event("gc.collection", "", evt::field("n", &Collection::n));
template <>
inline constexpr auto evt::schema<Sweep> = evt::event("gc.sweep", "", evt::field("n", &Sweep::n));

template <>
inline constexpr auto evt::schema<Costly> = evt::event("vm.costly", "", evt::field("n", &Costly::n)).off_by_default();

namespace evt::testing {
namespace {

class Environment : public RingTest {
 protected:
  void SetUp() override { unsetenv("EVTRACE"); }
  void TearDown() override {
    unsetenv("EVTRACE");
    std::filesystem::current_path(before_);
  }
  void given(const std::string& value) { setenv("EVTRACE", value.c_str(), 1); }

  // Why no session can be had.
  std::string refusal(const std::string& value) {
    given(value);
    evt_error error;
    EXPECT_EQ(evt_open_from_env(nullptr, &error), nullptr) << value;
    EXPECT_EQ(error.code, EVT_CODE_INVALID) << value;
    return error.message;
  }
  // The names of the types of which events came.
  std::vector<std::string> recorded_types() {
    auto writer = Writer::open_from_env(options());
    if (!writer) throw std::runtime_error(writer.status().message());
    const auto types = writer->declare<Tick, Note, Collection, Sweep>();
    Stream stream = writer->stream("a");
    stream.emit(types, Tick{1});
    stream.emit(types, Note{"x"});
    stream.emit(types, Collection{1});
    stream.emit(types, Sweep{1});
    EXPECT_TRUE(writer->close().ok());
    return names();
  }
  std::vector<std::string> names() const {
    Trace trace = open_file(path);
    std::vector<std::string> all;
    Events events = trace.events();
    while (const Event* event = events.next()) all.push_back(event->type().name());
    return all;
  }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

using Names = std::vector<std::string>;

TEST_F(Environment, ThatAsksForNothingGetsAWriterThatRecordsNothing) {
  for (const bool empty : {false, true}) {
    if (empty) given("");
    auto writer = Writer::open_from_env();
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(writer->get(), nullptr);
    const auto types = writer->declare<Tick>();
    EXPECT_FALSE(types.ok());
    Stream stream = writer->stream("a");
    stream.emit(types, Tick{1});
    writer->this_thread().emit(types, Tick{2});
    stream.flush();
    EXPECT_EQ(writer->intern("text").id, 0u);
    EXPECT_EQ(writer->switch_types("*", true), 0u);
    EXPECT_EQ(writer->counts().events_written, 0u);
    EXPECT_EQ(writer->path(), "");
    EXPECT_EQ(writer->close().message(), "the session was never opened");
  }
}

TEST_F(Environment, NamesTheFile) {
  given(path);
  EXPECT_EQ(recorded_types(), (Names{"tick", "note", "gc.collection", "gc.sweep"}));
}

TEST_F(Environment, ChoosesEventTypes) {
  given(path + ",types=gc.*");
  EXPECT_EQ(recorded_types(), (Names{"gc.collection", "gc.sweep"}));
  given(path + ",types=gc.sweep:t?ck:nothing");
  EXPECT_EQ(recorded_types(), (Names{"tick", "gc.sweep"}));
  given(path + ",types=");
  EXPECT_EQ(recorded_types(), Names{});
}

TEST_F(Environment, MayAppend) {
  given(path + ",append");
  recorded_types();
  EXPECT_EQ(recorded_types().size(), 8u);
}

TEST_F(Environment, MayDoWithoutARing) {
  given(path + ",inline");
  auto writer = Writer::open_from_env();
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(open_file(path).sessions()[0].ring, RingState::kNone);
  EXPECT_EQ(open_file(path).sessions()[0].ring_name, "");
  EXPECT_TRUE(writer->close().ok());
}

TEST_F(Environment, MayAskForLessSpace) {
  const auto size_of_many = [&](const char* word, const evt_compactor* compact = nullptr) {
    given(path + word);
    evt_options with = options();
    with.compact = compact;
    auto writer = Writer::open_from_env(with);
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    for (std::uint32_t i = 0; i < 10'000; ++i) stream.emit(types, Tick{i});
    EXPECT_TRUE(writer->close().ok());
    return open_file(path).size();
  };
  EXPECT_GT(size_of_many(""), 12u * 10'000);
  EXPECT_LT(size_of_many(",compact"), 5u * 10'000);
  EXPECT_LT(size_of_many("", evt_columns()), 5u * 10'000);
  EXPECT_GT(size_of_many(",rows", evt_columns()), 12u * 10'000) << "the user's word counts";
}

TEST_F(Environment, TakesWhatAFullRingIsToDo) {
  for (const char* word :
       {"policy=drop", "policy=wait", "wait=1", "wait=4294967294", "wait=forever", "policy=wait,wait=20,types=*"}) {
    given(path + "," + word);
    EXPECT_EQ(recorded_types().size(), 4u) << word;
  }
}

TEST_F(Environment, PutsTheProcessAndTheTimeIntoThePath) {
  given(folder / "%p-%%-100%.evt");
  auto writer = Writer::open_from_env();
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(files(), Names{std::to_string(getpid()) + "-%-100%.evt"});
  given(folder / "%t");
  auto timed = Writer::open_from_env();
  ASSERT_TRUE(timed.ok());
  const std::string name = std::filesystem::path(timed->path()).filename();
  EXPECT_TRUE(timed->close().ok());
  EXPECT_THAT(name, ::testing::MatchesRegex("[0-9]{8}T[0-9]{6}"));
}

// Types that cost much are off unless the user asks for them; all others are on unless he does without.
TEST_F(Environment, SwitchesTypesByWhatDiffersFromTheProgramsChoice) {
  const auto names_with = [&](const std::string& words) {
    given(path + words);
    auto writer = Writer::open_from_env(options());
    if (!writer) throw std::runtime_error(writer.status().message());
    RuntimeType alloc("vm.alloc");
    alloc.type.off_by_default = 1;
    const TypeHandle costly = *writer->declare(alloc.type);
    const auto types = writer->declare<Collection, Sweep, Costly>();
    Stream stream = writer->stream("a");
    stream.emit(types, Collection{1});
    stream.emit(types, Sweep{1});
    stream.emit(types, Costly{1});
    stream.emit_with(costly, [](RowBuilder&) {});
    EXPECT_EQ(costly.is_on(), evt_is_on(costly.get()) != 0);
    EXPECT_TRUE(writer->close().ok());
    return names();
  };
  EXPECT_EQ(names_with(""), (Names{"gc.collection", "gc.sweep"}));
  EXPECT_EQ(names_with(",types=+vm.alloc"), (Names{"gc.collection", "gc.sweep", "vm.alloc"}));
  EXPECT_EQ(names_with(",types=+vm.*,-gc.sweep"), (Names{"gc.collection", "vm.costly", "vm.alloc"}));
  EXPECT_EQ(names_with(",types=-gc.sweep,policy=wait"), (Names{"gc.collection"}));
  EXPECT_EQ(names_with(",types=-gc.*:+gc.sweep,append"), (Names{"gc.collection", "gc.sweep"}));
  EXPECT_EQ(names_with(",types=vm.*:-vm.costly"), (Names{"vm.alloc"})) << "the first is without a sign: only those";
}

TEST_F(Environment, ReportsEachPatternThatMatchesNothing) {
  given(path + ",types=+vm.aloc,-gc.swep,+gc.collection");
  auto writer = Writer::open_from_env(options());
  writer->declare<Collection, Sweep>();
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(writer->notices(),
            "EVTRACE: types=vm.aloc:gc.swep: none of the 2 event types that were declared has such a name\n");
  EXPECT_EQ(refusal(path + ",+vm.alloc"),
            "EVTRACE: expected types=, policy=wait, policy=drop, wait=, append, inline, compact, rows, anonymous, "
            "rotate=64M|1h, keep=1G|7d, flight=64M, age=5m, snapshot=PATH, when=TYPE, after=2s, rearm=60s or most=10, "
            "found +vm.alloc");
}

TEST_F(Environment, MayAskForFilesWithinABudget) {
  given(folder.path() + "/app.%n.evt,rotate=2048K|1h,keep=1G|7d");
  EXPECT_EQ(Writer::open_from_env().status().message(), "");
  EXPECT_EQ(files(), (Names{"app.000000.evt"}));
  EXPECT_EQ(refusal(folder.path() + "/app.%n.evt,rotate=1M,keep=1M"),
            "keep has to be at least two files: expected 2097152 bytes, found 1048576");
}

TEST_F(Environment, MayAskForAFlightRecorder) {
  given(path + ",flight=2M,age=5m");
  auto writer = Writer::open_from_env();
  EXPECT_EQ(writer.status().message(), "");
  EXPECT_TRUE(open_file(path, false).sessions()[0].goes_on);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(refusal(path + ",age=5m"),
            "age is that of a flight recorder: expected flight with it, such as flight=64M,age=5m");
  EXPECT_EQ(refusal(path + ",flight=1M"), "a flight recorder of 1048576 bytes is too small: expected 2097152 at least");
  for (const char* const word : {"flight=", "flight=5m", "flight=64", "flight=64M|5m", "age=64M", "age=5", "after=2",
                                 "rearm=1M", "most=0", "most=ten"}) {
    EXPECT_EQ(
        refusal(path + "," + word),
        std::string(
            "EVTRACE: expected types=, policy=wait, policy=drop, wait=, append, inline, compact, rows, "
            "anonymous, rotate=64M|1h, keep=1G|7d, flight=64M, age=5m, snapshot=PATH, when=TYPE, after=2s, rearm=60s "
            "or most=10, found ") +
            word);
  }
}

TEST_F(Environment, MayAskForAnonymity) {
  given(path + ",anonymous");
  EXPECT_EQ(recorded_types().size(), 4u);
  const Trace trace = open_file(path);
  const Session& session = trace.sessions()[0];
  EXPECT_EQ(session.program + session.host + session.boot_id + session.ring_name, "");
  EXPECT_EQ(session.pid, 0u);
  EXPECT_TRUE(session.command_line.empty());
  EXPECT_EQ(session.clocks[0].host + session.clocks[0].boot_id, "");
}

TEST_F(Environment, ThatMakesNoSenseIsRefused) {
  const std::string expected =
      "EVTRACE: expected types=, policy=wait, policy=drop, wait=, append, inline, compact, rows, anonymous, "
      "rotate=64M|1h, keep=1G|7d, flight=64M, age=5m, snapshot=PATH, when=TYPE, after=2s, rearm=60s or most=10, found ";
  for (const char* word : {"", "policy=later", "wait=", "wait=0", "wait=ten", "wait=10ms", "wait=-1", "wait=4294967295",
                           "wait=99999999999999999999", "Append", "type=x"}) {
    EXPECT_EQ(refusal(path + "," + word), expected + word);
  }
  EXPECT_EQ(refusal(",append"), "EVTRACE: expected a path first, such as app.%p.evt, found none");
  EXPECT_EQ(refusal(std::string(5'000, 'x')), "EVTRACE is longer than 4095 bytes");
  EXPECT_EQ(files(), Names{});
}

// None of them wins in silence.
TEST_F(Environment, HasEachOptionOnce) {
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{{"when=app.a", "when=app.b"},
                                                                                      {"types=gc.*", "types=vm.*"},
                                                                                      {"policy=drop", "policy=wait"},
                                                                                      {"wait=1", "wait=2"},
                                                                                      {"rotate=2M", "rotate=1h"},
                                                                                      {"keep=1G", "keep=7d"},
                                                                                      {"flight=2M", "flight=4M"},
                                                                                      {"age=5m", "age=6m"},
                                                                                      {"snapshot=a", "snapshot=b"},
                                                                                      {"after=1s", "after=2s"},
                                                                                      {"rearm=1s", "rearm=2s"},
                                                                                      {"most=1", "most=2"},
                                                                                      {"append", "append"},
                                                                                      {"inline", "inline"},
                                                                                      {"anonymous", "anonymous"},
                                                                                      {"rows", "rows"},
                                                                                      {"compact", "rows"}}) {
    EXPECT_EQ(refusal(path + "," + first + ",append," + second),
              first == "append" ? "EVTRACE: expected each option once, found append and append"
                                : "EVTRACE: expected each option once, found " + first + " and " + second);
  }
  EXPECT_EQ(refusal(path + ",types=+gc.*,-vm.*,append,types=-gc.*"),
            "EVTRACE: expected each option once, found types=+gc.*,-vm.* and types=-gc.*");
  for (const std::string word : {"rotate=64M|32M", "keep=7d|1h", "keep=1G|7d|1h"}) {
    EXPECT_TRUE(refusal(path + "," + word).ends_with("rearm=60s or most=10, found " + word));
  }
  EXPECT_EQ(files(), Names{});
}

// Words with which other variables are switched are no names of files.
TEST_F(Environment, MayBeSwitchedOff) {
  std::filesystem::current_path(folder.path());
  for (const char* const word : {"0", "off", "OFF", "no", "False", "none", "disable", "disabled", "0,compact"}) {
    given(word);
    evt_error error;
    EXPECT_EQ(evt_open_from_env(nullptr, &error), nullptr) << word;
    EXPECT_EQ(error.code, EVT_OK) << word;
    EXPECT_STREQ(error.message, "") << word;
  }
  EXPECT_EQ(files(), Names{});
}

TEST_F(Environment, ThatIsSwitchedOnWithoutAPathIsRefused) {
  std::filesystem::current_path(folder.path());
  for (const std::string word : {"1", "on", "On", "yes", "TRUE", "true", "all", "enable", "enabled"}) {
    EXPECT_EQ(refusal(word), "EVTRACE: expected a path first, such as app.%p.evt, found " + word);
    EXPECT_EQ(refusal(word + ",compact"), "EVTRACE: expected a path first, such as app.%p.evt, found " + word);
  }
  EXPECT_EQ(files(), Names{});
  given("./on");
  auto writer = Writer::open_from_env(options());
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(files(), Names{"on"});
}

// Of the types of `recorded_types`, and of none.
TEST_F(Environment, ThatChoosesTypesThatAreNoneIsToldSoAtTheEnd) {
  const auto said_for = [&](const std::string& types) {
    given(path + ",types=" + types);
    ::testing::internal::CaptureStderr();
    recorded_types();
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said_for("gc.*:note"), "");
  EXPECT_EQ(said_for("*"), "");
  EXPECT_EQ(said_for(""), "");
  EXPECT_EQ(said_for("nosuch"),
            "evtrace: EVTRACE: types=nosuch: none of the 4 event types that were declared has such a name\n");
  EXPECT_EQ(
      said_for("nosuch:gc.*:gc*.sweeps:"),
      "evtrace: EVTRACE: types=nosuch:gc*.sweeps: none of the 4 event types that were declared has such a name\n");
}

TEST_F(Environment, ThatChoosesTypesMayMeanThoseThatAreDeclaredLate) {
  given(path + ",types=late.*");
  ::testing::internal::CaptureStderr();
  auto writer = Writer::open_from_env(options());
  writer->declare<Tick>();
  writer->switch_types("never*", true);  // the program's own pattern
  writer->stream("a").emit(writer->declare<Tick>(), Tick{1});
  const RuntimeType late("late.type");
  EXPECT_TRUE(writer->declare(late.type).ok());
  evt_error error;
  EXPECT_EQ(evt_close(writer->get(), &error), EVT_OK);
  EXPECT_STREQ(error.message, "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Environment, ThatChoosesTypesThatAreNoneIsNoFailureOfTheSession) {
  given(path + ",types=nosuch");
  ::testing::internal::CaptureStderr();
  auto writer = Writer::open_from_env(options());
  evt_error error;
  EXPECT_EQ(evt_close(writer->get(), &error), EVT_OK);
  EXPECT_STREQ(error.message, "");
  const std::string notice = "EVTRACE: types=nosuch: none of the 0 event types that were declared has such a name\n";
  EXPECT_EQ(writer->notices(), notice);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "evtrace: " + notice);
}

TEST_F(Environment, ThatAsksForWhatCannotBeWrittenIsToldSo) {
  given(folder / "none/a.evt");
  auto writer = Writer::open_from_env();
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(writer.status().code(), Code::kIo);
  EXPECT_EQ(writer.status().message(), "cannot write " + folder / "none/a.evt" + ": No such file or directory");
}

class SwitchedTypes : public Environment {};

TEST_F(SwitchedTypes, GoOffAndOnWhileTheyAreRecorded) {
  Writer writer = open();
  const auto types = writer.declare<Tick, Collection, Sweep>();
  Stream stream = writer.stream("a");
  const auto emit_all = [&] {
    stream.emit(types, Tick{1});
    stream.emit(types, Collection{1});
    stream.emit(types, Sweep{1});
  };
  emit_all();
  EXPECT_EQ(writer.switch_types("gc.*", false), 2u);
  emit_all();
  EXPECT_EQ(writer.switch_types("gc.sweep", true), 1u);
  emit_all();
  EXPECT_EQ(writer.switch_types("*", true), 3u);
  emit_all();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(names(), (Names{"tick", "gc.collection", "gc.sweep", "tick", "tick", "gc.sweep", "tick", "gc.collection",
                            "gc.sweep"}));
}

TEST_F(SwitchedTypes, MayBeDeclaredLater) {
  Writer writer = open();
  EXPECT_EQ(writer.switch_types("*", false), 0u);
  EXPECT_EQ(writer.switch_types("gc.*", true), 0u);
  EXPECT_EQ(writer.switch_types("*.sweep", false), 0u);
  const auto types = writer.declare<Tick, Collection, Sweep>();
  Stream stream = writer.stream("a");
  stream.emit(types, Tick{1});
  stream.emit(types, Collection{1});
  stream.emit(types, Sweep{1});
  writer.switch_types("tick", true);
  stream.emit(types, Tick{2});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(names(), (Names{"gc.collection", "tick"}));
}

TEST_F(SwitchedTypes, AreTheSameWhenDeclaredAgain) {
  Writer writer = open();
  const auto first = writer.declare<Tick>();
  writer.switch_types("tick", false);
  const auto second = writer.declare<Tick>();
  EXPECT_EQ(first.get<Tick>().get(), second.get<Tick>().get());
  Stream stream = writer.stream("a");
  stream.emit(second, Tick{1});
  writer.switch_types("tick", true);
  stream.emit(first, Tick{2});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(2, 3));
}

TEST_F(SwitchedTypes, StayOffAfterTheSession) {
  Writer writer = open();
  evt_writer* const raw = writer.get();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  EXPECT_TRUE(writer.close().ok());
  evt_switch_types(raw, "*", 1);
  stream.emit(types, Tick{1});
  EXPECT_EQ(ticks_in(path), std::vector<std::uint32_t>{});
}

}  // namespace
}  // namespace evt::testing

// Sinks that fail: the session ends there, the program goes on, and what had been taken is a trace.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/folder.h"
#include "write/recording.h"
#include "write/reported_error.h"

namespace evt::testing {
namespace {

// A small session of ticks, texts and a large event, into a sink that fails at the call behind `calls_that_work`.
struct FailingSession {
  explicit FailingSession(std::size_t calls_that_work) : blocks(calls_that_work) {}

  // Returns whether it could be opened. `emitted` gets the events that were emitted before the failure could be seen.
  bool record() {
    evt_options options = ordinary_options(clock);
    options.buffer_size = 4096;
    options.on_error = &ReportedError::tell;
    options.on_error_context = &reported;
    auto writer = Writer::open(&Sink::take, &blocks, options);
    open_status = writer.status();
    if (!writer) return false;
    const auto types = writer->declare<Tick, Paper>();
    Stream a = writer->stream("a");
    Stream b = writer->stream("b");
    writer->intern("text");
    const auto emit = [&](Stream& stream, std::uint32_t n) {
      emitted += reported.times == 0 ? 1 : 0;
      stream.emit(types, Tick{n});
    };
    for (std::uint32_t i = 0; i < 10; ++i) emit(i % 2 == 0 ? a : b, i);
    a.flush();
    for (std::uint32_t i = 10; i < 20; ++i) emit(a, i);
    emitted += reported.times == 0 ? 1 : 0;
    a.emit(types, Paper{{std::string(70'000, 'x')}});
    emit(b, 20);
    b.seal();
    emit(a, 21);
    evt_writer* const raw = writer->get();
    close_status = writer->close();
    counts = evt_writer_counts(raw);
    return true;
  }

  StepClock clock;
  Sink blocks;
  ReportedError reported;
  std::uint64_t emitted = 0;
  Status open_status;
  Status close_status;
  evt_counts counts = {};
};

// What the whole session's events are, in the order of their streams.
std::vector<std::vector<std::string>> events_by_stream(std::string_view bytes) {
  std::vector<std::vector<std::string>> streams(3);
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  while (const Event* event = events.next()) {
    const Bytes payload = event->payload();
    std::string shown = event->type().name() + " " + std::to_string(event->ticks()) + " ";
    shown.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    streams.at(event->stream().id).push_back(shown);
  }
  return streams;
}

std::size_t calls_of_a_whole_session() {
  FailingSession whole(SIZE_MAX);
  EXPECT_TRUE(whole.record());
  EXPECT_TRUE(whole.close_status.ok());
  EXPECT_EQ(whole.reported.times, 0);
  return whole.blocks.calls();
}

TEST(FailingSink, LeavesATraceOfWhatItTookAndNothingElse) {
  FailingSession whole(SIZE_MAX);
  ASSERT_TRUE(whole.record());
  const auto all = events_by_stream(whole.blocks.bytes());
  const std::size_t calls = whole.blocks.calls();
  ASSERT_GT(calls, 8u);
  for (std::size_t works = 1; works < calls; ++works) {
    SCOPED_TRACE(works);
    FailingSession session(works);
    session.record();
    const std::string bytes = session.blocks.bytes();
    ASSERT_EQ(bytes, whole.blocks.bytes().substr(0, bytes.size()));
    Trace trace = open_trace(bytes);
    EXPECT_EQ(trace.status().code(), Code::kTruncated);
    EXPECT_TRUE(trace.damage().empty());
    ASSERT_EQ(trace.sessions().size(), 1u);
    EXPECT_FALSE(trace.sessions().front().closed);
    const auto some = events_by_stream(bytes);
    for (std::size_t stream = 0; stream < all.size(); ++stream) {
      ASSERT_LE(some[stream].size(), all[stream].size());
      EXPECT_TRUE(std::equal(some[stream].begin(), some[stream].end(), all[stream].begin()));
    }
  }
}

TEST(FailingSink, AtTheFirstCallsMeansThatThereIsNoSession) {
  for (const std::size_t works : {std::size_t{0}, std::size_t{1}}) {
    FailingSession session(works);
    EXPECT_FALSE(session.record());
    EXPECT_EQ(session.open_status.code(), Code::kIo);
    EXPECT_EQ(session.open_status.message(), kNoSpace);
  }
}

TEST(FailingSink, IsReportedByClose) {
  const std::size_t calls = calls_of_a_whole_session();
  for (std::size_t works = 2; works < calls; ++works) {
    SCOPED_TRACE(works);
    FailingSession session(works);
    ASSERT_TRUE(session.record());
    EXPECT_EQ(session.close_status.code(), Code::kIo);
    EXPECT_EQ(session.close_status.message(), kNoSpace);
    EXPECT_EQ(session.blocks.calls(), works + 1) << "is not asked again";
  }
}

TEST(FailingSink, IsToldOnce) {
  const std::size_t calls = calls_of_a_whole_session();
  for (std::size_t works = 2; works < calls; ++works) {
    SCOPED_TRACE(works);
    FailingSession session(works);
    ASSERT_TRUE(session.record());
    EXPECT_EQ(session.reported.times, 1);
    EXPECT_EQ(session.reported.message, kNoSpace);
  }
}

TEST(FailingSink, LosesOnlyWhatIsCountedAsLost) {
  const std::size_t calls = calls_of_a_whole_session();
  for (std::size_t works = 2; works < calls; ++works) {
    SCOPED_TRACE(works);
    FailingSession session(works);
    ASSERT_TRUE(session.record());
    EXPECT_EQ(session.counts.events_written + session.counts.lost[EVT_LOST_SINK], session.emitted);
    EXPECT_EQ(session.counts.lost[EVT_LOST_TOO_LARGE], 0u);
    EXPECT_EQ(session.counts.bytes_written, session.blocks.bytes().size());
  }
}

// The call fails while an event asks for more room than is left in the buffer.
TEST(FailingSink, LosesAnEventThatGrowsWithoutCallingItTooLarge) {
  StepClock clock;
  Sink blocks(2);
  evt_options options = ordinary_options(clock);
  options.buffer_size = 4096;
  auto writer = Writer::open(&Sink::take, &blocks, options);
  const auto types = writer->declare<Note>();
  Stream stream = writer->stream("a");
  const std::string text(3'000, 'x');
  stream.emit(types, Note{text});
  stream.emit(types, Note{text});
  evt_writer* const raw = writer->get();
  EXPECT_FALSE(writer->close().ok());
  const evt_counts counts = evt_writer_counts(raw);
  EXPECT_EQ(counts.lost[EVT_LOST_TOO_LARGE], 0u);
  EXPECT_EQ(counts.lost[EVT_LOST_SINK], 2u);
}

TEST(FailingSink, MayBeAnsweredByClosingTheSession) {
  struct Context {
    evt_writer* writer = nullptr;
    int reported = 0;
  } context;
  StepClock clock;
  Sink blocks(2);
  evt_options options = ordinary_options(clock);
  options.on_error = [](void* self, const evt_error*) {
    auto& mine = *static_cast<Context*>(self);
    ++mine.reported;
    evt_writer_counts(mine.writer);
    evt_close(mine.writer, nullptr);
  };
  options.on_error_context = &context;
  context.writer = evt_open_sink(&Sink::take, &blocks, &options, nullptr);
  const RuntimeType type("tick", {EVT_FIELD_U32("n")});
  const evt_type* const tick = evt_declare(context.writer, &type.type, nullptr);
  Stream stream(evt_stream_open(context.writer, "a"));
  stream.emit_with(TypeHandle(tick), [](RowBuilder& row) { row.add(1u); });
  stream.flush();
  EXPECT_EQ(context.reported, 1);
  EXPECT_EQ(evt_close(context.writer, nullptr), EVT_CODE_CLOSED);
}

// Runs in a child, as the limit stays with its process. Its exit status reports the outcome.
[[noreturn]] void record_beyond_the_limit(const std::string& path) {
  const rlimit limit = {20'000, 20'000};
  setrlimit(RLIMIT_FSIZE, &limit);
  StepClock clock;
  evt_options options = ordinary_options(clock);
  options.buffer_size = 4096;
  auto writer = Writer::open(path, options);
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  for (std::uint32_t i = 0; i < 10'000; ++i) stream.emit(types, Tick{i});
  _exit(writer->close().message() == "cannot write " + path + ": File too large" ? 0 : 1);
}

TEST(FailingSink, MayBeAFileThatReachesItsLimitAndThenEndsWithAWholeBlock) {
  const Folder folder;
  const std::string path = folder / "a.evt";
  const pid_t child = fork();
  if (child == 0) record_beyond_the_limit(path);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const std::string bytes = read_file(path);
  EXPECT_LE(bytes.size(), 20'000u);
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.status().code(), Code::kTruncated);
  EXPECT_TRUE(trace.damage().empty());
  const std::vector<std::uint32_t> numbers = [&] {
    std::vector<std::uint32_t> all;
    Events events = trace.events();
    while (const Event* event = events.next()) all.push_back(event->as<Tick>()->n);
    return all;
  }();
  EXPECT_GT(numbers.size(), 500u);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
}

}  // namespace
}  // namespace evt::testing

// How sessions end, and that whatever comes after the end does no harm.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>

#include <vector>

#include "support/folder.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

TEST(Close, OfASessionThatRecordedNothingLeavesAValidTrace) {
  Recording recording;
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.status().ok());
  EXPECT_TRUE(trace.sessions().front().closed);
  EXPECT_EQ(text_of_trace(bytes), "");
}

TEST(Close, SaysSoWhenTheSessionIsClosedAlready) {
  Recording recording;
  evt_writer* const writer = recording->get();
  evt_error error;
  EXPECT_EQ(evt_close(writer, &error), EVT_OK);
  EXPECT_STREQ(error.message, "");
  EXPECT_EQ(evt_close(writer, &error), EVT_CODE_CLOSED);
  EXPECT_EQ(error.code, EVT_CODE_CLOSED);
  EXPECT_STREQ(error.message, "the session is closed already");
  EXPECT_EQ(evt_close_truncated(writer, nullptr), EVT_CODE_CLOSED);
}

TEST(Close, SaysSoToAWriterThatWasClosed) {
  Recording recording;
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->close().code(), Code::kClosed);
}

TEST(Close, WritesWhatTheStreamsStillHold) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  recording->stream("a").emit(types, Tick{1});
  recording->stream("b").emit(types, Tick{2});
  recording->this_thread();
  EXPECT_EQ(recording->counts().events_written, 0u);
  EXPECT_EQ(ticks_of(recording.bytes()), (std::vector<std::uint32_t>{1, 2}));
}

// A process has 1024 keys.
TEST(Close, SaysThatThereWasNoKeyForTheStreamsOfThreads) {
  std::vector<pthread_key_t> keys;
  for (pthread_key_t key = 0; pthread_key_create(&key, nullptr) == 0;) keys.push_back(key);
  evt_error error;
  {
    Recording recording;
    const auto types = recording->declare<Tick>();
    recording->this_thread().emit(types, Tick{1});
    evt_close(recording->get(), &error);
  }
  for (const pthread_key_t key : keys) pthread_key_delete(key);
  EXPECT_EQ(error.code, EVT_CODE_MEMORY);
  EXPECT_STREQ(
      error.message,
      "there was no key for thread data (pthread_key_create), and so no stream for evt_this_thread: its events "
      "are not in the trace");
}

TEST(Close, WithoutTheWordsThatEndASessionLeavesOneThatWasCut) {
  Recording recording;
  recording->stream("a").emit(recording->declare<Tick>(), Tick{1});
  evt_error error;
  EXPECT_EQ(evt_close_truncated(recording->get(), &error), EVT_OK);
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), tick_text("0.000000001 1 tick n=1\ntruncated\n"));
}

TEST(Close, WithoutThoseWordsKeepsWhatOnlyWasDeclared) {
  Recording recording;
  recording->declare<Tick>();
  recording->intern("text");
  EXPECT_EQ(evt_close_truncated(recording->get(), nullptr), EVT_OK);
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), "type 1024 tick (n u32)\nstring 1 \"text\"\ntruncated\n");
}

TEST(Close, LeavesAllHandlesHarmless) {
  Recording recording;
  evt_writer* const writer = recording->get();
  const auto types = recording->declare<Tick, Paper>();
  Stream stream = recording->stream("a");
  stream.emit(types, Tick{1});
  const std::string bytes = recording.bytes();

  stream.emit(types, Tick{2});
  stream.emit_ordered(types, Tick{3});
  stream.emit_at(4, types, Tick{4});
  stream.emit(types, Paper{{std::string(100'000, 'x')}});
  stream.flush();
  stream.jump();
  evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 1, 5, 5);
  stream.seal();
  const RuntimeType type("late", {EVT_FIELD_U8("a")});
  evt_error error;
  const evt_type* const late = evt_declare(writer, &type.type, &error);
  ASSERT_NE(late, nullptr);
  Stream(evt_stream_open(writer, "late")).emit_with(TypeHandle(late), [](RowBuilder&) { FAIL(); });
  Stream(evt_this_thread(writer)).emit_with(TypeHandle(late), [](RowBuilder&) { FAIL(); });
  EXPECT_EQ(evt_intern(writer, "late", 4), 0u);
  EXPECT_EQ(evt_intern_as(writer, 5, "late", 4), 0u);
  EXPECT_GT(evt_writer_now(writer), 0u);
  EXPECT_EQ(evt_writer_counts(writer).events_written, 1u);

  EXPECT_EQ(recording.blocks.bytes(), bytes);
  EXPECT_EQ(text_of_trace(bytes), tick_text("0.000000001 1 tick n=1\ntype 1025 paper (text text32)\n"));
}

TEST(Close, TellsWhoOpensAStreamAfterIt) {
  Recording recording;
  evt_writer* const writer = recording->get();
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  const evt_stream_info info = {"late", 0, 0, 0, 0};
  evt_error error;
  ASSERT_NE(evt_stream_open_as(writer, &info, &error), nullptr);
  EXPECT_EQ(error.code, EVT_CODE_CLOSED);
  EXPECT_STREQ(error.message, "the session has ended");
}

TEST(Close, MayComeInTheMiddleOfAnEvent) {
  Recording recording;
  evt_writer* const writer = recording->get();
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit(types, Tick{1});
  stream.emit_with(types.get<Tick>(), [&](RowBuilder& row) {
    EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
    row.add(2u);
  });
  stream.emit(types, Tick{3});
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(Close, MayComeInTheMiddleOfALargeEvent) {
  Recording recording({.buffer_size = 4096});
  evt_writer* const writer = recording->get();
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit(types, Tick{1});
  const std::string chunk(60'000, 'x');
  stream.emit_with(types.get<Tick>(), [&](RowBuilder& row) {
    row.raw(as_bytes(chunk)).raw(as_bytes(chunk));
    EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
    row.raw(as_bytes(chunk)).raw(as_bytes(std::string(1'000'000, 'y')));
  });
  stream.emit(types, Tick{3});
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(Close, HappensWhenAWriterGoesOutOfScope) {
  StepClock clock;
  Sink blocks;
  {
    auto writer = Writer::open(&Sink::take, &blocks, ordinary_options(clock));
    writer->stream("a").emit(writer->declare<Tick>(), Tick{1});
  }
  EXPECT_EQ(text_of_trace(blocks.bytes()), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(Close, IsTheLastOwnersWhenAWriterMoves) {
  StepClock clock;
  Sink blocks;
  {
    auto opened = Writer::open(&Sink::take, &blocks, ordinary_options(clock));
    Writer moved = *std::move(opened);
    Writer owner = std::move(moved);
    moved.stream("nowhere").emit(moved.declare<Tick>(), Tick{0});
    EXPECT_EQ(moved.close().code(), Code::kClosed);
    owner.stream("a").emit(owner.declare<Tick>(), Tick{1});
  }
  EXPECT_EQ(text_of_trace(blocks.bytes()), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(NoWriter, IsHarmlessEverywhere) {
  evt_error error = {77, "untouched"};
  EXPECT_EQ(evt_close(nullptr, &error), EVT_CODE_CLOSED);
  EXPECT_STREQ(error.message, "the session was never opened");
  EXPECT_EQ(evt_close(nullptr, nullptr), EVT_CODE_CLOSED);
  EXPECT_EQ(evt_close_truncated(nullptr, nullptr), EVT_CODE_CLOSED);

  const RuntimeType type("type", {EVT_FIELD_U8("a")});
  const evt_type* const declared = evt_declare(nullptr, &type.type, &error);
  ASSERT_NE(declared, nullptr);
  EXPECT_EQ(declared->number, 0u);
  const evt_stream_info info = {};
  EXPECT_EQ(evt_intern(nullptr, "text", 4), 0u);
  EXPECT_EQ(evt_intern_as(nullptr, 1, "text", 4), 0u);
  EXPECT_EQ(evt_writer_now(nullptr), 0u);
  EXPECT_EQ(evt_writer_counts(nullptr).bytes_written, 0u);

  Recording recording;
  const auto types = recording->declare<Tick>();
  for (evt_stream* const none : {evt_stream_open(nullptr, "a"), evt_stream_open_as(nullptr, &info, &error),
                                 evt_stream_open_as(recording->get(), nullptr, &error), evt_this_thread(nullptr)}) {
    ASSERT_NE(none, nullptr);
    Stream stream(none);
    stream.emit(types, Tick{1});
    stream.emit_at(1ull << 60, types, Tick{1});
    stream.emit_with(TypeHandle(declared), [](RowBuilder&) { FAIL(); });
    EXPECT_EQ(stream.now(), 0u);
    stream.flush();
    stream.jump();
    evt_stream_lost(none, EVT_LOST_RING_FULL, 1, 1, 1);
    stream.seal();
  }
  EXPECT_EQ(recording.text(), "type 1024 tick (n u32)\n");
}

TEST(NoWriter, MakesARowThatTakesAnythingAndRecordsNothing) {
  evt_row row = evt_begin(evt_stream_open(nullptr, "a"), TypeHandle().get());
  EXPECT_EQ(row.p, nullptr);
  evt_u8(&row, 1);
  evt_u64(&row, 1);
  evt_text_z(&row, "text");
  evt_long_bytes(&row, "bytes", 5);
  evt_array(&row, "abcd", 4, 1);
  evt_raw(&row, "x", 1);
  evt_raw(&row, nullptr, 0);
  EXPECT_EQ(evt_room(&row, 1), 0);
  evt_commit(&row);
}

TEST(Close, LeavesNoTypeToBeDeclared) {
  Recording recording;
  evt_writer* const writer = recording->get();
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  evt_event_type tick = {};
  tick.name = "tick";
  evt_error error;
  EXPECT_EQ(evt_declare(writer, &tick, &error)->number, 0u);
  EXPECT_EQ(error.code, EVT_CODE_CLOSED);
  EXPECT_STREQ(error.message, "event type tick: the session is closed");
}

// A server may begin a new trace every hour.
TEST(Close, GivesBackTheMemoryOfItsSession) {
  const auto a_session = [] {
    Recording recording;
    const auto types = recording->declare<Tick, Cargo>();
    for (int i = 0; i < 1000; ++i)
      recording->intern("a text that is a hundred bytes long, or nearly " + std::to_string(i));
    const std::string load(100'000, 'x');
    recording->stream("a").emit(types, Cargo{{as_bytes(load)}});
    EXPECT_TRUE(recording->close().ok());
  };
  a_session();
  const std::size_t before = mallinfo2().uordblks;
  if (before == 0) GTEST_SKIP() << "memory is counted by somebody else";
  for (int i = 0; i < 10; ++i) a_session();
  EXPECT_LT(mallinfo2().uordblks, before + 10 * std::size_t{16'384});
}

}  // namespace
}  // namespace evt::testing

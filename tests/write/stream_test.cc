// Streams: opened and sealed while the session runs, one for each thread, their ids, what they say of losses and jumps.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "write/recording.h"

namespace evt::testing {
namespace {

TEST(Stream, ComesAndGoesWhileTheSessionRuns) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream first = recording->stream("first");
  first.emit(types, Tick{1});
  Stream second = recording->stream("second");
  second.emit(types, Tick{2});
  first.emit(types, Tick{3});
  first.seal();
  second.emit(types, Tick{4});
  recording->stream("third").emit(types, Tick{5});
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\n"
            "stream 1 \"first\"\n"
            "0.000000001 1 tick n=1\n"
            "stream 2 \"second\"\n"
            "0.000000002 2 tick n=2\n"
            "0.000000003 1 tick n=3\n"
            "0.000000004 2 tick n=4\n"
            "stream 3 \"third\"\n"
            "0.000000005 3 tick n=5\n");
}

TEST(Stream, RecordsNothingOnceItIsSealed) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit(types, Tick{1});
  stream.seal();
  stream.emit(types, Tick{2});
  stream.emit_ordered(types, Tick{3});
  stream.emit_at(4, types, Tick{4});
  stream.flush();
  stream.jump();
  evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 1, 5, 5);
  stream.seal();
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(Stream, StillTellsTheTimeOnceItIsSealed) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.seal();
  EXPECT_EQ(stream.now(), 1u);
}

TEST(Stream, IsWholeInTheTraceOnceItIsFlushed) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.emit(recording->declare<Tick>(), Tick{1});
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), "truncated\n");
  stream.flush();
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), tick_text("0.000000001 1 tick n=1\ntruncated\n"));
}

TEST(Stream, OfManyBlocksKeepsOrderAndOrdinals) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Tick>();
  Stream a = recording->stream("a");
  Stream b = recording->stream("b");
  constexpr std::uint32_t kTicks = 20'000;
  for (std::uint32_t i = 0; i < kTicks; ++i) (i % 3 == 0 ? b : a).emit(types, Tick{i});
  std::uint32_t next = 0;
  std::uint64_t ordinals[3] = {};
  each_event(recording.bytes(), [&](const Event& event) {
    ASSERT_EQ(event.as<Tick>()->n, next++);
    ASSERT_EQ(event.ordinal(), ordinals[event.stream().id]++);
  });
  EXPECT_EQ(next, kTicks);
}

TEST(Stream, MayBeManyMore) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Tick>();
  for (std::uint32_t i = 0; i < 1'000; ++i) recording->stream("s").emit(types, Tick{i});
  std::vector<std::uint32_t> wanted(1'000);
  for (std::uint32_t i = 0; i < 1'000; ++i) wanted[i] = i;
  EXPECT_EQ(ticks_of(recording.bytes()), wanted);
}

TEST(Stream, MayHaveAnIdAndBelongToAThreadAndAProcess) {
  Recording recording;
  const evt_stream_info info = {"HEC 0", 77, 0, 4711, 12};
  evt_error error;
  evt_stream* const stream = evt_stream_open_as(recording->get(), &info, &error);
  EXPECT_EQ(error.code, EVT_OK);
  Stream(stream).emit(recording->declare<Tick>(), Tick{1});
  recording->stream("next");
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\n"
            "stream 77 \"HEC 0\" thread=4711 process=12\n"
            "0.000000001 77 tick n=1\n"
            "stream 78 \"next\"\n");
}

TEST(Stream, IsRefusedAnIdThatIsAnothers) {
  Recording recording;
  recording->stream("first");
  const evt_stream_info info = {"second", 1, 0, 0, 0};
  evt_error error;
  Stream refused(evt_stream_open_as(recording->get(), &info, &error));
  EXPECT_EQ(error.code, EVT_CODE_INVALID);
  EXPECT_STREQ(error.message, "stream 1 exists already");
  refused.emit(recording->declare<Tick>(), Tick{1});
  EXPECT_EQ(recording.text(), "type 1024 tick (n u32)\nstream 1 \"first\"\n");
}

TEST(Stream, KeepsItsIdWhenItIsSealed) {
  Recording recording;
  recording->stream("first").seal();
  const evt_stream_info info = {"second", 1, 0, 0, 0};
  evt_error error;
  evt_stream_open_as(recording->get(), &info, &error);
  EXPECT_STREQ(error.message, "stream 1 exists already");
}

TEST(Stream, GetsAnIdOfItsOwnAfterTheLargest) {
  Recording recording;
  const evt_stream_info info = {"largest", UINT32_MAX, 0, 0, 0};
  const auto types = recording->declare<Tick>();
  Stream(evt_stream_open_as(recording->get(), &info, nullptr)).emit(types, Tick{1});
  recording->stream("b").emit(types, Tick{2});
  recording->stream("c").emit(types, Tick{3});
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\n"
            "stream 4294967295 \"largest\"\n"
            "0.000000001 4294967295 tick n=1\n"
            "stream 1 \"b\"\n"
            "0.000000002 1 tick n=2\n"
            "stream 2 \"c\"\n"
            "0.000000003 2 tick n=3\n");
}

TEST(Stream, MayHaveNoName) {
  Recording recording;
  evt_stream_open(recording->get(), nullptr);
  EXPECT_EQ(recording.text(), "stream 1 \"\"\n");
}

TEST(Stream, OfAThreadIsMadeOnceAndSealedWhenItEnds) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  evt_stream* seen = nullptr;
  long thread_id = 0;
  std::thread([&] {
    pthread_setname_np(pthread_self(), "worker 7");
    thread_id = syscall(SYS_gettid);
    seen = recording->this_thread().get();
    EXPECT_EQ(recording->this_thread().get(), seen);
    recording->this_thread().emit(types, Tick{1});
    EXPECT_EQ(recording->counts().events_written, 0u);
  }).join();
  EXPECT_EQ(recording->counts().events_written, 1u);
  Stream(seen).emit(types, Tick{2});
  EXPECT_EQ(recording.text(), "type 1024 tick (n u32)\nstream 1 \"worker 7\" thread=" + std::to_string(thread_id) +
                                  " process=" + std::to_string(getpid()) + "\n0.000000001 1 tick n=1\n");
}

TEST(Stream, IsAnotherForEachThreadAndEachSession) {
  Recording one;
  Recording other;
  EXPECT_NE(one->this_thread().get(), other->this_thread().get());
  std::thread([&] { EXPECT_NE(one->this_thread().get(), other->this_thread().get()); }).join();
  const std::string bytes = one.bytes();
  EXPECT_EQ(open_trace(bytes).sessions().front().streams.size(), 2u);
}

TEST(Stream, TellsOfLossesOfTheCallersOwn) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit_at(1, types, Tick{1});
  evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 3, 7, 7);
  evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 1, 8, 8);
  stream.emit_at(9, types, Tick{2});
  const evt_counts counts = recording->counts();
  EXPECT_EQ(counts.lost[EVT_LOST_RING_FULL], 3u);
  EXPECT_EQ(counts.lost[EVT_LOST_OVERWRITTEN], 1u);
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"
                                        "0.000000007 1 !lost count=3 cause=ring_full duration=0.000000000\n"
                                        "0.000000008 1 !lost count=1 cause=overwritten duration=0.000000000\n"
                                        "0.000000009 1 tick n=2\n"));
}

TEST(Stream, TellsOfAsManyLossesAsThereAre) {
  Recording recording({.buffer_size = 4096});
  Stream stream = recording->stream("a");
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 2, i % 2 == 0 ? i : i + (std::uint64_t{1} << 40),
                    i % 2 == 0 ? i : i + (std::uint64_t{1} << 40));
  }
  EXPECT_EQ(recording->counts().lost[EVT_LOST_RING_FULL], 2'000u);
  const std::string bytes = recording.bytes();
  EXPECT_EQ(open_trace(bytes).sessions().front().lost, 2'000u);
  std::uint64_t reported = 0;
  each_event(bytes, [&](const Event& event) { reported += event.value("count")->as_unsigned(); });
  EXPECT_EQ(reported, 2'000u);
}

TEST(Stream, ThatEndsRecordsWhenAndWhatWasLostBefore) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.emit(recording->declare<Tick>(), Tick{1});
  evt_stream_lost(stream.get(), EVT_LOST_SINK, 2, 2, 3);
  evt_stream_end(stream.get(), 7);
  stream.seal();
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"
                                        "0.000000003 1 !lost count=2 cause=sink duration=0.000000001\n"
                                        "0.000000007 1 !end\n"));
}

TEST(Stream, EndsFarBehindItsLastEvent) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.emit(recording->declare<Tick>(), Tick{1});
  evt_stream_end(stream.get(), 3'600'000'000'000);
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n3600.000000000 1 !end\n"));
}

TEST(Stream, ThatRecordsNothingEndsWithoutATrace) {
  evt_stream_end(evt_stream_open(nullptr, "a"), 7);
  Recording recording;
  Stream stream = recording->stream("a");
  stream.seal();
  evt_stream_end(stream.get(), 7);
  EXPECT_EQ(recording.text(), "stream 1 \"a\"\n");
}

}  // namespace
}  // namespace evt::testing

// Facts: what a program states of its session, its streams and its types beyond their descriptions.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

evt_error error_of(Recording& recording, std::uint16_t scope, std::uint64_t id, const char* key, const char* value) {
  evt_error error;
  EXPECT_EQ(evt_fact(recording->get(), scope, id, key, value, &error), error.code);
  return error;
}

void state(Recording& recording, const std::string& key, const std::string& value) {
  const Status stated = recording->fact(key, value);
  EXPECT_TRUE(stated.ok()) << stated.message();
}

std::size_t fact_blocks(std::string_view bytes) {
  std::size_t count = 0;
  BlockHeader header;
  for (std::size_t at = 0; at < bytes.size();
       at += header.header_size + header.payload_size + padding_after(header.payload_size)) {
    load_block_header(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, bytes.size() - at, &header);
    count += header.type == EVT_BLOCK_FACTS ? 1 : 0;
  }
  return count;
}

TEST(Fact, IsStatedOfTheSessionAStreamOrAType) {
  Recording recording;
  Stream stream = recording->stream("a");
  EXPECT_TRUE(recording->fact("service.name", "shop").ok());
  EXPECT_TRUE(recording->fact(stream, EVT_FACT_STREAM_NAME, "worker").ok());
  EXPECT_TRUE(recording->fact(EVT_FACT_SCOPE_TYPE, 1024, "org.example.color", "red").ok());
  stream.emit(recording->declare<Tick>(), Tick{1});
  EXPECT_EQ(recording.text(),
            "fact 0.000000001 session service.name \"shop\"\n"
            "fact 0.000000002 stream 1 evt.name \"worker\"\n"
            "fact 0.000000003 type 1024 org.example.color \"red\"\n" +
                tick_text("0.000000004 1 tick n=1\n"));
}

TEST(Fact, OfOneKeyCountsLast) {
  Recording recording;
  state(recording, "service.version", "1");
  state(recording, "service.name", "shop");
  state(recording, "service.version", "2");
  state(recording, "service.version", "");
  EXPECT_EQ(recording.text(),
            "fact 0.000000002 session service.name \"shop\"\n"
            "fact 0.000000004 session service.version \"\"\n");
}

TEST(Fact, ThatIsStatedAgainRecordsNothing) {
  Recording recording;
  state(recording, "service.name", "shop");
  for (int i = 0; i < 1000; ++i) state(recording, "service.name", "shop");
  const std::string bytes = recording.bytes();
  EXPECT_EQ(text_of_trace(bytes), "fact 0.000000001 session service.name \"shop\"\n");
  EXPECT_LT(bytes.size(), 1000u);
}

TEST(Fact, OfNoMeaningIsAnErrorAndLeftOut) {
  Recording recording;
  EXPECT_STREQ(error_of(recording, EVT_FACT_SCOPE_SESSION, 0, "", "x").message, "a fact without a key");
  EXPECT_STREQ(error_of(recording, EVT_FACT_SCOPE_SESSION, 0, nullptr, "x").message, "a fact without a key");
  EXPECT_STREQ(error_of(recording, 0, 0, "a.b", "x").message, "fact a.b: it has no scope");
  EXPECT_STREQ(error_of(recording, EVT_FACT_SCOPE_SESSION, 7, "a.b", "x").message,
               "fact a.b: of the session itself, so its id must be 0");
  const evt_error too_long = error_of(recording, EVT_FACT_SCOPE_SESSION, 0, letters(EVT_MAX_FACT_KEY + 1).c_str(), "x");
  EXPECT_EQ(too_long.code, EVT_CODE_INVALID);
  EXPECT_EQ(std::string(too_long.message), "fact " + letters(64) + "...: its key has 1025 bytes, more than 1024");
  EXPECT_EQ(recording.text(), "");
}

TEST(Fact, HasAKeyUpToTheLimitAndAValueThatIsShortenedAtACharacter) {
  Recording recording;
  const std::string key = letters(EVT_MAX_FACT_KEY);
  const std::string value = letters(EVT_MAX_FACT_VALUE - 1);
  EXPECT_TRUE(recording->fact(key, value + "\u00e9").ok());
  EXPECT_EQ(recording.text(), "fact 0.000000001 session " + key + " \"" + value + "\"\n");
}

TEST(Fact, BeyondTheLimitOfAllIsAnErrorAndTheOthersStay) {
  Recording recording;
  const std::string value = letters(EVT_MAX_FACT_VALUE);
  Status status;
  int kept = 0;
  while ((status = recording->fact("key." + std::to_string(kept), value)).ok()) ++kept;
  EXPECT_EQ(status.code(), Code::kMemory);
  EXPECT_EQ(kept, 255) << "of 64 KiB in 16 MiB";
  EXPECT_TRUE(recording->fact("key.0", "small").ok()) << "in place of a large one";
  EXPECT_TRUE(recording->fact("key.more", letters(60'000)).ok());
  const std::string bytes = recording.bytes();
  const Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions().front().facts.size(), 256u);
}

TEST(Fact, OfAnAnonymousSessionIsLeftOutWithANotice) {
  StepClock clock;
  Sink blocks;
  evt_options options = ordinary_options(clock);
  options.anonymous = 1;
  auto writer = Writer::open(&Sink::take, &blocks, options);
  evt_error error;
  EXPECT_EQ(evt_fact(writer->get(), EVT_FACT_SCOPE_SESSION, 0, "host.name", "secret", &error), EVT_OK);
  EXPECT_STREQ(error.message, "");
  EXPECT_EQ(writer->notices(), "the session is anonymous: its facts are left out\n");
  ASSERT_TRUE(writer->close().ok());
  EXPECT_EQ(blocks.bytes().find("secret"), std::string::npos);
}

TEST(Fact, OfAClosedSessionIsAnErrorAndOfNoneNothing) {
  Recording recording;
  evt_writer* const writer = recording->get();
  evt_error error;
  evt_close(writer, &error);
  EXPECT_EQ(evt_fact(writer, EVT_FACT_SCOPE_SESSION, 0, "a.b", "x", &error), EVT_CODE_CLOSED);
  EXPECT_STREQ(error.message, "a fact was stated of a session that has ended");
  EXPECT_EQ(evt_fact(nullptr, EVT_FACT_SCOPE_SESSION, 0, "a.b", "x", nullptr), EVT_OK);
  EXPECT_EQ(evt_stream_id(evt_stream_open(nullptr, "a")), 0u);
}

TEST(Fact, ThatIsReplacedForEverIsWrittenBeforeAnyEvent) {
  Recording recording;
  const std::string value = letters(1000);
  for (int i = 0; i < 2000; ++i) state(recording, "key", std::to_string(i) + value);
  EXPECT_GT(recording.blocks.bytes().size(), 1'500'000u) << "of 2 MB";
  const std::string bytes = recording.bytes();
  EXPECT_EQ(text_of_trace(bytes), "fact 0.000002000 session key \"1999" + value + "\"\n");
}

TEST(Fact, ThatCannotBeWrittenEndsTheSession) {
  Recording recording({.calls_that_work = 2});
  const std::string value = letters(10'000);
  int stated = 0;
  while (recording->fact("key", std::to_string(stated) + value).ok()) ASSERT_LT(++stated, 100);
  EXPECT_EQ(error_of(recording, EVT_FACT_SCOPE_SESSION, 0, "key", "x").code, EVT_CODE_CLOSED);
  EXPECT_EQ(recording->close().code(), Code::kIo);
}

TEST(Fact, IsRepeatedWithTheMetadataWithItsLastValue) {
  Recording recording;
  state(recording, "service.version", "1");
  state(recording, "service.version", "2");
  recording->stream("a").emit(recording->declare<Paper>(), Paper{{std::string(600'000, 'x')}});
  const std::string bytes = recording.bytes();
  EXPECT_EQ(fact_blocks(bytes), 2u);
  EXPECT_TRUE(text_of_trace(bytes).starts_with("fact 0.000000002 session service.version \"2\"\n"));
}

TEST(Fact, IsStatedByManyThreadsAtOnce) {
  Recording recording;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 200; ++k) state(recording, "thread." + std::to_string(i), std::to_string(k));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = recording.bytes();
  const Trace trace = open_trace(bytes);
  ASSERT_EQ(trace.sessions().front().facts.size(), 4u);
  for (const Fact& fact : trace.sessions().front().facts) EXPECT_EQ(fact.value, "199") << fact.key;
}

TEST(Fact, OfAKilledProgramIsInItsRing) {
  const Folder folder;
  killed_after([&] {
    auto writer = Writer::open(folder / "a.evt");
    Stream stream = writer->stream("a");
    if (!writer->fact("service.name", "shop").ok()) _exit(1);
    if (!writer->fact("service.name", "shop of one who is killed").ok()) _exit(1);
    if (!writer->fact(stream, EVT_FACT_STREAM_NAME, "renamed").ok()) _exit(1);
    stream.emit(writer->declare<Tick>(), Tick{1});
  });
  const auto trace = Trace::open(folder / "a.evt");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const Session& session = trace->sessions().front();
  ASSERT_NE(session.fact(EVT_FACT_SCOPE_SESSION, 0, "service.name"), nullptr);
  EXPECT_EQ(*session.fact(EVT_FACT_SCOPE_SESSION, 0, "service.name"), "shop of one who is killed");
  EXPECT_EQ(session.streams.front().name, "renamed");
  EXPECT_EQ(session.streams.front().declared_name, "a");
  remove_rings_of(folder);
}

}  // namespace
}  // namespace evt::testing

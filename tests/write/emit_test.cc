// Recording events: in C and in C++, now and at other times.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace {

struct Tag {};

}  // namespace

template <>
inline constexpr auto evt::schema<Tag> = evt::event("tag", "");

namespace evt::testing {
namespace {

TEST(Emit, RecordsEventsOfSeveralTypesInTurn) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Tick, Tag, Note>();
  stream.emit(types, Tick{1});
  stream.emit(types, Note{"between"});
  stream.emit(types, Tag());
  stream.emit(types, Tick{2});
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 tick n=1\n"
            "type 1026 note (text text)\n"
            "0.000000002 1 note text=\"between\"\n"
            "type 1025 tag\n"
            "0.000000003 1 tag\n"
            "0.000000004 1 tick n=2\n");
}

TEST(Emit, IgnoresTheSecondCommitOfAnEvent) {
  Recording recording;
  evt_stream* const stream = evt_stream_open(recording->get(), "a");
  const RuntimeType type("tick", {EVT_FIELD_U32("n")});
  const evt_type* const tick = evt_declare(recording->get(), &type.type, nullptr);
  for (std::uint32_t n = 1; n <= 3; ++n) {
    evt_row row = evt_begin(stream, tick);
    evt_u32(&row, n);
    evt_commit(&row);
    evt_commit(&row);
  }
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 tick n=1\n"
            "0.000000002 1 tick n=2\n"
            "0.000000003 1 tick n=3\n");
}

TEST(Emit, RecordsInCWithACallForEachField) {
  Recording recording;
  evt_stream* const stream = evt_stream_open(recording->get(), "a");
  const RuntimeType type(
      "all", {EVT_FIELD_U8("a"), EVT_FIELD_U16("b"), EVT_FIELD_U32("c"), EVT_FIELD_U64("d"), EVT_FIELD_I32("e"),
              EVT_FIELD_I64("f"), EVT_FIELD_OF("g", EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 4), EVT_FIELD_F64("h"),
              EVT_FIELD_BOOL("i"), EVT_FIELD_TEXT("j"), EVT_FIELD_BYTES("k"), EVT_FIELD_INTERNED("l"),
              EVT_FIELD_OF("m", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 2), EVT_FIELD_OF("n", EVT_KIND_SIGNED, 0, 1)});
  const evt_type* const all = evt_declare(recording->get(), &type.type, nullptr);
  const std::uint16_t array[] = {1, 2, 3};
  evt_row row = evt_begin(stream, all);
  ASSERT_NE(row.p, nullptr);
  evt_u8(&row, 1);
  evt_u16(&row, 2);
  evt_u32(&row, 3);
  evt_u64(&row, 4);
  evt_i32(&row, -5);
  evt_i64(&row, -6);
  evt_f32(&row, 0.5f);
  evt_f64(&row, -0.25);
  evt_u8(&row, 1);
  evt_text_z(&row, "text");
  evt_bytes(&row, "\x01\x02", 2);
  evt_u32(&row, evt_intern(recording->get(), "name", 4));
  evt_array(&row, array, 3, sizeof array[0]);
  evt_i8(&row, -7);
  evt_commit(&row);
  EXPECT_EQ(recording.text(),
            "type 1024 all (a u8) (b u16) (c u32) (d u64) (e i32) (f i64) (g f32) (h f64) (i bool) (j text) (k bytes) "
            "(l interned) (m u16[]) (n i8)\n"
            "stream 1 \"a\"\n"
            "string 1 \"name\"\n"
            "0.000000001 1 all a=1 b=2 c=3 d=4 e=-5 f=-6 g=0.5 h=-0.25 i=true j=\"text\" k=0x0102 l=\"name\" "
            "m=[1 2 3] n=-7\n");
}

TEST(Emit, RecordsFieldsThatAreKnownAtRunTimeOnly) {
  Recording recording;
  const RuntimeType type("run", {EVT_FIELD_TEXT("name"), EVT_FIELD_OF("values", EVT_KIND_SIGNED, EVT_SHAPE_ARRAY, 4),
                                 EVT_FIELD_OF("words", EVT_KIND_TEXT, EVT_SHAPE_LIST, 0)});
  const std::int32_t values[] = {-1, 2};
  const std::string_view words[] = {"x", "yz"};
  recording->stream("a").emit_with(*recording->declare(type.type), [&](RowBuilder& row) {
    row.add(std::string_view("n")).add(std::span<const std::int32_t>(values));
    row.add(std::span<const std::string_view>(words));
  });
  EXPECT_EQ(recording.text(),
            "type 1024 run (name text) (values i32[]) (words text[])\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 run name=\"n\" values=[-1 2] words=[\"x\" \"yz\"]\n");
}

TEST(Emit, LeavesOutWhatIsNotAdded) {
  Recording recording;
  const RuntimeType type("run", {EVT_FIELD_U8("a"), EVT_FIELD_U8("b")});
  Stream stream = recording->stream("a");
  const TypeHandle run = *recording->declare(type.type);
  stream.emit_with(run, [](RowBuilder& row) { row.add(std::uint8_t{1}); });
  stream.emit_with(run, [](RowBuilder&) {});
  EXPECT_EQ(recording.text(),
            "type 1024 run (a u8) (b u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 run a=1\n"
            "0.000000002 1 run\n");
}

TEST(Emit, DoesNotAskForFieldsThatNobodyRecords) {
  Recording recording;
  bool asked = false;
  recording->stream("a").emit_with(TypeHandle(), [&](RowBuilder&) { asked = true; });
  EXPECT_FALSE(asked);
  EXPECT_EQ(recording.text(), "stream 1 \"a\"\n");
}

TEST(Emit, MayBeCancelledAfterAnyFields) {
  for (const std::size_t size : {0u, 10u, 3'000u, 4'000u, 100'000u, 15u << 20}) {
    Recording recording({.buffer_size = 4096});
    const auto types = recording->declare<Tick, Cargo>();
    Stream stream = recording->stream("a");
    stream.emit(types, Tick{1});
    evt_row row = evt_begin(stream.get(), types.get<Cargo>().get());
    const std::string load(size, 'x');
    evt_long_bytes(&row, load.data(), static_cast<std::uint32_t>(size));
    evt_cancel(&row);
    stream.emit(types, Tick{3});
    EXPECT_EQ(recording->counts().lost[EVT_LOST_TOO_LARGE], 0u);
    EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"
                                          "0.000000003 1 tick n=3\n"
                                          "type 1025 cargo (load bytes32)\n"));
  }
}

TEST(Emit, MayBeCancelledWhereNobodyRecords) {
  evt_row row = evt_begin(evt_stream_open(nullptr, "a"), TypeHandle().get());
  evt_cancel(&row);
}

TEST(Emit, RecordsAnEventAtATimeThatIsGiven) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  const RuntimeType type("tick", {EVT_FIELD_U32("n")});
  Stream stream = recording->stream("a");
  stream.emit_at(1'500'000'000, types, Tick{1});
  stream.emit_with_at(1'500'000'001, types.get<Tick>(), [](RowBuilder& row) { row.add(2u); });
  EXPECT_EQ(recording.text(), tick_text("1.500000000 1 tick n=1\n"
                                        "1.500000001 1 tick n=2\n"));
}

TEST(Emit, KeepsTheOrderAndTheTimesOfAClockThatStepsBack) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  for (const std::uint32_t time : {5u, 3u, 4u, 0u, 9u}) stream.emit_at(time, types, Tick{time});
  EXPECT_EQ(recording.text(), tick_text("0.000000005 1 tick n=5\n"
                                        "0.000000003 1 tick n=3\n"
                                        "0.000000004 1 tick n=4\n"
                                        "0.000000000 1 tick n=0\n"
                                        "0.000000009 1 tick n=9\n"));
}

TEST(Emit, KnowsTimesBeforeTheSession) {
  Recording recording({.start_ticks = 1'000'000'000'000});
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit_at(1'000'000'000'000 - 1, types, Tick{1});
  stream.emit_at(0, types, Tick{2});
  stream.emit(types, Tick{3});
  EXPECT_EQ(recording.text(), tick_text("-0.000000001 1 tick n=1\n"
                                        "-1000.000000000 1 tick n=2\n"
                                        "0.000000001 1 tick n=3\n"));
}

TEST(Emit, TakesStepsOfAnySize) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  std::uint32_t n = 0;
  for (const std::uint64_t time : {0ull, 0xFFFFFFFFull, 0x100000000ull, 0x1FFFFFFFFull, 0x300000000ull, 1ull << 62}) {
    stream.emit_at(time, types, Tick{++n});
  }
  EXPECT_EQ(recording.text(), tick_text("0.000000000 1 tick n=1\n"
                                        "4.294967295 1 tick n=2\n"
                                        "4.294967296 1 tick n=3\n"
                                        "8.589934591 1 tick n=4\n"
                                        "12.884901888 1 tick n=5\n"
                                        "4611686018.427387904 1 tick n=6\n"));
}

TEST(Emit, TakesAFarStepWhereverABufferIs) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  std::vector<std::uint64_t> wanted;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    wanted.push_back((i % 7 == 0 ? 1ull << 40 : 0) + i);
    stream.emit_at(wanted.back(), types, Tick{i});
  }
  std::vector<std::uint64_t> times;
  each_event(recording.bytes(), [&](const Event& event) { times.push_back(event.ticks()); });
  EXPECT_EQ(times, wanted);
}

TEST(Emit, MayBeOrderedWithWhatTheThreadDoes) {
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  stream.emit_ordered(types, Tick{1});
  stream.emit(types, Tick{2});
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"
                                        "0.000000002 1 tick n=2\n"));
}

TEST(Emit, ReadsTheClockThatEventsHave) {
  Recording recording;
  Stream stream = recording->stream("a");
  EXPECT_EQ(stream.now(), 1u);
  EXPECT_EQ(recording->now(), 2u);
  EXPECT_EQ(evt_now_ordered(stream.get()), 3u);
  stream.emit(recording->declare<Tick>(), Tick{4});
  EXPECT_EQ(recording.text(), tick_text("0.000000004 1 tick n=4\n"));
}

TEST(Emit, CanDoWithoutAClock) {
  evt_clock clock = {nullptr, nullptr, 1000, 5000, 1, 0, nullptr};
  evt_options options = {};
  options.session = &ordinary_session();
  options.clock = &clock;
  Sink blocks;
  auto writer = Writer::open(&Sink::take, &blocks, options);
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  stream.emit(types, Tick{1});
  stream.emit_at(5002, types, Tick{2});
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(text_of_trace(blocks.bytes()), tick_text("0.000000000 1 tick n=1\n"
                                                     "0.002000000 1 tick n=2\n"));
}

TEST(Emit, CountsWhatWasWritten) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Tick>();
  for (std::uint32_t i = 0; i < 10; ++i) stream.emit(types, Tick{i});
  EXPECT_EQ(recording->counts().events_written, 0u);
  stream.flush();
  EXPECT_EQ(recording->counts().events_written, 10u);
  EXPECT_EQ(recording->counts().bytes_written, recording.blocks.bytes().size());
}

}  // namespace
}  // namespace evt::testing

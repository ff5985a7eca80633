// Event types declared at run time, again, by several threads at once, longer and shorter.
#include <gtest/gtest.h>

#include <thread>

#include "write/recording.h"

namespace {

// One type at two ages of its program.
struct Young {
  std::uint8_t a = 1;
};
struct Grown {
  std::uint8_t a = 2;
  std::string_view b = "new";
};

}  // namespace

template <>
inline constexpr auto evt::schema<Young> = evt::event("being", "", evt::field("a", &Young::a));
template <>
inline constexpr auto evt::schema<Grown> = evt::event("being", "", evt::field("a", &Grown::a),
                                                      evt::field("b", &Grown::b));

namespace evt::testing {
namespace {

TEST(Declare, TakesATypeThatIsKnownAtRunTimeOnly) {
  Recording recording;
  const evt_label labels[] = {{0, "idle"}, {7, "at work"}};
  RuntimeType reported("run.time",
                       {EVT_FIELD_U16("core"), EVT_FIELD_OF("state", EVT_KIND_ENUMERATION, EVT_SHAPE_FIXED, 1),
                        EVT_FIELD_I64("left"), EVT_FIELD_OF("key", EVT_KIND_BYTES, EVT_SHAPE_FIXED, 2)});
  reported.type.description = "seen at run time";
  reported.type.role = EVT_ROLE_COUNTER;
  reported.fields[0].role = EVT_ROLE_CPU;
  reported.fields[1].labels = labels;
  reported.fields[1].label_count = 2;
  reported.fields[2].unit = EVT_UNIT_SECONDS;
  reported.fields[2].description = "until the end";
  const auto type = recording->declare(reported.type);
  ASSERT_TRUE(type.ok());
  recording->stream("a").emit_with(*type, [](RowBuilder& row) {
    row.add(std::uint16_t{3}).add(std::uint8_t{7}).add(std::int64_t{-1}).raw(as_bytes("\x10\x20"));
  });
  EXPECT_EQ(recording.text(),
            "type 1024 run.time \"seen at run time\" role=counter (core u16 role=cpu) "
            "(state enum8 labels=[0=idle 7=\"at work\"]) (left i64 unit=seconds \"until the end\") (key bytes(2))\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 run.time core=3 state=\"at work\" left=-1 key=0x1020\n");
}

TEST(Declare, RecordsKindsAndShapesOfLaterVersionsAsTheyAre) {
  Recording recording;
  RuntimeType later("later", {EVT_FIELD_OF("a", 77, EVT_SHAPE_FIXED, 3), EVT_FIELD_OF("b", 77, EVT_SHAPE_COUNTED16, 0),
                              EVT_FIELD_OF("c", EVT_KIND_UNSIGNED, 9, 0)});
  later.fields[0].role = 999;
  later.fields[0].unit = 888;
  recording->stream("a").emit_with(*recording->declare(later.type), [](RowBuilder& row) {
    row.raw(as_bytes("\x01\x02\x03")).add(as_bytes("\x04")).raw(as_bytes("\x05\x06"));
  });
  EXPECT_EQ(recording.text(),
            "type 1024 later (a kind77:fixed3 role=999 unit=888) (b kind77:counted16) (c kind1:shape9/0)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 later a=0x010203 b=0x04 +0x0506\n");
}

TEST(Declare, GivesTheSameTypeForTheSameNameAndFields) {
  Recording recording;
  const TypeHandle first = recording->declare<Tick>().get<Tick>();
  const TypeHandle again = recording->declare<Tick>().get<Tick>();
  const RuntimeType in_c("tick", {EVT_FIELD_U32("n")});
  EXPECT_EQ(again.get(), first.get());
  EXPECT_EQ(evt_declare(recording->get(), &in_c.type, nullptr), first.get());
  EXPECT_EQ(recording.text(), "type 1024 tick (n u32)\n");
}

TEST(Declare, KeepsDescriptionAndLabelsOfTheFirstDeclaration) {
  Recording recording;
  RuntimeType first("thing", {EVT_FIELD_U8("a")});
  first.type.description = "first";
  RuntimeType second("thing", {EVT_FIELD_U8("a")});
  second.type.description = "second";
  const TypeHandle type = *recording->declare(first.type);
  EXPECT_EQ((*recording->declare(second.type)).get(), type.get());
  EXPECT_EQ(recording.text(), "type 1024 thing \"first\" (a u8)\n");
}

TEST(Declare, GivesAllThreadsTheSameTypes) {
  constexpr int kThreads = 8;
  constexpr int kTypes = 40;
  Recording recording;
  std::vector<std::vector<const evt_type*>> seen(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&recording, &mine] {
      for (int i = 0; i < kTypes; ++i) {
        const std::string name = "type " + std::to_string(i);
        const RuntimeType type(name.c_str(), {EVT_FIELD_U32("n")});
        mine.push_back(evt_declare(recording->get(), &type.type, nullptr));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions().front().types.size(), std::size_t{kTypes});
}

TEST(Declare, LetsEventsOfATypeComeFromManyThreads) {
  Recording recording;
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&recording, thread] {
      Stream stream = recording->this_thread();
      const auto types = recording->declare<Tick>();
      for (std::uint32_t i = 0; i < 1000; ++i) stream.emit(types, Tick{thread * 1000 + i});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::uint32_t> numbers = ticks_of(recording.bytes());
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::uint32_t> wanted(4000);
  for (std::uint32_t i = 0; i < 4000; ++i) wanted[i] = i;
  EXPECT_EQ(numbers, wanted);
}

TEST(Declare, LetsATypeGrow) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto young = recording->declare<Young>();
  stream.emit(young, Young());
  const auto grown = recording->declare<Grown>();
  stream.emit(grown, Grown());
  stream.emit(young, Young());
  EXPECT_EQ(grown.get<Grown>().get(), young.get<Young>().get());
  EXPECT_EQ(recording.text(),
            "type 1024 being (a u8) (b text)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 being a=1\n"
            "0.000000002 1 being a=2 b=\"new\"\n"
            "0.000000003 1 being a=1\n");
}

TEST(Declare, LetsATypeGrowAfterItsFirstDescriptionHasGoneOut) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.emit(recording->declare<Young>(), Young());
  stream.flush();
  stream.emit(recording->declare<Grown>(), Grown());
  EXPECT_EQ(recording.text(),
            "type 1024 being (a u8) (b text)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 being a=1\n"
            "0.000000002 1 being a=2 b=\"new\"\n");
}

TEST(Declare, TakesTheShorterFormOfATypeThatHasGrown) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto grown = recording->declare<Grown>();
  const auto young = recording->declare<Young>();
  stream.emit(young, Young());
  stream.emit(grown, Grown());
  EXPECT_EQ(grown.get<Grown>().get(), young.get<Young>().get());
  EXPECT_EQ(recording.text(),
            "type 1024 being (a u8) (b text)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 being a=1\n"
            "0.000000002 1 being a=2 b=\"new\"\n");
}

TEST(Declare, HoldsWhatHasGrownToLaterDeclarations) {
  Recording recording;
  recording->declare<Young>();
  recording->declare<Grown>();
  const RuntimeType other("being", {EVT_FIELD_U8("a"), EVT_FIELD_U8("c")});
  EXPECT_EQ(recording->declare(other.type).status().message(), "event type being: field 1 is c, declared before as b");
}

TEST(Declare, TakesAsManyFieldsAsTheFormatAllows) {
  Recording recording;
  std::vector<std::string> names;
  std::vector<evt_field> fields;
  for (int i = 0; i < EVT_MAX_FIELDS; ++i) names.push_back("f" + std::to_string(i));
  for (const std::string& name : names) fields.push_back(EVT_FIELD_U8(name.c_str()));
  const RuntimeType wide("wide", fields);
  recording->stream("a").emit_with(*recording->declare(wide.type), [](RowBuilder& row) {
    for (int i = 0; i < EVT_MAX_FIELDS; ++i) row.add(static_cast<std::uint8_t>(i));
  });
  std::string line = "0.000000001 1 wide";
  std::string type = "type 1024 wide";
  for (int i = 0; i < EVT_MAX_FIELDS; ++i) {
    line += " f" + std::to_string(i) + "=" + std::to_string(i & 0xFF);
    type += " (f" + std::to_string(i) + " u8)";
  }
  EXPECT_EQ(recording.text(), type + "\nstream 1 \"a\"\n" + line + "\n");
}

TEST(Declare, TakesANameAsLongAsTheFormatAllows) {
  Recording recording;
  const std::string name(EVT_MAX_TYPE_NAME, 'n');
  const RuntimeType type(name.c_str());
  ASSERT_TRUE(recording->declare(type.type).ok());
  EXPECT_EQ(recording.text(), "type 1024 " + name + "\n");
}

TEST(Declare, TakesAnyCharacterInAName) {
  Recording recording;
  const RuntimeType type("a \"b\"\n\xC3\xA9\xFF", {EVT_FIELD_U8("\t")});
  recording->stream("a").emit_with(*recording->declare(type.type), [](RowBuilder& row) { row.add(std::uint8_t{1}); });
  EXPECT_EQ(recording.text(),
            "type 1024 \"a \\\"b\\\"\\n\xC3\xA9\\xff\" (\"\\t\" u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 \"a \\\"b\\\"\\n\xC3\xA9\\xff\" \"\\t\"=1\n");
}

}  // namespace
}  // namespace evt::testing

// Fields that are appended one by one to a row of a type known at run time: each value has to be of its field's type,
// and a program with assertions stops where one is not.
#include <stdio.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

using Fill = void (*)(RowBuilder&);

// A session with a type of five fields.
struct FiveFields {
  Recording recording;
  RuntimeType declared{"row",
                       {EVT_FIELD_U64("number"), EVT_FIELD_F64("ratio"), EVT_FIELD_TEXT("text"),
                        EVT_FIELD_OF("codes", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 2), EVT_FIELD_INTERNED("word")}};
  void emit(Fill fill) { recording->stream("a").emit_with(*recording->declare(declared.type), fill); }
};

// The text of an event that is filled so.
std::string row_of(Fill fill) {
  FiveFields session;
  session.emit(fill);
  const std::string text = session.recording.text();
  const std::size_t at = text.find("row ", text.find("\n0."));
  return text.substr(at, text.find('\n', at) - at);
}

// Ends a program that fills a row so.
void expect_stop(Fill fill) {
#ifdef NDEBUG
  GTEST_SKIP() << "without assertions nothing is compared";
#endif
  const int status = in_child([&] {
    fclose(stderr);  // the assertion's words
    FiveFields().emit(fill);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
}

TEST(Row, TakesValuesOfTheTypesOfItsFields) {
  const std::string text = row_of([](RowBuilder& row) {
    static constexpr std::uint16_t kCodes[] = {1, 2};
    row.add(std::uint64_t{7}).add(0.5).add(std::string_view("x")).add(std::span<const std::uint16_t>(kCodes)).add(9u);
  });
  EXPECT_EQ(text, "row number=7 ratio=0.5 text=\"x\" codes=[1 2] word=#9");
}

TEST(Row, MayLackFieldsAtItsEnd) {
  EXPECT_EQ(row_of([](RowBuilder& row) { row.add(std::uint64_t{7}).add(0.5); }), "row number=7 ratio=0.5");
}

TEST(Row, TakesBytesAsTheyAre) {
  EXPECT_EQ(row_of([](RowBuilder& row) { row.raw(std::vector<std::byte>(8)).add(1u).add(2u); }).substr(0, 12),
            "row number=0");
}

TEST(Row, TakesNoValueOfAnotherWidth) {
  expect_stop([](RowBuilder& row) { row.add(7); });
}

TEST(Row, TakesNoValueOfAnotherShape) {
  expect_stop([](RowBuilder& row) { row.add(std::string_view("x")); });
}

TEST(Row, TakesNoIntegerForAFloat) {
  expect_stop([](RowBuilder& row) { row.add(std::uint64_t{7}).add(std::uint64_t{1}); });
}

TEST(Row, TakesNoMoreValuesThanItHasFields) {
  expect_stop([](RowBuilder& row) {
    row.add(std::uint64_t{7}).add(0.5).add(std::string_view("x")).add(std::span<const std::uint16_t>()).add(9u).add(1u);
  });
}

// A library may be older, or newer, than the program that declared the type first.
TEST(Row, TakesWhatWasDeclaredWhenItsTypeHasGrown) {
  Recording recording;
  const RuntimeType small("growing", {EVT_FIELD_U32("a")});
  const RuntimeType large("growing", {EVT_FIELD_U32("a"), EVT_FIELD_U64("b")});
  const TypeHandle first = *recording->declare(small.type);
  const TypeHandle grown = *recording->declare(large.type);
  Stream stream = recording->stream("a");
  stream.emit_with(first, [](RowBuilder& row) { row.add(1u); });
  stream.emit_with(grown, [](RowBuilder& row) { row.add(2u).add(std::uint64_t{3}); });
  std::vector<std::size_t> sizes;
  each_event(recording.bytes(), [&](const Event& event) { sizes.push_back(event.payload().size()); });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 12}));
}

}  // namespace
}  // namespace evt::testing

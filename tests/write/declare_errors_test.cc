// Declarations that contradict an earlier one or mean nothing: one sentence, and a type that records nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

class DeclareErrors : public ::testing::Test {
 protected:
  // Declares `type`, emits an event of it, and returns the status of the declaration.
  Status declare(const RuntimeType& type) {
    evt_error error;
    const evt_type* const declared = evt_declare(recording->get(), &type.type, &error);
    Stream stream = recording->stream("a");
    stream.emit_with(TypeHandle(declared), [](RowBuilder& row) { row.add(std::uint32_t{1}); });
    return error.code == EVT_OK ? Status() : Status(static_cast<Code>(error.code), error.message);
  }
  void declare_well(const RuntimeType& type) { ASSERT_TRUE(declare(type).ok()); }
  void expect_refused(const RuntimeType& type, Code code, const std::string& sentence) {
    const Status said = declare(type);
    EXPECT_EQ(said.message(), sentence);
    EXPECT_EQ(said.code(), code);
  }

  Recording recording;
};

TEST_F(DeclareErrors, AnotherKindOfAFieldIsRefusedAndRecordsNothing) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_I32("a")}), Code::kSchema,
                 "event type thing: field a has kind 2, shape 0, width 4; declared before as 1, 0, 4");
  EXPECT_EQ(recording.text(),
            "type 1024 thing (a u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 thing a=1\n"
            "stream 2 \"a\"\n");
}

// In C a unit in the place of a role is an integer like any other.
TEST_F(DeclareErrors, ARoleOfEventsIsNoneOfAField) {
  expect_refused(RuntimeType("thing", {EVT_FIELD_TEXT("a", EVT_UNIT_BYTES)}), Code::kInvalid,
                 "event type thing: field a has the role of an event; a unit comes behind a field's role");
  expect_refused(RuntimeType("thing", {EVT_FIELD_U64("a", EVT_ROLE_SAMPLE)}), Code::kInvalid,
                 "event type thing: field a has the role of an event; a unit comes behind a field's role");
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a", EVT_ROLE_AMOUNT, EVT_UNIT_BYTES)}));
}

TEST_F(DeclareErrors, AnotherWidthOfAFieldIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U64("a")}), Code::kSchema,
                 "event type thing: field a has kind 1, shape 0, width 8; declared before as 1, 0, 4");
}

TEST_F(DeclareErrors, AnotherShapeOfAFieldIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a"), EVT_FIELD_TEXT("b")}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U32("a"), EVT_FIELD_OF("b", EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0)}),
                 Code::kSchema, "event type thing: field b has kind 6, shape 2, width 0; declared before as 6, 1, 0");
}

TEST_F(DeclareErrors, AnotherNameOfAFieldIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a"), EVT_FIELD_U8("b")}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U32("a"), EVT_FIELD_U8("c")}), Code::kSchema,
                 "event type thing: field 1 is c, declared before as b");
}

TEST_F(DeclareErrors, ContradictionsOfALongerListAreFoundToo) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U32("b"), EVT_FIELD_U32("a")}), Code::kSchema,
                 "event type thing: field 0 is b, declared before as a");
}

TEST_F(DeclareErrors, AnotherNumberIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}, 2000));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U32("a")}, 2001), Code::kInvalid,
                 "event type thing: declared as number 2001, before as 2000");
}

TEST_F(DeclareErrors, TheNumberOfAnotherTypeIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}, 2000));
  expect_refused(RuntimeType("other", {EVT_FIELD_U32("a")}, 2000), Code::kInvalid,
                 "event type other: number 2000 is another type's");
}

TEST_F(DeclareErrors, ReservedNumbersAreRefused) {
  expect_refused(RuntimeType("thing", {}, 0xFF00), Code::kInvalid, "event type thing: number 65280 is reserved");
  expect_refused(RuntimeType("thing", {}, 0xFFFF), Code::kInvalid, "event type thing: number 65535 is reserved");
  EXPECT_EQ(recording.text(), "stream 1 \"a\"\nstream 2 \"a\"\n");
}

TEST_F(DeclareErrors, ATypeNeedsAName) {
  expect_refused(RuntimeType(""), Code::kInvalid, "an event type without a name was declared");
  expect_refused(RuntimeType(nullptr), Code::kInvalid, "an event type without a name was declared");
}

TEST_F(DeclareErrors, AFieldNeedsAName) {
  expect_refused(RuntimeType("thing", {EVT_FIELD_U8("")}), Code::kInvalid,
                 "event type thing: field without a name was declared");
  expect_refused(RuntimeType("thing", {EVT_FIELD_U8(nullptr)}), Code::kInvalid,
                 "event type thing: field without a name was declared");
}

TEST_F(DeclareErrors, AFieldIsDeclaredOnce) {
  expect_refused(RuntimeType("thing", {EVT_FIELD_U8("a"), EVT_FIELD_U8("b"), EVT_FIELD_TEXT("a")}), Code::kInvalid,
                 "event type thing: field a is declared twice");
}

TEST_F(DeclareErrors, AWidthGoesWithItsShape) {
  expect_refused(RuntimeType("thing", {EVT_FIELD_OF("a", EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 0)}), Code::kInvalid,
                 "event type thing: field a has a width of 0");
  expect_refused(RuntimeType("thing", {EVT_FIELD_OF("a", EVT_KIND_TEXT, EVT_SHAPE_COUNTED16, 1)}), Code::kInvalid,
                 "event type thing: field a has a width, which its shape has not");
}

TEST_F(DeclareErrors, ThereIsAMostOfFields) {
  const std::vector<evt_field> many(EVT_MAX_FIELDS + 1, EVT_FIELD_U8("a"));
  expect_refused(RuntimeType("thing", many), Code::kInvalid,
                 "event type thing: 1025 fields, at most 1024 can be declared");
}

TEST_F(DeclareErrors, ANameHasALongest) {
  const std::string name(EVT_MAX_TYPE_NAME + 1, 'n');
  expect_refused(RuntimeType(name.c_str()), Code::kInvalid,
                 "event type " + std::string(40, 'n') + "...: the name is longer than 1024 bytes");
}

// A type of many fields with much to say of each: more than one record may hold.
class Essay {
 public:
  RuntimeType type() const { return RuntimeType("thing", fields_); }

 private:
  static constexpr std::size_t kFields = 20;
  static std::vector<std::string> make_names() {
    std::vector<std::string> names = {"a"};
    while (names.size() < kFields) names.push_back("f" + std::to_string(names.size()));
    return names;
  }
  std::vector<evt_field> make_fields() const {
    std::vector<evt_field> fields;
    for (const std::string& name : names_) {
      fields.push_back(EVT_FIELD_U32(name.c_str()));
      fields.back().description = text_.c_str();
    }
    return fields;
  }

  std::string text_ = std::string(60'000, 'x');
  std::vector<std::string> names_ = make_names();
  std::vector<evt_field> fields_ = make_fields();
};

TEST_F(DeclareErrors, ADescriptionHasALargestSize) {
  const Essay essay;
  expect_refused(essay.type(), Code::kInvalid, "event type thing: its description is larger than 1048576 bytes");
  EXPECT_EQ(recording.text(), "stream 1 \"a\"\n");
}

TEST_F(DeclareErrors, ALongerListWithALargeDescriptionLeavesTheTypeAsItWas) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  const Essay essay;
  expect_refused(essay.type(), Code::kInvalid, "event type thing: its description is larger than 1048576 bytes");
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  EXPECT_EQ(recording.text(),
            "type 1024 thing (a u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 thing a=1\n"
            "stream 3 \"a\"\n"
            "0.000000002 3 thing a=1\n"
            "stream 2 \"a\"\n");
}

TEST_F(DeclareErrors, ARefusedNameCanBeDeclaredWell) {
  expect_refused(RuntimeType("thing", {}, 0xFF00), Code::kInvalid, "event type thing: number 65280 is reserved");
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  EXPECT_EQ(recording.text(),
            "type 1024 thing (a u32)\n"
            "stream 2 \"a\"\n"
            "0.000000001 2 thing a=1\n"
            "stream 1 \"a\"\n");
}

TEST_F(DeclareErrors, AStructSaysThatItWasRefused) {
  declare_well(RuntimeType("tick", {EVT_FIELD_I32("n")}));
  const auto types = recording->declare<Tick, Note>();
  EXPECT_FALSE(types.ok());
  EXPECT_FALSE(types.get<Tick>().ok());
  EXPECT_TRUE(types.get<Note>().ok());
}

TEST_F(DeclareErrors, AnotherRoleOrUnitIsRefused) {
  declare_well(RuntimeType("thing", {EVT_FIELD_U32("a")}));
  RuntimeType role("thing", {EVT_FIELD_U32("a")});
  role.fields[0].role = EVT_ROLE_CPU;
  expect_refused(
      role, Code::kSchema,
      "event type thing: field a has role " + std::to_string(EVT_ROLE_CPU) + ", unit 0; declared before as 0, 0");
  RuntimeType whole("thing", {EVT_FIELD_U32("a")});
  whole.type.role = EVT_ROLE_MARK;
  expect_refused(whole, Code::kSchema,
                 "event type thing: declared with role " + std::to_string(EVT_ROLE_MARK) + ", before with 0");
}

TEST_F(DeclareErrors, ALongNameStillLeavesRoomForTheReason) {
  const std::string name(300, 'n');
  declare_well(RuntimeType(name.c_str(), {EVT_FIELD_U32("a")}));
  const Status said = declare(RuntimeType(name.c_str(), {EVT_FIELD_U8("a")}));
  EXPECT_THAT(said.message(), ::testing::HasSubstr("field a has kind 1"));
}

evt_field meant(evt_field field, void (*change)(evt_field&)) {
  change(field);
  return field;
}

TEST_F(DeclareErrors, WhatAFieldMeansMustGoWithItsKind) {
  const auto refused = [&](evt_field field, const std::string& why) {
    expect_refused(RuntimeType("thing", {field}), Code::kInvalid, "event type thing: field a " + why);
  };
  refused(meant(EVT_FIELD_U32("a"), [](evt_field& f) { f.is_flags = 1; }), "has flags and is no enumeration");
  refused(meant(EVT_FIELD_F64("a"), [](evt_field& f) { f.scale = -2; }), "has a scale and is no integer");
  refused(meant(EVT_FIELD_TEXT("a"), [](evt_field& f) { f.has_absent = 1; }), "has an absent value and is no number");
  refused(meant(EVT_FIELD_U8("a"),
                [](evt_field& f) {
                  f.has_absent = 1;
                  f.absent = 256;
                }),
          "has an absent value that it cannot hold");
  refused(meant(EVT_FIELD_U32("a"),
                [](evt_field& f) {
                  f.unit = EVT_UNIT_BYTES;
                  f.unit_text = "By";
                }),
          "has a unit and the text of another");
  refused(meant(EVT_FIELD_U32("a"),
                [](evt_field& f) {
                  f.role = EVT_ROLE_AMOUNT;
                  f.scale = 3;
                }),
          "has a scale, which its role does not allow");
}

TEST_F(DeclareErrors, AnotherMeaningOfAFieldIsRefused) {
  declare_well(RuntimeType("thing", {meant(EVT_FIELD_U32("a"), [](evt_field& f) { f.scope = EVT_SCOPE_BOOT; })}));
  expect_refused(RuntimeType("thing", {EVT_FIELD_U32("a")}), Code::kSchema,
                 "event type thing: field a has another scope, scale, absent value or unit, or is a set of flags where "
                 "it was none before");
  declare_well(RuntimeType("thing", {meant(EVT_FIELD_U32("a"), [](evt_field& f) { f.scope = EVT_SCOPE_BOOT; })}));
}

TEST_F(DeclareErrors, AFacetOfAFieldThatTheTypeLacksIsRefused) {
  static constexpr evt_facet_field kFields[] = {{1, EVT_ROLE_THREAD}};
  static constexpr evt_facet kFacet = {kFields, 1, EVT_ROLE_THREAD_RUN, 0};
  RuntimeType type("thing", {EVT_FIELD_U32("a")});
  type.type.facets = &kFacet;
  type.type.facet_count = 1;
  expect_refused(type, Code::kInvalid, "event type thing: facet 0 names a field that the type does not have");
}

TEST_F(DeclareErrors, OtherFacetsThanBeforeAreRefused) {
  static constexpr evt_facet_field kFields[] = {{0, EVT_ROLE_THREAD}};
  static constexpr evt_facet kFacet = {kFields, 1, EVT_ROLE_THREAD_RUN, 0};
  RuntimeType type("thing", {EVT_FIELD_U32("a")});
  declare_well(type);
  type.type.facets = &kFacet;
  type.type.facet_count = 1;
  expect_refused(type, Code::kSchema, "event type thing: declared with other facets than before");
}

}  // namespace
}  // namespace evt::testing

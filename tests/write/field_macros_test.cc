// The initialisers of fields: a kind each, with a role and a unit where they are wanted.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

constexpr evt_label kStates[] = {{0, "off"}, {1, "on"}};

// The fields of a type of these fields, as the text form shows them.
template <std::size_t kCount>
std::string declared(const evt_field (&fields)[kCount]) {
  Recording recording;
  evt_event_type type = {};
  type.name = "t";
  type.field_count = kCount;
  type.fields = fields;
  EXPECT_TRUE(recording->declare(type).ok());
  return recording.text();
}

TEST(FieldMacros, AreThereForEveryKind) {
  EXPECT_EQ(
      declared({EVT_FIELD_U8("u8"), EVT_FIELD_U16("u16"), EVT_FIELD_U32("u32"), EVT_FIELD_U64("u64"),
                EVT_FIELD_I8("i8"), EVT_FIELD_I16("i16"), EVT_FIELD_I32("i32"), EVT_FIELD_I64("i64"),
                EVT_FIELD_F32("f32"), EVT_FIELD_F64("f64"), EVT_FIELD_BOOL("b")}),
      "type 1024 t (u8 u8) (u16 u16) (u32 u32) (u64 u64) (i8 i8) (i16 i16) (i32 i32) (i64 i64) (f32 f32) (f64 f64) "
      "(b bool)\n");
  EXPECT_EQ(
      declared({EVT_FIELD_TEXT("a"), EVT_FIELD_LONG_TEXT("b"), EVT_FIELD_TEXTS("c"), EVT_FIELD_BYTES("d"),
                EVT_FIELD_LONG_BYTES("e"), EVT_FIELD_BYTES_OF(16, "f"), EVT_FIELD_INTERNED("g"), EVT_FIELD_TICKS("h"),
                EVT_FIELD_TICKS32("i"), EVT_FIELD_TICK_DELTA("j"), EVT_FIELD_TICK_DELTA32("k"),
                EVT_FIELD_ARRAY(EVT_KIND_SIGNED, 2, "l"), EVT_FIELD_OF("m", EVT_KIND_BYTES, EVT_SHAPE_LIST, 0)}),
      "type 1024 t (a text) (b text32) (c text[]) (d bytes) (e bytes32) (f bytes(16)) (g interned) (h ticks) (i ticks) "
      "(j tick_delta) (k tick_delta) (l i16[]) (m bytes[])\n");
  EXPECT_EQ(declared({EVT_FIELD_ENUM8("a", kStates), EVT_FIELD_ENUM16("b", kStates), EVT_FIELD_ENUM32("c", kStates),
                      EVT_FIELD_ENUM64("d", kStates), EVT_FIELD_FLAGS8("e", kStates), EVT_FIELD_FLAGS16("f", kStates),
                      EVT_FIELD_FLAGS32("g", kStates), EVT_FIELD_FLAGS64("h", kStates)}),
            "type 1024 t (a enum8 labels=[0=off 1=on]) (b enum16 labels=[0=off 1=on]) (c enum32 labels=[0=off 1=on]) "
            "(d enum64 labels=[0=off 1=on]) (e enum8 labels=[0=off 1=on] flags=true) "
            "(f enum16 labels=[0=off 1=on] flags=true) (g enum32 labels=[0=off 1=on] flags=true) "
            "(h enum64 labels=[0=off 1=on] flags=true)\n");
}

TEST(FieldMacros, OfTicksHaveTheirWidths) {
  const evt_field fields[] = {EVT_FIELD_TICKS("a"), EVT_FIELD_TICKS32("b"), EVT_FIELD_TICK_DELTA("c"),
                              EVT_FIELD_TICK_DELTA32("d")};
  EXPECT_EQ(fields[0].width + fields[2].width, 16u);
  EXPECT_EQ(fields[1].width + fields[3].width, 8u);
}

TEST(FieldMacros, TakeARoleAndAUnit) {
  EXPECT_EQ(
      declared({EVT_FIELD_U64("a", EVT_ROLE_AMOUNT, EVT_UNIT_BYTES), EVT_FIELD_U32("b", EVT_ROLE_THREAD),
                EVT_FIELD_ENUM8("c", kStates, EVT_ROLE_REASON),
                EVT_FIELD_ARRAY(EVT_KIND_UNSIGNED, 8, "d", EVT_ROLE_STACK), EVT_FIELD_BYTES_OF(16, "e", EVT_ROLE_FLOW),
                EVT_FIELD_OF("f", EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 4, EVT_ROLE_VALUE, EVT_UNIT_PERCENT)}),
      "type 1024 t (a u64 role=amount unit=bytes) (b u32 role=thread) (c enum8 role=reason labels=[0=off 1=on]) "
      "(d u64[] role=stack) (e bytes(16) role=flow) (f f32 role=value unit=percent)\n");
}

TEST(VersionNumber, IsThatOfTheVersion) {
  EXPECT_EQ(std::to_string(EVT_VERSION_NUMBER >> 16) + "." + std::to_string(EVT_VERSION_NUMBER >> 8 & 0xFF) + "." +
                std::to_string(EVT_VERSION_NUMBER & 0xFF),
            EVT_VERSION);
}

}  // namespace
}  // namespace evt::testing

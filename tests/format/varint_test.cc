// Numbers in messages are those of registry.def, under the same names. What else must agree with it: spec.Registry.
#include <capnp/schema.h>
#include <evt/format.h>
#include <evt/names.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "metadata.capnp.h"

namespace evt {
namespace {

// Every enumerant of the schema under its own name, both ways.
template <typename E, typename Number>
void expect_names(std::string (*name_of)(Number), std::optional<Number> (*number_of)(std::string_view)) {
  for (const auto enumerant : capnp::Schema::from<E>().getEnumerants()) {
    const std::string name = enumerant.getProto().getName().cStr();
    const auto number = static_cast<Number>(enumerant.getOrdinal());
    EXPECT_EQ(name_of(number), name);
    EXPECT_EQ(number_of(name), number) << name;
  }
}

TEST(Numbers, OfRolesAndUnitsHaveTheNamesOfTheSchema) {
  expect_names<metadata::Role>(to_string, parse_role);
  expect_names<metadata::Unit>(to_string, parse_unit);
}

TEST(Numbers, OfKindsAndShapesHaveTheNamesOfTheSchema) {
  for (const auto enumerant : capnp::Schema::from<metadata::Kind>().getEnumerants()) {
    if (enumerant.getOrdinal() == 0) continue;  // a message without one
    EXPECT_EQ(to_string(static_cast<Kind>(enumerant.getOrdinal())), enumerant.getProto().getName().cStr());
  }
  for (const auto enumerant : capnp::Schema::from<metadata::Shape>().getEnumerants()) {
    EXPECT_EQ(to_string(static_cast<Shape>(enumerant.getOrdinal())), enumerant.getProto().getName().cStr());
  }
}

TEST(Numbers, WithoutANameAreTheirOwnName) {
  EXPECT_EQ(to_string(static_cast<Role>(EVT_ROLE_COUNT)), std::to_string(EVT_ROLE_COUNT));
  EXPECT_EQ(to_string(static_cast<Unit>(60000)), "60000");
  EXPECT_EQ(parse_role("60000"), static_cast<Role>(60000));
  EXPECT_EQ(parse_unit("65536"), std::nullopt);
  EXPECT_EQ(parse_role("noSuchRole"), std::nullopt);
}

}  // namespace
}  // namespace evt

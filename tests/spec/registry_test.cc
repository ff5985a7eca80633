// REGISTRY.md lists the standard events with the numbers, names, roles and fields of <evt/events.h>.
#include <evt/encode.h>
#include <evt/events.h>
#include <evt/trace.h>
#include <gtest/gtest.h>

#include <string>

#include "support/folder.h"
#include "tools/names.h"

namespace evt::testing {
namespace {

std::string kind_of(Wire wire) {
  switch (wire.kind) {
    case Kind::kUnsigned:
      return "u" + std::to_string(wire.width * 8);
    case Kind::kSigned:
      return "i" + std::to_string(wire.width * 8);
    case Kind::kEnumeration:
      return "enum" + std::to_string(wire.width * 8);
    case Kind::kText:
      return wire.shape == Shape::kList ? "list of text" : "text";
    case Kind::kInterned:
      return "interned";
    case Kind::kTickDelta:
      return "tick_delta";
    default:
      return "?";
  }
}

template <Traced T>
std::string line_of() {
  std::string fields;
  const auto add = [&]<typename F>(const F& field) {
    if (!fields.empty()) fields += ", ";
    fields += std::string(field.name) + " " + kind_of(wire_of<typename F::Member>());
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, schema<T>.fields);
  return "| " + std::to_string(schema<T>.number) + " | `" + schema<T>.name + "` | " + tools::role_name(schema<T>.role) +
         " | " + fields + " |\n";
}

template <typename... Event>
std::string table_of(const std::tuple<Event...>*) {
  return (line_of<Event>() + ...);
}

TEST(Registry, ListsTheStandardEvents) {
  const std::string document = read_file(EVT_SOURCE_FOLDER "/format-spec/REGISTRY.md");
  const std::string front = "| number | name | role | fields |\n|---|---|---|---|\n";
  const std::size_t at = document.find(front);
  ASSERT_NE(at, std::string::npos);
  const std::string expected = table_of(static_cast<const events::All*>(nullptr));
  EXPECT_EQ(document.substr(at + front.size(), expected.size() + 1), expected + "\n");
}

}  // namespace
}  // namespace evt::testing

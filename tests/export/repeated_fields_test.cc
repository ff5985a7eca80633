// Tables of types whose fields have the same name, which no writer makes.
#include "core/raw_trace.h"
#include "table_lines.h"

namespace evt::testing {
namespace {

evt_field field_called(const char* name) {
  evt_field field = EVT_FIELD_U32("");
  field.name = name;
  return field;
}

TEST(RepeatedFields, AreColumnsOfTheirOwnWhateverTheOthersAreCalled) {
  RawTrace raw = ordinary_trace();
  raw.type(1025, "of.three", {field_called("a"), field_called("a"), field_called("a_2")})
      .type(1026, "of.three", {field_called("c")})
      .events(1, Rows()
                     .row(0, 1025, le32(1) + le32(2) + le32(3))
                     .row(1, 1026, le32(4))
                     .row(2, 1025, le32(5) + le32(6) + le32(7)))
      .trailer();
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  const std::array<Trace*, 1> traces = {&trace};
  EXPECT_EQ(lines_of(Tables(traces), "of.three"),
            "time ns stream stream_thread a a_2 a_2_2 c\n"
            "@1767225600000000000 0 1 - 1 2 3 -\n"
            "@1767225600000000001 1 1 - - - - 4\n"
            "@1767225600000000002 2 1 - 5 6 7 -\n");
}

}  // namespace
}  // namespace evt::testing

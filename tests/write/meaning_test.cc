// What structs declare beyond names and kinds comes back as it was declared.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {

enum class Access : std::uint8_t { kRead = 1, kWrite = 2 };

struct Switch {
  Ticks32 woken{};
  TickDelta32 waited{};
  std::uint32_t prev = 0;
  std::uint32_t next = 0;
  Access access{};
  std::int16_t heat = 0;
};

inline constexpr FacetField kNextFields[] = {{"next", Role::kThread}};
inline constexpr FacetOf kRun[] = {{Role::kThreadRun, kNextFields}};
inline constexpr std::array kSwitchTags = {"com.example.switch"};
inline constexpr std::array kHeatTags = {"com.example.heat"};

}  // namespace evt::testing

template <>
inline constexpr auto evt::labels<evt::testing::Access> = std::array{evt::Label{1, "READ"}, evt::Label{2, "WRITE"}};
template <>
inline constexpr auto evt::schema<evt::testing::Switch> =
    evt::event("sched.switch", "one stops, one runs", evt::Role::kThreadStop,
               evt::field("woken", &evt::testing::Switch::woken), evt::field("waited", &evt::testing::Switch::waited),
               evt::field("prev", &evt::testing::Switch::prev, evt::Role::kThread)
                   .within(evt::Scope::kBoot)
                   .absent(0xFFFFFFFF),
               evt::field("next", &evt::testing::Switch::next),
               evt::field("access", &evt::testing::Switch::access).as_flags(),
               evt::field("heat", &evt::testing::Switch::heat).measured_in("Cel", -2).tagged(evt::testing::kHeatTags))
        .with_facets(evt::testing::kRun)
        .tagged(evt::testing::kSwitchTags)
        .recorded_in("sched.c", 12, "schedule");

namespace evt::testing {
namespace {

TEST(DeclaredMeaning, IsInTheTrace) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Switch>();
  stream.emit_at(10'000'000'000, types,
                 Switch{.woken = {static_cast<std::uint32_t>(9'999'999'999)},
                        .waited = {-5},
                        .prev = 0xFFFFFFFF,
                        .next = 7,
                        .access = static_cast<Access>(3),
                        .heat = -50});
  EXPECT_EQ(recording.text(),
            "type 1024 sched.switch \"one stops, one runs\" role=threadStop facet=threadRun[next=thread] "
            "file=\"sched.c\" line=12 function=\"schedule\" tags=[\"com.example.switch\"] (woken ticks) (waited "
            "tick_delta) (prev u32 role=thread scope=boot absent=4294967295) (next u32) (access enum8 labels=[1=READ "
            "2=WRITE] flags=true) (heat i16 scale=-2 unit_text=\"Cel\" tags=[\"com.example.heat\"])\n"
            "stream 1 \"a\"\n"
            "10.000000000 1 sched.switch woken=9.999999999 waited=-0.000000005 prev=4294967295 next=7 "
            "access=READ|WRITE heat=-50\n");
}

}  // namespace
}  // namespace evt::testing

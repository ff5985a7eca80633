// What fields and types state beyond their kinds: absent values, flags, scales, short ticks, scopes, facets, sources.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {

struct Switch {
  Ticks since;
  TickDelta length;
  std::uint32_t prev = 0;
};
struct ShortTimes {
  Ticks32 since;
  TickDelta32 length;
};

}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::Switch> =
    evt::event("e", "", evt::field("since", &evt::testing::Switch::since),
               evt::field("length", &evt::testing::Switch::length), evt::field("prev", &evt::testing::Switch::prev));
template <>
inline constexpr auto evt::schema<evt::testing::ShortTimes> =
    evt::event("e", "", evt::field("since", &evt::testing::ShortTimes::since),
               evt::field("length", &evt::testing::ShortTimes::length));

namespace evt::testing {
namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1} << 32;

// A type with these fields (in the text form), and one event of it at these ticks, 1 a nanosecond, with this payload.
class OneMeant {
 public:
  OneMeant(const std::string& type, std::string_view payload, std::uint64_t ticks = 1)
      : bytes_(
            RawTrace()
                .session()
                .clock({.id = 1, .hz = 1'000'000'000})
                .declare("type 1024 e " + type + "\nstream 1 \"a\"\n")
                .events(1, Rows().row(static_cast<std::uint32_t>(ticks % kTurn), 1024, payload), ticks - ticks % kTurn)
                .trailer()
                .bytes()),
        trace_(open_trace(bytes_)),
        events_(trace_.events()),
        event_(events_.next()) {}

  const Event* operator->() const { return event_; }
  const Event& operator*() const { return *event_; }
  const EventType& type() const { return event_->type(); }
  std::string text() {
    const std::string line = event_lines(text_of(trace_));
    return line.substr(std::min(line.find(" e") + 2, line.size()));
  }

 private:
  std::string bytes_;
  Trace trace_;
  Events events_;
  const Event* event_;
};

TEST(AbsentValue, IsNoNumberOfItsRole) {
  const std::string type = "(thread u32 role=thread absent=4294967295) (cpu u8 role=cpu)";
  OneMeant absent(type, le32(0xFFFFFFFF) + le8(3));
  EXPECT_EQ(absent->number(Role::kThread), std::nullopt);
  EXPECT_FALSE(absent->value(Role::kThread).has_value());
  EXPECT_TRUE(absent->value("thread")->is_absent()) << "by its name the value is there as it was recorded";
  EXPECT_EQ(absent->value("thread")->as_unsigned(), 0xFFFFFFFFu);
  EXPECT_EQ(absent->number(Role::kCpu), 3u);
  OneMeant there(type, le32(7) + le8(3));
  EXPECT_EQ(there->number(Role::kThread), 7u);
  EXPECT_FALSE(there->value("thread")->is_absent());
  EXPECT_EQ(there->value(Role::kThread)->as_unsigned(), 7u);
}

TEST(AbsentValue, OfASignedNumberHasItsBits) {
  EXPECT_TRUE(OneMeant("(t i16 absent=32768)", le16(0x8000))->value("t")->is_absent());
  EXPECT_FALSE(OneMeant("(t i16 absent=32768)", le16(0))->value("t")->is_absent());
  EXPECT_FALSE(OneMeant("(t i16)", le16(0))->value("t")->is_absent()) << "0 means none only if it is stated";
}

TEST(Scale, TakesTheRoleOfAnAmountFromAField) {
  EXPECT_EQ(OneMeant("(n u32 role=value scale=-3)", le32(1500))->number(Role::kValue), 1500u) << "as it is recorded";
}

TEST(ShortTicks, AreTheLatestReadingThatIsNotLaterThanTheEvent) {
  const auto since = [](std::uint64_t event, std::uint64_t low) {
    OneMeant one("(since kind9:fixed4)", le32(static_cast<std::uint32_t>(low)), event);
    return one->ticks_in(*one->value("since"));
  };
  EXPECT_EQ(since(5 * kTurn + 100, 100), 5 * kTurn + 100) << "the event's own time";
  EXPECT_EQ(since(5 * kTurn + 100, 99), 5 * kTurn + 99);
  EXPECT_EQ(since(5 * kTurn + 100, 101), 4 * kTurn + 101) << "one turn before";
  EXPECT_EQ(since(5 * kTurn, kTurn - 1), 5 * kTurn - 1);
  EXPECT_EQ(since(100, 101), 101u) << "no reading ends so before the event";
}

TEST(ShortTicks, AreReadAsLongOnes) {
  OneMeant one("(since kind9:fixed4) (length kind10:fixed4) (prev u32)", le32(0xFFFFFFFF) + le32(0xFFFFFFFE) + le32(5),
               3 * kTurn);
  const auto as_long = one->as<Switch>();
  ASSERT_TRUE(as_long.has_value());
  EXPECT_EQ(as_long->since.value, 3 * kTurn - 1);
  EXPECT_EQ(as_long->length.value, -2) << "sign-extended";
  EXPECT_EQ(as_long->prev, 5u);
  const auto as_short = one->as<ShortTimes>();
  ASSERT_TRUE(as_short.has_value());
  EXPECT_EQ(as_short->since.value, 0xFFFFFFFFu);
  EXPECT_EQ(as_short->length.value, -2);
}

TEST(ShortTicks, AreTimesInText) {
  EXPECT_EQ(OneMeant("(since kind9:fixed4) (length kind10:fixed4)", le32(4) + le32(3), 7).text(),
            " since=0.000000004 length=0.000000003\n");
}

TEST(LongTicks, AreNotReadAsShortOnes) {
  std::string bytes = RawTrace()
                          .session()
                          .clock({.id = 1, .hz = 1'000'000'000})
                          .declare("type 1024 e (since ticks)\nstream 1 \"a\"\n")
                          .events(1, Rows().row(1, 1024, le64(1)))
                          .trailer()
                          .bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_FALSE(events.next()->as<ShortTimes>().has_value());
  EXPECT_EQ(events.status().message(),
            "event type e: field since is ticks of 8 bytes in the trace, ticks of 4 bytes in this program");
}

TEST(FlagSet, IsItsLabelsAndWhatIsLeft) {
  const std::string type = "(f enum8 labels=[0=NONE 1=READ 2=WRITE 3=BOTH 8=\"a b\"] flags=true)";
  const auto text = [&](unsigned value) { return OneMeant(type, le8(static_cast<std::uint8_t>(value))).text(); };
  EXPECT_EQ(text(0), " f=NONE\n");
  EXPECT_EQ(text(1), " f=READ\n");
  EXPECT_EQ(text(3), " f=READ|WRITE\n") << "smaller labels come first, and leave nothing for BOTH";
  EXPECT_EQ(text(0x43), " f=READ|WRITE|0x40\n");
  EXPECT_EQ(text(0x08), " f=\"a b\"\n");
  EXPECT_EQ(text(0x40), " f=64\n") << "without a label it is a number";
}

TEST(FieldMeaning, IsWhatTheTraceDeclares) {
  OneMeant one(
      "twin_of=\"app.run\" file=\"a.c\" line=12 function=\"main\" tags=[\"com.example.a\" \"com.example.b\"] "
      "(t i16 scope=boot absent=7 scale=-2 unit_text=\"Cel\" tags=[\"com.example.c\"])",
      le16(1));
  const Field& field = one.type().fields()[0];
  EXPECT_EQ(field.scope, Scope::kBoot);
  EXPECT_EQ(field.absent, 7u);
  EXPECT_EQ(field.scale, -2);
  EXPECT_EQ(field.unit_text, "Cel");
  EXPECT_EQ(field.tags, std::vector<std::string>{"com.example.c"});
  const TypeMeaning& meaning = one.type().meaning();
  EXPECT_EQ(meaning.twin_of, "app.run");
  EXPECT_EQ(meaning.source_file, "a.c");
  EXPECT_EQ(meaning.source_line, 12u);
  EXPECT_EQ(meaning.source_function, "main");
  EXPECT_EQ(meaning.tags, (std::vector<std::string>{"com.example.a", "com.example.b"}));
}

TEST(FieldMeaning, OfATypeDeclaredAgainIsTheSame) {
  const auto damage_of = [](const std::string& again) {
    std::string bytes = RawTrace()
                            .session()
                            .clock({.id = 1, .hz = 1'000'000'000})
                            .declare("type 1024 e (t u16 scope=boot)\n")
                            .declare("type 1024 e (t u16" + again + ")\n")
                            .trailer()
                            .bytes();
    const Trace trace = open_trace(bytes);
    return trace.damage().empty() ? "" : trace.damage()[0].reason;
  };
  EXPECT_EQ(damage_of(" scope=boot"), "");
  for (const char* other :
       {"", " scope=session", " scope=boot scale=1", " scope=boot absent=1", " scope=boot unit_text=\"m\""}) {
    EXPECT_EQ(damage_of(other), "event type e again: its field t had another meaning") << other;
  }
}

TEST(Facets, NameTheRolesOfAType) {
  OneMeant one("role=threadStop facet=threadRun[next=thread cpu=cpu] (prev u32 role=thread) (next u32) (cpu u8)",
               le32(1) + le32(2) + le8(3));
  ASSERT_EQ(one.type().meaning().facets.size(), 1u);
  const Facet& facet = one.type().meaning().facets[0];
  EXPECT_EQ(facet.role, Role::kThreadRun);
  EXPECT_EQ(facet.fields, (std::vector<Facet::OfField>{{1, Role::kThread}, {2, Role::kCpu}}));
  EXPECT_TRUE(one.type().has_role(Role::kThreadStop));
  EXPECT_TRUE(one.type().has_role(Role::kThreadRun));
  EXPECT_FALSE(one.type().has_role(Role::kThreadExit));
}

}  // namespace
}  // namespace evt::testing

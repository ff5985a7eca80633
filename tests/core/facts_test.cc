// FACTS blocks, byte by byte as FORMAT.md, section 6.3, has them: what counts, what is skipped, what is damage.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

struct RawFact {
  std::uint16_t scope = EVT_FACT_SCOPE_SESSION;
  std::uint64_t id = 0;
  std::string key = "a.b";
  std::string value = "x";
  std::uint64_t ns = 0;
  std::string more{};  // of a later version
};

std::string record_of(const RawFact& fact) {
  const auto size = static_cast<std::uint32_t>(32 + fact.key.size() + fact.value.size() + fact.more.size());
  return le32(size) + le16(fact.scope) + le16(static_cast<std::uint16_t>(fact.key.size())) + le64(fact.id) +
         le64(fact.ns) + le32(static_cast<std::uint32_t>(fact.value.size())) + le32(0) + fact.key + fact.value +
         fact.more;
}

std::string payload_of(const std::vector<RawFact>& facts) {
  std::string payload = le32(static_cast<std::uint32_t>(facts.size()));
  for (const RawFact& fact : facts) payload += record_of(fact);
  return payload;
}

RawTrace with_facts(const std::vector<RawFact>& facts, std::int64_t start_ns = 0) {
  RawTrace trace;
  trace.session(0, start_ns).clock({.id = 1, .hz = 1'000'000'000, .start_ns = start_ns});
  return trace.block(EVT_BLOCK_FACTS, payload_of(facts));
}

// All facts of a trace, a line each, and what is wrong with it.
std::string facts_of(const RawTrace& raw) {
  const std::string bytes = raw.bytes();
  const Trace trace = open_trace(bytes);
  std::string text;
  for (const Fact& fact : trace.sessions().front().facts) {
    text += std::to_string(fact.scope) + " " + std::to_string(fact.id) + " " + fact.key + "=" + fact.value + " at " +
            std::to_string(fact.ns) + "\n";
  }
  for (const Damage& damage : trace.damage()) text += damage.reason + "\n";
  return text;
}

TEST(Facts, AreInOrderOfWhatTheyAreAboutAndTheLastOfAKeyCounts) {
  RawTrace trace = with_facts({{.scope = 2, .id = 9, .value = "nine"},
                               {.scope = 2, .id = 1, .value = "one"},
                               {.scope = 5, .id = 0, .value = "part"},
                               {.value = "first"},
                               {.key = "a.a"}});
  trace.block(EVT_BLOCK_FACTS, payload_of({{.value = "last", .ns = 7}})).trailer();
  EXPECT_EQ(facts_of(trace),
            "1 0 a.a=x at 0\n1 0 a.b=last at 7\n2 1 a.b=one at 0\n2 9 a.b=nine at 0\n"
            "5 0 a.b=part at 0\n");
}

TEST(Facts, HaveTimesSinceTheSessionsStart) {
  EXPECT_EQ(facts_of(with_facts({{.ns = 1500}}, 1000).trailer()), "1 0 a.b=x at 500\n");
}

TEST(Facts, AreFoundByScopeIdAndKey) {
  const std::string bytes = with_facts({{.scope = 2, .id = 9, .value = "nine"}, {.value = "own"}}).trailer().bytes();
  const Trace trace = open_trace(bytes);
  const Session& session = trace.sessions().front();
  ASSERT_NE(session.fact(2, 9, "a.b"), nullptr);
  EXPECT_EQ(*session.fact(2, 9, "a.b"), "nine");
  EXPECT_EQ(*session.fact(1, 0, "a.b"), "own");
  EXPECT_EQ(session.fact(2, 8, "a.b"), nullptr);
  EXPECT_EQ(session.fact(2, 9, "a.c"), nullptr);
  EXPECT_EQ(session.fact(3, 9, "a.b"), nullptr);
}

TEST(Facts, OfAStreamRenameItAndItsDescriptionStays) {
  RawTrace trace = ordinary_trace();
  trace.block(EVT_BLOCK_FACTS, payload_of({{.scope = 2, .id = 1, .key = "evt.name", .value = "worker"},
                                           {.scope = 2, .id = 7, .key = "evt.name", .value = "of none"}}));
  trace.events(1, Rows().tick(1, 1)).trailer();
  const std::string bytes = trace.bytes();
  const Trace opened = open_trace(bytes);
  const Session& session = opened.sessions().front();
  ASSERT_EQ(session.streams.size(), 2u) << "a fact makes no stream";
  EXPECT_EQ(session.streams[0].name, "worker");
  EXPECT_EQ(session.streams[0].declared_name, "a");
  EXPECT_EQ(session.streams[1].name, "b");
}

TEST(Facts, OfAStreamThatIsRenamedLetItsDescriptionBeRepeated) {
  RawTrace trace = ordinary_trace();
  trace.block(EVT_BLOCK_FACTS, payload_of({{.scope = 2, .id = 1, .key = "evt.name", .value = "worker"}}));
  trace.declare("stream 1 \"a\"\n").events(1, Rows().tick(1, 1)).trailer();
  EXPECT_EQ(reading_of(trace), "0.000000001 1 tick n=1\n");
}

TEST(Facts, OfTheSessionHaveNoId) {
  EXPECT_EQ(facts_of(with_facts({{.id = 3, .value = "one"}, {.id = 0, .value = "two"}}).trailer()),
            "1 0 a.b=two at 0\n");
}

TEST(Facts, OfScopesOfALaterVersionAreSkipped) {
  EXPECT_EQ(facts_of(with_facts({{.scope = 6}, {.scope = 0}, {.scope = 0xFFFF}, {.key = "a.c"}}).trailer()),
            "1 0 a.c=x at 0\n");
}

TEST(Facts, HaveBytesOfALaterVersionBehindThem) {
  RawTrace trace = with_facts({{.more = "more"}, {.key = "b.c"}});
  EXPECT_EQ(facts_of(trace.trailer()), "1 0 a.b=x at 0\n1 0 b.c=x at 0\n");
}

TEST(Facts, WhoseKeyOrValueMakesNoSenseAreDamageAndTheOthersAreRead) {
  const std::string bad = "a fact whose key or value makes no sense\n";
  EXPECT_EQ(facts_of(with_facts({{.key = ""}, {.key = "a.c"}}).trailer()), "1 0 a.c=x at 0\n" + bad);
  EXPECT_EQ(facts_of(with_facts({{.key = std::string(1025, 'k')}, {.key = "a.c"}}).trailer()),
            "1 0 a.c=x at 0\n" + bad);
  EXPECT_EQ(facts_of(with_facts({{.value = std::string(65536, 'v')}, {.key = "a.c"}}).trailer()),
            "1 0 a.c=x at 0\n" + bad);
  std::string beyond = record_of({});
  evt_store_u32(reinterpret_cast<std::uint8_t*>(beyond.data()) + 24, 1000);  // the value
  RawTrace trace;
  trace.session().clock({.id = 1, .hz = 1}).block(EVT_BLOCK_FACTS, le32(2) + beyond + record_of({.key = "a.c"}));
  EXPECT_EQ(facts_of(trace.trailer()), "1 0 a.c=x at 0\n" + bad);
}

TEST(Facts, WhoseRecordDoesNotFitEndTheirBlock) {
  for (const std::uint32_t size : {0u, 31u, 37u, 0xFFFFFFFFu}) {
    std::string bad = record_of({});
    evt_store_u32(reinterpret_cast<std::uint8_t*>(bad.data()), size);
    RawTrace trace;
    trace.session().clock({.id = 1, .hz = 1}).block(EVT_BLOCK_FACTS, le32(9) + record_of({.key = "a.c"}) + bad);
    EXPECT_EQ(facts_of(trace.trailer()), "1 0 a.c=x at 0\na FACTS record that does not fit its block\n") << size;
  }
}

TEST(Facts, InACodecThatNoVersionHasAreNotUnderstood) {
  RawTrace trace = with_facts({{}});
  trace.header([](BlockHeader& header) { header.codec = 77, header.raw_size = 100; }).trailer();
  const std::string bytes = trace.bytes();
  const Trace opened = open_trace(bytes);
  EXPECT_EQ(opened.sessions().front().not_understood, 1u);
  EXPECT_TRUE(opened.sessions().front().facts.empty());
}

}  // namespace
}  // namespace evt::testing

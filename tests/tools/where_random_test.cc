// Random conditions, each asked of random events by the tools and by a naive evaluator (naive_where.h) of what evt dump
// --json prints of them.
#include <evt/trace.h>

#include <cstdlib>
#include <random>
#include <sstream>

#include "at_the_shell.h"
#include "naive_where.h"
#include "tools/where/where_filter.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::uint64_t kStep = 10'000'000;  // between events

NaiveWhere fields_and_streams() {
  NaiveWhere naive;
  naive.fields = {{"a", "u", "u8", "amount"},  {"a", "i", "i64"},
                  {"a", "name", "text"},       {"a", "f", "f32"},
                  {"a", "mix", "u32"},         {"b", "i", "i16"},
                  {"b", "d", "f64"},           {"b", "flag", "bool"},
                  {"b", "why", "enum8"},       {"b", "raw", "bytes"},
                  {"b", "mix", "text"},        {"c", "fn", "interned"},
                  {"c", "when", "ticks"},      {"c", "took", "tick_delta"},
                  {"c", "ms", "u32", "", 6},   {"c", "thr", "u16", "thread"},
                  {"d", "list", "i16[]"},      {"d", "texts", "text[]"},
                  {"d", "u", "u64", "amount"}, {"d", "when", "u32"},
                  {"d", "why", "enum16[]"}};
  naive.labels = {{"0", "idle"}, {"3", "blocked"}, {"9", "7"}};
  naive.threads = {{"1", "11"}, {"2", "25"}};
  return naive;
}

// Makes traces, conditions and texts of conditions.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : random_(seed) {}

  std::string trace(const NaiveWhere& naive, int events) {
    std::ostringstream text;
    for (const char* const type : {"a", "b", "c", "d", "e"}) {
      text << "type " << 1024 + (*type - 'a') << ' ' << type;
      for (const NaiveField& field : naive.fields) {
        if (field.type != type) continue;
        text << " (" << field.name << ' ' << field.kind << (field.role.empty() ? "" : " role=" + field.role)
             << (field.power == 6 ? " unit=milliseconds" : "");
        if (field.kind.starts_with("enum")) text << " labels=[0=idle 3=blocked 9=\"7\"]";
        text << ')';
      }
      text << '\n';
    }
    text << "stream 1 \"main\" thread=11\nstream 2 \"worker 1\" thread=25\nstream 3 \"worker 2\"\n";
    for (int i = 0; i < events; ++i) text << event(naive, i);
    return text.str();
  }

  NaiveCondition condition(const NaiveWhere& naive, const std::vector<NaiveLiteral>& literals, int depth) {
    NaiveCondition made;
    const unsigned kind = depth == 0 ? 0 : below(6);
    if (kind == 3) {
      made.kind = NaiveCondition::Kind::kNot;
      made.parts.push_back(condition(naive, literals, depth - 1));
    } else if (kind > 3) {
      made.kind = kind == 4 ? NaiveCondition::Kind::kAnd : NaiveCondition::Kind::kOr;
      for (unsigned i = 0, count = 2 + below(2); i < count; ++i) {
        made.parts.push_back(condition(naive, literals, depth - 1));
      }
    } else {
      do {
        compare(naive, literals, &made);
      } while (naive.is_refused(made) && below(40) != 0);
    }
    return made;
  }

  // With the parentheses that it needs, and some that it does not; in one of the spellings of each sign.
  std::string text_of(const NaiveCondition& condition, NaiveCondition::Kind outside = NaiveCondition::Kind::kOr) {
    using Kind = NaiveCondition::Kind;
    if (condition.kind < outside || below(8) == 0) return "(" + space() + text_of(condition) + space() + ")";
    if (condition.kind == Kind::kComparison) return comparison_text(condition);
    if (condition.kind == Kind::kNot) {
      return (below(2) == 0 ? "not " : "!" + space()) + text_of(condition.parts.front(), Kind::kNot);
    }
    const bool is_and = condition.kind == Kind::kAnd;
    std::string text;
    for (const NaiveCondition& part : condition.parts) {
      const std::string word = is_and ? " and " : " or ";
      const std::string sign = space() + (is_and ? "&&" : "||") + space();
      if (!text.empty()) text += below(2) == 0 ? word : sign;
      // What binds as much may stand behind it without parentheses: it is the same.
      text += text_of(part, condition.kind);
    }
    return text;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  std::string space() { return std::string(below(2), ' '); }
  template <typename T, std::size_t N>
  const T& one_of(const T (&choices)[N]) {
    return choices[below(N)];
  }

  void compare(const NaiveWhere& naive, const std::vector<NaiveLiteral>& literals, NaiveCondition* made) {
    static const std::string kOthers[] = {"@time", "@stream", "@thread", "@type",   "@size",       "@ordinal",
                                          "time",  "stream",  "thread",  "ordinal", "role:amount", "role:thread"};
    static const std::string kOperators[] = {"=", "!=", "<", "<=", ">", ">=", "~", "!~"};
    made->subject =
        below(3) == 0 ? one_of(kOthers) : naive.fields[below(static_cast<unsigned>(naive.fields.size()))].name;
    made->op = one_of(kOperators);
    made->literal = literals[below(static_cast<unsigned>(literals.size()))];
  }

  std::string comparison_text(const NaiveCondition& condition) {
    const std::string op = condition.op == "=" && below(2) == 0 ? "==" : condition.op;
    const std::string& value = condition.literal.written;
    const bool is_word = !value.empty() && value.find_first_of(" \"'()=!<>~&|\n") == value.npos;
    std::string quoted;
    const char quote = below(2) == 0 ? '"' : '\'';
    for (const char c : value) {
      if (c == quote || c == '\\') quoted += '\\';
      quoted += c == '\n' ? "\\n" : std::string(1, c);
    }
    const bool bare = is_word && below(2) == 0;
    return condition.subject + space() + op + space() + (bare ? value : quote + quoted + quote);
  }

  // Of a field of one kind, as the text form has it.
  std::string value(const std::string& kind) {
    if (kind.ends_with("[]")) {
      std::string list = "[";
      for (unsigned i = 0, count = below(4); i < count; ++i) {
        list += (i == 0 ? "" : " ") + value(kind.substr(0, kind.size() - 2));
      }
      return list + "]";
    }
    static const std::string kTexts[] = {"\"main\"",      "\"a b\"", "\"\"", "\"summer\"",
                                         "\"\\\"q\\\"\"", "\"10\"",  "\"9\""};
    static const std::string kFloats[] = {"0.1", "-0.5", "2.5", "10", "1000", "inf", "-inf", "nan", "0"};
    static const std::string kLabels[] = {"idle", "blocked", "\"7\"", "7", "25"};
    static const std::string kBytes[] = {"0x", "0xca", "0xcafe", "0xff"};
    static const std::string kSmall[] = {"0", "1", "3", "7", "9", "10", "25", "31", "77"};
    static const std::string kNegative[] = {"-1", "-5", "-77"};
    static const std::string kTimes[] = {"0.000000000", "0.000003000", "0.200000000", "0.500000000", "1.500000000"};
    if (kind == "text" || kind == "interned") return one_of(kTexts);
    if (kind.starts_with('f')) return one_of(kFloats);
    if (kind.starts_with("enum")) return one_of(kLabels);
    if (kind == "bytes") return one_of(kBytes);
    if (kind == "bool") return below(2) == 0 ? "true" : "false";
    if (kind == "ticks" || kind == "tick_delta") return one_of(kTimes);
    if (kind.starts_with('i') && below(2) == 0) return one_of(kNegative);
    if (kind == "i64" && below(3) == 0) return below(2) == 0 ? "9223372036854775807" : "-9223372036854775808";
    if (kind == "u64" && below(3) == 0) return "18446744073709551615";
    if (kind != "u8" && below(3) == 0) return below(2) == 0 ? "1024" : "4000";
    return one_of(kSmall);
  }

  std::string event(const NaiveWhere& naive, int i) {
    const std::uint64_t ns = static_cast<std::uint64_t>(i) * kStep;
    std::ostringstream line;
    line << "0." << std::to_string(kNsPerSecond + ns).substr(1) << ' ' << 1 + below(3) << ' ';
    const unsigned type = below(6);
    if (type == 5) {
      line << "type#" << 3000 + below(2) << (below(2) == 0 ? " +0x0102" : "") << '\n';
      return line.str();
    }
    const std::string name(1, static_cast<char>('a' + type));
    line << name;
    // Some rows end before their last fields.
    std::size_t left = below(4) == 0 ? below(6) : 100;
    for (const NaiveField& field : naive.fields) {
      if (field.type == name && left-- > 0) line << ' ' << field.name << '=' << value(field.kind);
      if (field.type == name && left > 100) break;
    }
    line << '\n';
    return line.str();
  }

  std::mt19937 random_;
};

// Those of them whose meaning depends on the trace: the last event of `last_ns`.
std::vector<NaiveLiteral> literals_of(std::int64_t last_ns) {
  const auto before = [&](std::int64_t ns) { return std::to_string(last_ns - ns); };
  return {{"0", "0", "0", "0"},
          {"10", "10", "10000000000", "10000000000"},
          {"9", "9", "9000000000", "9000000000"},
          {"7", "7", "7000000000", "7000000000"},
          {"25", "25", "25000000000", "25000000000"},
          {"1.5", "1.5", "1500000000", "1500000000"},
          {".2", "0.2", "200000000", "200000000"},
          {"0.1", "0.1", "100000000", "100000000"},
          {"-5", "-5", "-5000000000", before(5'000'000'000)},
          {"-0.5", "-0.5", "-500000000", before(500'000'000)},
          {"0x1f", "31"},
          {"0xca", "202"},
          {"0xcafe", "51966"},
          {"4K", "4000"},
          {"1Ki", "1024"},
          {"1e3", "1000", "1000000000000"},
          {"2.50e1", "25", "25000000000"},
          {"18446744073709551615", "18446744073709551615", "18446744073709551615000000000"},
          {"9223372036854775806.5", "9223372036854775806.5", "9223372036854775806500000000"},
          {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808000000000"},
          {"inf", "inf"},
          {"-inf", "-inf"},
          {"nan", "nan"},
          {"200ms", {}, "200000000", "200000000"},
          {"3us", {}, "3000", "3000"},
          {"-200ms", {}, "-200000000", before(200'000'000)},
          {"2026-01-01T00:00:00.25Z", {}, {}, "250000000"},
          {"true"},
          {"false"},
          {"idle"},
          {"blocked"},
          {"main"},
          {"a b"},
          {""},
          {"\"q\""},
          {"worker 2"},
          {"#2"},
          {"*"},
          {"?*m*"},
          {"[a-c]"},
          {"type#300?"},
          {"10x"}};
}

class WhereRandom : public AtTheShell {};

TEST_F(WhereRandom, IsWhatANaiveEvaluatorFinds) {
  const char* const request = std::getenv("EVT_CONDITIONS");
  const int conditions = request != nullptr ? std::atoi(request) : 400;
  constexpr int kEvents = 80;
  const NaiveWhere naive = fields_and_streams();
  int refused = 0;
  int decided = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    Chance chance(seed);
    const std::string bytes = trace_from_text(chance.trace(naive, kEvents));
    given_file("x.evt", bytes);
    std::istringstream lines(run("evt dump --json x.evt").out);
    std::vector<JsonValue> events;
    for (std::string line; std::getline(lines, line);) events.push_back(JsonReader(line).value());
    ASSERT_EQ(events.size(), kEvents);
    const auto literals = literals_of((kEvents - 1) * static_cast<std::int64_t>(kStep));
    Trace trace = open_trace(bytes);
    for (int i = 0; i < conditions; ++i) {
      const NaiveCondition condition = chance.condition(naive, literals, 3);
      const std::string text = chance.text_of(condition);
      tools::WhereFilter filter;
      ASSERT_TRUE(filter.add(text).ok());
      const Status resolved = filter.resolve({&trace}, [](const EventType&) { return true; });
      ASSERT_EQ(resolved.ok(), !naive.is_refused(condition)) << text << "\n" << resolved.message();
      refused += resolved.ok() ? 0 : 1;
      if (!resolved.ok()) continue;
      Events all = trace.events();
      std::map<std::string, std::size_t> ordinals;
      int found = 0;
      for (const JsonValue& expected : events) {
        const Event* const event = all.next();
        ASSERT_NE(event, nullptr);
        const bool holds = naive.holds(condition, expected, ordinals[expected.member("stream_id")->text]++);
        ASSERT_EQ(filter.holds_for(*event), holds)
            << "seed " << seed << ": " << text << "\nfor " << expected.member("event")->text << " at "
            << expected.member("ns")->text;
        found += holds ? 1 : 0;
      }
      decided += found > 0 && found < kEvents ? 1 : 0;
    }
  }
  // Conditions that say something: some of them wrong, most of them neither of all events nor of none.
  EXPECT_GT(refused, conditions / 50);
  EXPECT_GT(decided, conditions);
}

// The same at the shell, as users have it.
TEST_F(WhereRandom, IsWhatTheCommandPrints) {
  const NaiveWhere naive = fields_and_streams();
  Chance chance(7);
  constexpr int kEvents = 40;
  given_trace("x.evt", chance.trace(naive, kEvents));
  const std::string all = run("evt dump --json x.evt").out;
  const auto literals = literals_of((kEvents - 1) * static_cast<std::int64_t>(kStep));
  for (int i = 0; i < 25; ++i) {
    const NaiveCondition condition = chance.condition(naive, literals, 3);
    given_file("condition", chance.text_of(condition) + " ");  // the shell takes line ends from the end
    const Outcome outcome = run("evt dump --json --where \"$(cat condition)\" x.evt");
    if (naive.is_refused(condition)) {
      EXPECT_EQ(outcome.status, 2) << outcome << content_of("condition");
      continue;
    }
    std::string expected;
    std::map<std::string, std::size_t> ordinals;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
      const JsonValue event = JsonReader(line).value();
      if (naive.holds(condition, event, ordinals[event.member("stream_id")->text]++)) expected += line + "\n";
    }
    EXPECT_EQ(outcome.out, expected) << content_of("condition") << outcome.err;
  }
}

}  // namespace
}  // namespace evt::testing

// The grammar of conditions: what they are read as, and where they are wrong.
#include "tools/where/where_parser.h"

#include <gmock/gmock.h>

namespace evt::tools {
namespace {

// Every part in parentheses: what binds what.
std::string tree_of(const WhereExpression& expression) {
  using Kind = WhereExpression::Kind;
  if (expression.kind == Kind::kComparison) {
    const WhereComparison& comparison = expression.comparison;
    return where_subject_text(comparison.subject) + " " + std::string(where_operator_text(comparison.op)) + " [" +
           comparison.value + "]";
  }
  std::string text = expression.kind == Kind::kNot ? "not" : expression.kind == Kind::kAnd ? "and" : "or";
  for (const WhereExpression& part : expression.parts) text += " (" + tree_of(part) + ")";
  return text;
}

// What a condition is read as; or the column and what is wrong there.
std::string read(std::string_view text) {
  const WhereParsed parsed = parse_where(text);
  if (parsed.expression) return tree_of(*parsed.expression);
  return std::to_string(parsed.error.column) + ": " + parsed.error.sentence;
}

TEST(WhereParser, ReadsAComparison) {
  EXPECT_EQ(read("depth>10"), "depth > [10]");
  EXPECT_EQ(read("  depth\t>  10\n"), "depth > [10]");
  EXPECT_EQ(read("file=/etc/passwd"), "file = [/etc/passwd]");
  EXPECT_EQ(read("at<2026-01-01T00:00:02Z"), "at < [2026-01-01T00:00:02Z]");
  EXPECT_EQ(read("stream=#3"), "stream = [#3]");
}

TEST(WhereParser, ReadsAllOperators) {
  EXPECT_EQ(read("a=1"), "a = [1]");
  EXPECT_EQ(read("a==1"), "a = [1]");
  EXPECT_EQ(read("a!=1"), "a != [1]");
  EXPECT_EQ(read("a<1"), "a < [1]");
  EXPECT_EQ(read("a<=1"), "a <= [1]");
  EXPECT_EQ(read("a>1"), "a > [1]");
  EXPECT_EQ(read("a>=1"), "a >= [1]");
  EXPECT_EQ(read("a~1*"), "a ~ [1*]");
  EXPECT_EQ(read("a!~1*"), "a !~ [1*]");
}

TEST(WhereParser, BindsOrLessThanAndLessThanNot) {
  EXPECT_EQ(read("a=1 or b=2 and c=3"), "or (a = [1]) (and (b = [2]) (c = [3]))");
  EXPECT_EQ(read("a=1 and b=2 or c=3"), "or (and (a = [1]) (b = [2])) (c = [3])");
  EXPECT_EQ(read("not a=1 and b=2"), "and (not (a = [1])) (b = [2])");
  EXPECT_EQ(read("not a=1 or not b=2"), "or (not (a = [1])) (not (b = [2]))");
  EXPECT_EQ(read("a=1 or b=2 or c=3"), "or (a = [1]) (b = [2]) (c = [3])");
  EXPECT_EQ(read("not not a=1"), "not (not (a = [1]))");
}

TEST(WhereParser, ParenthesesBindMost) {
  EXPECT_EQ(read("(a=1 or b=2) and c=3"), "and (or (a = [1]) (b = [2])) (c = [3])");
  EXPECT_EQ(read("not (a=1 and b=2)"), "not (and (a = [1]) (b = [2]))");
  EXPECT_EQ(read("((a=1))"), "a = [1]");
  EXPECT_EQ(read("(a=1)and(b=2)"), "and (a = [1]) (b = [2])");
  EXPECT_EQ(read("a=1and(b=2)"), "7: expected and, or or the end, found (");
}

TEST(WhereParser, TakesTheSignsOfOtherLanguages) {
  EXPECT_EQ(read("a=1&&b=2||!c=3"), "or (and (a = [1]) (b = [2])) (not (c = [3]))");
  EXPECT_EQ(read("!!(a=1)"), "not (not (a = [1]))");
}

TEST(WhereParser, TakesAnythingInQuotes) {
  EXPECT_EQ(read("name=\"a b\""), "name = [a b]");
  EXPECT_EQ(read("name='a \"b\" (c)'"), "name = [a \"b\" (c)]");
  EXPECT_EQ(read(R"(name="\\ \" \' \n \t \r \x41\xe4")"), "name = [\\ \" ' \n \t \r A\xe4]");
  EXPECT_EQ(read("name=''"), "name = []");
  EXPECT_EQ(read("name='and'"), "name = [and]");
}

TEST(WhereParser, TellsFieldsRolesAndPropertiesApart) {
  EXPECT_EQ(read("time>1"), "time > [1]");
  EXPECT_EQ(read("\"time\">1"), "\"time\" > [1]");
  EXPECT_EQ(read("@time>1"), "@time > [1]");
  EXPECT_EQ(read("role:amount>1"), "role:amount > [1]");
  EXPECT_EQ(read("\"role:amount\">1"), "\"role:amount\" > [1]");
  EXPECT_EQ(read("role:177=1"), "role:177 = [1]");
  EXPECT_EQ(read("'or'=1"), "\"or\" = [1]");
}

TEST(WhereParser, SaysWhatIsMissing) {
  EXPECT_EQ(read(""), "1: expected a comparison such as depth>10, found the end");
  EXPECT_EQ(read("depth"), "6: expected one of = != < <= > >= ~ !~, found the end");
  EXPECT_EQ(read("depth 10"), "7: expected one of = != < <= > >= ~ !~, found 10");
  EXPECT_EQ(read("depth>"), "7: expected a value after >, found the end");
  EXPECT_EQ(read("=5"), "1: expected a comparison such as depth>10, found =");
  EXPECT_EQ(read("a=1 and"), "8: expected a comparison such as depth>10, found the end");
  EXPECT_EQ(read("a=1 and or b=2"), "9: expected a comparison such as depth>10, found or");
  EXPECT_EQ(read("(a=1"), "5: expected and, or or ), found the end");
  EXPECT_EQ(read("()"), "2: expected a comparison such as depth>10, found )");
  EXPECT_EQ(read("a=not"), "3: expected a value after =, found not, which is a value only in quotes");
}

TEST(WhereParser, SaysWhatIsTooMuch) {
  EXPECT_EQ(read("a=1)"), "4: found ) without a ( in front");
  EXPECT_EQ(read("a=1 b=2"), "5: expected and, or or the end, found b");
  EXPECT_EQ(read("1<a<5"), "4: expected and, or or the end, found <; a value that has it needs quotes");
  EXPECT_EQ(read("a=b=c"), "4: expected and, or or the end, found =; a value that has it needs quotes");
}

TEST(WhereParser, SaysWhatWasProbablyMeant) {
  EXPECT_EQ(read("a=1 AND b=2"), "5: expected and, or or the end, found AND; did you mean and?");
  EXPECT_EQ(read("a=1 & b=2"), "5: found &; did you mean and?");
  EXPECT_EQ(read("a=1|b=2"), "4: found |; did you mean or?");
  EXPECT_EQ(read("a=>1"), "2: there is no operator =>; did you mean >=?");
  EXPECT_EQ(read("a=~1"), "2: there is no operator =~; did you mean ~?");
  EXPECT_EQ(read("a<>1"), "2: there is no operator <>; did you mean !=?");
  EXPECT_EQ(read("a<~1"), "2: there is no operator <~");
  EXPECT_EQ(read("@tiem>1"), "1: no event has @tiem; did you mean @time?");
  EXPECT_EQ(read("@x>1"), "1: no event has @x; expected one of @time @stream @thread @type @size @ordinal @duration");
  EXPECT_EQ(read("role:amuont>1"), "1: there is no role amuont; did you mean amount?");
  EXPECT_EQ(read("role:none>1"), "1: there is no role none; did you mean name or line?");
}

TEST(WhereParser, SaysWhereAQuoteOrAnEscapeIsWrong) {
  EXPECT_EQ(read("a=1 and b='x"), "11: found ' without one that closes it");
  EXPECT_EQ(read("a='\\q'"), "4: expected \\\\ \\\" \\' \\n \\t \\r or \\xHH");
  EXPECT_EQ(read("a='\\x4'"), "4: expected \\\\ \\\" \\' \\n \\t \\r or \\xHH");
  EXPECT_EQ(read("a=\x1b[2J"), "3: found a control character, which is written \\xHH, in quotes");
}

TEST(WhereParser, CountsColumnsInCharacters) {
  EXPECT_EQ(read("größe=1 x"), "9: expected and, or or the end, found x");
  EXPECT_EQ(read("name='größe' )"), "14: found ) without a ( in front");
}

TEST(WhereParser, BoundsWhatIsNested) {
  const auto nested = [](std::size_t count) { return std::string(count, '(') + "a=1" + std::string(count, ')'); };
  EXPECT_EQ(read(nested(256)), "a = [1]");
  EXPECT_EQ(read(nested(257)), "257: more than 256 parentheses and negations are open");
  std::string wide = "a=1";
  for (int i = 0; i < 10'000; ++i) wide += " and (a=1 or not b=2)";
  EXPECT_TRUE(parse_where(wide).expression.has_value());
}

// What is printed is read as the same, whatever its texts are.
TEST(WhereParser, ReadsWhatItPrints) {
  const auto printed = [](std::string_view text) { return where_text(*parse_where(text).expression); };
  for (const char* text :
       {"depth>10", "a=1 or b=2 and not c=3", "(a=1 or b=2) and c=3", "not (a=1 and b=2)", "a=1 and (b=2 and c=3)",
        "\"time\">1", "@time>1", "role:amount>=4K", "name=\"a b\"", "name=\"and\"", "name=\"\"",
        "name=\"\\x1b[2J \\\" \\\\ \\n\"", "name=\"a(b)c\"", "not not a=1"}) {
    EXPECT_EQ(printed(text), text);
  }
  EXPECT_EQ(printed("a == 1 && ! ( b = 'x' )"), "a=1 and not b=x");
}

TEST(WhereParser, ReadsMeasuresWhereAssertionsAre) {
  const auto measures = [](std::string_view text) {
    const WhereParsed parsed = parse_where(text, WhereSubjects::kMeasures);
    return parsed.expression ? where_text(*parsed.expression) : parsed.error.sentence;
  };
  for (const char* text : {"lost=0", "max(gc.pause)<10ms", "p99(span:\"a b\")<5ms and lost=0", "max(span:a)<1",
                           "max(span:\"\")<1", "not (sum(call:\"f()\")>=2 or lost>0)"}) {
    EXPECT_EQ(measures(text), text);
  }
  EXPECT_EQ(measures("max ( span:'a' ) < 1"), "max(span:a)<1");
  EXPECT_EQ(measures("\"max\"<1"), "expected what is measured, such as lost or max(span:sum), found \"max\"");
  EXPECT_EQ(read("max(span:a)<1"), "4: expected one of = != < <= > >= ~ !~, found (");
}

}  // namespace
}  // namespace evt::tools

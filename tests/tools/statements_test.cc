// SQL is divided into statements at its semicolons, but for those in quotes and comments.
#include "sql/statements.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace evt::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> complete_in(Statements& statements) {
  std::vector<std::string> all;
  while (auto statement = statements.next()) all.push_back(*std::move(statement));
  return all;
}

std::vector<std::string> all_in(std::string_view text) {
  Statements statements;
  statements.add(text);
  std::vector<std::string> all = complete_in(statements);
  if (auto rest = statements.rest()) all.push_back(*std::move(rest));
  return all;
}

TEST(Statements, EndAtSemicolons) {
  EXPECT_THAT(all_in("select 1; select 2;"), ElementsAre("select 1", " select 2"));
  EXPECT_THAT(all_in("select 1; select 2"), ElementsAre("select 1", " select 2"));
}

TEST(Statements, ThatAreEmptyAreLeftOut) {
  EXPECT_THAT(all_in(""), IsEmpty());
  EXPECT_THAT(all_in(" ;; -- nothing\n; /* nothing; */ ;"), IsEmpty());
}

TEST(Statements, HaveSemicolonsInQuotes) {
  EXPECT_THAT(all_in("select ';' ; select \"a;b\""), ElementsAre("select ';' ", " select \"a;b\""));
  EXPECT_THAT(all_in("select 'it''s;'; x"), ElementsAre("select 'it''s;'", " x"));
  EXPECT_THAT(all_in("select e'it\\'s;'; x"), ElementsAre("select e'it\\'s;'", " x"));
  EXPECT_THAT(all_in("select name'a\\'; x"), ElementsAre("select name'a\\'", " x"));
  EXPECT_THAT(all_in("select $$;$$; x"), ElementsAre("select $$;$$", " x"));
  EXPECT_THAT(all_in("select $a$;$$;$a$; x"), ElementsAre("select $a$;$$;$a$", " x"));
}

TEST(Statements, HaveSemicolonsInComments) {
  EXPECT_THAT(all_in("select 1 -- one;\n, 2; x"), ElementsAre("select 1 -- one;\n, 2", " x"));
  EXPECT_THAT(all_in("select /* ; */ 1; x"), ElementsAre("select /* ; */ 1", " x"));
}

TEST(Statements, HaveParametersThatBeginNoText) {
  EXPECT_THAT(all_in("select $1; select a$b$; x"), ElementsAre("select $1", " select a$b$", " x"));
}

TEST(Statements, ComeLineByLine) {
  Statements statements;
  EXPECT_TRUE(statements.is_between());
  statements.add("select 1\n");
  EXPECT_FALSE(statements.is_between());
  EXPECT_THAT(complete_in(statements), IsEmpty());
  statements.add("; -- done\n");
  EXPECT_THAT(complete_in(statements), ElementsAre("select 1\n"));
  EXPECT_TRUE(statements.is_between());
  EXPECT_EQ(statements.rest(), std::nullopt);
}

TEST(Statements, ThatHaveNoEndAreTheRest) { EXPECT_THAT(all_in("select 'a;"), ElementsAre("select 'a;")); }

}  // namespace
}  // namespace evt::tools

// The words of a condition on events. where_parser.h has the grammar that they are of.
//
// A bare word is any run of bytes but spaces, control characters, quotes and ( ) = ! < > ~ & |. In quotes, of either
// kind, anything may be; \\ \" \' \n \t \r and \xHH (one byte) are what they are elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace evt::tools {

// What a condition on events may compare by.
enum class WhereOperator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kMatches,
  kMatchesNot
};
std::string_view where_operator_text(WhereOperator op);
bool is_where_order(WhereOperator op);    // < <= > >=
bool is_where_pattern(WhereOperator op);  // ~ !~

struct WhereToken {
  enum class Kind : std::uint8_t { kEnd, kWord, kQuoted, kOperator, kAnd, kOr, kNot, kOpen, kClose, kWrong };
  Kind kind = Kind::kEnd;
  std::string text;        // a word; what is meant by what is in quotes; of kWrong, the sentence
  std::string_view found;  // as it is in the condition
  WhereOperator op = WhereOperator::kEqual;
  std::size_t column = 1;
};

// Refers to the text.
class WhereLexer {
 public:
  explicit WhereLexer(std::string_view text) : rest_(text) {}

  // The next word; kEnd from the end on, kWrong from the first that is none.
  WhereToken next();

 private:
  void take(std::size_t size);  // off the front, and counts its columns
  WhereToken made(WhereToken::Kind kind, std::size_t size);
  WhereToken wrong(std::size_t at, std::string sentence);
  WhereToken quoted();
  WhereToken operators();

  std::string_view rest_;
  std::size_t column_ = 1;
};

// Whether a text can stand without quotes.
bool is_where_word(std::string_view text);

}  // namespace evt::tools

// TSDL word by word: takes what is expected, or keeps the first error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "field_class.h"

namespace evt::ctf {

// TSDL, the metadata language of CTF 1.8, cut into words.
struct Token {
  enum Kind : std::uint8_t { kEnd, kName, kNumber, kText, kMark, kBad };
  Kind kind = kEnd;
  std::string_view text;  // as in the file; for kBad what is wrong with it
  std::uint64_t number = 0;
  std::string string;  // for kText: with its escapes resolved
  std::size_t line = 1;
};

// One word after another, so that memory is that of one. They refer to the text.
class TsdlLexer {
 public:
  explicit TsdlLexer(std::string_view text) : text_(text) {}

  // After the last word, and after a kBad, returns kEnd again and again.
  Token next();

 private:
  Token bad(std::string_view why);
  bool skip_space();
  bool take_text(std::string* out);
  void take_escape(std::string* out);
  bool take_number(std::uint64_t* number);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// The right side of `name = value`.
struct TsdlValue {
  std::size_t line = 0;
  std::string text;  // a word, or a text
  bool is_number = false;
  bool is_negative = false;
  std::uint64_t number = 0;  // without the sign

  bool is_true() const { return is_number ? number != 0 : text == "true" || text == "TRUE"; }
  std::int64_t signed_number() const { return static_cast<std::int64_t>(is_negative ? 0 - number : number); }
};

// After an error the values taken have no meaning.
class TsdlWords {
 public:
  explicit TsdlWords(std::string_view text) : lexer_(text) { advance(); }

  const Token& token() const { return token_; }  // the next
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }  // with its line
  void fail_at(std::size_t line, const std::string& why);
  // The word here is not the wanted one.
  void fail(std::string_view wanted);

  void advance();
  // For names and marks.
  bool is(std::string_view text) const;
  bool accept(std::string_view text);
  bool expect(std::string_view text);
  std::string take_name();
  // `a.b.c`
  std::string take_path();
  TsdlValue take_value();
  // `{ name = value; ... }`
  std::vector<std::pair<std::string, TsdlValue>> take_values();
  std::optional<ByteOrder> order_of(const TsdlValue& value);

 private:
  TsdlLexer lexer_;
  Token token_;
  std::string error_;
};

}  // namespace evt::ctf

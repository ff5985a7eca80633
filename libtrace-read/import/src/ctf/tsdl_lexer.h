// TSDL, the metadata language of CTF 1.8, cut into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace evt::ctf {

struct Token {
  enum Kind : std::uint8_t { kEnd, kName, kNumber, kText, kMark, kBad };
  Kind kind = kEnd;
  std::string_view text;  // as the file has it; of kBad what is wrong with it
  std::uint64_t number = 0;
  std::string string;  // of kText: what its escapes stand for
  std::size_t line = 1;
};

// One word after another, so that memory is that of one. They refer to the text.
class TsdlLexer {
 public:
  explicit TsdlLexer(std::string_view text) : text_(text) {}

  // Behind the last word, and behind a kBad, kEnd again and again.
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

}  // namespace evt::ctf

// One line of the text form (format-spec/TEXT.md), as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt::tools {

// Takes one line apart from its front. The first thing that is not as expected makes it fail; a failed line is empty,
// and error() has what was expected in which column. So a parser reads straight through and asks ok() once.
class TextFormLexer {
 public:
  explicit TextFormLexer(std::string_view text) : all_(text), rest_(text) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

  // What comes next is wrong, or missing.
  void fail(const std::string& what);
  // What was taken last is wrong: the word, text or number, not the signs around it.
  void refuse(const std::string& what) { fail_at(taken_, what); }
  // The line as a whole is.
  void refuse_all(const std::string& what);
  // What began there is.
  std::size_t place();
  void fail_at(std::size_t place, const std::string& what);

  bool at_end();
  char peek();  // the next character that is not a space, or 0
  bool at_digit();
  // True, and taken, when `c` comes next.
  bool take(char c);
  void expect(char c);
  // A plain word, or a quoted text.
  std::string word(const char* what);
  std::string quoted(const char* what);
  // A plain word may hold these characters too: a kind such as u32[].
  std::string word_with(const char* what, std::string_view also);
  // The same, but anything may come first: 1e+20, -inf.
  std::string any_word(std::string_view also) { return std::string(token(also)); }
  // `what` is null where the number is a value, which has no other name.
  std::uint64_t number(const char* what, std::uint64_t most = UINT64_MAX);
  std::int64_t signed_number(std::int64_t least, std::int64_t most);
  std::int64_t seconds(const char* what);  // as nanoseconds
  std::string hex(const char* what);       // 0x... as bytes
  // The value of a pair that nobody knows: a word, a text, or a list of such. `place`: where its name begins.
  void skip_value(std::size_t place, const std::string& name);
  // A sentence for each pair that was skipped.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  std::string_view token(std::string_view also);
  char escaped();
  void skip_spaces();
  void skip_one_value();

  std::string_view all_;
  std::string_view rest_;
  std::size_t taken_ = 0;  // where the last thing taken begins
  std::string error_;
  std::vector<std::string> skipped_;
};

}  // namespace evt::tools

// The words of the text form (format-spec/TEXT.md): quoting, and taking lines apart. Also what keeps a hostile trace's
// text from a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace evt::tools {

// Appends `text` with control characters, bytes that are not UTF-8 and characters that change the direction of text or
// cannot be seen as \xHH: one line that does nothing to a terminal.
void append_harmless(std::string& out, std::string_view text);
// The same in quotes, so that it can be read back exactly.
void append_quoted(std::string& out, std::string_view text);
// As it is if it is a plain word (a letter or _, then letters, digits and _ . : / -), else in quotes.
void append_word(std::string& out, std::string_view text);
bool is_plain_word(std::string_view text);

// Seconds with nine digits.
void append_seconds(std::string& out, std::int64_t ns);
void append_hex(std::string& out, const void* bytes, std::size_t size);  // 0x...

// Takes one line apart from its front. The first thing that is not as expected makes it fail; a failed line is empty,
// and error() says what was expected where. So a parser reads straight through and asks ok() once.
class Line {
 public:
  explicit Line(std::string_view text) : all_(text), rest_(text) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(const std::string& what);

  bool at_end();
  char peek();  // the next character that is not a space, or 0
  // True, and taken, when `c` comes next.
  bool take(char c);
  void expect(char c);
  // A plain word, or a quoted text.
  std::string word(const char* what);
  std::string quoted(const char* what);
  // A plain word may hold these characters too: a kind such as u32[] or bytes(16).
  std::string word_with(const char* what, std::string_view also);
  // The same, but anything may come first: 1e+20, -inf.
  std::string any_word(std::string_view also) { return std::string(token(also)); }
  std::uint64_t number(const char* what, std::uint64_t most = UINT64_MAX);
  std::int64_t signed_number(const char* what);
  std::int64_t seconds(const char* what);  // as nanoseconds
  std::string hex(const char* what);       // 0x... as bytes

 private:
  std::string_view token(std::string_view also);
  void skip_spaces();

  std::string_view all_;
  std::string_view rest_;
  std::string error_;
};

}  // namespace evt::tools

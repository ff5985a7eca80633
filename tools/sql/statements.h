// SQL, one statement after another.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace evt::tools {

// Takes text piece by piece, and has the statements in it: what semicolons end that are in no quotes, no $$ text and no
// comment.
class Statements {
 public:
  void add(std::string_view text) { text_ += text; }
  // The next one that is complete, without its semicolon; empty ones are left out.
  std::optional<std::string> next();
  // What is behind the last semicolon, as one more statement; nothing if that is white space and comments.
  std::optional<std::string> rest();
  // Nothing of a statement was added, behind the last one.
  bool is_between() const;
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

}  // namespace evt::tools

// What is behind left_out= of a session's line -> what the writer states of it.
#pragma once

#include <evt/describe.h>

#include <string>
#include <vector>

#include "text_form_lexer.h"

namespace evt::tools {

// Has the texts that its info() refers to.
class LeftOutText {
 public:
  LeftOutText() = default;
  LeftOutText(const LeftOutText&) = delete;
  LeftOutText& operator=(const LeftOutText&) = delete;

  void read(TextFormLexer& line);
  // Null where nothing was read.
  const evt_left_out* info() const { return is_stated_ ? &info_ : nullptr; }

 private:
  // Names, of which a session has at most EVT_MAX_ORIGINS; those beyond are counted.
  struct Names {
    std::vector<std::string> texts;
    std::vector<const char*> pointers;
    std::uint32_t more = 0;

    void read(TextFormLexer& line);
    void read_more(TextFormLexer& line);
    std::uint32_t count() const { return static_cast<std::uint32_t>(texts.size()) + more; }
  };

  bool take(TextFormLexer& line, const std::string& name);
  void sampled(TextFormLexer& line);

  bool is_stated_ = false;
  Names streams_;
  Names types_;
  evt_left_out info_ = {};
};

}  // namespace evt::tools

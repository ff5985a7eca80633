// A line of the text form that begins a session -> what the writer needs to know of it.
#pragma once

#include <evt/format.h>
#include <evt/writer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "left_out_text.h"
#include "text_form_lexer.h"

namespace evt::tools {

// Has the texts that its info() refers to.
class SessionLine {
 public:
  // Takes all that is behind the keyword.
  explicit SessionLine(TextFormLexer& line);
  SessionLine(const SessionLine&) = delete;
  SessionLine& operator=(const SessionLine&) = delete;

  // The last bytes of its uuid; 0 when it has none.
  std::uint64_t id() const { return evt_session_id(info_.uuid); }
  // REQUIRES: the line is ok.
  const evt_session_info& info() const { return info_; }

 private:
  bool take(TextFormLexer& line, const std::string& name);

  std::string program_;
  std::string host_;
  std::string boot_;
  std::string writer_;
  std::vector<std::string> words_;
  std::vector<const char*> word_pointers_;
  std::string origins_;  // one uuid behind the other
  std::string cut_;
  LeftOutText left_out_;
  evt_session_info info_ = {};
};

}  // namespace evt::tools

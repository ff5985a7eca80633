// A line of the text form that begins a session -> what the writer needs to know of it.
#pragma once

#include <evt/describe.h>
#include <evt/format.h>
#include <evt/writer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text_form_lexer.h"

namespace evt::tools {

// What is behind left_out= of a session's line -> what the writer states of it. Has the texts that its info() refers
// to.
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

// The text form (format-spec/TEXT.md) -> a trace, through the writer library.
#pragma once

#include <evt/status.h>
#include <evt/writer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text_declarations.h"
#include "text_form_lexer.h"

namespace evt::tools {

// Takes the text line by line and writes to a descriptor or a function. The first line that makes no sense, or the
// first write that fails, ends it.
class TextFormReader {
 public:
  explicit TextFormReader(int descriptor) : descriptor_(descriptor) {}
  TextFormReader(evt_sink sink, void* context) : sink_(sink), sink_context_(context) {}
  TextFormReader(const TextFormReader&) = delete;  // the writer reports its errors to this one
  TextFormReader& operator=(const TextFormReader&) = delete;

  // One line without its end. False once something is wrong; status() then names the line and column, or has what
  // could not be written.
  bool add(std::string_view text);
  // After the last line: ends the last session.
  Status finish();
  const Status& status() const { return status_; }
  // What was skipped, as a later version may know it: a sentence each, the first ones.
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  void parse(TextFormLexer& line);
  void header(TextFormLexer& line);
  void session(TextFormLexer& line);
  void open(const evt_session_info& info);
  void truncated(TextFormLexer& line);
  bool in_session(TextFormLexer& line);
  void end_session();

  int descriptor_ = -1;
  evt_sink sink_ = nullptr;  // or to the descriptor
  void* sink_context_ = nullptr;
  std::uint64_t line_number_ = 0;
  bool header_seen_ = false;
  Status status_;
  std::vector<std::string> skipped_;
  evt_writer* writer_ = nullptr;
  bool truncated_ = false;
  std::unordered_set<std::uint64_t> session_ids_;
  std::optional<TextDeclarations> declared_;  // in the session in progress
};

}  // namespace evt::tools

// The text form (format-spec/TEXT.md) -> a trace, through the writer library.
#pragma once

#include <evt/status.h>
#include <evt/value.h>
#include <evt/writer.h>

#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

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

 private:
  struct Type {
    const evt_type* handle = nullptr;
    evt_type undeclared{};
    std::vector<Field> fields;
  };

  void parse(TextFormLexer& line);
  void header(TextFormLexer& line);
  void session(TextFormLexer& line);
  void open(const evt_session_info& info);
  void type(TextFormLexer& line);
  void field(TextFormLexer& line, Field* out);
  void stream(TextFormLexer& line);
  void string(TextFormLexer& line);
  void cut(TextFormLexer& line);
  void event(TextFormLexer& line);
  void lost(TextFormLexer& line, evt_stream* stream, std::uint64_t ticks);
  void fields(TextFormLexer& line, const Type& type, evt_row* row);
  void value(TextFormLexer& line, const Field& field, evt_row* row);
  void scalar(TextFormLexer& line, const Field& field, evt_row* row);
  Type* find_type(TextFormLexer& line);
  std::uint32_t interned(TextFormLexer& line);
  bool in_session(TextFormLexer& line);
  void end_session();

  int descriptor_ = -1;
  evt_sink sink_ = nullptr;  // or to the descriptor
  void* sink_context_ = nullptr;
  std::uint64_t line_number_ = 0;
  std::uint64_t event_ticks_ = 0;  // of the event in this line
  bool header_seen_ = false;
  Status status_;
  evt_writer* writer_ = nullptr;
  bool cut_ = false;
  std::unordered_set<std::uint64_t> session_ids_;
  std::map<std::uint32_t, evt_stream*> streams_;
  std::deque<Type> types_;
  std::unordered_map<std::string, Type*> by_name_;  // null: several types have it
  std::unordered_map<std::uint32_t, Type*> by_number_;
  std::unordered_map<std::string, std::uint32_t> ids_;  // of the strings declared
};

}  // namespace evt::tools

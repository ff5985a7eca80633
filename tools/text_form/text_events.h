// Lines of the text form that are events.
#pragma once

#include <evt/value.h>
#include <evt/writer.h>

#include <cstdint>

#include "text_declarations.h"
#include "text_form_lexer.h"

namespace evt::tools {

// Records them in the streams that are declared. Refers to the declarations while it lives.
class TextEvents {
 public:
  explicit TextEvents(TextDeclarations& declared) : declared_(declared) {}

  // All of such a line.
  void read(TextFormLexer& line);

 private:
  void lost(TextFormLexer& line, evt_stream* stream, std::uint64_t ticks);
  void fields(TextFormLexer& line, const TextDeclarations::Type& type, evt_row* row);
  void value(TextFormLexer& line, const Field& field, evt_row* row);
  void scalar(TextFormLexer& line, const Field& field, evt_row* row);
  // Of this width, as a reading of the clock and as a length that ends at the event.
  std::uint64_t ticks_for(TextFormLexer& line, const Field& field) const;
  std::uint64_t delta_for(TextFormLexer& line, const Field& field) const;

  TextDeclarations& declared_;
  std::uint64_t event_ticks_ = 0;  // of the event in this line
};

}  // namespace evt::tools

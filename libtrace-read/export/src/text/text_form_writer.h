// A trace -> its text form (format-spec/TEXT.md).
#pragma once

#include <evt/trace.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "libtrace-read/text/event_text.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/time_text.h"

namespace evt {

// Makes the lines of one event after another; each type, stream and string comes just before the first event that needs
// it. Refers to the trace of the events.
class TextFormWriter : private ValueStyle {
 public:
  explicit TextFormWriter(const Trace& trace) : trace_(trace) {}

  // Appends the lines of the next event, with all that must precede it. Events come from Trace::events with markers, by
  // ns.
  void append(TextBuffer& out, const Event& event);
  // Appends what no event needed, and the ends of sessions.
  void append_end(TextBuffer& out);

 private:
  // Common parts of the lines of all events of a type.
  struct TypeParts {
    CachedText name;
    std::vector<CachedText> fields;
    bool names_strings = false;
  };
  struct SessionLines {
    Memo<const StreamInfo*, CachedText> streams;                // written
    TypeMemo<TypeParts> types;                                  // written, if the trace declares them
    Memo<std::uint32_t, const std::string*> strings;            // written; null: known by their number
    std::unordered_map<std::string_view, std::uint32_t> texts;  // number of ids that have it
    std::unordered_map<std::string_view, std::uint32_t> names;  // number of types that have it
  };

  void go_to(TextBuffer& out, const Session& session);
  void begin_session(TextBuffer& out, const Session& session);
  void end_session(TextBuffer& out);
  TypeParts type_parts(TextBuffer& out, const Event& event);
  static void declare_type(TextBuffer& out, const EventType& type);
  static void declare_stream(TextBuffer& out, const StreamInfo& stream);
  void declare_strings(TextBuffer& out, const Event& event);
  static void declare_string(TextBuffer& out, std::uint32_t id, std::string_view text);
  // The text, if no other id has it too; else null.
  const std::string* distinct(const std::string& text) const;
  const std::string* name_of(const Event& event, std::uint32_t id) override;

  const Trace& trace_;
  std::size_t next_session_ = 0;
  const Session* session_ = nullptr;
  SessionLines lines_;
  TimeText time_{TimeText::Style::kSeconds};
};

}  // namespace evt

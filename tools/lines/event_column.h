// One thing of an event, by the name that users have for it: a column of --fields, a placeholder of --format.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/stream_names.h"
#include "libtrace-read/text/time_text.h"

namespace evt::tools {

// As in --where, a name is a field's if a wanted event has it; else one of time, utc, local, delta, ns, stream,
// stream_id, thread (of the event by its role, else of the stream), type, size, ordinal, fields (all of them as evt
// dump shows them), which an @ in front makes it in any case. One in quotes is nothing but a field, role:NAME the first
// field with a role. Refers to the trace at hand. One thread at a time.
class EventColumn {
 public:
  // Errors: kInvalid, of a role that does not exist.
  static Result<EventColumn> parse(std::string_view text);

  // Finds out what the name is in these traces. Why it is in none of them: a sentence, with names that are near; empty
  // when an event may have it, or when no session could be read.
  std::string resolve(const std::vector<const Trace*>& traces, const std::function<bool(const EventType&)>& wants_type);

  // Once it is resolved: no property that each event has.
  bool is_field() const { return kind_ >= Kind::kField; }
  // As the user wrote it; of a field in quotes its name.
  const std::string& name() const { return name_; }
  // For programs: times end in _ns.
  std::string key() const;
  // What is in it is a number or a time for all wanted types of the trace that have it.
  bool is_of_numbers(const Trace& trace, const std::function<bool(const EventType&)>& wants_type) const;
  // How wide it is when nothing else is known.
  std::size_t least_width(const Trace& trace) const;

  // Events of this trace follow.
  void begin(const Trace& trace);
  // For people: `-` for what the event does not have; a text without quotes, in one line that does nothing to a
  // terminal. `delta_ns`: since the event before.
  void append_text(TextBuffer& out, const Event& event, std::int64_t delta_ns);
  // For programs: null, or an empty cell, for what it does not have.
  enum class DataForm : std::uint8_t { kJson, kCsv };
  void append_data(TextBuffer& out, const Event& event, std::int64_t delta_ns, DataForm form);

 private:
  enum class Kind : std::uint8_t {
    kTime,
    kUtc,
    kLocal,
    kDelta,
    kNs,
    kStream,
    kStreamId,
    kThread,
    kType,
    kSize,
    kOrdinal,
    kFields,
    kField,
    kRole,
  };
  static constexpr std::size_t kNowhere = SIZE_MAX;

  EventColumn(Kind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  const Field* field_in(const std::vector<Field>& fields) const;
  std::optional<Value> value(const Event& event);
  // Of what is a whole number: appends it, false when this event has none.
  bool append_number_of(TextBuffer& out, const Event& event, std::int64_t delta_ns) const;
  void append_fields_as_text(TextBuffer& out, const Event& event);
  void append_fields_as_json(TextBuffer& out, const Event& event);

  Kind kind_;
  std::string name_;
  bool may_be_field_ = false;  // though it names something else, too
  Role role_ = Role::kNone;
  TimeText time_{TimeText::Style::kSeconds};
  StreamNames streams_;
  Memo<const StreamInfo*, CachedText> stream_texts_;
  TypeMemo<std::size_t> places_;  // of the field, by type
  TypeMemo<std::vector<CachedText>> field_names_;
  TextBuffer made_;
};

// What names a column: without fields of traces.
const std::vector<std::string>& event_column_names();

}  // namespace evt::tools

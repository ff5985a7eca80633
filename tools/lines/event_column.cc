#include "event_column.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "libtrace-read/text/csv_cell.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/event_text.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/utf8.h"

namespace evt::tools {
namespace {

// Fields that events of losses have, which no trace declares.
constexpr const char* kLossFields[] = {"count", "cause", "duration"};

bool may_have_losses(const Session& session) { return session.lost > 0 || session.missing > 0 || !session.closed; }

bool is_number(const Field& field) {
  switch (field.known() ? field.kind : Kind::kBytes) {
    case Kind::kUnsigned:
    case Kind::kSigned:
    case Kind::kFloat:
    case Kind::kTicks:
    case Kind::kTickDelta:
      return field.shape == Shape::kFixed;
    default:
      return false;
  }
}

// A text as it is, another value as evt dump shows it.
void append_cell(TextBuffer& out, const Event& event, const Value& value) {
  WholePeopleStyle style;
  const bool is_scalar = !value.is_sequence() && !value.is_absent();
  if (is_scalar && value.kind() == Kind::kText) return append_harmless(out, value.as_text());
  const std::string* const text = is_scalar && value.kind() == Kind::kInterned
                                      ? event.session().text({static_cast<std::uint32_t>(value.as_unsigned())})
                                      : nullptr;
  if (text != nullptr) return append_harmless(out, *text);
  append_value(out, event, value, style);
}

}  // namespace

const std::vector<std::string>& event_column_names() {
  static const std::vector<std::string> names = {"time",      "utc",    "local", "delta", "ns",      "stream",
                                                 "stream_id", "thread", "type",  "size",  "ordinal", "fields"};
  return names;
}

Result<EventColumn> EventColumn::parse(std::string_view text) {
  const std::string written(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return EventColumn(Kind::kField, written.substr(1, written.size() - 2));
  }
  const auto& names = event_column_names();
  const auto known = std::ranges::find(names, text.starts_with('@') ? text.substr(1) : text);
  if (known != names.end()) {
    EventColumn column(static_cast<Kind>(known - names.begin()), written);
    column.may_be_field_ = !text.starts_with('@');
    if (column.kind_ == Kind::kUtc) column.time_ = TimeText(TimeText::Style::kIso);
    if (column.kind_ == Kind::kLocal) column.time_ = TimeText(TimeText::Style::kLocalIso);
    return column;
  }
  constexpr std::string_view kRoleMark = "role:";
  if (!text.starts_with(kRoleMark)) return EventColumn(Kind::kField, written);
  const std::string name = written.substr(kRoleMark.size());
  const auto role = parse_role(name);
  if (!role || *role == Role::kNone) {
    return Status(Code::kInvalid, "there is no role " + name + did_you_mean(name, role_names()));
  }
  EventColumn column(Kind::kRole, written);
  column.role_ = *role;
  return column;
}

std::string EventColumn::key() const {
  return kind_ == Kind::kTime ? "time_ns" : kind_ == Kind::kDelta ? "delta_ns" : name_;
}

const Field* EventColumn::field_in(const std::vector<Field>& fields) const {
  const auto found = std::ranges::find_if(
      fields, [&](const Field& field) { return kind_ == Kind::kRole ? field.role == role_ : field.name == name_; });
  return found == fields.end() ? nullptr : &*found;
}

std::string EventColumn::resolve(const std::vector<const Trace*>& traces,
                                 const std::function<bool(const EventType&)>& wants_type) {
  if (!is_field() && !may_be_field_) return "";
  std::vector<std::string> names = event_column_names();
  bool has_sessions = false;
  for (const Trace* const trace : traces) {
    for (const Session& session : trace->sessions()) {
      has_sessions = true;
      const bool is_of_loss = std::ranges::find(kLossFields, name_) != std::end(kLossFields);
      if (is_of_loss && may_have_losses(session)) return "";
      for (const EventType& type : session.types) {
        if (!wants_type(type)) continue;
        if (field_in(type.fields()) != nullptr) {
          if (!is_field()) kind_ = Kind::kField;
          return "";
        }
        for (const Field& field : type.fields()) names.push_back(field.name);
      }
    }
  }
  if (!has_sessions || !is_field()) return "";
  if (kind_ == Kind::kRole) return "no event has a field with the role " + to_string(role_);
  return fmt::format("no event has a field {}{}", name_, did_you_mean(name_, names));
}

bool EventColumn::is_of_numbers(const Trace& trace, const std::function<bool(const EventType&)>& wants_type) const {
  if (!is_field()) return kind_ != Kind::kStream && kind_ != Kind::kType && kind_ != Kind::kFields;
  for (const Session& session : trace.sessions()) {
    for (const EventType& type : session.types) {
      const Field* const field = wants_type(type) ? field_in(type.fields()) : nullptr;
      if (field != nullptr && !is_number(*field)) return false;
    }
  }
  return true;
}

std::size_t EventColumn::least_width(const Trace& trace) const {
  constexpr std::size_t kSeconds = 12;  // 99.123456789
  constexpr std::size_t kMaxName = 32;
  std::size_t width = columns_of(name_);
  if (kind_ == Kind::kTime || kind_ == Kind::kDelta || kind_ == Kind::kNs) return kSeconds;
  for (const Session& session : trace.sessions()) {
    if (kind_ == Kind::kStream) {
      for (const StreamInfo& stream : session.streams) width = std::max(width, columns_of(streams_.shown(stream)));
    } else if (kind_ == Kind::kType) {
      if (may_have_losses(session)) width = std::max(width, columns_of("!lost"));
      for (const EventType& type : session.types) width = std::max(width, columns_of(shown(type.name())));
    }
  }
  return std::min(width, kMaxName);
}

void EventColumn::begin(const Trace& trace) {
  stream_texts_.clear();
  places_.clear();
  field_names_.clear();
  streams_.begin(trace);
}

std::optional<Value> EventColumn::value(const Event& event) {
  const std::size_t place = places_.of(event.type(), [&] {
    const auto& fields = event.type().fields();
    const Field* const field = field_in(fields);
    return field == nullptr ? kNowhere : static_cast<std::size_t>(field - fields.data());
  });
  return place == kNowhere ? std::nullopt : event.value(place);
}

bool EventColumn::append_number_of(TextBuffer& out, const Event& event, std::int64_t delta_ns) const {
  switch (kind_) {
    case Kind::kTime:
    case Kind::kNs:
      append_number(out, event.ns());
      return true;
    case Kind::kDelta:
      append_number(out, delta_ns);
      return true;
    case Kind::kStreamId:
      append_number(out, std::uint64_t{event.stream().id});
      return true;
    case Kind::kThread: {
      const bool has_field = event.type().field(Role::kThread) != nullptr;
      const std::uint64_t thread = has_field ? event.number(Role::kThread).value_or(0) : event.stream().thread;
      if (thread != 0) append_number(out, thread);
      return thread != 0;
    }
    case Kind::kSize:
      append_number(out, std::uint64_t{event.payload().size()});
      return true;
    case Kind::kOrdinal:
      append_number(out, event.ordinal());
      return true;
    default:
      return false;
  }
}

void EventColumn::append_fields_as_text(TextBuffer& out, const Event& event) {
  WholePeopleStyle style;
  TextBuffer fields;
  append_fields(fields, event, field_names_.of(event.type(), [&] { return field_names(event.type()); }), style);
  // Each has a space in front.
  if (fields.size() > 0) out += fields.text().substr(1);
}

void EventColumn::append_fields_as_json(TextBuffer& out, const Event& event) {
  FieldWalker walker = event.values();
  const char* before = "{";
  while (const std::optional<Value> value = walker.next()) {
    out += before;
    before = ",";
    append_json_text(out, value->field().name);
    out += ':';
    append_json_value(out, event, *value, made_);
  }
  if (!walker.rest().empty()) {
    out += fmt::format("{}\"rest\":\"", before);
    append_hex(out, walker.rest().data(), walker.rest().size());
    out += '"';
    before = ",";
  }
  if (*before == '{') out += '{';
  out += '}';
}

void EventColumn::append_text(TextBuffer& out, const Event& event, std::int64_t delta_ns) {
  switch (kind_) {
    case Kind::kTime:
      return time_.append(out, event.ns());
    case Kind::kUtc:
    case Kind::kLocal:
      return time_.append(out, event.utc_ns());
    case Kind::kDelta:
      return append_seconds(out, delta_ns, 0, true);
    case Kind::kStream:
      out += stream_texts_.of(&event.stream(), [&] { return CachedText(streams_.shown(event.stream())); });
      return;
    case Kind::kType:
      out += shown_type(event);
      return;
    case Kind::kFields:
      return append_fields_as_text(out, event);
    default:
      break;
  }
  const auto found = is_field() ? value(event) : std::nullopt;
  if (found) return append_cell(out, event, *found);
  if (is_field() || !append_number_of(out, event, delta_ns)) out += '-';
}

void EventColumn::append_data(TextBuffer& out, const Event& event, std::int64_t delta_ns, DataForm form) {
  const bool is_json = form == DataForm::kJson;
  const auto append = [&](std::string_view text) {
    is_json ? append_json_text(out, text) : append_csv_cell(out, text);
  };
  switch (kind_) {
    case Kind::kUtc:
    case Kind::kLocal:
      made_.clear();
      time_.append(made_, event.utc_ns());
      return append(made_.text());
    case Kind::kStream:
      return append(event.stream().name);
    case Kind::kType:
      return append(event.type().name());
    case Kind::kFields:
      if (is_json) return append_fields_as_json(out, event);
      return append(text_from([&](TextBuffer& text) { append_fields_as_text(text, event); }));
    default:
      break;
  }
  const auto found = is_field() ? value(event) : std::nullopt;
  if (found)
    return is_json ? append_json_value(out, event, *found, made_) : append_csv_value(out, event, *found, made_);
  const bool has_number = !is_field() && append_number_of(out, event, delta_ns);
  if (!has_number && is_json) out += "null";
}

}  // namespace evt::tools

#include "text_form_writer.h"

#include <evt/export/text_form_lines.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt {
namespace {

template <typename... Args>
void print(TextBuffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void append_text_pair(TextBuffer& out, const char* name, const std::string& text) {
  if (text.empty()) return;
  print(out, " {}=", name);
  append_quoted(out, text);
}

void append_texts(TextBuffer& out, const char* name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  print(out, " {}=[", name);
  const char* between = "";
  for (const std::string& text : texts) {
    out += between;
    append_quoted(out, text);
    between = " ";
  }
  out += ']';
}

void append_field_meaning(TextBuffer& out, const Field& field) {
  if (field.scope != Scope::kNotStated) print(out, " scope={}", to_string(field.scope));
  if (field.is_flags) out += " flags=true";
  if (field.absent) print(out, " absent={}", *field.absent);
  if (field.scale != 0) print(out, " scale={}", int{field.scale});
  append_text_pair(out, "unit_text", field.unit_text);
  append_texts(out, "tags", field.tags);
}

void append_facet(TextBuffer& out, const EventType& type, const Facet& facet) {
  print(out, " facet={}[", to_string(facet.role));
  const char* between = "";
  for (const Facet::OfField& field : facet.fields) {
    out += between;
    append_word(out, type.fields()[field.field].name);
    print(out, "={}", to_string(field.role));
    between = " ";
  }
  out += ']';
}

void append_type_meaning(TextBuffer& out, const EventType& type) {
  const TypeMeaning& meaning = type.meaning();
  for (const Facet& facet : meaning.facets) append_facet(out, type, facet);
  append_text_pair(out, "twin_of", meaning.twin_of);
  append_text_pair(out, "file", meaning.source_file);
  if (meaning.source_line != 0) print(out, " line={}", meaning.source_line);
  append_text_pair(out, "function", meaning.source_function);
  append_texts(out, "tags", meaning.tags);
}

void append_field(TextBuffer& out, const Field& field) {
  out += " (";
  append_word(out, field.name);
  print(out, " {}", field_kind_name(field));
  if (field.role != Role::kNone) print(out, " role={}", to_string(field.role));
  if (field.unit != Unit::kNone) print(out, " unit={}", to_string(field.unit));
  if (!field.labels.empty()) {
    out += " labels=[";
    const char* between = "";
    for (const Field::Label& label : field.labels) {
      print(out, "{}{}=", between, label.value);
      append_word(out, label.text);
      between = " ";
    }
    out += ']';
  }
  append_field_meaning(out, field);
  if (!field.description.empty()) {
    out += ' ';
    append_quoted(out, field.description);
  }
  out += ')';
}

void append_origins(TextBuffer& out, const Session& session) {
  if (session.origins.empty()) return;
  const char* between = " origins=[";
  for (const Session::Uuid& origin : session.origins) {
    out += between;
    between = " ";
    append_hex(out, origin.data(), origin.size());
  }
  out += ']';
}

// Some names, and the number of others beyond the limit.
void append_names(TextBuffer& out, const char* thing, const std::vector<std::string>& names, std::uint32_t count) {
  append_texts(out, thing, names);
  if (names.size() >= EVT_MAX_ORIGINS && count > names.size()) print(out, " more_{}={}", thing, count - names.size());
}

void append_left_out(TextBuffer& out, const LeftOut& left_out) {
  const std::string inner = text_from([&](TextBuffer& text) {
    if (left_out.has_range) {
      text += " from=";
      append_seconds(text, left_out.from_ns);
      text += " to=";
      append_seconds(text, left_out.to_ns);
    }
    append_names(text, "streams", left_out.streams, left_out.stream_count);
    append_names(text, "types", left_out.types, left_out.type_count);
    if (left_out.sampled_by != EVT_SAMPLED_NONE) {
      print(text, " sampled={} one_in={}", name_of(NumberList::kSampling, left_out.sampled_by), left_out.one_in);
    }
    if (left_out.others) text += " others=true";
  });
  print(out, " left_out=[{}]", std::string_view(inner).substr(inner.empty() ? 0 : 1));
}

// Clocks and parts have no text form, and neither have facts about them.
void append_fact(TextBuffer& out, const Fact& fact) {
  if (fact.scope > EVT_FACT_SCOPE_TYPE) return;
  out += "fact ";
  append_seconds(out, fact.ns);
  out += ' ';
  out += named_number(NumberList::kFactScope, fact.scope)->name;
  if (fact.scope != EVT_FACT_SCOPE_SESSION) print(out, " {}", fact.id);
  out += ' ';
  append_word(out, fact.key);
  out += ' ';
  append_quoted(out, fact.value);
  out += '\n';
}

class CanonicalLines : public EventLines {
 public:
  void begin(TextBuffer&, const std::string&, const Trace& trace) override { writer_.emplace(trace); }
  void append(TextBuffer& out, const Event& event) override { writer_->append(out, event); }
  void end(TextBuffer& out) override { writer_->append_end(out); }

 private:
  std::optional<TextFormWriter> writer_;
};

}  // namespace

void TextFormWriter::append(TextBuffer& out, const Event& event) {
  go_to(out, event.session());
  const TypeParts& type = lines_.types.of(event.type(), [&] { return type_parts(out, event); });
  const CachedText& stream = lines_.streams.of(&event.stream(), [&] {
    declare_stream(out, event.stream());
    return CachedText(fmt::format(" {} ", event.stream().id));
  });
  if (type.names_strings) declare_strings(out, event);
  time_.append(out, event.ns());
  out += stream;
  out += type.name;
  append_fields(out, event, type.fields, *this);
  out += '\n';
}

TextFormWriter::TypeParts TextFormWriter::type_parts(TextBuffer& out, const Event& event) {
  const EventType& type = event.type();
  const bool of_trace = type.declared() && type.number() != 0;
  if (of_trace) declare_type(out, type);
  TypeParts parts;
  if (!of_trace) {
    parts.name = CachedText(type.name());
  } else if (lines_.names[type.name()] > 1) {
    parts.name = CachedText(text_from([&](TextBuffer& name) {
      print(name, "type#{} ", type.number());
      append_word(name, type.name());
    }));
  } else {
    parts.name = CachedText(text_from([&](TextBuffer& name) { append_word(name, type.name()); }));
  }
  parts.fields = field_names(type);
  parts.names_strings =
      std::ranges::any_of(type.fields(), [](const Field& field) { return field.kind == Kind::kInterned; });
  return parts;
}

void TextFormWriter::append_end(TextBuffer& out) {
  while (next_session_ < trace_.sessions().size()) begin_session(out, trace_.sessions()[next_session_]);
  end_session(out);
}

void TextFormWriter::go_to(TextBuffer& out, const Session& session) {
  while (session_ != &session) begin_session(out, trace_.sessions()[next_session_]);
}

void TextFormWriter::begin_session(TextBuffer& out, const Session& session) {
  if (session_ == nullptr) out += "evtrace text 1\n";
  end_session(out);
  session_ = &session;
  ++next_session_;
  lines_ = {};
  for (const auto& [id, text] : session.strings) ++lines_.texts[text];
  for (const EventType& type : session.types) ++lines_.names[type.name()];

  out += "session";
  const bool known = std::ranges::any_of(session.uuid, [](std::uint8_t byte) { return byte != 0; });
  if (known) {
    out += " uuid=";
    append_hex(out, session.uuid.data(), session.uuid.size());
  }
  out += " start=";
  append_seconds(out, session.start_utc_ns);
  append_text_pair(out, "program", session.program);
  if (session.pid != 0) print(out, " pid={}", session.pid);
  append_text_pair(out, "host", session.host);
  append_text_pair(out, "boot", session.boot_id);
  append_text_pair(out, "writer", session.writer);
  append_texts(out, "args", session.command_line);
  append_origins(out, session);
  append_text_pair(out, "cut", session.cut);
  if (session.left_out) append_left_out(out, *session.left_out);
  out += '\n';
  for (const Fact& fact : session.facts) append_fact(out, fact);
}

void TextFormWriter::end_session(TextBuffer& out) {
  if (session_ == nullptr) return;
  for (const EventType& type : session_->types) {
    if (lines_.types.find(type) == nullptr) declare_type(out, type);
  }
  for (const StreamInfo& stream : session_->streams) {
    if (lines_.streams.find(&stream) == nullptr) declare_stream(out, stream);
  }
  const std::map<std::uint32_t, std::string_view> in_order(session_->strings.begin(), session_->strings.end());
  for (const auto& [id, text] : in_order) {
    if (lines_.strings.find(id) == nullptr) declare_string(out, id, text);
  }
  if (!session_->closed) out += "truncated\n";
}

void TextFormWriter::declare_type(TextBuffer& out, const EventType& type) {
  print(out, "type {} ", type.number());
  append_word(out, type.name());
  if (!type.description().empty()) {
    out += ' ';
    append_quoted(out, type.description());
  }
  if (type.role() != Role::kNone) print(out, " role={}", to_string(type.role()));
  append_type_meaning(out, type);
  for (const Field& field : type.fields()) append_field(out, field);
  out += '\n';
}

void TextFormWriter::declare_stream(TextBuffer& out, const StreamInfo& stream) {
  print(out, "stream {} ", stream.id);
  append_quoted(out, stream.declared_name);
  if (stream.thread != 0) print(out, " thread={}", stream.thread);
  if (stream.process != 0) print(out, " process={}", stream.process);
  out += '\n';
}

// The strings that this event's fields refer to.
void TextFormWriter::declare_strings(TextBuffer& out, const Event& event) {
  FieldWalker walker = event.values();
  while (const std::optional<Value> value = walker.next()) {
    if (value->kind() != Kind::kInterned) continue;
    value->for_each([&](const Value& element) {
      const auto id = static_cast<std::uint32_t>(element.as_unsigned());
      if (lines_.strings.find(id) != nullptr) return;
      const auto known = event.session().strings.find(id);
      if (known == event.session().strings.end()) return;
      lines_.strings.of(id, [&] {
        declare_string(out, id, known->second);
        return distinct(known->second);
      });
    });
  }
}

void TextFormWriter::declare_string(TextBuffer& out, std::uint32_t id, std::string_view text) {
  print(out, "string {} ", id);
  append_quoted(out, text);
  out += '\n';
}

const std::string* TextFormWriter::distinct(const std::string& text) const {
  // The empty text also belongs to id 0, which is not among the strings.
  const auto known = lines_.texts.find(text);
  const std::uint32_t ids = (known != lines_.texts.end() ? known->second : 0) + (text.empty() ? 1 : 0);
  return ids > 1 ? nullptr : &text;
}

const std::string* TextFormWriter::name_of(const Event& event, std::uint32_t id) {
  if (const auto* const declared = lines_.strings.find(id)) return *declared;
  const std::string* const text = event.session().text({id});
  return text != nullptr ? distinct(*text) : nullptr;
}

std::unique_ptr<EventLines> text_form_lines() { return std::make_unique<CanonicalLines>(); }

}  // namespace evt

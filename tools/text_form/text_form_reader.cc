// Lines that declare; those that begin sessions are in text_form_session.cc, those that tell of events in
// text_form_events.cc.
#include "text_form_reader.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/export/src/base/enum_names.h"
#include "text_form_parts.h"

namespace evt::tools {
namespace {

// 0 is no type and no stream, and the empty text: to the writer it would mean any number.
std::uint32_t number_from_1(TextFormLexer& line, const char* what) {
  const std::uint64_t number = line.number(what, UINT32_MAX);
  if (number == 0) line.refuse(fmt::format("expected {}, a number from 1 on", what));
  return static_cast<std::uint32_t>(number);
}

// Those of later versions have no name here, and are numbers.
template <typename Number>
Number by_name_or_number(TextFormLexer& line, std::optional<Number> (*find)(std::string_view), const char* what) {
  const std::string text = line.any_word("");
  const std::optional<Number> known = find(text);
  if (!known) line.refuse(fmt::format("expected {} by its name or number", what));
  return known.value_or(Number{});
}

}  // namespace

bool TextFormReader::add(std::string_view text) {
  if (!status_.ok()) return false;
  ++line_number_;
  if (text.ends_with('\r')) text.remove_suffix(1);
  TextFormLexer line(text);
  if (!line.at_end() && line.peek() != '#') {
    parse(line);
    if (line.ok() && !line.at_end()) line.fail("expected the end of the line");
  }
  if (!line.ok() && status_.ok()) {
    status_ = Status(Code::kInvalid, fmt::format("line {}, {}", line_number_, line.error()));
  }
  return status_.ok();
}

Status TextFormReader::finish() {
  if (status_.ok() && !header_seen_) status_ = Status(Code::kInvalid, "the text is empty: expected `evtrace text 1`");
  if (status_.ok() && writer_ == nullptr) status_ = Status(Code::kInvalid, "the text has no session line");
  end_session();
  return status_;
}

void TextFormReader::parse(TextFormLexer& line) {
  if (!header_seen_) return header(line);
  if (line.at_digit() || line.peek() == '-') return event(line);
  const std::string keyword = line.word("an event line, or one of session, type, stream, string, cut");
  if (keyword == "session") return session(line);
  if (keyword == "type") return type(line);
  if (keyword == "stream") return stream(line);
  if (keyword == "string") return string(line);
  if (keyword == "cut") return cut(line);
  line.refuse(fmt::format("expected an event line, or one of session, type, stream, string, cut; found {}", keyword));
}

void TextFormReader::header(TextFormLexer& line) {
  const bool named = line.word("`evtrace text 1`") == "evtrace" && line.word("`evtrace text 1`") == "text";
  if (line.ok() && (!named || line.number("version 1 of the text form") != 1)) line.refuse("expected `evtrace text 1`");
  header_seen_ = true;
}

bool TextFormReader::in_session(TextFormLexer& line) {
  if (writer_ == nullptr || cut_) line.refuse_all("expected a session line before this one");
  return line.ok();
}

void TextFormReader::end_session() {
  if (writer_ == nullptr) return;
  evt_error error;
  if (cut_) {
    evt_close_truncated(writer_, &error);
  } else {
    evt_close(writer_, &error);
  }
  if (error.code != EVT_OK && status_.ok()) status_ = Status(static_cast<Code>(error.code), error.message);
  writer_ = nullptr;
  cut_ = false;
  streams_.clear();
  types_.clear();
  by_name_.clear();
  by_number_.clear();
  ids_.clear();
}

void TextFormReader::cut(TextFormLexer& line) {
  if (in_session(line)) cut_ = true;
}

void TextFormReader::field(TextFormLexer& line, Field* out) {
  out->name = line.word("a field's name");
  refuse_nul(line, out->name);
  const std::size_t kind_at = line.place();
  std::string kind = line.word_with("a field's kind", "[]");
  if (line.take('(')) {  // bytes(16)
    kind += fmt::format("({})", line.number("a width", UINT32_MAX));
    line.expect(')');
  }
  if (!line.ok()) return;
  if (!parse_field_kind(kind, out)) return line.fail_at(kind_at, fmt::format("{} is not the kind of a field", kind));
  pairs(line, [&](const std::string& name) {
    if (name == "role") {
      out->role = by_name_or_number<Role>(line, parse_role, "a role");
    } else if (name == "unit") {
      out->unit = by_name_or_number<Unit>(line, parse_unit, "a unit");
    } else if (name == "labels") {
      line.expect('[');
      while (line.ok() && !line.take(']')) {
        const std::uint64_t value = line.number("a label's value");
        line.expect('=');
        out->labels.push_back({value, line.word("a label")});
        refuse_nul(line, out->labels.back().text);
      }
    } else {
      return false;
    }
    return true;
  });
  if (line.peek() == '"') out->description = line.quoted("a description");
  refuse_nul(line, out->description);
  line.expect(')');
}

void TextFormReader::type(TextFormLexer& line) {
  if (!in_session(line)) return;
  const std::uint32_t number = number_from_1(line, "the type's number");
  const std::string name = line.word("the type's name");
  refuse_nul(line, name);
  const std::string description = line.peek() == '"' ? line.quoted("a description") : "";
  refuse_nul(line, description);
  Role role = Role::kNone;
  pairs(line, [&](const std::string& what) {
    if (what != "role") return false;
    role = by_name_or_number<Role>(line, parse_role, "a role");
    return true;
  });
  Type made;
  while (line.ok() && line.take('(')) field(line, &made.fields.emplace_back());
  if (!line.ok()) return;

  std::vector<std::vector<evt_label>> labels;
  std::vector<evt_field> fields;
  for (const Field& f : made.fields) {
    auto& list = labels.emplace_back();
    for (const Field::Label& label : f.labels) list.push_back({label.value, label.text.c_str()});
    fields.push_back({f.name.c_str(), f.description.c_str(), static_cast<std::uint16_t>(f.kind),
                      static_cast<std::uint16_t>(f.shape), f.width, static_cast<std::uint16_t>(f.role),
                      static_cast<std::uint16_t>(f.unit), static_cast<std::uint32_t>(list.size()), nullptr});
  }
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i].labels = labels[i].data();
  const evt_event_type declared = {name.c_str(),
                                   description.c_str(),
                                   number,
                                   static_cast<std::uint16_t>(role),
                                   static_cast<std::uint32_t>(fields.size()),
                                   fields.data()};
  evt_error error;
  made.handle = evt_declare_as(writer_, &declared, &error);
  if (error.code != EVT_OK) return line.refuse_all(error.message);
  types_.push_back(std::move(made));
  const auto [named, is_first] = by_name_.try_emplace(name, &types_.back());
  const bool is_other = !is_first && (named->second == nullptr || named->second->handle->number != number);
  named->second = is_other ? nullptr : &types_.back();
  by_number_[types_.back().handle->number] = &types_.back();
}

void TextFormReader::stream(TextFormLexer& line) {
  if (!in_session(line)) return;
  evt_stream_info info = {};
  info.id = number_from_1(line, "the stream's number");
  const std::string name = line.quoted("the stream's name");
  refuse_nul(line, name);
  info.name = name.c_str();
  pairs(line, [&](const std::string& what) {
    if (what == "thread") info.thread = line.number("a thread");
    if (what == "process") info.process = line.number("a process");
    return what == "thread" || what == "process";
  });
  if (!line.ok()) return;
  evt_error error;
  evt_stream* const made = evt_stream_open_as(writer_, &info, &error);
  if (error.code != EVT_OK) return line.refuse_all(error.message);
  streams_[info.id] = made;
}

void TextFormReader::string(TextFormLexer& line) {
  if (!in_session(line)) return;
  const std::uint32_t id = number_from_1(line, "the string's number");
  const std::string text = line.quoted("the text");
  if (!line.ok()) return;
  if (evt_intern_as(writer_, id, text.data(), text.size()) != id) {
    return line.refuse_all(fmt::format("string {} is another text already", id));
  }
  ids_.try_emplace(text, id);
}

}  // namespace evt::tools

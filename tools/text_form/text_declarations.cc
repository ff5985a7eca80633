#include "text_declarations.h"

#include <evt/described_type.h>
#include <evt/event_type.h>
#include <evt/evt_copy.h>
#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "libtrace-read/text/enum_names.h"
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

std::string quoted_text(TextFormLexer& line, const char* what) {
  std::string text = line.quoted(what);
  refuse_nul(line, text);
  return text;
}

void read_tags(TextFormLexer& line, std::vector<std::string>* tags) {
  line.expect('[');
  while (line.ok() && !line.take(']')) tags->push_back(quoted_text(line, "a tag"));
}

// What a value means beyond its role and unit. False: it is none of that.
bool read_field_meaning(TextFormLexer& line, const std::string& name, Field* out) {
  if (name == "scope") {
    out->scope = by_name_or_number<Scope>(line, parse_scope, "a scope");
  } else if (name == "flags") {
    expect_true(line);
    out->is_flags = true;
  } else if (name == "absent") {
    out->absent = line.number("a value");
  } else if (name == "scale") {
    out->scale = static_cast<std::int8_t>(line.signed_number(INT8_MIN, INT8_MAX));
  } else if (name == "unit_text") {
    out->unit_text = quoted_text(line, "a unit");
  } else if (name == "tags") {
    read_tags(line, &out->tags);
  } else {
    return false;
  }
  return true;
}

// A facet as it is read: with the names of fields that come behind it.
struct NamedFacet {
  Role role = Role::kNone;
  std::vector<std::pair<std::string, Role>> fields;
};

NamedFacet read_facet(TextFormLexer& line) {
  NamedFacet facet;
  facet.role = by_name_or_number<Role>(line, parse_role, "a role");
  line.expect('[');
  while (line.ok() && !line.take(']')) {
    const std::string field = line.word("a field");
    line.expect('=');
    facet.fields.emplace_back(field, by_name_or_number<Role>(line, parse_role, "a role"));
  }
  return facet;
}

Facet with_places(TextFormLexer& line, const NamedFacet& facet, const std::vector<Field>& fields) {
  Facet made;
  made.role = facet.role;
  for (const auto& [name, role] : facet.fields) {
    const auto found = std::ranges::find_if(fields, [&name = name](const Field& each) { return each.name == name; });
    if (found == fields.end()) {
      line.refuse_all(fmt::format("a facet names {}, which is no field of the type", name));
      return made;
    }
    made.fields.push_back({static_cast<std::uint16_t>(found - fields.begin()), role});
  }
  return made;
}

void read_field(TextFormLexer& line, Field* out) {
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
      return read_field_meaning(line, name, out);
    }
    return true;
  });
  if (line.peek() == '"') out->description = line.quoted("a description");
  refuse_nul(line, out->description);
  line.expect(')');
}

}  // namespace

bool TextDeclarations::knows(std::string_view keyword) {
  return keyword == "type" || keyword == "stream" || keyword == "string" || keyword == "fact";
}

void TextDeclarations::read(std::string_view keyword, TextFormLexer& line) {
  if (keyword == "type") return type(line);
  if (keyword == "stream") return stream(line);
  if (keyword == "fact") return fact(line);
  string(line);
}

void TextDeclarations::type(TextFormLexer& line) {
  const std::uint32_t number = number_from_1(line, "the type's number");
  const std::string name = line.word("the type's name");
  refuse_nul(line, name);
  const std::string description = line.peek() == '"' ? line.quoted("a description") : "";
  refuse_nul(line, description);
  Role role = Role::kNone;
  TypeMeaning meaning;
  std::vector<NamedFacet> facets;
  pairs(line, [&](const std::string& what) {
    if (what == "role") {
      role = by_name_or_number<Role>(line, parse_role, "a role");
    } else if (what == "facet") {
      facets.push_back(read_facet(line));
    } else if (what == "twin_of") {
      meaning.twin_of = quoted_text(line, "a type's name");
    } else if (what == "file") {
      meaning.source_file = quoted_text(line, "a file's name");
    } else if (what == "line") {
      meaning.source_line = static_cast<std::uint32_t>(line.number("a line's number", UINT32_MAX));
    } else if (what == "function") {
      meaning.source_function = quoted_text(line, "a function's name");
    } else if (what == "tags") {
      read_tags(line, &meaning.tags);
    } else {
      return false;
    }
    return true;
  });
  Type made;
  while (line.ok() && line.take('(')) read_field(line, &made.fields.emplace_back());
  for (const NamedFacet& facet : facets) {
    if (line.ok()) meaning.facets.push_back(with_places(line, facet, made.fields));
  }
  if (!line.ok()) return;

  DescribedType described;
  described.take(made.fields, role);
  described.take(meaning);
  evt_event_type declared = described.as(name.c_str(), description.c_str());
  declared.number = number;
  evt_error error;
  made.handle = evt_declare_as(writer_, &declared, &error);
  if (error.code != EVT_OK) return line.refuse_all(error.message);
  made.name = name;
  types_.push_back(std::move(made));
  const auto [named, is_first] = by_name_.try_emplace(name, &types_.back());
  const bool is_other = !is_first && (named->second == nullptr || named->second->handle->number != number);
  named->second = is_other ? nullptr : &types_.back();
  by_number_[types_.back().handle->number] = &types_.back();
}

void TextDeclarations::stream(TextFormLexer& line) {
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

void TextDeclarations::string(TextFormLexer& line) {
  const std::uint32_t id = number_from_1(line, "the string's number");
  const std::string text = line.quoted("the string");
  if (!line.ok()) return;
  if (evt_intern_as(writer_, id, text.data(), text.size()) != id) {
    return line.refuse_all(fmt::format("string {} is another string already", id));
  }
  ids_.try_emplace(text, id);
}

void TextDeclarations::fact(TextFormLexer& line) {
  evt_fact_info info = {};
  info.ns = line.seconds("a time");  // the trace made of the text begins at 0
  const std::string scope = line.word("session, stream or type");
  for (const NamedNumber& each : named_numbers(NumberList::kFactScope)) {
    if (each.name == scope && each.number <= EVT_FACT_SCOPE_TYPE) info.scope = each.number;
  }
  if (info.scope == 0) line.refuse(fmt::format("expected session, stream or type; found {}", scope));
  if (line.ok() && info.scope != EVT_FACT_SCOPE_SESSION) info.id = line.number("the number of a stream or type");
  const std::string key = line.word("a key");
  const std::size_t value_at = line.place();
  const std::string value = line.quoted("a value");
  if (line.ok() && value.size() > EVT_MAX_FACT_VALUE) {
    line.fail_at(value_at, fmt::format("a value has at most {} bytes", std::size_t{EVT_MAX_FACT_VALUE}));
  }
  if (!line.ok()) return;
  info.key = key.data();
  info.key_size = key.size();
  info.value = value.data();
  info.value_size = value.size();
  evt_error error;
  evt_fact_as(writer_, &info, &error);
  if (error.code != EVT_OK) line.refuse_all(error.message);
}

namespace {

// Behind the number of a type: no field, which has a sign behind its name.
bool is_name_next(TextFormLexer line) {
  line.word("a name");
  return line.ok() && !line.take('=');
}

}  // namespace

const TextDeclarations::Type* TextDeclarations::find_type(TextFormLexer& line) {
  const bool in_quotes = line.peek() == '"';
  const std::string name = in_quotes ? line.quoted("a type") : line.word_with("an event type", "#");
  if (!line.ok()) return nullptr;
  const bool by_number = !in_quotes && name.starts_with("type#");  // a name that looks like it is in quotes
  const auto known_name = by_number ? by_name_.end() : by_name_.find(name);
  if (known_name != by_name_.end() && known_name->second == nullptr) {
    line.refuse(fmt::format("several event types are called {}: expected one as type#N {}", name, name));
    return nullptr;
  }
  if (known_name != by_name_.end()) return known_name->second;
  if (!by_number) {
    line.refuse(fmt::format("event type {} is not declared before this line", name));
    return nullptr;
  }
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), number);
  const bool reserved = number == 0 || (number >= EVT_TYPE_FIRST_RESERVED && number <= 0xFFFF);
  if (error != std::errc() || end != name.data() + name.size() || reserved) {
    line.refuse(fmt::format("{} is not a type's number", name));
    return nullptr;
  }
  const auto known = by_number_.find(number);
  if (is_name_next(line)) {
    const std::string wanted = line.word("a name");
    if (known == by_number_.end() || known->second->name != wanted) {
      line.refuse(fmt::format("event type {} is not called {}", number, wanted));
      return nullptr;
    }
  }
  if (known != by_number_.end()) return known->second;
  Type& made = types_.emplace_back();
  made.undeclared = {number, nullptr};
  made.handle = &made.undeclared;
  return by_number_[number] = &made;
}

evt_stream* TextDeclarations::find_stream(TextFormLexer& line) const {
  const auto id = static_cast<std::uint32_t>(line.number("a stream", UINT32_MAX));
  const auto found = streams_.find(id);
  if (line.ok() && found == streams_.end()) line.refuse(fmt::format("stream {} is not declared before this line", id));
  return line.ok() ? found->second : nullptr;
}

std::uint32_t TextDeclarations::find_string(TextFormLexer& line) {
  if (line.take('#')) return static_cast<std::uint32_t>(line.number("a string's number", UINT32_MAX));
  if (line.peek() != '"') line.fail("expected a string in quotes, or #number");
  const std::string text = line.quoted("a string");
  if (!line.ok() || text.empty()) return 0;
  const auto known = ids_.find(text);
  return known != ids_.end() ? known->second : evt_intern(writer_, text.data(), text.size());
}

}  // namespace evt::tools

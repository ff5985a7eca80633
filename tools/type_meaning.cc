#include "type_meaning.h"

#include <evt/names.h>
#include <fmt/format.h>

#include "json_object.h"
#include "libtrace-read/export/src/base/enum_names.h"
#include "libtrace-read/export/src/base/shown.h"
#include "trace_json.h"

namespace evt::tools {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::string facet_text(const EventType& type, const Facet& facet) {
  std::vector<std::string> fields;
  for (const Facet::OfField& field : facet.fields) {
    fields.push_back(shown(type.fields()[field.field].name) + "=" + to_string(field.role));
  }
  return to_string(facet.role) + "(" + joined(fields, " ") + ")";
}

std::string source_text(const TypeMeaning& meaning) {
  std::string text = meaning.source_file.empty() ? "" : shown(meaning.source_file);
  if (meaning.source_line != 0) text += fmt::format(":{}", meaning.source_line);
  if (!meaning.source_function.empty()) text += (text.empty() ? "in " : " in ") + shown(meaning.source_function);
  return text;
}

std::vector<std::string> shown_tags(const std::vector<std::string>& tags) {
  std::vector<std::string> all;
  for (const std::string& tag : tags) all.push_back(shown(tag));
  return all;
}

template <typename Enum>
std::string name_unless_none(Enum value) {
  return static_cast<unsigned>(value) == 0 ? "" : to_string(value);
}

void append_field(TextBuffer& out, const Field& field) {
  JsonObject json(out);
  json.text("name", field.name);
  json.text("kind", field_kind_name(field));
  if (field.shape == Shape::kFixed || field.shape == Shape::kArray) json.number("width", field.width);
  json.text("role", name_unless_none(field.role));
  json.text("unit", name_unless_none(field.unit));
  json.text("unit_text", field.unit_text);
  json.number_unless_0("scale", int{field.scale});
  json.text("scope", name_unless_none(field.scope));
  json.yes("flags", field.is_flags);
  if (field.absent) json.number("absent", *field.absent);
  if (!field.labels.empty()) {
    json.list("labels", field.labels, [&](const Field::Label& label) {
      JsonObject each(out);
      each.number("value", label.value);
      each.text("text", label.text);
      each.end();
    });
  }
  json.texts("tags", field.tags);
  json.text("description", field.description);
  json.end();
}

void append_facet(TextBuffer& out, const EventType& type, const Facet& facet) {
  JsonObject json(out);
  json.text("role", to_string(facet.role));
  json.list("fields", facet.fields, [&](const Facet::OfField& field) {
    JsonObject each(out);
    each.text("name", type.fields()[field.field].name);
    each.text("role", to_string(field.role));
    each.end();
  });
  json.end();
}

}  // namespace

std::string field_meaning_text(const Field& field) {
  std::vector<std::string> words;
  if (field.scope != Scope::kNotStated) words.push_back("scope=" + to_string(field.scope));
  if (field.is_flags) words.emplace_back("flags");
  if (field.absent) words.push_back(fmt::format("absent={}", *field.absent));
  if (field.scale != 0) words.push_back(fmt::format("scale={}", int{field.scale}));
  if (!field.unit_text.empty()) words.push_back("unit=" + shown(field.unit_text));
  const bool is_time = field.known() && (field.kind == Kind::kTicks || field.kind == Kind::kTickDelta);
  if (is_time && field.width == sizeof(std::uint32_t)) words.emplace_back("4 bytes");
  for (const std::string& tag : field.tags) words.push_back("tag=" + shown(tag));
  return words.empty() ? "" : "(" + joined(words, ",") + ")";
}

std::string type_meaning_text(const EventType& type) {
  const TypeMeaning& meaning = type.meaning();
  std::vector<std::string> parts;
  for (const Facet& facet : meaning.facets) parts.push_back("also " + facet_text(type, facet));
  if (!meaning.twin_of.empty()) parts.push_back("twin of " + shown(meaning.twin_of));
  if (const std::string source = source_text(meaning); !source.empty()) parts.push_back(source);
  if (!meaning.tags.empty()) parts.push_back("tagged " + joined(shown_tags(meaning.tags), " "));
  return joined(parts, "; ");
}

void append_types_as_json(TextBuffer& out, const Trace& trace, std::string_view file) {
  std::size_t number = 0;
  for (const Session& session : trace.sessions()) {
    for (const EventType& type : session.types) {
      const TypeMeaning& meaning = type.meaning();
      JsonObject json(out);
      add_place(json, trace, number, file);
      json.number("number", type.number());
      json.text("name", type.name());
      json.text("description", type.description());
      json.text("role", name_unless_none(type.role()));
      if (type.declared_size() != EVT_SIZE_VARIABLE) json.number("size", type.declared_size());
      json.list("fields", type.fields(), [&](const Field& field) { append_field(out, field); });
      if (!meaning.facets.empty()) {
        json.list("facets", meaning.facets, [&](const Facet& facet) { append_facet(out, type, facet); });
      }
      json.text("twin_of", meaning.twin_of);
      json.text("source_file", meaning.source_file);
      json.number_unless_0("source_line", meaning.source_line);
      json.text("source_function", meaning.source_function);
      json.texts("tags", meaning.tags);
      json.end();
      out += '\n';
    }
    ++number;
  }
}

}  // namespace evt::tools

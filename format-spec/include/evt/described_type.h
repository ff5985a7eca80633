// Converts an event type that was read into what an encoder takes. Templates, so that a writer needs no reader: the
// types are those of <evt/event_type.h>.
#pragma once

#include <evt/cpp20.h>
#include <evt/describe.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace evt {

// A name of an untrusted trace for encoders in C, where a zero byte would cut it short.
inline std::string name_for_encoder(std::string name) {
  std::replace(name.begin(), name.end(), '\0', '?');
  return name;
}

// Refers to the texts of its source.
class DescribedType {
 public:
  template <typename Field, typename Role>
  void take(const std::vector<Field>& from, Role role) {
    type_.role = static_cast<std::uint16_t>(role);
    for (const Field& field : from) fields_.push_back(described(field));
  }
  template <typename Meaning>
  void take(const Meaning& meaning) {
    for (const auto& facet : meaning.facets) {
      std::vector<evt_facet_field>& list = facet_fields_.emplace_back();
      for (const auto& field : facet.fields) list.push_back({field.field, static_cast<std::uint16_t>(field.role)});
      facets_.push_back(
          {list.data(), static_cast<std::uint32_t>(list.size()), static_cast<std::uint16_t>(facet.role), 0});
    }
    type_.twin_of = meaning.twin_of.c_str();
    type_.source_file = meaning.source_file.c_str();
    type_.source_line = meaning.source_line;
    type_.source_function = meaning.source_function.c_str();
    type_.tags = texts_of(meaning.tags, &type_.tag_count);
  }
  // Adds a tool's own field after those of the type.
  void add(const evt_field& field) { fields_.push_back(field); }
  std::vector<evt_field>& fields() { return fields_; }

  // Refers to this object, too.
  evt_event_type as(const char* name, const char* description) const {
    evt_event_type made = type_;
    made.name = name;
    made.description = description;
    made.field_count = static_cast<std::uint32_t>(fields_.size());
    made.fields = fields_.data();
    made.facet_count = static_cast<std::uint32_t>(facets_.size());
    made.facets = facets_.data();
    return made;
  }

 private:
  const char* const* texts_of(const std::vector<std::string>& from, std::uint16_t* count) {
    std::vector<const char*>& list = texts_.emplace_back();
    for (const std::string& text : from) list.push_back(text.c_str());
    *count = static_cast<std::uint16_t>(list.size());
    return list.data();
  }

  template <typename Field>
  evt_field described(const Field& from) {
    std::vector<evt_label>& list = labels_.emplace_back();
    for (const auto& label : from.labels) list.push_back({label.value, label.text.c_str()});
    evt_field field = {};
    field.name = from.name.c_str();
    field.description = from.description.c_str();
    field.kind = static_cast<std::uint16_t>(from.kind);
    field.shape = static_cast<std::uint16_t>(from.shape);
    field.width = from.width;
    field.role = static_cast<std::uint16_t>(from.role);
    field.unit = static_cast<std::uint16_t>(from.unit);
    field.label_count = static_cast<std::uint32_t>(list.size());
    field.labels = list.data();
    field.has_absent = from.absent ? 1 : 0;
    field.absent = from.absent.value_or(0);
    field.unit_text = from.unit_text.c_str();
    field.tags = texts_of(from.tags, &field.tag_count);
    field.scope = static_cast<std::uint16_t>(from.scope);
    field.is_flags = from.is_flags ? 1 : 0;
    field.scale = from.scale;
    return field;
  }

  std::deque<std::vector<evt_label>> labels_;
  std::deque<std::vector<const char*>> texts_;
  std::deque<std::vector<evt_facet_field>> facet_fields_;
  std::vector<evt_facet> facets_;
  std::vector<evt_field> fields_;
  evt_event_type type_ = {};
};

}  // namespace evt

#include "schema_union.h"

#include <evt/described_type.h>

#include <algorithm>

#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/core/src/event/interned_fields.h"
#include "libtrace-read/core/src/event/same_meaning.h"

namespace evt {
namespace {

constexpr std::uint32_t kFirstWide = 0x10000;

// One value with two texts has two meanings.
bool labels_agree(const Field& a, const Field& b) {
  return std::all_of(a.labels.begin(), a.labels.end(), [&](const Field::Label& label) {
    const Field::Label* const other = b.label(label.value);
    return other == nullptr || other->text == label.text;
  });
}

bool same_field(const Field& a, const Field& b) {
  return a.name == b.name && a.kind == b.kind && a.shape == b.shape && a.width == b.width && a.role == b.role &&
         a.unit == b.unit && same_meaning(a, b) && labels_agree(a, b);
}

bool agree(const std::vector<Field>& a, const std::vector<Field>& b) {
  const auto both = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::equal(a.begin(), a.begin() + both, b.begin(), same_field);
}

void add_labels(const Field& from, Field* to) {
  for (const Field::Label& label : from.labels) {
    if (to->label(label.value) == nullptr) to->labels.push_back(label);
    std::sort(to->labels.begin(), to->labels.end(),
              [](const Field::Label& a, const Field::Label& b) { return a.value < b.value; });
  }
}

// The fields of both; one list begins with the other.
void grow(const std::vector<Field>& by, std::vector<Field>* fields) {
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (i < fields->size()) {
      add_labels(by[i], &(*fields)[i]);
    } else {
      fields->push_back(by[i]);
    }
  }
}

}  // namespace

IdRemap SchemaUnion::take(const Session& session) {
  IdRemap changes;
  for (const EventType& type : session.types) {
    const std::uint32_t number = take(type);
    if (number != type.number()) changes.types[type.number()] = number;
  }
  std::map<std::uint32_t, const std::string*> in_order;
  for (const auto& [id, text] : session.strings) in_order[id] = &text;
  for (const std::uint32_t id : session.row_strings) in_order.erase(id);
  for (const auto& [id, text] : in_order) {
    const std::uint32_t now = take(id, *text);
    if (now != id) changes.strings[id] = now;
  }
  for (const EventType& type : session.types) {
    if (has_interned(type)) changes.with_texts[type.number()] = &type;
  }
  return changes;
}

std::uint32_t SchemaUnion::take(const EventType& type) {
  const std::string name = name_for_encoder(type.name());
  const std::string twin_of = name_for_encoder(type.meaning().twin_of);
  std::vector<std::uint32_t>& of_name = types_by_name_[name];
  for (const std::uint32_t known : of_name) {
    Type& candidate = types_[known];
    const bool is_same = candidate.role == type.role() && candidate.meaning.facets == type.meaning().facets &&
                         candidate.meaning.twin_of == twin_of && agree(candidate.fields, type.fields());
    if (!is_same) continue;
    grow(type.fields(), &candidate.fields);
    return candidate.number;
  }
  const std::uint32_t number = free_number(type.number());
  types_[number] = {number, name, type.description(), type.role(), type.fields(), type.meaning()};
  types_[number].meaning.twin_of = twin_of;
  of_name.push_back(number);
  return number;
}

std::uint32_t SchemaUnion::free_number(std::uint32_t wanted) {
  const auto is_free = [&](std::uint32_t n) { return !types_.contains(n) && !taken_by_undescribed_.contains(n); };
  if (is_free(wanted)) return wanted;
  while (!is_free(next_type_)) next_type_ = next_type_ + 1 == EVT_ROW_TIME_BASE ? kFirstWide : next_type_ + 1;
  return next_type_;
}

std::uint32_t SchemaUnion::take(std::uint32_t id, const std::string& text) {
  const auto [place, is_new] = strings_.try_emplace(text, id);
  if (!is_new) return place->second;
  const auto is_free = [&](std::uint32_t n) { return !strings_by_id_.contains(n) && !strings_of_nobody_.contains(n); };
  if (!is_free(id)) {
    while (!is_free(next_string_)) ++next_string_;
    place->second = next_string_;
  }
  strings_by_id_[place->second] = &place->first;
  return place->second;
}

std::uint32_t SchemaUnion::undescribed_type(std::uint32_t number) {
  const auto [place, is_new] = undescribed_types_.try_emplace(number, number);
  if (is_new) {
    place->second = free_number(number);
    taken_by_undescribed_.insert(place->second);
  }
  return place->second;
}

std::uint32_t SchemaUnion::undescribed_string(std::uint32_t id) {
  const auto [place, is_new] = undescribed_strings_.try_emplace(id, id);
  if (!is_new) return place->second;
  if (strings_by_id_.contains(id)) {
    // New ids are assigned from below: few strings reach these ids.
    std::uint32_t free = UINT32_MAX - static_cast<std::uint32_t>(undescribed_strings_.size());
    while (strings_by_id_.contains(free) || strings_of_nobody_.contains(free)) --free;
    place->second = free;
  }
  strings_of_nobody_.insert(place->second);
  return place->second;
}

void SchemaUnion::put_types(const Put& put) const {
  RecordList records;
  for (const auto& [number, type] : types_) {
    DescribedType described;
    described.take(type.fields, type.role);
    described.take(type.meaning);
    append_type_record(records.next(), described.as(type.name.c_str(), type.description.c_str()), number);
    if (records.is_full()) records.put(put);
  }
  records.put(put);
}

void SchemaUnion::put_strings(const Put& put) const {
  RecordList records;
  for (const auto& [id, text] : strings_by_id_) {
    append_string_record(records.next(), id, text->data(), static_cast<std::uint32_t>(text->size()));
    if (records.is_full()) records.put(put);
  }
  records.put(put);
}

}  // namespace evt

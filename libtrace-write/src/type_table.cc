#include "type_table.h"

#include <cstring>
#include <string_view>

#include "error_text.h"
#include "format-spec/src/session/metadata_records.h"
#include "glob.h"
#include "snapshot_trigger.h"

namespace evt {
namespace {

constexpr std::size_t kMaxRecord = 1 << 20;

struct Field {
  char* name;
  std::uint16_t kind;
  std::uint16_t shape;
  std::uint32_t width;
  std::uint16_t role;
  std::uint16_t unit;
  std::uint64_t meaning;
};

// The unit of a value, as one number to compare; 0: its kind, role and unit state all.
std::uint64_t meaning_of(const evt_field& field) {
  const char* const unit = field.unit_text == nullptr ? "" : field.unit_text;
  const bool is_plain = *unit == '\0' && field.scope == 0 && field.is_flags == 0 && field.has_absent == 0;
  if (is_plain && field.scale == 0) return 0;
  const std::uint64_t parts[] = {
      hash_of(unit, std::strlen(unit)),           field.scope,
      field.is_flags != 0 ? std::uint64_t{1} : 0, field.has_absent != 0 ? std::uint64_t{1} : 0,
      field.has_absent != 0 ? field.absent : 0,   static_cast<std::uint8_t>(field.scale)};
  return hash_of(parts, sizeof parts);
}

// Like meaning_of(), for the facets of a type.
std::uint64_t facets_of(const evt_event_type& type) {
  std::uint64_t all = type.facet_count;
  for (std::uint32_t i = 0; i < type.facet_count; ++i) {
    const evt_facet& facet = type.facets[i];
    const std::uint64_t parts[] = {all, facet.role, hash_of(facet.fields, facet.field_count * sizeof *facet.fields)};
    all = hash_of(parts, sizeof parts);
  }
  return all;
}

bool is_number(const evt_field& field) {
  const bool has_width = field.shape == EVT_SHAPE_FIXED || field.shape == EVT_SHAPE_ARRAY;
  const bool is_known =
      field.kind <= EVT_KIND_TICK_DELTA && field.kind != EVT_KIND_TEXT && field.kind != EVT_KIND_BYTES;
  return has_width && is_known && field.kind != 0 && field.width <= sizeof(std::uint64_t);
}

// Why the field's meaning does not fit its kind; null: it does.
const char* why_no_meaning(const evt_field& field) {
  const bool is_enumeration = field.kind == EVT_KIND_ENUMERATION;
  const bool is_whole = field.kind == EVT_KIND_UNSIGNED || field.kind == EVT_KIND_SIGNED;
  if (field.is_flags != 0 && !(is_enumeration && is_number(field))) return "has flags and is no enumeration";
  if (field.scale != 0 && !(is_whole && is_number(field))) return "has a scale and is no integer";
  const bool is_counted = field.role == EVT_ROLE_AMOUNT || field.role == EVT_ROLE_LIMIT;
  if (field.scale != 0 && is_counted) return "has a scale, which its role does not allow";
  if (field.has_absent != 0 && !is_number(field)) return "has an absent value and is no number";
  const bool is_too_large = field.width < sizeof(std::uint64_t) && field.absent >> (field.width * 8) != 0;
  if (field.has_absent != 0 && is_too_large) return "has an absent value that it cannot hold";
  const bool has_unit_text = field.unit_text != nullptr && *field.unit_text != '\0';
  if (has_unit_text && field.unit != EVT_UNIT_NONE) return "has a unit and the text of another";
  if (field.tag_count > EVT_MAX_TAGS) return "has more than 64 tags";
  return nullptr;
}

// The numbers that are roles of events; 0 in place of the others.
constexpr std::uint16_t kRolesOfEvents[] = {
#define EVT_NUMBER(list, number, name, words) \
  std::string_view(#list) == "kRole" && std::string_view(words).starts_with("event:") ? number : 0,
#include "format-spec/registry.def"
#undef EVT_NUMBER
};

// A unit in the place of a role is recognised, because units have small numbers.
bool is_role_of_events(std::uint16_t role) {
  for (const std::uint16_t each : kRolesOfEvents) {
    if (role != 0 && each == role) return true;
  }
  return false;
}

bool check_fields(const evt_event_type& type, TypeTable::By by, evt_error* error) {
  const auto refuse = [&](const char* field, const char* why) {
    set_error(error, EVT_CODE_INVALID, "event type %.64s: field %.64s %s", type.name, field, why);
    return false;
  };
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    const evt_field& field = type.fields[i];
    if (field.name == nullptr || *field.name == '\0') return refuse("without a name", "was declared");
    const bool has_width = field.shape == EVT_SHAPE_FIXED || field.shape == EVT_SHAPE_ARRAY;
    if (field.shape <= EVT_SHAPE_LIST && has_width != (field.width > 0)) {
      return refuse(field.name, has_width ? "has a width of 0" : "has a width, which its shape has not");
    }
    if (const char* const why = why_no_meaning(field)) return refuse(field.name, why);
    if (by == TypeTable::By::kName && is_role_of_events(field.role)) {
      return refuse(field.name, "has the role of an event; a unit comes behind a field's role");
    }
    for (std::uint32_t before = 0; before < i; ++before) {
      if (std::strcmp(type.fields[before].name, field.name) == 0) return refuse(field.name, "is declared twice");
    }
  }
  return true;
}

bool check_facets(const evt_event_type& type, evt_error* error) {
  if (type.facet_count > EVT_MAX_FACETS || type.tag_count > EVT_MAX_TAGS) {
    set_error(error, EVT_CODE_INVALID, "event type %.64s: %u facets and %u tags, at most %d and %d can be declared",
              type.name, type.facet_count, unsigned{type.tag_count}, EVT_MAX_FACETS, EVT_MAX_TAGS);
    return false;
  }
  for (std::uint32_t i = 0; i < type.facet_count; ++i) {
    const evt_facet& facet = type.facets[i];
    for (std::uint32_t k = 0; k < facet.field_count; ++k) {
      if (facet.fields[k].field < type.field_count) continue;
      set_error(error, EVT_CODE_INVALID, "event type %.64s: facet %u names a field that the type does not have",
                type.name, i);
      return false;
    }
  }
  return true;
}

// A tool that copies a type by its number takes it unchanged.
bool check(const evt_event_type& type, TypeTable::By by, evt_error* error) {
  if (type.name == nullptr || *type.name == '\0') {
    set_error(error, EVT_CODE_INVALID, "an event type without a name was declared");
    return false;
  }
  if (std::strlen(type.name) > EVT_MAX_TYPE_NAME) {
    set_error(error, EVT_CODE_INVALID, "event type %.40s...: the name is longer than %d bytes", type.name,
              EVT_MAX_TYPE_NAME);
    return false;
  }
  if (type.field_count > EVT_MAX_FIELDS) {
    set_error(error, EVT_CODE_INVALID, "event type %.64s: %u fields, at most %d can be declared", type.name,
              type.field_count, EVT_MAX_FIELDS);
    return false;
  }
  return check_fields(type, by, error) && check_facets(type, error);
}

evt_event_type without_source(const evt_event_type& type) {
  evt_event_type rest = type;
  rest.source_file = nullptr;
  rest.source_function = nullptr;
  rest.source_line = 0;
  return rest;
}

}  // namespace

struct TypeTable::Entry {
  evt_type handle;  // its number is 0 while the type is off
  std::uint32_t number;
  char* name;
  std::uint16_t role;
  std::uint64_t facets;
  std::uint32_t field_count;
  Field* fields;
  TypeLayout* layout;
};

std::uint64_t TypeTable::find_name(const char* name) const {
  return by_name_.find(hash_of(name, std::strlen(name)),
                       [&](std::uint64_t i) { return std::strcmp(entries_[i]->name, name) == 0; });
}

std::uint64_t TypeTable::find_number(std::uint32_t number) const {
  return by_number_.find(hash_of(&number, sizeof number),
                         [&](std::uint64_t i) { return entries_[i]->number == number; });
}

const char* TypeTable::name_of(std::uint32_t number) const {
  const std::uint64_t place = find_number(number);
  return place == HashIndex::kNone ? "" : entries_[place]->name;
}

std::uint32_t TypeTable::choose_number(std::uint32_t wanted, const char* name, evt_error* error) {
  const auto taken = [&](std::uint32_t number) { return find_number(number) != HashIndex::kNone; };
  if (wanted != 0) {
    if (wanted >= EVT_TYPE_FIRST_RESERVED && wanted <= 0xFFFF) {
      set_error(error, EVT_CODE_INVALID, "event type %.64s: number %u is reserved", name, wanted);
      return 0;
    }
    if (taken(wanted)) {
      set_error(error, EVT_CODE_INVALID, "event type %.64s: number %u is another type's", name, wanted);
      return 0;
    }
    return wanted;
  }
  while (taken(next_number_) || (next_number_ >= EVT_TYPE_FIRST_RESERVED && next_number_ <= 0xFFFF)) ++next_number_;
  return next_number_++;
}

static void free_fields(Field* fields, std::uint32_t count) {
  for (std::uint32_t i = 0; fields != nullptr && i < count; ++i) std::free(fields[i].name);
  std::free(fields);
}

// Keeps its own copy of the fields' names, kinds and shapes.
static Field* copy_fields(const evt_event_type& type) {
  if (type.field_count == 0) return static_cast<Field*>(std::calloc(1, sizeof(Field)));
  auto* const fields = static_cast<Field*>(std::calloc(type.field_count, sizeof(Field)));
  if (fields == nullptr) return nullptr;
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    const evt_field& field = type.fields[i];
    fields[i] = {strdup(field.name), field.kind, field.shape, field.width, field.role, field.unit, meaning_of(field)};
    if (fields[i].name != nullptr) continue;
    free_fields(fields, i);
    return nullptr;
  }
  return fields;
}

static bool append_record(const evt_event_type& type, std::uint32_t number, Buffer& records, evt_error* error) {
  const std::size_t before = records.size();
  append_type_record(records, type, number);
  if (records.ok() && records.size() - before <= kMaxRecord) return true;
  records.truncate(before);
  set_error(error, EVT_CODE_INVALID, "event type %.64s: its description is larger than %zu bytes", type.name,
            kMaxRecord);
  return false;
}

void TypeTable::free_entry(Entry* entry) {
  if (entry == nullptr) return;
  free_fields(entry->fields, entry->field_count);
  std::free(entry->name);
  std::free(entry);
}

// For a type that is being declared.
bool TypeTable::is_on(const char* name, bool by_default) {
  bool on = by_default;
  for (Rule* rule = first_rule_; rule != nullptr; rule = rule->next) {
    if (!matches(rule->glob, name)) continue;
    rule->matched = true;
    on = rule->on;
  }
  return on;
}

void TypeTable::expect_matches() {
  for (Rule* rule = first_rule_; rule != nullptr; rule = rule->next) {
    rule->expected = rule->on || std::strcmp(rule->glob, "*") != 0;
  }
}

bool TypeTable::unmatched(char* out, std::size_t size) const {
  std::size_t at = 0;
  out[0] = '\0';
  for (const Rule* rule = first_rule_; rule != nullptr; rule = rule->next) {
    if (rule->matched || !rule->expected) continue;
    const char* p = rule->glob;
    if (at > 0 && at + 1 < size) out[at++] = ':';
    while (*p != '\0' && at + 1 < size) out[at++] = *p++;
    out[at] = '\0';
  }
  return at > 0;
}

std::uint32_t TypeTable::switch_types(const char* glob, bool on) {
  auto* const rule = static_cast<Rule*>(std::calloc(1, sizeof(Rule)));
  char* const copy = strdup(glob);
  if (rule == nullptr || copy == nullptr) {
    std::free(rule);
    std::free(copy);
    return 0;
  }
  *rule = {copy, on, false, false, nullptr};
  // The latest rule that matches counts: an earlier one for the same names has no use.
  Rule** last = &first_rule_;
  while (*last != nullptr) {
    Rule* const earlier = *last;
    if (std::strcmp(earlier->glob, glob) == 0 && !earlier->expected) {
      *last = earlier->next;
      std::free(earlier->glob);
      std::free(earlier);
    } else {
      last = &earlier->next;
    }
  }
  *last = rule;
  std::uint32_t matched = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Entry& entry = *entries_[i];
    if (!matches(glob, entry.name)) continue;
    ++matched;
    __atomic_store_n(&entry.handle.number, on ? entry.number : 0, __ATOMIC_RELAXED);
  }
  rule->matched = matched > 0;
  return matched;
}

const evt_type* TypeTable::declare(const evt_event_type& given, By by, Buffer& records, evt_error* error) {
  if (!check(given, by, error)) return nullptr;
  const evt_event_type type = has_sources_ ? given : without_source(given);
  std::uint64_t known = by == By::kName ? find_name(type.name) : find_number(type.number);
  // The number of another type is refused where numbers are assigned.
  if (known != HashIndex::kNone && std::strcmp(entries_[known]->name, type.name) != 0) known = HashIndex::kNone;
  return known == HashIndex::kNone ? add(type, records, error) : grow(*entries_[known], type, records, error);
}

const evt_type* TypeTable::add(const evt_event_type& type, Buffer& records, evt_error* error) {
  const std::uint32_t number = choose_number(type.number, type.name, error);
  if (number == 0) return nullptr;
  auto* const entry = static_cast<Entry*>(std::calloc(1, sizeof(Entry)));
  auto* const entries = static_cast<Entry**>(std::realloc(entries_, (count_ + 1) * sizeof(Entry*)));
  if (entries != nullptr) entries_ = entries;
  if (entry != nullptr) {
    const evt_type handle = {is_on(type.name, type.off_by_default == 0) ? number : 0, nullptr};
    *entry = {handle,          number,           strdup(type.name), type.role,
              facets_of(type), type.field_count, copy_fields(type), nullptr};
  }
  if (entries == nullptr || entry == nullptr || entry->name == nullptr || entry->fields == nullptr) {
    set_error(error, EVT_CODE_MEMORY, "no memory for event type %s", type.name);
    free_entry(entry);
    return nullptr;
  }
  if (!append_record(type, number, records, error)) {
    free_entry(entry);
    return nullptr;
  }
  entry->layout = new_layout(type, nullptr);
  set_layout(&entry->handle, entry->layout);
  entries_[count_] = entry;
  by_name_.insert(hash_of(type.name, std::strlen(type.name)), count_);
  by_number_.insert(hash_of(&number, sizeof number), count_);
  ++count_;
  if (trigger_ != nullptr) trigger_->declared(type.name, number);
  return &entry->handle;
}

// The rule for a name that is declared again: one list of fields begins with all of the other.
bool TypeTable::agree(const Entry& entry, const evt_event_type& type, evt_error* error) {
  if (type.number != 0 && type.number != entry.number) {
    set_error(error, EVT_CODE_INVALID, "event type %.64s: declared as number %u, before as %u", type.name, type.number,
              entry.number);
    return false;
  }
  if (type.role != entry.role) {
    set_error(error, EVT_CODE_SCHEMA, "event type %.64s: declared with role %u, before with %u", type.name, type.role,
              entry.role);
    return false;
  }
  if (facets_of(type) != entry.facets) {
    set_error(error, EVT_CODE_SCHEMA, "event type %.64s: declared with other facets than before", type.name);
    return false;
  }
  for (std::uint32_t i = 0; i < type.field_count && i < entry.field_count; ++i) {
    const evt_field& now = type.fields[i];
    const Field& before = entry.fields[i];
    if (std::strcmp(now.name, before.name) != 0) {
      set_error(error, EVT_CODE_SCHEMA, "event type %.64s: field %u is %.64s, declared before as %.64s", type.name, i,
                now.name, before.name);
      return false;
    }
    if (now.kind != before.kind || now.shape != before.shape || now.width != before.width) {
      set_error(error, EVT_CODE_SCHEMA,
                "event type %.64s: field %.64s has kind %u, shape %u, width %u; declared before as %u, %u, %u",
                type.name, now.name, now.kind, now.shape, now.width, before.kind, before.shape, before.width);
      return false;
    }
    if (now.role != before.role || now.unit != before.unit) {
      set_error(error, EVT_CODE_SCHEMA, "event type %.64s: field %.64s has role %u, unit %u; declared before as %u, %u",
                type.name, now.name, now.role, now.unit, before.role, before.unit);
      return false;
    }
    if (meaning_of(now) != before.meaning) {
      set_error(error, EVT_CODE_SCHEMA,
                "event type %.64s: field %.64s has another scope, scale, absent value or unit, or is a set of flags "
                "where it was none before",
                type.name, now.name);
      return false;
    }
  }
  return true;
}

const evt_type* TypeTable::grow(Entry& entry, const evt_event_type& type, Buffer& records, evt_error* error) {
  if (!agree(entry, type, error)) return nullptr;
  if (type.field_count > entry.field_count) {
    Field* const fields = copy_fields(type);
    if (fields == nullptr || !append_record(type, entry.number, records, error)) {
      if (fields != nullptr) free_fields(fields, type.field_count);
      return nullptr;
    }
    free_fields(entry.fields, entry.field_count);
    entry.fields = fields;
    entry.field_count = type.field_count;
    TypeLayout* const layout = new_layout(type, entry.layout);
    set_layout(&entry.handle, layout);
    if (layout != nullptr) entry.layout = layout;
  }
  return &entry.handle;
}

}  // namespace evt

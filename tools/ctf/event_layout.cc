#include "event_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "fields.h"

namespace evt::ctf {
namespace {

// LTTng's kernel states by their bits; 0 is TASK_RUNNING.
constexpr std::uint8_t kPreempted = 1;
constexpr std::uint8_t kBlocked = 3;

bool is_array(const bt_field_class* type) {
  return bt_field_class_type_is(bt_field_class_get_type(type), BT_FIELD_CLASS_TYPE_ARRAY) != BT_FALSE;
}
const bt_field_class* element_of(const bt_field_class* array) {
  return bt_field_class_array_borrow_element_field_class_const(array);
}
// As evt convert has them.
bool is_byte(const bt_field_class* type) {
  return bt_field_class_get_type(type) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER && number_type(type)->width == 1 &&
         bt_field_class_integer_get_preferred_display_base(type) ==
             BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
}

const bt_field* packet_context(const bt_event* event) {
  const bt_packet* const packet = bt_event_borrow_packet_const(event);
  return packet != nullptr ? bt_packet_borrow_context_field_const(packet) : nullptr;
}

// LTTng has the cpu of a packet, perf that of an event.
std::optional<std::uint64_t> cpu_of(const bt_event* event) {
  if (const auto cpu = number_in(packet_context(event), "cpu_id")) return cpu;
  return number_in(bt_event_borrow_payload_field_const(event), "perf_cpu");
}

// By contexts that were added, or of perf.
std::optional<std::uint64_t> thread_of(const bt_event* event) {
  for (const bt_field* const context :
       {bt_event_borrow_common_context_field_const(event), bt_event_borrow_specific_context_field_const(event)}) {
    for (const char* const name : {"tid", "vtid"}) {
      if (const auto thread = number_in(context, name)) return thread;
    }
  }
  return number_in(bt_event_borrow_payload_field_const(event), "perf_tid");
}

void append_number(evt_row* row, std::uint64_t number, std::uint32_t width) {
  const std::uint64_t little = EVT_LE64(number);
  evt_raw(row, &little, width);
}

}  // namespace

EventLayout::EventLayout(Surroundings& surroundings, const bt_event* event) : surroundings_(surroundings) {
  const char* const name = bt_event_class_get_name(bt_event_borrow_class_const(event));
  name_ = name != nullptr && *name != '\0' ? name : "event";
  for (const bt_field* const structure :
       {bt_event_borrow_common_context_field_const(event), bt_event_borrow_specific_context_field_const(event),
        bt_event_borrow_payload_field_const(event)}) {
    if (structure != nullptr) add_members(bt_field_borrow_class_const(structure), "");
  }
  if (fields_.size() > EVT_MAX_FIELDS) {
    error_ = fmt::format("event {} has more than {} fields", name_, int{EVT_MAX_FIELDS});
  } else {
    declare(event);
  }
}

bool EventLayout::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

// A context and the payload may both have one of a name.
evt_field& EventLayout::add_field(const std::string& name, std::uint16_t kind, std::uint16_t shape,
                                  std::uint32_t width) {
  std::string unused = name;
  for (int i = 2; has(unused); ++i) unused = fmt::format("{}.{}", name, i);
  names_.push_back(unused);
  evt_field field = {};
  field.kind = kind;
  field.shape = shape;
  field.width = width;
  fields_.push_back(field);
  return fields_.back();
}

void EventLayout::add_members(const bt_field_class* type, const std::string& front) {
  for (std::uint64_t i = 0; i < bt_field_class_structure_get_member_count(type); ++i) {
    const auto* const member = bt_field_class_structure_borrow_member_by_index_const(type, i);
    if (is_count_of_next(type, i)) {
      steps_.push_back({Way::kLeftOut});
      continue;
    }
    const std::string name = front + bt_field_class_structure_member_get_name(member);
    add(bt_field_class_structure_member_borrow_field_class_const(member), name);
  }
}

EventLayout::Way EventLayout::way_of(const bt_field_class* type) const {
  if (number_type(type)) return Way::kNumber;
  if (!is_array(type)) return Way::kText;
  const bt_field_class* const element = element_of(type);
  if (surroundings_.is_own && is_byte(element)) {
    const bool is_fixed = bt_field_class_get_type(type) == BT_FIELD_CLASS_TYPE_STATIC_ARRAY;
    return is_fixed ? Way::kFixedBytes : Way::kBytes;
  }
  if (surroundings_.is_own && bytes_in(element) != nullptr) return Way::kListOfBytes;
  if (bt_field_class_get_type(element) == BT_FIELD_CLASS_TYPE_STRING) return Way::kTexts;
  return number_type(element) ? Way::kNumbers : Way::kText;
}

void EventLayout::add(const bt_field_class* type, const std::string& name) {
  if (fields_.size() > EVT_MAX_FIELDS) return;  // the constructor reports it
  if (bt_field_class_get_type(type) == BT_FIELD_CLASS_TYPE_STRUCTURE) return add_members(type, name + ".");
  const Way way = way_of(type);
  steps_.push_back({way});
  switch (way) {
    case Way::kNumber:
      return add_number(type, name, EVT_SHAPE_FIXED);
    case Way::kNumbers:
      return add_number(element_of(type), name, EVT_SHAPE_ARRAY);
    case Way::kBytes:
      return static_cast<void>(add_field(name, EVT_KIND_BYTES, EVT_SHAPE_COUNTED32, 0));
    case Way::kFixedBytes:
      return static_cast<void>(add_field(name, EVT_KIND_BYTES, EVT_SHAPE_FIXED,
                                         static_cast<std::uint32_t>(bt_field_class_array_static_get_length(type))));
    case Way::kTexts:
      return static_cast<void>(add_field(name, EVT_KIND_TEXT, EVT_SHAPE_LIST, 0));
    case Way::kListOfBytes:
      return static_cast<void>(add_field(name, EVT_KIND_BYTES, EVT_SHAPE_LIST, 0));
    default:
      return static_cast<void>(add_field(name, EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0));
  }
}

void EventLayout::add_number(const bt_field_class* type, const std::string& name, std::uint16_t shape) {
  const NumberType number = *number_type(type);
  steps_.back().width = number.width;
  evt_field& field = add_field(name, number.kind, shape, number.width);
  if (number.kind == EVT_KIND_ENUMERATION) add_labels(type, &field);
}

// Ranges of more than one number have no place in labels: the number is shown.
void EventLayout::add_labels(const bt_field_class* type, evt_field* field) {
  Labels& labels = labels_.emplace_back();
  const std::uint64_t mask = field->width == 8 ? UINT64_MAX : (std::uint64_t{1} << field->width * 8) - 1;
  for (const auto& [value, text] : labels_of(type)) {
    labels.texts.emplace_back(text);
    evt_label label = {};
    label.value = value & mask;
    label.text = labels.texts.back().c_str();
    labels.all.push_back(label);
  }
  field->labels = labels.all.data();
  field->label_count = static_cast<std::uint32_t>(labels.all.size());
}

// Fields that are added are behind the trace's own.
void EventLayout::declare(const bt_event* event) {
  known_ = known_event(
      name_, [this](std::string_view field) { return has(field); }, surroundings_.has_waking);
  static constexpr evt_label kReasons[] = {{kPreempted, "preempted"}, {kBlocked, "blocked"}};
  if (known_.is_switch) {
    evt_field& reason = add_field(std::string(kReason), EVT_KIND_ENUMERATION, EVT_SHAPE_FIXED, 1);
    reason.labels = kReasons;
    reason.label_count = 2;
    add_field(std::string(kCpu), EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 4);
  }
  if (known_.is_call) {
    add_field(std::string(kFunction), EVT_KIND_INTERNED, EVT_SHAPE_FIXED, 4);
    evt_field& thread = add_field(std::string(kThread), EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 4);
    thread.has_absent = 1;
    function_ = evt_intern(surroundings_.writer, known_.function.data(), known_.function.size());
  }
  std::vector<std::vector<evt_facet_field>> lists;
  std::vector<evt_facet> facets;
  lists.reserve(known_.meanings.size());
  for (std::size_t i = 0; i < known_.meanings.size(); ++i) {
    std::vector<evt_facet_field>& list = lists.emplace_back();
    for (const auto& [field, role] : known_.meanings[i].fields) {
      const auto at = std::find(names_.begin(), names_.end(), field);
      if (at == names_.end()) continue;
      const auto place = static_cast<std::uint16_t>(at - names_.begin());
      if (i == 0) {
        fields_[place].role = role;
        if (role == EVT_ROLE_THREAD) fields_[place].scope = EVT_SCOPE_BOOT;
      } else {
        list.push_back({place, role});
      }
    }
    if (i > 0) facets.push_back({list.data(), static_cast<std::uint32_t>(list.size()), known_.meanings[i].role, 0});
  }
  // Whose other events are is known where a context has it.
  if (known_.meanings.empty()) {
    for (const char* const context : {"tid", "vtid", "perf_tid"}) {
      const auto at = std::find(names_.begin(), names_.end(), context);
      if (at == names_.end() || !thread_of(event)) continue;
      fields_[static_cast<std::size_t>(at - names_.begin())].role = EVT_ROLE_THREAD;
      break;
    }
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) fields_[i].name = names_[i].c_str();
  evt_event_type type = {};
  type.fields = fields_.data();
  type.field_count = static_cast<std::uint32_t>(fields_.size());
  type.role = known_.meanings.empty() ? static_cast<std::uint16_t>(EVT_ROLE_NONE) : known_.meanings[0].role;
  type.facets = facets.data();
  type.facet_count = static_cast<std::uint32_t>(facets.size());
  std::string name = name_;
  for (int i = 2;; ++i) {
    type.name = name.c_str();
    evt_error error;
    type_ = evt_declare(surroundings_.writer, &type, &error);
    if (error.code == EVT_OK || i > 100) {
      if (error.code != EVT_OK) error_ = error.message;
      return;
    }
    name = fmt::format("{}.{}", name_, i);
  }
}

void EventLayout::write(evt_stream* stream, const bt_event* event, std::uint64_t ticks) {
  evt_row row = evt_begin_at(stream, type_, ticks);
  if (row.p == nullptr) return;
  const Step* step = steps_.data();
  for (const bt_field* const structure :
       {bt_event_borrow_common_context_field_const(event), bt_event_borrow_specific_context_field_const(event),
        bt_event_borrow_payload_field_const(event)}) {
    if (structure != nullptr) write_members(&row, structure, &step);
  }
  write_added(&row, event);
  evt_commit(&row);
}

void EventLayout::write_members(evt_row* row, const bt_field* field, const Step** step) {
  const std::uint64_t count = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(field));
  for (std::uint64_t i = 0; i < count; ++i) {
    const bt_field* const member = bt_field_structure_borrow_member_field_by_index_const(field, i);
    if (bt_field_get_class_type(member) == BT_FIELD_CLASS_TYPE_STRUCTURE) {
      write_members(row, member, step);
    } else {
      write_field(row, member, *(*step)++);
    }
  }
}

void EventLayout::write_field(evt_row* row, const bt_field* field, const Step& step) {
  text_.clear();
  switch (step.way) {
    case Way::kLeftOut:
      return;
    case Way::kNumber:
      return append_number(row, bits_of(field), step.width);
    case Way::kNumbers: {
      const std::uint64_t count = count_of(field);
      append_elements(field, count, step.width);
      evt_u16(row, static_cast<std::uint16_t>(count));
      return evt_raw(row, text_.data(), text_.size());
    }
    case Way::kBytes:
    case Way::kFixedBytes:
      append_elements(field, bt_field_array_get_length(field), 1);
      if (step.way == Way::kBytes) evt_u32(row, static_cast<std::uint32_t>(text_.size()));
      return evt_raw(row, text_.data(), text_.size());
    case Way::kTexts:
    case Way::kListOfBytes:
      return write_list(row, field);
    default:
      append_text(&text_, field);
      return evt_long_bytes(row, text_.data(), static_cast<std::uint32_t>(text_.size()));
  }
}

// How many elements of it an array may have.
std::uint64_t EventLayout::count_of(const bt_field* sequence) {
  const std::uint64_t count = bt_field_array_get_length(sequence);
  if (count > UINT16_MAX) ++surroundings_.cut_sequences;
  return std::min<std::uint64_t>(count, UINT16_MAX);
}

void EventLayout::append_elements(const bt_field* sequence, std::uint64_t count, std::uint32_t width) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t little = EVT_LE64(bits_of(bt_field_array_borrow_element_field_by_index_const(sequence, i)));
    text_.append(reinterpret_cast<const char*>(&little), width);
  }
}

void EventLayout::write_list(evt_row* row, const bt_field* sequence) {
  const std::uint64_t count = count_of(sequence);
  evt_u16(row, static_cast<std::uint16_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    const bt_field* const element = bt_field_array_borrow_element_field_by_index_const(sequence, i);
    text_.clear();
    if (bt_field_get_class_type(element) == BT_FIELD_CLASS_TYPE_STRING) {
      append_text(&text_, element);
    } else {
      const std::uint64_t last = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(element)) - 1;
      const bt_field* const bytes = bt_field_structure_borrow_member_field_by_index_const(element, last);
      append_elements(bytes, bt_field_array_get_length(bytes), 1);
    }
    evt_text(row, text_.data(), text_.size());
  }
}

void EventLayout::write_added(evt_row* row, const bt_event* event) {
  const bt_field* const payload = bt_event_borrow_payload_field_const(event);
  const std::optional<std::uint64_t> cpu = cpu_of(event);
  if (known_.is_switch) {
    const auto next = number_in(payload, "next_tid").value_or(number_in(payload, "next_pid").value_or(0));
    if (cpu) surroundings_.running[*cpu] = next;
    evt_u8(row, number_in(payload, "prev_state").value_or(1) == 0 ? kPreempted : kBlocked);
    evt_u32(row, static_cast<std::uint32_t>(cpu.value_or(UINT32_MAX)));
  }
  if (known_.is_call) {
    const auto running = cpu ? surroundings_.running.find(*cpu) : surroundings_.running.end();
    const std::uint64_t ran = running != surroundings_.running.end() ? running->second : 0;
    std::uint32_t function = function_;
    if (known_.function.empty()) {
      const std::string address = fmt::format("{:#x}", number_in(payload, "addr").value_or(0));
      function = evt_intern(surroundings_.writer, address.data(), address.size());
    }
    evt_u32(row, function);
    evt_u32(row, static_cast<std::uint32_t>(thread_of(event).value_or(ran)));
  }
}

}  // namespace evt::ctf

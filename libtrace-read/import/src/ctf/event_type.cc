#include "event_type.h"

#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

namespace evt::ctf {
namespace {

constexpr std::size_t kMaxFunctions = 500'000;
constexpr std::size_t kMaxName = 255;
// Longer ranges get no labels.
constexpr std::uint64_t kMaxRange = 256;
constexpr std::size_t kMaxLabels = 100'000;
// LTTng's kernel states by their bits; 0 is TASK_RUNNING.
constexpr std::uint8_t kPreempted = 1;
constexpr std::uint8_t kBlocked = 3;

struct NumberType {
  std::uint16_t kind;
  std::uint32_t width;
};

bool has_truth_values(const FieldClass& field) {
  const auto has = [&](std::uint64_t value, std::string_view text) {
    return std::ranges::any_of(field.labels, [&](const Label& label) {
      return label.range.low == value && label.range.high == value && label.text == text;
    });
  };
  return field.bits <= 8 && field.labels.size() == 2 && has(0, "false") && has(1, "true");
}

// The type of a field that is some kind of number; an enumeration of `false` and `true` is one of truth values.
std::optional<NumberType> number_type(const FieldClass& field) {
  const std::uint32_t width = field.bits <= 8 ? 1 : field.bits <= 16 ? 2 : field.bits <= 32 ? 4 : 8;
  switch (field.kind) {
    case FieldKind::kInteger:
    case FieldKind::kVariableInt:
      if (field.is_enumeration) {
        return NumberType{static_cast<std::uint16_t>(has_truth_values(field) ? EVT_KIND_BOOL : EVT_KIND_ENUMERATION),
                          width};
      }
      return NumberType{static_cast<std::uint16_t>(field.is_signed ? EVT_KIND_SIGNED : EVT_KIND_UNSIGNED), width};
    case FieldKind::kBool:
      return NumberType{EVT_KIND_BOOL, 1};
    case FieldKind::kFloat:
      return NumberType{EVT_KIND_FLOAT, field.bits / 8};
    default:
      return std::nullopt;
  }
}

bool is_text(const FieldClass& field) {
  return field.kind == FieldKind::kString || (field.kind == FieldKind::kArray && field.is_text);
}
// In the form that evt convert writes.
bool is_byte(const FieldClass& field) {
  return field.kind == FieldKind::kInteger && !field.is_signed && !field.is_enumeration && field.bits == 8 &&
         field.align == 8 && field.is_hexadecimal;
}
// The bytes of a structure {length, bytes[length]} or {bytes[N]}, as evt writes them in sequences; null for others.
const FieldClass* bytes_in(const FieldClass& structure, bool is_tsdl) {
  if (structure.kind != FieldKind::kStructure || structure.members.empty()) return nullptr;
  const Member& last = structure.members.back();
  return shown_name(last.name, is_tsdl) == "bytes" && last.field->kind == FieldKind::kArray ? last.field.get()
                                                                                            : nullptr;
}
// True if a member is the number of elements of the next one, by LTTng's naming: not a separate value.
bool is_count_of_next(const FieldClass& structure, std::size_t place, bool is_tsdl) {
  if (place + 1 >= structure.members.size()) return false;
  const Member& next = structure.members[place + 1];
  const std::vector<std::string>& path = next.field->location.path;
  if (path.empty() || path.back() != structure.members[place].name) return false;
  return next.field->kind == FieldKind::kArray && !next.field->is_length_fixed &&
         shown_name(structure.members[place].name, is_tsdl) ==
             fmt::format("_{}_length", shown_name(next.name, is_tsdl));
}

}  // namespace

std::uint32_t Surroundings::function(const std::string& name) {
  const auto known = functions.find(name);
  if (known != functions.end()) return known->second;
  if (functions.size() == kMaxFunctions) return 0;
  return functions.emplace(name, static_cast<std::uint32_t>(functions.size() + 1)).first->second;
}

EventType::EventType(Surroundings& surroundings, const Metadata& metadata, const StreamClass& stream,
                     const EventClass& event)
    : surroundings_(surroundings),
      is_tsdl_(metadata.is_tsdl),
      name_(event.name.empty() ? "event" : event.name.substr(0, kMaxName)) {
  add_root(stream.common_context.get(), Scope::kCommonContext);
  add_root(event.context.get(), Scope::kContext);
  add_root(event.payload.get(), Scope::kPayload);
  constexpr std::size_t kAdded = 2;
  if (fields_.size() + kAdded > EVT_MAX_FIELDS) {
    is_text_ = true;
    names_.clear();
    places_.clear();
    duplicates_.clear();
    fields_.clear();
    labels_.clear();
    add_field("fields", EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0);
  }
  declare();
}

bool EventType::has(std::string_view name) const { return places_.find(name) != places_.end(); }

void EventType::add_root(const FieldClass* root, Scope scope) {
  if (root == nullptr) return;
  roots_.push_back(root);
  add_members(*root, "", scope, true);
}

// A context and the payload may both have a field of that name.
evt_field& EventType::add_field(const std::string& name, std::uint16_t kind, std::uint16_t shape, std::uint32_t width) {
  const std::string wanted = name.empty() ? "field" : name.substr(0, kMaxName);
  std::string unused = wanted;
  for (std::uint32_t& count = duplicates_[wanted]; has(unused);) unused = fmt::format("{}.{}", wanted, ++count + 1);
  names_.push_back(unused);
  places_.emplace(names_.back(), static_cast<std::uint32_t>(fields_.size()));
  evt_field field = {};
  field.kind = kind;
  field.shape = shape;
  field.width = width;
  fields_.push_back(field);
  return fields_.back();
}

void EventType::add_members(const FieldClass& structure, const std::string& front, Scope scope, bool is_root) {
  for (std::size_t i = 0; i < structure.members.size(); ++i) {
    if (fields_.size() > EVT_MAX_FIELDS) return;  // all of them become one text
    const Member& member = structure.members[i];
    if (is_count_of_next(structure, i, is_tsdl_)) {
      steps_.push_back({Way::kLeftOut});
    } else {
      add(*member.field, front + shown_name(member.name, is_tsdl_), scope, is_root);
    }
  }
}

EventType::Way EventType::way_of(const FieldClass& field) const {
  if (number_type(field)) return field.kind == FieldKind::kFloat ? Way::kReal : Way::kNumber;
  if (field.kind != FieldKind::kArray || field.is_text) return Way::kText;
  const FieldClass& element = *field.element;
  if (field.is_blob || (surroundings_.is_own && is_byte(element))) {
    return field.is_length_fixed && field.length > 0 && field.length <= UINT16_MAX ? Way::kFixedBytes : Way::kBytes;
  }
  if (surroundings_.is_own && bytes_in(element, is_tsdl_) != nullptr) return Way::kListOfBytes;
  if (is_text(element)) return Way::kTexts;
  if (!number_type(element)) return Way::kText;
  return element.kind == FieldKind::kFloat ? Way::kReals : Way::kNumbers;
}

// Recognises values of the payload and of contexts with a special meaning: added contexts, or those of perf.
void EventType::set_use(const std::string& name, Scope scope, Step* step) {
  static constexpr struct {
    std::string_view name;
    bool is_context;
    Use use;
    std::uint8_t rank;
  } kKnown[] = {{"tid", true, Use::kThreadId, 0},       {"vtid", true, Use::kThreadId, 1},
                {"perf_tid", false, Use::kThreadId, 4}, {"perf_cpu", false, Use::kCpuId, 0},
                {"next_tid", false, Use::kNext, 0},     {"next_pid", false, Use::kNext, 1},
                {"prev_state", false, Use::kState, 0},  {"addr", false, Use::kAddress, 0}};
  for (const auto& known : kKnown) {
    if (known.name != name || known.is_context != (scope != Scope::kPayload)) continue;
    step->use = known.use;
    step->rank = static_cast<std::uint8_t>(known.rank + (scope == Scope::kContext ? 2 : 0));
  }
}

void EventType::add(const FieldClass& field, const std::string& name, Scope scope, bool is_member_of_root) {
  if (field.kind == FieldKind::kStructure) return add_members(field, name + ".", scope, false);
  const Way way = way_of(field);
  steps_.push_back({way});
  if (way == Way::kNumber && is_member_of_root) set_use(name, scope, &steps_.back());
  has_thread_ = has_thread_ || steps_.back().use == Use::kThreadId;
  switch (way) {
    case Way::kNumber:
    case Way::kReal:
      return add_number(field, name, EVT_SHAPE_FIXED);
    case Way::kNumbers:
    case Way::kReals:
      return add_number(*field.element, name, EVT_SHAPE_ARRAY);
    case Way::kBytes:
      return static_cast<void>(add_field(name, EVT_KIND_BYTES, EVT_SHAPE_COUNTED32, 0));
    case Way::kFixedBytes:
      return static_cast<void>(
          add_field(name, EVT_KIND_BYTES, EVT_SHAPE_FIXED, static_cast<std::uint32_t>(field.length)));
    case Way::kTexts:
      return static_cast<void>(add_field(name, EVT_KIND_TEXT, EVT_SHAPE_LIST, 0));
    case Way::kListOfBytes:
      return static_cast<void>(add_field(name, EVT_KIND_BYTES, EVT_SHAPE_LIST, 0));
    default:
      return static_cast<void>(add_field(name, EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0));
  }
}

void EventType::add_number(const FieldClass& field, const std::string& name, std::uint16_t shape) {
  const NumberType number = *number_type(field);
  steps_.back().width = number.width;
  evt_field& to = add_field(name, number.kind, shape, number.width);
  if (number.kind == EVT_KIND_ENUMERATION) add_labels(field, &to);
}

// Labels belong to one number each, and distinguish numbers: the first of several labels of a number is its own; labels
// of a range, and those that another number has, get the number after a point.
void EventType::add_labels(const FieldClass& field, evt_field* to) {
  Labels& labels = labels_.emplace_back();
  const std::uint64_t mask = to->width == 8 ? UINT64_MAX : (std::uint64_t{1} << to->width * 8) - 1;
  std::unordered_set<std::uint64_t> values;
  std::unordered_set<std::string> texts;
  for (const Label& label : field.labels) {
    const std::uint64_t more = label.range.high - label.range.low;
    if (more >= kMaxRange || label_count_ + more >= kMaxLabels) continue;
    for (std::uint64_t i = 0; i <= more; ++i) {
      const std::uint64_t value = label.range.low + i;
      if (!values.insert(value).second) continue;
      const bool is_own = more == 0 && texts.insert(label.text).second;
      labels.texts.push_back(is_own            ? label.text
                             : field.is_signed ? fmt::format("{}.{}", label.text, static_cast<std::int64_t>(value))
                                               : fmt::format("{}.{}", label.text, value));
      evt_label one = {};
      one.value = value & mask;
      one.text = labels.texts.back().c_str();
      labels.all.push_back(one);
      ++label_count_;
    }
  }
  to->labels = labels.all.data();
  to->label_count = static_cast<std::uint32_t>(labels.all.size());
}

// Added fields come after the trace's own.
void EventType::declare() {
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
    if (!known_.function.empty()) function_ = surroundings_.function(known_.function);
  }
  std::vector<std::vector<evt_facet_field>> lists;
  std::vector<evt_facet> facets;
  add_meanings(&lists, &facets);
  for (std::size_t i = 0; i < fields_.size(); ++i) fields_[i].name = names_[i].c_str();
  evt_event_type type = {};
  type.name = name_.c_str();
  type.fields = fields_.data();
  type.field_count = static_cast<std::uint32_t>(fields_.size());
  type.role = known_.meanings.empty() ? static_cast<std::uint16_t>(EVT_ROLE_NONE) : known_.meanings[0].role;
  type.facets = facets.data();
  type.facet_count = static_cast<std::uint32_t>(facets.size());
  number_ = surroundings_.types.add(type);
}

void EventType::add_meanings(std::vector<std::vector<evt_facet_field>>* lists, std::vector<evt_facet>* facets) {
  lists->reserve(known_.meanings.size());
  for (std::size_t i = 0; i < known_.meanings.size(); ++i) {
    std::vector<evt_facet_field>& list = lists->emplace_back();
    for (const auto& [field, role] : known_.meanings[i].fields) {
      const auto place = places_.find(field);
      if (place == places_.end()) continue;
      if (i > 0) {
        list.push_back({static_cast<std::uint16_t>(place->second), role});
        continue;
      }
      fields_[place->second].role = role;
      if (role == EVT_ROLE_THREAD) fields_[place->second].scope = EVT_SCOPE_BOOT;
    }
    if (i > 0) facets->push_back({list.data(), static_cast<std::uint32_t>(list.size()), known_.meanings[i].role, 0});
  }
  if (!known_.meanings.empty() || !has_thread_) return;
  // A context tells the thread of all other events, if there is one.
  for (const char* const context : {"tid", "vtid", "perf_tid"}) {
    const auto place = places_.find(context);
    if (place == places_.end()) continue;
    fields_[place->second].role = EVT_ROLE_THREAD;
    break;
  }
}

bool EventType::read(FieldReader* reader, std::vector<std::byte>* row, Running* running) {
  row_ = row;
  std::ranges::fill(used_, Used());
  if (is_text_) {
    text_.clear();
    for (const FieldClass* const root : roots_) {
      if (!append_text(reader, *root, is_tsdl_, &text_)) return false;
    }
    append_little(text_.size(), 4);
    append_bytes(text_);
  } else {
    const Step* step = steps_.data();
    for (const FieldClass* const root : roots_) {
      if (!read_members(reader, *root, &step)) return false;
    }
  }
  append_added(*reader, running);
  return true;
}

bool EventType::read_members(FieldReader* reader, const FieldClass& structure, const Step** step) {
  if (!reader->begin(structure)) return false;
  for (const Member& member : structure.members) {
    const bool is_read = member.field->kind == FieldKind::kStructure ? read_members(reader, *member.field, step)
                                                                     : read_field(reader, *member.field, *(*step)++);
    if (!is_read) return false;
  }
  return true;
}

bool EventType::read_field(FieldReader* reader, const FieldClass& field, const Step& step) {
  std::uint64_t number = 0;
  switch (step.way) {
    case Way::kLeftOut:
      return reader->skip(field);
    case Way::kNumber: {
      if (!reader->number(field, &number)) return false;
      if (step.use != Use::kNone) {
        Used& used = used_[static_cast<std::size_t>(step.use)];
        if (step.rank < used.rank) used = {number, step.rank};
      }
      append_little(field.kind == FieldKind::kBool ? std::uint64_t{number != 0} : number, step.width);
      return true;
    }
    case Way::kReal:
      if (!reader->real(field, &number)) return false;
      append_little(number, step.width);
      return true;
    case Way::kNumbers:
    case Way::kReals:
      return read_numbers(reader, field, step);
    case Way::kTexts:
    case Way::kListOfBytes:
      return read_list(reader, field, step);
    default:
      break;
  }
  text_.clear();
  const bool is_bytes = step.way == Way::kBytes || step.way == Way::kFixedBytes;
  if (is_bytes || is_text(field) ? !reader->bytes(field, &text_) : !append_text(reader, field, is_tsdl_, &text_)) {
    return false;
  }
  if (step.way != Way::kFixedBytes) append_little(text_.size(), 4);
  append_bytes(text_);
  return true;
}

// The place of a count, which end_count() sets.
std::size_t EventType::begin_count() {
  const std::size_t place = row_->size();
  append_little(0, 2);
  return place;
}

void EventType::end_count(std::size_t place, std::uint64_t count) {
  if (count > UINT16_MAX) ++surroundings_.cut_sequences;
  if (place + 2 > row_->size()) return;
  evt_store_u16(raw(row_->data()) + place, static_cast<std::uint16_t>(std::min<std::uint64_t>(count, UINT16_MAX)));
}

// Writes elements after their count; `append` adds one: as many as the count can hold.
template <typename Read, typename Append>
bool EventType::read_sequence(FieldReader* reader, const FieldClass& field, Read read, Append append) {
  std::uint64_t count = 0;
  if (!reader->begin(field) || !reader->length(field, &count)) return false;
  const std::size_t place = begin_count();
  std::uint64_t done = 0;
  const bool is_whole = reader->elements(count, [&] {
    if (!read(*field.element)) return false;
    if (++done <= UINT16_MAX) append();
    return true;
  });
  end_count(place, done);
  return is_whole;
}

bool EventType::read_numbers(FieldReader* reader, const FieldClass& field, const Step& step) {
  std::uint64_t number = 0;
  const auto read = [&](const FieldClass& element) {
    number = 0;
    if (step.way == Way::kReals ? !reader->real(element, &number) : !reader->number(element, &number)) return false;
    if (element.kind == FieldKind::kBool) number = std::uint64_t{number != 0};
    return true;
  };
  return read_sequence(reader, field, read, [&] { append_little(number, step.width); });
}

bool EventType::read_list(FieldReader* reader, const FieldClass& field, const Step& step) {
  const auto read = [&](const FieldClass& element) {
    text_.clear();
    return step.way == Way::kTexts ? reader->bytes(element, &text_) : read_bytes_in(reader, element, &text_);
  };
  return read_sequence(reader, field, read, [&] {
    if (text_.size() > UINT16_MAX) ++surroundings_.cut_texts;
    text_.resize(std::min<std::size_t>(text_.size(), UINT16_MAX));
    append_little(text_.size(), 2);
    append_bytes(text_);
  });
}

bool EventType::read_bytes_in(FieldReader* reader, const FieldClass& structure, std::string* out) {
  if (!reader->begin(structure)) return false;
  for (const Member& member : structure.members) {
    const bool is_last = &member == &structure.members.back();
    if (is_last ? !reader->bytes(*member.field, out) : !reader->skip(*member.field)) return false;
  }
  return true;
}

void EventType::append_little(std::uint64_t number, std::uint32_t width) {
  std::uint8_t bytes[8];
  evt_store_u64(bytes, number);
  append_bytes({reinterpret_cast<const char*>(bytes), width});
}

// The reader of a row finds that it exceeds kMaxRow: it is longer, and cut there.
void EventType::append_bytes(std::string_view bytes) {
  if (row_->size() > kMaxRow) return;
  const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
  row_->insert(row_->end(), from, from + bytes.size());
}

std::optional<std::uint64_t> EventType::used(Use use) const {
  const Used& used = used_[static_cast<std::size_t>(use)];
  return used.rank == UINT8_MAX ? std::nullopt : std::optional(used.value);
}

// In LTTng the cpu is in the packet, in perf in the event.
void EventType::append_added(const FieldReader& reader, Running* running) {
  const std::optional<std::uint64_t> of_packet = reader.of(Role::kCpu);
  const std::optional<std::uint64_t> cpu = of_packet ? of_packet : used(Use::kCpuId);
  *running = {};
  running->cpu = static_cast<std::uint32_t>(cpu.value_or(Running::kUnknown));
  if (known_.is_switch) {
    running->is_switch = true;
    running->next = static_cast<std::uint32_t>(used(Use::kNext).value_or(0));
    append_little(used(Use::kState).value_or(1) == 0 ? kPreempted : kBlocked, 1);
    append_little(running->cpu, 4);
  }
  if (known_.is_call) {
    const std::uint32_t function = known_.function.empty()
                                       ? surroundings_.function(fmt::format("{:#x}", used(Use::kAddress).value_or(0)))
                                       : function_;
    append_little(function, 4);
    const std::optional<std::uint64_t> thread = used(Use::kThreadId);
    running->has_no_thread = !thread;
    append_little(static_cast<std::uint32_t>(thread.value_or(0)), 4);
  }
}

}  // namespace evt::ctf

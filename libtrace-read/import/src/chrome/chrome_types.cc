#include "chrome_types.h"

#include <evt/describe.h>

#include <cstring>
#include <map>

#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/read_number.h"

namespace evt::chrome {
namespace {

struct KindFacts {
  const char* type;
  evt_role role;
  evt_role name;  // meaning of its name
};

constexpr KindFacts kKinds[] = {
    {"chrome.span", EVT_ROLE_SPAN, EVT_ROLE_NAME},
    {"chrome.span_begin", EVT_ROLE_SPAN_BEGIN, EVT_ROLE_NAME},
    {"chrome.span_unfinished", EVT_ROLE_SPAN_BEGIN, EVT_ROLE_NAME},
    {"chrome.span_end", EVT_ROLE_SPAN_END, EVT_ROLE_NAME},
    {"chrome.call", EVT_ROLE_CALL, EVT_ROLE_FUNCTION},
    {"chrome.call_begin", EVT_ROLE_CALL_BEGIN, EVT_ROLE_FUNCTION},
    {"chrome.call_end", EVT_ROLE_CALL_END, EVT_ROLE_FUNCTION},
    {"chrome.async_begin", EVT_ROLE_ASYNC_BEGIN, EVT_ROLE_NAME},
    {"chrome.async_end", EVT_ROLE_ASYNC_END, EVT_ROLE_NAME},
    {"chrome.async_instant", EVT_ROLE_NONE, EVT_ROLE_NAME},
    {"chrome.counter", EVT_ROLE_COUNTER, EVT_ROLE_NAME},
    {"chrome.mark", EVT_ROLE_MARK, EVT_ROLE_MESSAGE},
    {"chrome.flow_out", EVT_ROLE_FLOW_OUT, EVT_ROLE_NAME},
    {"chrome.flow_in", EVT_ROLE_FLOW_IN, EVT_ROLE_NAME},
    {"chrome.event", EVT_ROLE_NONE, EVT_ROLE_NAME},
};

const KindFacts& facts_of(EventKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

// Codes of fields in a shape.
struct FieldFacts {
  char code;
  evt_kind kind;
  evt_shape shape;
  std::uint32_t width;
  evt_role role;
};

constexpr FieldFacts kFields[] = {
    {'s', EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0, EVT_ROLE_NONE},
    {'i', EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_NONE},
    {'u', EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_NONE},
    {'f', EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 8, EVT_ROLE_NONE},
    {'b', EVT_KIND_BOOL, EVT_SHAPE_FIXED, 1, EVT_ROLE_NONE},
    {'n', EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0, EVT_ROLE_NAME},  // or the role of the kind
    {'c', EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0, EVT_ROLE_CATEGORY},
    {'d', EVT_KIND_TICK_DELTA, EVT_SHAPE_FIXED, 8, EVT_ROLE_DURATION},
    {'p', EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_SPAN_ID},
    {'w', EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_FLOW},
    // Values of counters.
    {'I', EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_VALUE},
    {'U', EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 8, EVT_ROLE_VALUE},
    {'F', EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 8, EVT_ROLE_VALUE},
};

const FieldFacts& field_of(char code) {
  const FieldFacts* at = kFields;
  while (at->code != code) ++at;
  return *at;
}

// A number that is neither becomes its text, 's'.
char code_of_number(std::string_view text, std::uint64_t* bits) {
  if (const auto whole = read_number<std::int64_t>(text)) {
    *bits = static_cast<std::uint64_t>(*whole);
    return 'i';
  }
  if (const auto whole = read_number<std::uint64_t>(text)) {
    *bits = *whole;
    return 'u';
  }
  const auto real = read_number<double>(text);
  if (!real) return 's';
  std::memcpy(bits, &*real, sizeof *real);
  return 'f';
}

}  // namespace

bool ChromeTypes::is_used(std::string_view name) const {
  std::string_view rest = std::string_view(shape_).substr(1);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\0');
    if (rest.substr(1, end - 1) == name) return true;
    rest.remove_prefix(end + 1);
  }
  return false;
}

void ChromeTypes::add_field(char code, std::string_view name, std::string_view text) {
  shape_ += code;
  shape_ += name;
  shape_ += '\0';
  std::uint8_t size[4];
  evt_store_u32(size, static_cast<std::uint32_t>(text.size()));
  const auto append = [this](const void* bytes, std::size_t count) {
    const auto* const from = static_cast<const std::byte*>(bytes);
    fields_.insert(fields_.end(), from, from + count);
  };
  append(size, sizeof size);
  append(text.data(), text.size());
}

void ChromeTypes::add_number(char code, std::string_view name, std::uint64_t value) {
  shape_ += code;
  shape_ += name;
  shape_ += '\0';
  std::uint8_t bytes[8];
  evt_store_u64(bytes, value);
  const auto* const from = reinterpret_cast<const std::byte*>(bytes);
  fields_.insert(fields_.end(), from, from + field_of(code).width);
}

void ChromeTypes::add_value(std::string_view name, const JsonValue& value) {
  if (value.kind == JsonKind::kBool) return add_number('b', name, value.text == "true" ? 1 : 0);
  std::uint64_t bits = 0;
  const char code = value.kind == JsonKind::kNumber ? code_of_number(value.text, &bits) : 's';
  if (code == 's') return add_field(code, name, value.text);
  add_number(code, name, bits);
}

void ChromeTypes::describe_front(const ChromeEvent& event, const Facts& facts) {
  shape_.assign(1, static_cast<char>(facts.kind));
  fields_.clear();
  const bool is_whole = facts.kind == EventKind::kSpan || facts.kind == EventKind::kCall;
  if (is_whole) add_number('d', "duration", static_cast<std::uint64_t>(facts.duration_ns));
  const bool is_async = facts.kind == EventKind::kAsyncBegin || facts.kind == EventKind::kAsyncEnd ||
                        facts.kind == EventKind::kAsyncInstant;
  if (is_async) add_number('p', "span_id", facts.id);
  if (facts.kind == EventKind::kFlowOut || facts.kind == EventKind::kFlowIn) add_number('w', "flow", facts.id);
  if (facts.kind == EventKind::kOther || facts.kind == EventKind::kAsyncInstant) {
    add_field('s', "phase", event.phase.text);
  }
  if (facts.kind == EventKind::kCounter) {
    add_field('n', "name", facts.counter);
  } else if (event.name.kind != JsonKind::kNone) {
    add_field('n', "name", event.name.text);
  }
  if (event.category.kind != JsonKind::kNone) add_field('c', "category", event.category.text);
}

// Returns false if these cannot be fields.
bool ChromeTypes::describe_members(const ChromeEvent& event, const Facts& facts) {
  if (event.members.size() > kMaxMembers) return false;
  const JsonValue thread = facts.has_thread ? event.thread : JsonValue();
  for (const auto& [key, value] :
       {std::pair(std::string_view("tid"), thread), std::pair(std::string_view("id"), event.id),
        std::pair(std::string_view("id2"), event.id2), std::pair(std::string_view("scope"), event.scope)}) {
    if (value.kind != JsonKind::kNone) add_value(key, value);
  }
  for (const JsonMember& member : event.members) {
    if (facts.value != nullptr && member.is_argument) continue;
    if (member.key.empty() || member.key.size() > kMaxKey || member.key.find('\0') != std::string_view::npos) {
      return false;
    }
    if (!is_used(member.key)) {
      add_value(member.key, member.value);
      continue;
    }
    const std::string longer = (member.is_argument ? "args." : "event.") + std::string(member.key);
    if (is_used(longer)) return false;
    add_value(longer, member.value);
  }
  return true;
}

bool ChromeTypes::describe(const ChromeEvent& event, const Facts& facts) {
  describe_front(event, facts);
  if (facts.value != nullptr) {
    std::uint64_t bits = 0;
    const char code =
        facts.value->value.kind == JsonKind::kNumber ? code_of_number(facts.value->value.text, &bits) : 's';
    if (code == 's') {
      add_field(code, "value", facts.value->value.text);
    } else {
      add_number(static_cast<char>(code - 'a' + 'A'), "value", bits);
    }
  }
  return describe_members(event, facts);
}

std::uint32_t ChromeTypes::add(const ChromeEvent& event, const Facts& facts, std::vector<std::byte>* fields) {
  bool is_described = describe(event, facts);
  auto known = is_described ? numbers_.find(shape_) : numbers_.end();
  is_described = is_described && (known != numbers_.end() || has_room());
  if (!is_described) {
    describe_front(event, facts);
    add_field('s', "json", event.text);
    known = numbers_.find(shape_);
  }
  fields->insert(fields->end(), fields_.begin(), fields_.end());
  return known != numbers_.end() ? known->second : number_of_shape();
}

// The number of a shape that has none yet.
std::uint32_t ChromeTypes::number_of_shape() {
  const auto number = static_cast<std::uint32_t>(EVT_TYPE_FIRST_FREE + numbers_.size());
  numbers_.emplace(shape_, number);
  shapes_size_ += shape_.size();
  const Front front = {static_cast<EventKind>(shape_[0]), shape_.size() > 1 && shape_[1] == 'n'};
  fronts_.push_back(front);
  has_unfinished_ |= front.kind == EventKind::kSpanUnfinished;
  declare(shape_, number);
  return number;
}

void ChromeTypes::name_ends() {
  if (!has_unfinished_) return;
  std::map<std::uint32_t, std::string> nameless;
  for (const auto& [shape, number] : numbers_) {
    if (kind_of(number) == EventKind::kSpanEnd && !begins_with_name(number)) nameless.emplace(number, shape);
  }
  for (const auto& [number, shape] : nameless) {
    shape_ = shape;
    if (is_used("name")) continue;
    shape_.insert(1, std::string("nname") + '\0');
    const auto known = numbers_.find(shape_);
    if (known == numbers_.end() && !has_room()) continue;
    named_ends_[number] = known != numbers_.end() ? known->second : number_of_shape();
  }
}

std::uint32_t ChromeTypes::named_end(std::uint32_t type) const {
  const auto known = named_ends_.find(type);
  return known != named_ends_.end() ? known->second : 0;
}

void ChromeTypes::declare(const std::string& shape, std::uint32_t number) {
  const auto kind = static_cast<EventKind>(shape[0]);
  std::vector<evt_field> fields;
  for (std::size_t at = 1; at < shape.size(); at = shape.find('\0', at) + 1) {
    const FieldFacts& facts = field_of(shape[at]);
    evt_field field = {};
    field.name = shape.c_str() + at + 1;
    field.kind = facts.kind;
    field.shape = facts.shape;
    field.width = facts.width;
    field.role = facts.code == 'n' ? facts_of(kind).name : facts.role;
    fields.push_back(field);
  }
  evt_event_type type = {};
  type.name = facts_of(kind).type;
  type.role = facts_of(kind).role;
  type.fields = fields.data();
  type.field_count = static_cast<std::uint32_t>(fields.size());
  append_type_record(records_.next(), type, number);
}

void ChromeTypes::put(const std::function<void(Bytes)>& put) { records_.put(put); }

}  // namespace evt::chrome

#include "tsdl_types.h"

#include <fmt/core.h>

#include <algorithm>

namespace evt::ctf {
namespace {

constexpr std::size_t kMaxMembers = 10'000;

}  // namespace

FieldPtr TsdlTypes::make(FieldKind kind) const {
  auto field = std::make_unique<FieldClass>(kind);
  field->line = words_.token().line;
  return field;
}

// A copy, or null if no type has that name.
FieldPtr TsdlTypes::find(const std::string& name) {
  for (auto names = names_.rbegin(); names != names_.rend(); ++names) {
    const auto known = names->find(name);
    if (known != names->end()) return counted(known->second->clone());
  }
  return nullptr;
}

void TsdlTypes::declare(const std::string& name, FieldPtr field) { names_.back()[name] = std::move(field); }

FieldPtr TsdlTypes::counted(FieldPtr field) {
  if (!builder_.count(*field)) {
    words_.fail_at(words_.token().line, fmt::format("there are more than {} fields", MetadataBuilder::kMaxFields));
  }
  return field;
}

bool TsdlTypes::is_declaration() const {
  return is_alias() || words_.is("struct") || words_.is("variant") || words_.is("enum");
}

FieldPtr TsdlTypes::take_type() {
  if (++depth_ > MetadataBuilder::kMaxDepth) {
    words_.fail_at(words_.token().line, fmt::format("types are nested more than {} deep", MetadataBuilder::kMaxDepth));
  }
  FieldPtr type;
  if (!words_.ok()) return type;
  words_.accept("const");
  if (words_.accept("struct")) {
    type = take_structure();
  } else if (words_.accept("variant")) {
    type = take_variant();
  } else if (words_.accept("enum")) {
    type = take_enumeration();
  } else if (words_.accept("integer")) {
    type = take_integer();
  } else if (words_.accept("floating_point")) {
    type = take_float();
  } else if (words_.accept("string")) {
    type = take_string();
  } else {
    type = take_named();
  }
  --depth_;
  if (!words_.ok()) type = nullptr;
  return type;
}

// Words such as `unsigned long`, of which C has many; else one name.
std::string TsdlTypes::take_type_name() {
  static constexpr std::string_view kWords[] = {"void",   "char",   "short",    "int",   "long",     "float",
                                                "double", "signed", "unsigned", "_Bool", "_Complex", "const"};
  const auto is_word = [&] {
    return words_.token().kind == Token::kName && std::ranges::find(kWords, words_.token().text) != std::end(kWords);
  };
  if (!is_word()) return words_.take_name();
  std::string name;
  while (is_word()) {
    if (words_.token().text != "const") name += (name.empty() ? "" : " ") + std::string(words_.token().text);
    words_.advance();
  }
  return name;
}

FieldPtr TsdlTypes::take_named() {
  const std::size_t line = words_.token().line;
  const std::string name = take_type_name();
  FieldPtr type = words_.ok() ? find(name) : nullptr;
  if (type == nullptr) words_.fail_at(line, fmt::format("no type is called \"{}\"", name));
  return type;
}

// `struct x` without members is the one that was declared.
FieldPtr TsdlTypes::take_declared(const std::string& word, const std::string& name) {
  FieldPtr type = find(word + " " + name);
  if (type == nullptr) words_.fail_at(words_.token().line, fmt::format("no {} is called \"{}\"", word, name));
  return type;
}

FieldPtr TsdlTypes::take_structure() {
  FieldPtr type = make(FieldKind::kStructure);
  const std::string name = words_.is("{") ? "" : words_.take_name();
  if (!words_.is("{")) return take_declared("struct", name);
  take_members(type.get());
  if (words_.accept("align")) {
    words_.expect("(");
    set_align(type.get(), words_.take_value());
    words_.expect(")");
  }
  if (!name.empty() && words_.ok()) declare("struct " + name, counted(type->clone()));
  return type;
}

FieldPtr TsdlTypes::take_variant() {
  FieldPtr type = make(FieldKind::kVariant);
  const std::string name = words_.is("{") || words_.is("<") ? "" : words_.take_name();
  Location location;
  if (words_.accept("<")) {
    location = take_location(">");
    words_.expect(">");
  }
  if (words_.is("{")) {
    take_members(type.get());
    if (!name.empty() && words_.ok()) declare("variant " + name, counted(type->clone()));
  } else {
    type = take_declared("variant", name);
  }
  if (type != nullptr && !location.path.empty()) type->location = std::move(location);
  return type;
}

// `a.b.c`, up to a mark that it does not include: in a scope if it begins with the name of one.
Location TsdlTypes::take_location(std::string_view end) {
  static constexpr struct {
    std::string_view front;
    Scope scope;
  } kFronts[] = {{"trace.packet.header.", Scope::kPacketHeader},
                 {"stream.packet.context.", Scope::kPacketContext},
                 {"stream.event.header.", Scope::kEventHeader},
                 {"stream.event.context.", Scope::kCommonContext},
                 {"event.context.", Scope::kContext},
                 {"event.fields.", Scope::kPayload},
                 {"packet.header.", Scope::kPacketHeader},
                 {"packet.context.", Scope::kPacketContext},
                 {"event.header.", Scope::kEventHeader}};
  Location location;
  std::string path = words_.take_path();
  if (words_.ok() && !words_.is(end)) words_.fail(fmt::format("\"{}\"", end));
  for (const auto& [front, scope] : kFronts) {
    if (!path.starts_with(front)) continue;
    location.scope = scope;
    path.erase(0, front.size());
    break;
  }
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    location.path.push_back(path.substr(at, dot - at));
    at = dot + 1;
  }
  return location;
}

void TsdlTypes::take_members(FieldClass* around) {
  begin_block();
  words_.expect("{");
  while (words_.ok() && !words_.accept("}")) {
    if (is_alias()) {
      take_alias();
      continue;
    }
    const FieldPtr type = take_type();
    if (type == nullptr) break;
    if (words_.accept(";")) continue;  // `struct x { ... };` declares x
    do {
      Member member;
      member.field = counted(type->clone());
      take_declarator(&member);
      around->members.push_back(std::move(member));
    } while (words_.ok() && words_.accept(","));
    if (around->members.size() > kMaxMembers)
      words_.fail_at(words_.token().line, fmt::format("it has more than {} members", kMaxMembers));
    words_.expect(";");
  }
  end_block();
}

// A name, and its array suffixes: `x[4][n]` has 4 arrays of n.
void TsdlTypes::take_declarator(Member* member) {
  while (words_.accept("*") || words_.accept("const")) {
  }
  member->name = words_.take_name();
  std::vector<FieldPtr> arrays;
  while (words_.ok() && words_.accept("[")) {
    FieldPtr array = make(FieldKind::kArray);
    if (words_.token().kind == Token::kNumber) {
      array->is_length_fixed = true;
      array->length = words_.token().number;
      words_.advance();
    } else {
      array->location = take_location("]");
    }
    words_.expect("]");
    arrays.push_back(std::move(array));
    if (arrays.size() > MetadataBuilder::kMaxDepth) words_.fail_at(words_.token().line, "arrays are nested too deep");
  }
  for (auto array = arrays.rbegin(); array != arrays.rend(); ++array) {
    (*array)->element = std::move(member->field);
    member->field = std::move(*array);
  }
}

FieldPtr TsdlTypes::take_enumeration() {
  FieldPtr type;
  const std::size_t line = words_.token().line;
  const std::string name = words_.is("{") || words_.is(":") ? "" : words_.take_name();
  if (words_.accept(":")) {
    type = take_type();
  } else if (!words_.is("{")) {
    return take_declared("enum", name);
  } else {
    type = find("int");
    if (type == nullptr) words_.fail_at(line, "no type is called \"int\", which an enumeration without a type is of");
  }
  if (type == nullptr) return nullptr;
  if (type->kind != FieldKind::kInteger) words_.fail_at(line, "an enumeration is of integers");
  type->is_enumeration = true;
  type->is_character = false;
  take_labels(type.get());
  if (!name.empty() && words_.ok()) declare("enum " + name, counted(type->clone()));
  return type;
}

void TsdlTypes::take_labels(FieldClass* type) {
  std::uint64_t next = 0;
  words_.expect("{");
  while (words_.ok() && !words_.accept("}")) {
    Label label;
    if (words_.token().kind == Token::kText) {
      label.text = words_.token().string;
      words_.advance();
    } else {
      label.text = words_.take_name();
    }
    label.range = {next, next};
    if (words_.accept("=")) {
      label.range.low = label.range.high = static_cast<std::uint64_t>(words_.take_value().signed_number());
      if (words_.accept("...")) label.range.high = static_cast<std::uint64_t>(words_.take_value().signed_number());
    }
    next = label.range.high + 1;
    type->labels.push_back(std::move(label));
    if (type->labels.size() > MetadataBuilder::kMaxFields)
      words_.fail_at(words_.token().line, "there are too many labels");
    if (!words_.accept(",") && !words_.is("}")) words_.fail("\",\" or \"}\"");
  }
}

void TsdlTypes::set_align(FieldClass* type, const TsdlValue& value) {
  const bool is_power = value.is_number && value.number > 0 && (value.number & (value.number - 1)) == 0;
  if (!is_power || value.number > 4096)
    return words_.fail_at(value.line, "an alignment is a power of two, at most 4096");
  type->align = value.number;
}

void TsdlTypes::set_order(FieldClass* type, const TsdlValue& value) {
  if (value.text == "native") return;
  const std::optional<ByteOrder> order = words_.order_of(value);
  if (order) type->order = *order;
}

FieldPtr TsdlTypes::take_integer() {
  FieldPtr type = make(FieldKind::kInteger);
  bool has_align = false;
  for (const auto& [name, value] : words_.take_values()) {
    if (name == "size") {
      if (!value.is_number || value.number == 0 || value.number > 64) {
        words_.fail_at(value.line, "an integer has 1 to 64 bits");
      } else {
        type->bits = static_cast<std::uint32_t>(value.number);
      }
    } else if (name == "align") {
      has_align = true;
      set_align(type.get(), value);
    } else if (name == "signed") {
      type->is_signed = value.is_true();
    } else if (name == "byte_order") {
      set_order(type.get(), value);
    } else if (name == "base") {
      static constexpr std::string_view kHexadecimal[] = {"hexadecimal", "hex", "x", "X", "p"};
      type->is_hexadecimal =
          value.is_number ? value.number == 16 : std::ranges::find(kHexadecimal, value.text) != std::end(kHexadecimal);
    } else if (name == "encoding") {
      type->is_character =
          value.text == "UTF8" || value.text == "utf8" || value.text == "ASCII" || value.text == "ascii";
    } else if (name == "map") {
      // clock.NAME.value
      const std::size_t dot = value.text.rfind('.');
      const std::size_t begin = value.text.find('.');
      if (dot != begin) type->clock = value.text.substr(begin + 1, dot - begin - 1);
    }
  }
  if (words_.ok() && type->bits == 0) words_.fail_at(type->line, "an integer has a size");
  if (!has_align) type->align = type->bits % 8 == 0 ? 8 : 1;
  return counted(std::move(type));
}

FieldPtr TsdlTypes::take_float() {
  FieldPtr type = make(FieldKind::kFloat);
  type->align = 8;
  std::uint64_t exponent = 0;
  std::uint64_t mantissa = 0;
  for (const auto& [name, value] : words_.take_values()) {
    if (name == "exp_dig") exponent = value.number;
    if (name == "mant_dig") mantissa = value.number;
    if (name == "align") set_align(type.get(), value);
    if (name == "byte_order") set_order(type.get(), value);
  }
  type->bits = exponent == 8 && mantissa == 24 ? 32 : 64;
  if (type->bits == 64 && (exponent != 11 || mantissa != 53)) {
    words_.fail_at(type->line, "a floating point number has 8 and 24 digits, or 11 and 53");
  }
  return counted(std::move(type));
}

FieldPtr TsdlTypes::take_string() {
  FieldPtr type = make(FieldKind::kString);
  type->align = 8;
  if (words_.is("{")) words_.take_values();
  return counted(std::move(type));
}

// `typealias TYPE := NAME;`, `typedef TYPE NAME;`
void TsdlTypes::take_alias() {
  const bool is_alias = words_.accept("typealias");
  if (!is_alias) words_.expect("typedef");
  FieldPtr type = take_type();
  if (type == nullptr) return;
  if (is_alias) {
    while (words_.accept("*")) {
    }
    words_.expect(":=");
    std::string name = take_type_name();
    while (words_.accept("*")) name += " *";
    declare(name, std::move(type));
  } else {
    do {
      Member member;
      member.field = counted(type->clone());
      take_declarator(&member);
      declare(member.name, std::move(member.field));
    } while (words_.ok() && words_.accept(","));
  }
  words_.expect(";");
}

void TsdlTypes::take_declaration() {
  if (is_alias()) return take_alias();
  take_type();
  words_.expect(";");
}

}  // namespace evt::ctf

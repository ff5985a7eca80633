#include <fmt/core.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <bit>
#include <unordered_map>

#include "metadata.h"
#include "metadata_builder.h"

namespace evt::ctf {
namespace {

using Json = rapidjson::Value;

constexpr char kSeparator = '\x1E';
constexpr std::size_t kMaxFragment = 4 << 20;

struct NamedRole {
  const char* name;
  Role role;
};
constexpr NamedRole kRoleNames[] = {{"packet-magic-number", Role::kMagic},
                                    {"data-stream-class-id", Role::kStreamClass},
                                    {"packet-total-length", Role::kPacketSize},
                                    {"packet-content-length", Role::kContentSize},
                                    {"default-clock-timestamp", Role::kTime},
                                    {"packet-end-default-clock-timestamp", Role::kEndTime},
                                    {"discarded-event-record-counter-snapshot", Role::kDiscarded},
                                    {"packet-sequence-number", Role::kSequence},
                                    {"event-record-class-id", Role::kEventClass}};

struct NamedScope {
  const char* name;
  Scope scope;
};
constexpr NamedScope kScopeNames[] = {{"packet-header", Scope::kPacketHeader},
                                      {"packet-context", Scope::kPacketContext},
                                      {"event-record-header", Scope::kEventHeader},
                                      {"event-record-common-context", Scope::kCommonContext},
                                      {"event-record-specific-context", Scope::kContext},
                                      {"event-record-payload", Scope::kPayload}};

std::string_view text_in(const Json& json) {
  return json.IsString() ? std::string_view(json.GetString(), json.GetStringLength()) : std::string_view();
}

// Null: none.
const Json* member_of(const Json& object, const char* key) {
  if (!object.IsObject()) return nullptr;
  const auto member = object.FindMember(key);
  return member == object.MemberEnd() ? nullptr : &member->value;
}

std::string text_of(const Json& object, const char* key) {
  const Json* const member = member_of(object, key);
  return member == nullptr ? std::string() : std::string(text_in(*member));
}

std::uint64_t number_of(const Json& object, const char* key, std::uint64_t otherwise) {
  const Json* const member = member_of(object, key);
  if (member == nullptr) return otherwise;
  if (member->IsUint64()) return member->GetUint64();
  return member->IsInt64() ? static_cast<std::uint64_t>(member->GetInt64()) : otherwise;
}

class Parser {
 public:
  Parser() : builder_(false) {}

  Result<Metadata> run(std::string_view text) {
    while (error_.empty() && !text.empty()) {
      const std::size_t begin = text[0] == kSeparator ? 1 : 0;
      const std::string_view fragment = text.substr(begin, text.find(kSeparator, begin) - begin);
      text.remove_prefix(begin + fragment.size());
      ++fragment_;
      if (fragment.find_first_not_of(" \t\r\n") != std::string_view::npos) take_fragment(fragment);
    }
    if (error_.empty() && !has_preamble_) fail("it has no preamble of CTF 2");
    if (error_.empty()) {
      const std::string error = builder_.finish();
      if (!error.empty()) error_ = error;
    }
    if (!error_.empty()) return Status(Code::kNotATrace, error_);
    return builder_.take();
  }

 private:
  void fail(const std::string& why) {
    if (error_.empty()) error_ = fmt::format("fragment {}: {}", fragment_, why);
  }

  void take_fragment(std::string_view text) {
    if (text.size() > kMaxFragment) return fail(fmt::format("it is longer than {} MiB", kMaxFragment >> 20));
    rapidjson::Document json;
    json.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (json.HasParseError()) {
      return fail(
          fmt::format("at byte {}: {}", json.GetErrorOffset(), rapidjson::GetParseError_En(json.GetParseError())));
    }
    const std::string type = text_of(json, "type");
    if (type == "preamble") {
      take_preamble(json);
    } else if (type == "trace-class") {
      take_trace(json);
    } else if (type == "clock-class") {
      take_clock(json);
    } else if (type == "field-class-alias") {
      const Json* const field = member_of(json, "field-class");
      if (field == nullptr) return fail("an alias has a field class");
      aliases_[text_of(json, "name")] = take_field(*field, 0);
    } else if (type == "data-stream-class") {
      take_stream(json);
    } else if (type == "event-record-class") {
      take_event(json);
    } else {
      fail(fmt::format("\"{}\" is no type of a fragment", type.substr(0, 40)));
    }
  }

  void take_preamble(const Json& json) {
    has_preamble_ = true;
    const std::uint64_t version = number_of(json, "version", 0);
    if (version != 2) return fail(fmt::format("it is of version {} of CTF, and 2 is what this program reads", version));
  }

  void take_trace(const Json& json) {
    builder_.metadata().packet_header = take_root(json, "packet-header-field-class");
    const Json* const environment = member_of(json, "environment");
    if (environment == nullptr || !environment->IsObject()) return;
    for (const auto& entry : environment->GetObject()) {
      auto& value = builder_.metadata().environment[std::string(text_in(entry.name))];
      if (entry.value.IsInt64()) {
        value = entry.value.GetInt64();
      } else {
        value = std::string(text_in(entry.value));
      }
    }
  }

  void take_clock(const Json& json) {
    Clock clock;
    clock.name = text_of(json, "id");
    if (clock.name.empty()) clock.name = text_of(json, "name");
    clock.hz = number_of(json, "frequency", 0);
    if (clock.hz == 0 || clock.hz > Clock::kMaxHz) {
      return fail(fmt::format("a clock has a frequency of 1 to {} Hz", Clock::kMaxHz));
    }
    if (const Json* const offset = member_of(json, "offset-from-origin")) {
      clock.set_offset(static_cast<std::int64_t>(number_of(*offset, "seconds", 0)),
                       static_cast<std::int64_t>(number_of(*offset, "cycles", 0)));
    }
    builder_.add_clock(std::move(clock));
  }

  void take_stream(const Json& json) {
    StreamClass stream;
    stream.id = number_of(json, "id", 0);
    stream.packet_context = take_root(json, "packet-context-field-class");
    stream.event_header = take_root(json, "event-record-header-field-class");
    stream.common_context = take_root(json, "event-record-common-context-field-class");
    const std::string clock = text_of(json, "default-clock-class-id");
    const std::string name = clock.empty() ? text_of(json, "default-clock-class-name") : clock;
    if (!name.empty()) {
      const Clock* const known = builder_.clock(name);
      if (known == nullptr) return fail(fmt::format("no clock is called \"{}\"", name));
      stream.clock = *known;
    }
    const std::uint64_t id = stream.id;
    if (!builder_.metadata().streams.emplace(id, std::move(stream)).second) {
      fail(fmt::format("there are two data stream classes {}", id));
    }
  }

  void take_event(const Json& json) {
    EventClass event;
    event.id = number_of(json, "id", 0);
    event.name = text_of(json, "name");
    event.context = take_root(json, "specific-context-field-class");
    event.payload = take_root(json, "payload-field-class");
    const std::uint64_t of = number_of(json, "data-stream-class-id", 0);
    const auto stream = builder_.metadata().streams.find(of);
    if (stream == builder_.metadata().streams.end()) return fail(fmt::format("there is no data stream class {}", of));
    const std::uint64_t id = event.id;
    if (!stream->second.events.emplace(id, std::move(event)).second) {
      fail(fmt::format("there are two event record classes {} of the data stream class {}", id, of));
    }
  }

  FieldPtr take_root(const Json& json, const char* key) {
    const Json* const field = member_of(json, key);
    return field == nullptr ? nullptr : take_field(*field, 0);
  }

  // Null after an error.
  FieldPtr take_field(const Json& json, std::size_t depth) {
    if (depth > MetadataBuilder::kMaxDepth) {
      fail(fmt::format("field classes are nested more than {} deep", MetadataBuilder::kMaxDepth));
      return nullptr;
    }
    FieldPtr field;
    if (json.IsString()) {
      const auto alias = aliases_.find(std::string(text_in(json)));
      if (alias == aliases_.end() || alias->second == nullptr) {
        fail(fmt::format("no field class is called \"{}\"", text_in(json).substr(0, 40)));
        return nullptr;
      }
      field = alias->second->clone();
    } else {
      field = make_field(json, depth);
    }
    if (field != nullptr && !builder_.count(*field)) {
      fail(fmt::format("there are more than {} fields", MetadataBuilder::kMaxFields));
    }
    return error_.empty() ? std::move(field) : nullptr;
  }

  FieldPtr make_field(const Json& json, std::size_t depth) {
    const std::string type = text_of(json, "type");
    if (type.starts_with("fixed-length-")) return take_fixed(json, type);
    if (type == "variable-length-unsigned-integer" || type == "variable-length-signed-integer") {
      auto field = std::make_unique<FieldClass>(FieldKind::kVariableInt);
      field->align = 8;
      field->bits = 64;
      field->is_signed = type == "variable-length-signed-integer";
      take_integer(json, field.get());
      return field;
    }
    if (type == "null-terminated-string") {
      check_encoding(json);
      auto field = std::make_unique<FieldClass>(FieldKind::kString);
      field->align = 8;
      return field;
    }
    if (type.ends_with("-length-string") || type.ends_with("-length-blob")) return take_bytes(json, type);
    if (type.ends_with("-length-array")) return take_array(json, type, depth);
    if (type == "structure") return take_structure(json, depth);
    if (type == "variant") return take_variant(json, depth);
    if (type == "optional") return take_option(json, depth);
    fail(fmt::format("\"{}\" is no type of a field class", type.substr(0, 40)));
    return nullptr;
  }

  // Texts in UTF-16 and UTF-32 contain bytes 0.
  void check_encoding(const Json& json) {
    const std::string encoding = text_of(json, "encoding");
    if (!encoding.empty() && encoding != "utf-8") fail(fmt::format("texts of {} are not read: only utf-8", encoding));
  }

  FieldPtr take_fixed(const Json& json, const std::string& type) {
    const bool is_float = type == "fixed-length-floating-point-number";
    const bool is_signed = type == "fixed-length-signed-integer";
    const bool is_integer = is_signed || type == "fixed-length-unsigned-integer";
    const bool is_bool = type == "fixed-length-boolean";
    if (!is_float && !is_integer && !is_bool && type != "fixed-length-bit-array" && type != "fixed-length-bit-map") {
      fail(fmt::format("\"{}\" is no type of a field class", type.substr(0, 40)));
    }
    auto field = std::make_unique<FieldClass>(is_float     ? FieldKind::kFloat
                                              : is_integer ? FieldKind::kInteger
                                              : is_bool    ? FieldKind::kBool
                                                           : FieldKind::kBits);
    const std::uint64_t bits = number_of(json, "length", 0);
    if (bits == 0 || bits > 64) fail(fmt::format("a field of {} bits: 1 to 64 are read", bits));
    if (is_float && bits != 32 && bits != 64)
      fail(fmt::format("a floating point number of {} bits: 32 and 64 are read", bits));
    field->bits = static_cast<std::uint32_t>(bits);
    field->is_signed = is_signed;
    field->order = text_of(json, "byte-order") == "big-endian" ? ByteOrder::kBig : ByteOrder::kLittle;
    const std::string bit_order = text_of(json, "bit-order");
    const bool is_last_first = bit_order == "last-to-first";
    if (!bit_order.empty() && is_last_first != (field->order == ByteOrder::kBig)) {
      fail("bits that lie the other way than the byte order has them are not read");
    }
    set_align(json, "alignment", field.get());
    if (is_integer) take_integer(json, field.get());
    return field;
  }

  void take_integer(const Json& json, FieldClass* field) {
    field->is_hexadecimal = number_of(json, "preferred-display-base", 10) == 16;
    if (const Json* const mappings = member_of(json, "mappings"); mappings != nullptr && mappings->IsObject()) {
      field->is_enumeration = true;
      for (const auto& mapping : mappings->GetObject()) {
        for (const Range& range : ranges_in(mapping.value)) {
          field->labels.push_back({std::string(text_in(mapping.name)), range});
        }
      }
    }
    set_role(json, field);
  }

  void set_role(const Json& json, FieldClass* field) {
    const Json* const roles = member_of(json, "roles");
    if (roles == nullptr || !roles->IsArray()) return;
    for (const Json& role : roles->GetArray()) {
      for (const NamedRole& named : kRoleNames) {
        if (text_in(role) == named.name) field->role = named.role;
      }
    }
  }

  void set_align(const Json& json, const char* key, FieldClass* field) {
    const std::uint64_t align = number_of(json, key, 1);
    if (!std::has_single_bit(align) || align > 4096) return fail("an alignment is a power of two, at most 4096");
    field->align = align;
  }

  // [[1, 3], [7, 7]]
  std::vector<Range> ranges_in(const Json& json) {
    std::vector<Range> ranges;
    const auto number = [](const Json& value, std::uint64_t* bits) {
      if (value.IsUint64()) *bits = value.GetUint64();
      if (value.IsInt64()) *bits = static_cast<std::uint64_t>(value.GetInt64());
      return value.IsUint64() || value.IsInt64();
    };
    if (!json.IsArray()) {
      fail("ranges are an array of pairs");
      return ranges;
    }
    for (const Json& pair : json.GetArray()) {
      Range range;
      if (!pair.IsArray() || pair.Size() != 2 || !number(pair[0], &range.low) || !number(pair[1], &range.high)) {
        fail("a range is a pair of integers");
        break;
      }
      ranges.push_back(range);
    }
    return ranges;
  }

  void take_location(const Json& json, const char* key, FieldClass* field) {
    const Json* const location = member_of(json, key);
    const Json* const path = location != nullptr ? member_of(*location, "path") : nullptr;
    if (path == nullptr || !path->IsArray()) return fail(fmt::format("{} has a path", key));
    const std::string origin = text_of(*location, "origin");
    for (const NamedScope& named : kScopeNames) {
      if (origin == named.name) field->location.scope = named.scope;
    }
    if (!origin.empty() && !field->location.scope)
      return fail(fmt::format("\"{}\" is no origin", origin.substr(0, 40)));
    std::size_t up = 0;
    for (const Json& name : path->GetArray()) {
      if (name.IsNull() && field->location.path.empty()) {
        ++up;
      } else {
        field->location.path.emplace_back(text_in(name));
      }
    }
    if (!field->location.scope) field->location.up = up;
  }

  // Texts and blobs: an array of bytes.
  FieldPtr take_bytes(const Json& json, const std::string& type) {
    auto field = std::make_unique<FieldClass>(FieldKind::kArray);
    field->is_text = type.ends_with("string");
    field->is_blob = !field->is_text;
    if (field->is_text) check_encoding(json);
    field->element = std::make_unique<FieldClass>(FieldKind::kInteger);
    field->element->bits = 8;
    field->element->align = 8;
    field->element->is_hexadecimal = true;
    take_length(json, type, field.get());
    set_role(json, field.get());
    return field;
  }
  void take_length(const Json& json, const std::string& type, FieldClass* field) {
    if (type.starts_with("static-")) {
      field->is_length_fixed = true;
      field->length = number_of(json, "length", 0);
    } else if (type.starts_with("dynamic-")) {
      take_location(json, "length-field-location", field);
    } else {
      fail(fmt::format("\"{}\" is no type of a field class", type.substr(0, 40)));
    }
  }
  FieldPtr take_array(const Json& json, const std::string& type, std::size_t depth) {
    auto field = std::make_unique<FieldClass>(FieldKind::kArray);
    set_align(json, "minimum-alignment", field.get());
    take_length(json, type, field.get());
    field->element = take_inner(json, "element-field-class", depth);
    return field;
  }
  FieldPtr take_inner(const Json& json, const char* key, std::size_t depth) {
    const Json* const inner = member_of(json, key);
    if (inner == nullptr) {
      fail(fmt::format("{} is missing", key));
      return nullptr;
    }
    return take_field(*inner, depth + 1);
  }
  FieldPtr take_structure(const Json& json, std::size_t depth) {
    auto field = std::make_unique<FieldClass>(FieldKind::kStructure);
    set_align(json, "minimum-alignment", field.get());
    take_members(json, "member-classes", depth, field.get());
    return field;
  }
  void take_members(const Json& json, const char* key, std::size_t depth, FieldClass* field) {
    const Json* const members = member_of(json, key);
    if (members == nullptr) return;
    if (!members->IsArray()) return fail(fmt::format("{} is an array", key));
    for (const Json& json_member : members->GetArray()) {
      Member member;
      member.name = text_of(json_member, "name");
      member.field = take_inner(json_member, "field-class", depth);
      if (member.field == nullptr) return;
      if (const Json* const ranges = member_of(json_member, "selector-field-ranges"))
        member.ranges = ranges_in(*ranges);
      field->members.push_back(std::move(member));
    }
  }
  FieldPtr take_variant(const Json& json, std::size_t depth) {
    auto field = std::make_unique<FieldClass>(FieldKind::kVariant);
    take_location(json, "selector-field-location", field.get());
    take_members(json, "options", depth, field.get());
    return field;
  }
  FieldPtr take_option(const Json& json, std::size_t depth) {
    auto field = std::make_unique<FieldClass>(FieldKind::kOption);
    take_location(json, "selector-field-location", field.get());
    Member member;
    member.field = take_inner(json, "field-class", depth);
    if (member.field == nullptr) return nullptr;
    if (const Json* const ranges = member_of(json, "selector-field-ranges")) member.ranges = ranges_in(*ranges);
    field->members.push_back(std::move(member));
    return field;
  }

  MetadataBuilder builder_;
  std::unordered_map<std::string, FieldPtr> aliases_;
  std::size_t fragment_ = 0;
  bool has_preamble_ = false;
  std::string error_;
};

}  // namespace

Result<Metadata> parse_ctf2(std::string_view text) { return Parser().run(text); }

}  // namespace evt::ctf

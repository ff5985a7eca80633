#include "tsdl_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "metadata_builder.h"
#include "tsdl_lexer.h"

namespace evt::ctf {
namespace {

constexpr std::size_t kMaxMembers = 10'000;

// The right side of `name = value`.
struct Value {
  std::size_t line = 0;
  std::string text;  // a word, or a text
  bool is_number = false;
  bool is_negative = false;
  std::uint64_t number = 0;  // without the sign
};

bool is_true(const Value& value) {
  return value.is_number ? value.number != 0 : value.text == "true" || value.text == "TRUE";
}

std::int64_t signed_number(const Value& value) {
  return static_cast<std::int64_t>(value.is_negative ? 0 - value.number : value.number);
}

// Names of types that are known in a block, and in those in it. Structures, variants and enumerations have names of
// their own: `struct x`.
using Names = std::unordered_map<std::string, FieldPtr>;

// What `event { ... }` and the like hold.
struct Block {
  std::vector<std::pair<std::string, Value>> values;
  std::vector<std::pair<std::string, FieldPtr>> fields;  // `fields := struct ...`
  std::size_t line = 0;
};

class TsdlParser {
 public:
  explicit TsdlParser(std::string_view text) : lexer_(text), builder_(true) {
    token_ = lexer_.next();
    names_.emplace_back();
  }

  Result<Metadata> run() {
    while (error_.empty() && token_.kind != Token::kEnd) take_statement();
    if (error_.empty()) place_events();
    if (error_.empty()) error_ = builder_.finish();
    if (!error_.empty()) return Status(Code::kNotATrace, error_);
    return builder_.take();
  }

 private:
  // Words.

  void advance() { token_ = lexer_.next(); }
  void fail_at(std::size_t line, const std::string& why) {
    if (error_.empty()) error_ = fmt::format("line {}: {}", line, why);
  }
  // What is here is not what is wanted.
  void fail(std::string_view wanted) {
    const std::string found = token_.kind == Token::kEnd   ? "its end"
                              : token_.kind == Token::kBad ? std::string(token_.text)
                                                           : fmt::format("\"{}\"", token_.text.substr(0, 40));
    fail_at(token_.line, fmt::format("{} is expected, and {} is there", wanted, found));
  }
  bool is(std::string_view text) const {
    return (token_.kind == Token::kMark || token_.kind == Token::kName) && token_.text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }
  bool expect(std::string_view text) {
    if (accept(text)) return true;
    fail(fmt::format("\"{}\"", text));
    return false;
  }
  std::string take_name() {
    if (token_.kind != Token::kName) {
      fail("a name");
      return "";
    }
    std::string name(token_.text);
    advance();
    return name;
  }
  // `a.b.c`, also with texts in it.
  std::string take_path() {
    std::string path = take_name();
    while (error_.empty() && accept(".")) path += "." + take_name();
    return path;
  }
  Value take_value() {
    Value value;
    value.line = token_.line;
    while (is("-") || is("+")) {
      value.is_negative ^= is("-");
      advance();
    }
    if (token_.kind == Token::kNumber) {
      value.is_number = true;
      value.number = token_.number;
      advance();
    } else if (token_.kind == Token::kText) {
      value.text = token_.string;
      advance();
    } else {
      value.text = take_path();
    }
    return value;
  }

  // Types.

  FieldPtr make(FieldKind kind) {
    auto field = std::make_unique<FieldClass>(kind);
    field->line = token_.line;
    return field;
  }
  // A copy, or null if no type is called so.
  FieldPtr find(const std::string& name) {
    for (auto names = names_.rbegin(); names != names_.rend(); ++names) {
      const auto known = names->find(name);
      if (known != names->end()) return counted(known->second->clone());
    }
    return nullptr;
  }
  void declare(const std::string& name, FieldPtr field) { names_.back()[name] = std::move(field); }
  FieldPtr counted(FieldPtr field) {
    if (!builder_.count(*field)) {
      fail_at(token_.line, fmt::format("there are more than {} fields", MetadataBuilder::kMaxFields));
    }
    return field;
  }

  bool is_declaration() const { return is("typealias") || is("typedef"); }
  // Null after an error.
  FieldPtr take_type() {
    if (++depth_ > MetadataBuilder::kMaxDepth) {
      fail_at(token_.line, fmt::format("types are nested more than {} deep", MetadataBuilder::kMaxDepth));
    }
    FieldPtr type;
    if (!error_.empty()) return type;
    accept("const");
    if (accept("struct")) {
      type = take_structure();
    } else if (accept("variant")) {
      type = take_variant();
    } else if (accept("enum")) {
      type = take_enumeration();
    } else if (accept("integer")) {
      type = take_integer();
    } else if (accept("floating_point")) {
      type = take_float();
    } else if (accept("string")) {
      type = take_string();
    } else {
      type = take_named();
    }
    --depth_;
    if (!error_.empty()) type = nullptr;
    return type;
  }

  // Words such as `unsigned long`, of which C has many; else one name.
  std::string take_type_name() {
    static constexpr std::string_view kWords[] = {"void",   "char",   "short",    "int",   "long",     "float",
                                                  "double", "signed", "unsigned", "_Bool", "_Complex", "const"};
    const auto is_word = [&] {
      return token_.kind == Token::kName &&
             std::find(std::begin(kWords), std::end(kWords), token_.text) != std::end(kWords);
    };
    if (!is_word()) return take_name();
    std::string name;
    while (is_word()) {
      if (token_.text != "const") name += (name.empty() ? "" : " ") + std::string(token_.text);
      advance();
    }
    return name;
  }
  FieldPtr take_named() {
    const std::size_t line = token_.line;
    const std::string name = take_type_name();
    FieldPtr type = error_.empty() ? find(name) : nullptr;
    if (type == nullptr) fail_at(line, fmt::format("no type is called \"{}\"", name));
    return type;
  }
  // `struct x` without its members is the one that was declared.
  FieldPtr take_declared(const std::string& word, const std::string& name) {
    FieldPtr type = find(word + " " + name);
    if (type == nullptr) fail_at(token_.line, fmt::format("no {} is called \"{}\"", word, name));
    return type;
  }

  FieldPtr take_structure() {
    FieldPtr type = make(FieldKind::kStructure);
    const std::string name = is("{") ? "" : take_name();
    if (!is("{")) return take_declared("struct", name);
    take_members(type.get());
    if (accept("align")) {
      expect("(");
      set_align(type.get(), take_value());
      expect(")");
    }
    if (!name.empty() && error_.empty()) declare("struct " + name, counted(type->clone()));
    return type;
  }

  FieldPtr take_variant() {
    FieldPtr type = make(FieldKind::kVariant);
    const std::string name = is("{") || is("<") ? "" : take_name();
    Location location;
    if (accept("<")) {
      location = take_location(">");
      expect(">");
    }
    if (is("{")) {
      take_members(type.get());
      if (!name.empty() && error_.empty()) declare("variant " + name, counted(type->clone()));
    } else {
      type = take_declared("variant", name);
    }
    if (type != nullptr && !location.path.empty()) type->location = std::move(location);
    return type;
  }

  // `a.b.c`, up to a mark that it does not take: in a scope if it begins with the name of one.
  Location take_location(std::string_view end) {
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
    location.line = token_.line;
    std::string path = take_path();
    if (error_.empty() && !is(end)) fail(fmt::format("\"{}\"", end));
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

  void take_members(FieldClass* around) {
    names_.emplace_back();
    expect("{");
    while (error_.empty() && !accept("}")) {
      if (is_declaration()) {
        take_declaration();
        continue;
      }
      const FieldPtr type = take_type();
      if (type == nullptr) break;
      if (accept(";")) continue;  // `struct x { ... };` declares x
      do {
        Member member;
        member.field = counted(type->clone());
        take_declarator(&member);
        around->members.push_back(std::move(member));
      } while (error_.empty() && accept(","));
      if (around->members.size() > kMaxMembers)
        fail_at(token_.line, fmt::format("it has more than {} members", kMaxMembers));
      expect(";");
    }
    names_.pop_back();
  }

  // A name, and what makes arrays of the type: `x[4][n]` has 4 arrays of n.
  void take_declarator(Member* member) {
    while (accept("*") || accept("const")) {
    }
    member->name = take_name();
    std::vector<FieldPtr> arrays;
    while (error_.empty() && accept("[")) {
      FieldPtr array = make(FieldKind::kArray);
      if (token_.kind == Token::kNumber) {
        array->is_length_fixed = true;
        array->length = token_.number;
        advance();
      } else {
        array->location = take_location("]");
      }
      expect("]");
      arrays.push_back(std::move(array));
      if (arrays.size() > MetadataBuilder::kMaxDepth) fail_at(token_.line, "arrays are nested too deep");
    }
    for (auto array = arrays.rbegin(); array != arrays.rend(); ++array) {
      (*array)->element = std::move(member->field);
      member->field = std::move(*array);
    }
  }

  FieldPtr take_enumeration() {
    FieldPtr type;
    const std::size_t line = token_.line;
    const std::string name = is("{") || is(":") ? "" : take_name();
    if (accept(":")) {
      type = take_type();
    } else if (!is("{")) {
      return take_declared("enum", name);
    } else {
      type = find("int");
      if (type == nullptr) fail_at(line, "no type is called \"int\", which an enumeration without a type is of");
    }
    if (type == nullptr) return nullptr;
    if (type->kind != FieldKind::kInteger) fail_at(line, "an enumeration is of integers");
    type->is_enumeration = true;
    type->is_character = false;
    take_labels(type.get());
    if (!name.empty() && error_.empty()) declare("enum " + name, counted(type->clone()));
    return type;
  }
  void take_labels(FieldClass* type) {
    std::uint64_t next = 0;
    expect("{");
    while (error_.empty() && !accept("}")) {
      Label label;
      if (token_.kind == Token::kText) {
        label.text = token_.string;
        advance();
      } else {
        label.text = take_name();
      }
      label.range = {next, next};
      if (accept("=")) {
        label.range.low = label.range.high = static_cast<std::uint64_t>(signed_number(take_value()));
        if (accept("...")) label.range.high = static_cast<std::uint64_t>(signed_number(take_value()));
      }
      next = label.range.high + 1;
      type->labels.push_back(std::move(label));
      if (type->labels.size() > MetadataBuilder::kMaxFields) fail_at(token_.line, "there are too many labels");
      if (!accept(",") && !is("}")) fail("\",\" or \"}\"");
    }
  }

  // `{ name = value; ... }`
  std::vector<std::pair<std::string, Value>> take_values() {
    std::vector<std::pair<std::string, Value>> values;
    expect("{");
    while (error_.empty() && !accept("}")) {
      std::string name = take_path();
      expect("=");
      values.emplace_back(std::move(name), take_value());
      expect(";");
    }
    return values;
  }
  void set_align(FieldClass* type, const Value& value) {
    const bool is_power = value.is_number && value.number > 0 && (value.number & (value.number - 1)) == 0;
    if (!is_power || value.number > 4096) return fail_at(value.line, "an alignment is a power of two, at most 4096");
    type->align = value.number;
  }
  void set_order(FieldClass* type, const Value& value) {
    if (value.text == "native") return;
    const std::optional<ByteOrder> order = order_of(value);
    if (order) type->order = *order;
  }
  std::optional<ByteOrder> order_of(const Value& value) {
    if (value.text == "le") return ByteOrder::kLittle;
    if (value.text == "be" || value.text == "network") return ByteOrder::kBig;
    fail_at(value.line, fmt::format("a byte order is le, be, network or native, and not \"{}\"", value.text));
    return std::nullopt;
  }

  FieldPtr take_integer() {
    FieldPtr type = make(FieldKind::kInteger);
    bool has_align = false;
    for (const auto& [name, value] : take_values()) {
      if (name == "size") {
        if (!value.is_number || value.number == 0 || value.number > 64) {
          fail_at(value.line, "an integer has 1 to 64 bits");
        } else {
          type->bits = static_cast<std::uint32_t>(value.number);
        }
      } else if (name == "align") {
        has_align = true;
        set_align(type.get(), value);
      } else if (name == "signed") {
        type->is_signed = is_true(value);
      } else if (name == "byte_order") {
        set_order(type.get(), value);
      } else if (name == "base") {
        static constexpr std::string_view kHexadecimal[] = {"hexadecimal", "hex", "x", "X", "p"};
        type->is_hexadecimal = value.is_number ? value.number == 16
                                               : std::find(std::begin(kHexadecimal), std::end(kHexadecimal),
                                                           value.text) != std::end(kHexadecimal);
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
    if (error_.empty() && type->bits == 0) fail_at(type->line, "an integer has a size");
    if (!has_align) type->align = type->bits % 8 == 0 ? 8 : 1;
    return counted(std::move(type));
  }

  FieldPtr take_float() {
    FieldPtr type = make(FieldKind::kFloat);
    type->align = 8;
    std::uint64_t exponent = 0;
    std::uint64_t mantissa = 0;
    for (const auto& [name, value] : take_values()) {
      if (name == "exp_dig") exponent = value.number;
      if (name == "mant_dig") mantissa = value.number;
      if (name == "align") set_align(type.get(), value);
      if (name == "byte_order") set_order(type.get(), value);
    }
    type->bits = exponent == 8 && mantissa == 24 ? 32 : 64;
    if (type->bits == 64 && (exponent != 11 || mantissa != 53)) {
      fail_at(type->line, "a floating point number has 8 and 24 digits, or 11 and 53");
    }
    return counted(std::move(type));
  }

  FieldPtr take_string() {
    FieldPtr type = make(FieldKind::kString);
    type->align = 8;
    if (is("{")) take_values();
    return counted(std::move(type));
  }

  // Statements.

  // `typealias TYPE := NAME;`, `typedef TYPE NAME;`
  void take_declaration() {
    const bool is_alias = accept("typealias");
    if (!is_alias) expect("typedef");
    FieldPtr type = take_type();
    if (type == nullptr) return;
    if (is_alias) {
      Member member;
      while (accept("*")) {
      }
      expect(":=");
      std::string name = take_type_name();
      while (accept("*")) name += " *";
      declare(name, std::move(type));
    } else {
      do {
        Member member;
        member.field = counted(type->clone());
        take_declarator(&member);
        declare(member.name, std::move(member.field));
      } while (error_.empty() && accept(","));
    }
    expect(";");
  }

  void take_statement() {
    const std::size_t line = token_.line;
    if (accept(";")) return;
    if (is_declaration()) return take_declaration();
    if (is("struct") || is("variant") || is("enum")) {
      take_type();
      expect(";");
      return;
    }
    const std::string word = take_name();
    if (!error_.empty()) return;
    if (word == "env") {
      take_environment();
    } else if (word == "clock") {
      take_clock(line);
    } else if (word == "trace" || word == "stream" || word == "event" || word == "callsite") {
      Block block = take_block();
      block.line = line;
      if (!error_.empty()) return;
      if (word == "trace") take_trace(&block);
      if (word == "stream") take_stream(&block);
      if (word == "event") events_.push_back(std::move(block));
    } else {
      fail_at(line, fmt::format("\"{}\" begins nothing that metadata of CTF 1.8 has", word.substr(0, 40)));
    }
    expect(";");
  }

  Block take_block() {
    Block block;
    names_.emplace_back();
    expect("{");
    while (error_.empty() && !accept("}")) {
      if (is_declaration()) {
        take_declaration();
        continue;
      }
      if (is("struct") || is("variant") || is("enum")) {
        take_type();
        expect(";");
        continue;
      }
      std::string name = take_path();
      if (accept(":=")) {
        block.fields.emplace_back(std::move(name), take_type());
      } else {
        expect("=");
        block.values.emplace_back(std::move(name), take_value());
      }
      expect(";");
    }
    names_.pop_back();
    return block;
  }

  void take_environment() {
    for (auto& [name, value] : take_values()) {
      auto& entry = builder_.metadata().environment[name];
      if (value.is_number) {
        entry = signed_number(value);
      } else {
        entry = std::move(value.text);
      }
    }
  }

  void take_clock(std::size_t line) {
    Clock clock;
    std::int64_t seconds = 0;
    std::int64_t ticks = 0;
    for (const auto& [name, value] : take_values()) {
      if (name == "name") clock.name = value.text;
      if (name == "freq") clock.hz = value.number;
      if (name == "offset_s") seconds = signed_number(value);
      if (name == "offset") ticks = signed_number(value);
    }
    if (clock.hz == 0 || clock.hz > Clock::kMaxHz) {
      return fail_at(line, fmt::format("a clock has a frequency of 1 to {} Hz", Clock::kMaxHz));
    }
    clock.set_offset(seconds, ticks);
    builder_.add_clock(std::move(clock));
  }

  void take_trace(Block* block) {
    for (const auto& [name, value] : block->values) {
      if (name == "byte_order") builder_.metadata().order = order_of(value).value_or(ByteOrder::kLittle);
    }
    for (auto& [name, field] : block->fields) {
      if (name == "packet.header") builder_.metadata().packet_header = std::move(field);
    }
  }

  static std::uint64_t number_in(const Block& block, std::string_view wanted) {
    const auto value =
        std::find_if(block.values.begin(), block.values.end(), [&](const auto& each) { return each.first == wanted; });
    return value == block.values.end() ? 0 : value->second.number;
  }

  void take_stream(Block* block) {
    StreamClass stream;
    stream.id = number_in(*block, "id");
    for (auto& [name, field] : block->fields) {
      if (name == "packet.context") stream.packet_context = std::move(field);
      if (name == "event.header") stream.event_header = std::move(field);
      if (name == "event.context") stream.common_context = std::move(field);
    }
    const std::uint64_t id = stream.id;
    if (!builder_.metadata().streams.emplace(id, std::move(stream)).second) {
      fail_at(block->line, fmt::format("there are two streams {}", id));
    }
  }

  // Behind the streams, which may come after them.
  void place_events() {
    for (Block& block : events_) {
      EventClass event;
      event.id = number_in(block, "id");
      for (const auto& [name, value] : block.values) {
        if (name == "name") event.name = value.text;
      }
      for (auto& [name, field] : block.fields) {
        if (name == "context") event.context = std::move(field);
        if (name == "fields") event.payload = std::move(field);
      }
      auto& streams = builder_.metadata().streams;
      const std::uint64_t of = number_in(block, "stream_id");
      if (streams.empty()) streams[of].id = of;
      const auto stream = streams.find(of);
      if (stream == streams.end()) return fail_at(block.line, fmt::format("there is no stream {}", of));
      const std::uint64_t id = event.id;
      if (!stream->second.events.emplace(id, std::move(event)).second) {
        return fail_at(block.line, fmt::format("there are two events {} of the stream {}", id, of));
      }
    }
  }

  TsdlLexer lexer_;
  Token token_;
  MetadataBuilder builder_;
  std::vector<Names> names_;
  std::vector<Block> events_;
  std::size_t depth_ = 0;
  std::string error_;
};

}  // namespace

Result<Metadata> parse_tsdl(std::string_view text) { return TsdlParser(text).run(); }

}  // namespace evt::ctf

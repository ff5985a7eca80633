#include "text_form_reader.h"

#include <evt/format.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "names.h"

namespace evt::tools {
namespace {

// The clock of a trace made from text: nanoseconds, far enough from 0 for times before the session's start.
constexpr std::uint64_t kStartTicks = std::uint64_t{1} << 62;

std::uint64_t to_ticks(std::int64_t ns) { return kStartTicks + static_cast<std::uint64_t>(ns); }

constexpr std::pair<std::string_view, std::uint16_t> kCauses[] = {
    {"ring_full", EVT_LOST_RING_FULL}, {"too_large", EVT_LOST_TOO_LARGE}, {"overwritten", EVT_LOST_OVERWRITTEN},
    {"reentered", EVT_LOST_REENTERED}, {"sink", EVT_LOST_SINK},           {"damage", EVT_LOST_DAMAGE}};

bool has_nul(const std::string& text) { return text.find('\0') != text.npos; }

// C strings end at a NUL, so a name that holds one cannot be handed on.
void refuse_nul(Line& line, const std::string& text) {
  if (has_nul(text)) line.fail("a NUL cannot stand here");
}

// ` name=` before a value, in any order, as many as there are.
template <typename Take>
void pairs(Line& line, Take take) {
  while (line.ok() && !line.at_end() && line.peek() != '(' && line.peek() != ')' && line.peek() != '"') {
    const std::string name = line.word("a name");
    line.expect('=');
    if (line.ok() && !take(name)) line.fail(fmt::format("{} is not known here", name));
  }
}

void store_number(evt_row* row, std::uint64_t value, std::uint32_t width) {
  const std::uint64_t little = EVT_LE64(value);
  evt_raw(row, &little, width);
}

// A float's bits: a number as strtod takes it, or nan:0xBITS.
std::uint64_t float_bits(Line& line, std::uint32_t width) {
  const std::string text = line.any_word("+");
  const bool bits = text.starts_with("nan:0x");
  char* end = nullptr;
  std::uint64_t value = 0;
  if (bits) {
    value = std::strtoull(text.c_str() + 4, &end, 16);
  } else if (width == 4) {
    value = std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), &end));
  } else {
    value = std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), &end));
  }
  if (text.empty() || *end != '\0') line.fail("expected a number, inf, nan or nan:0xBITS");
  return value;
}

// An enumeration's label or a bool's word, or the number itself.
std::uint64_t labelled(Line& line, const Field& field, std::uint64_t most) {
  const char first = line.peek();
  if (first >= '0' && first <= '9') return line.number("a number", most);
  const std::string word = line.word("a label or a number");
  if (!line.ok()) return 0;
  if (field.kind == Kind::kBool && (word == "true" || word == "false")) return word == "true" ? 1 : 0;
  for (const Field::Label& label : field.labels) {
    if (label.text == word && label.value <= most) return label.value;
  }
  line.fail(fmt::format("{} is not a label of field {}", word, field.name));
  return 0;
}

}  // namespace

bool TextFormReader::add(std::string_view text) {
  if (!status_.ok()) return false;
  ++line_number_;
  if (text.ends_with('\r')) text.remove_suffix(1);
  Line line(text);
  if (!line.at_end() && line.peek() != '#') {
    parse(line, text);
    if (line.ok() && !line.at_end()) line.fail("expected the end of the line");
  }
  if (!line.ok() && status_.ok()) {
    status_ = Status(Code::kInvalid, fmt::format("line {}, {}", line_number_, line.error()));
  }
  return status_.ok();
}

Status TextFormReader::finish() {
  if (status_.ok() && !header_seen_) status_ = Status(Code::kInvalid, "the text is empty: expected `evtrace text 1`");
  if (status_.ok() && writer_ == nullptr) status_ = Status(Code::kInvalid, "the text has no session line");
  end_session();
  return status_;
}

void TextFormReader::parse(Line& line, std::string_view text) {
  if (!header_seen_) return header(line);
  const char first = line.peek();
  if ((first >= '0' && first <= '9') || first == '-') return event(line);
  const std::string keyword = line.word("an event line, or one of session, type, stream, string, cut");
  if (keyword == "session") return session(line);
  if (keyword == "type") return type(line);
  if (keyword == "stream") return stream(line);
  if (keyword == "string") return string(line);
  if (keyword == "cut") return cut(line);
  if (line.ok()) {
    line = Line(text);
    line.fail(fmt::format("expected an event line, or one of session, type, stream, string, cut; found {}", keyword));
  }
}

void TextFormReader::header(Line& line) {
  const bool named = line.word("`evtrace text 1`") == "evtrace" && line.word("`evtrace text 1`") == "text";
  if (line.ok() && (!named || line.number("version 1 of the text form") != 1)) line.fail("expected `evtrace text 1`");
  header_seen_ = true;
}

struct TextFormReader::Facts {
  std::string program;
  std::string host;
  std::string boot;
  std::string writer;
  std::vector<std::string> words;
  evt_session_info info = {};
};

void TextFormReader::session(Line& line) {
  end_session();
  Facts facts;
  pairs(line, [&](const std::string& name) {
    if (name == "uuid") {
      const std::string bytes = line.hex("the uuid");
      if (line.ok() && bytes.size() != sizeof facts.info.uuid) line.fail("a uuid has 16 bytes");
      std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof facts.info.uuid), facts.info.uuid);
    } else if (name == "start") {
      facts.info.start_utc_ns = line.seconds("the start");
    } else if (name == "pid") {
      facts.info.pid = line.number("the pid");
    } else if (name == "args") {
      line.expect('[');
      while (line.ok() && !line.take(']')) facts.words.push_back(line.quoted("a word of the command line"));
      for (const std::string& word : facts.words) refuse_nul(line, word);
    } else if (name == "program" || name == "host" || name == "boot" || name == "writer") {
      std::string& text = name == "program" ? facts.program
                          : name == "host"  ? facts.host
                          : name == "boot"  ? facts.boot
                                            : facts.writer;
      text = line.quoted("a text");
      refuse_nul(line, text);
    } else {
      return false;
    }
    return true;
  });
  if (!line.ok()) return;
  std::vector<const char*> words;
  for (const std::string& word : facts.words) words.push_back(word.c_str());
  facts.info.program = facts.program.c_str();
  facts.info.host = facts.host.c_str();
  facts.info.boot_id = facts.boot.c_str();
  facts.info.writer = facts.writer.c_str();
  facts.info.command_line = words.data();
  facts.info.command_line_count = static_cast<std::uint32_t>(facts.words.size());
  facts.info.exact = 1;
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  clock.start_ticks = kStartTicks;
  evt_options options = {};
  options.session = &facts.info;
  options.clock = &clock;
  evt_error error;
  writer_ = evt_open_fd(output_, &options, &error);
  if (writer_ == nullptr) status_ = Status(Code::kIo, error.message);
}

bool TextFormReader::in_session(Line& line) {
  if (writer_ == nullptr || cut_) line.fail("expected a session line before this one");
  return line.ok();
}

void TextFormReader::end_session() {
  if (writer_ == nullptr) return;
  evt_error error;
  if (cut_) {
    evt_close_cut(writer_, &error);
  } else {
    evt_close(writer_, &error);
  }
  if (error.code != EVT_OK && status_.ok()) status_ = Status(static_cast<Code>(error.code), error.message);
  writer_ = nullptr;
  cut_ = false;
  streams_.clear();
  types_.clear();
  by_name_.clear();
  by_number_.clear();
  ids_.clear();
}

void TextFormReader::cut(Line& line) {
  if (in_session(line)) cut_ = true;
}

void TextFormReader::field(Line& line, Field* out) {
  out->name = line.word("a field's name");
  refuse_nul(line, out->name);
  std::string kind = line.word_with("a field's kind", "[]");
  if (line.take('(')) {  // bytes(16)
    kind += fmt::format("({})", line.number("a width", UINT32_MAX));
    line.expect(')');
  }
  if (!line.ok()) return;
  if (!parse_field_kind(kind, out)) return line.fail(fmt::format("{} is not the kind of a field", kind));
  pairs(line, [&](const std::string& name) {
    if (name == "role") {
      const auto role = role_of(line.word_with("a role", ""));
      out->role = role.value_or(Role::kNone);
      if (!role) line.fail("not a role");
    } else if (name == "unit") {
      const auto unit = unit_of(line.word_with("a unit", ""));
      out->unit = unit.value_or(Unit::kNone);
      if (!unit) line.fail("not a unit");
    } else if (name == "labels") {
      line.expect('[');
      while (line.ok() && !line.take(']')) {
        const std::uint64_t value = line.number("a label's value");
        line.expect('=');
        out->labels.push_back({value, line.word("a label")});
        refuse_nul(line, out->labels.back().text);
      }
    } else {
      return false;
    }
    return true;
  });
  if (line.peek() == '"') out->description = line.quoted("a description");
  refuse_nul(line, out->description);
  line.expect(')');
}

void TextFormReader::type(Line& line) {
  if (!in_session(line)) return;
  const auto number = static_cast<std::uint32_t>(line.number("the type's number", UINT32_MAX));
  const std::string name = line.word("the type's name");
  refuse_nul(line, name);
  const std::string description = line.peek() == '"' ? line.quoted("a description") : "";
  refuse_nul(line, description);
  Role role = Role::kNone;
  pairs(line, [&](const std::string& what) {
    if (what != "role") return false;
    const auto known = role_of(line.word_with("a role", ""));
    role = known.value_or(Role::kNone);
    if (!known) line.fail("not a role");
    return true;
  });
  Type made;
  while (line.ok() && line.take('(')) field(line, &made.fields.emplace_back());
  if (!line.ok()) return;

  std::vector<std::vector<evt_label>> labels;
  std::vector<evt_field> fields;
  for (const Field& f : made.fields) {
    auto& list = labels.emplace_back();
    for (const Field::Label& label : f.labels) list.push_back({label.value, label.text.c_str()});
    fields.push_back({f.name.c_str(), f.description.c_str(), static_cast<std::uint16_t>(f.kind),
                      static_cast<std::uint16_t>(f.shape), f.width, static_cast<std::uint16_t>(f.role),
                      static_cast<std::uint16_t>(f.unit), static_cast<std::uint32_t>(list.size()), nullptr});
  }
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i].labels = labels[i].data();
  const evt_event_type declared = {name.c_str(),
                                   description.c_str(),
                                   number,
                                   static_cast<std::uint16_t>(role),
                                   static_cast<std::uint32_t>(fields.size()),
                                   fields.data()};
  evt_error error;
  made.handle = evt_declare(writer_, &declared, &error);
  if (error.code != EVT_OK) return line.fail(error.message);
  types_.push_back(std::move(made));
  by_name_[name] = &types_.back();
  by_number_[types_.back().handle->number] = &types_.back();
}

void TextFormReader::stream(Line& line) {
  if (!in_session(line)) return;
  evt_stream_info info = {};
  info.id = static_cast<std::uint32_t>(line.number("the stream's number", UINT32_MAX));
  const std::string name = line.quoted("the stream's name");
  refuse_nul(line, name);
  info.name = name.c_str();
  pairs(line, [&](const std::string& what) {
    if (what == "thread") info.thread = line.number("a thread");
    if (what == "process") info.process = line.number("a process");
    return what == "thread" || what == "process";
  });
  if (!line.ok()) return;
  evt_error error;
  evt_stream* const made = evt_stream_open_as(writer_, &info, &error);
  if (error.code != EVT_OK) return line.fail(error.message);
  streams_[info.id] = made;
}

void TextFormReader::string(Line& line) {
  if (!in_session(line)) return;
  const auto id = static_cast<std::uint32_t>(line.number("the string's number", UINT32_MAX));
  const std::string text = line.quoted("the text");
  if (!line.ok()) return;
  if (id == 0 || evt_intern_as(writer_, id, text.data(), text.size()) != id) {
    return line.fail(fmt::format("string {} is another text already, or 0", id));
  }
  ids_.try_emplace(text, id);
}

TextFormReader::Type* TextFormReader::find_type(Line& line) {
  const bool in_quotes = line.peek() == '"';
  const std::string name = in_quotes ? line.quoted("a type") : line.word_with("an event type", "#");
  if (!line.ok()) return nullptr;
  const bool by_number = !in_quotes && name.starts_with("type#");  // a name that looks like it stands in quotes
  const auto known_name = by_number ? by_name_.end() : by_name_.find(name);
  if (known_name != by_name_.end()) return known_name->second;
  if (!by_number) {
    line.fail(fmt::format("event type {} is not declared before this line", name));
    return nullptr;
  }
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), number);
  const bool reserved = number == 0 || (number >= EVT_TYPE_FIRST_RESERVED && number <= 0xFFFF);
  if (error != std::errc() || end != name.data() + name.size() || reserved) {
    line.fail(fmt::format("{} is not a type's number", name));
    return nullptr;
  }
  if (const auto known = by_number_.find(number); known != by_number_.end()) return known->second;
  Type& made = types_.emplace_back();
  made.undeclared = {number};
  made.handle = &made.undeclared;
  return by_number_[number] = &made;
}

void TextFormReader::event(Line& line) {
  if (!in_session(line)) return;
  const std::uint64_t ticks = to_ticks(line.seconds("a time"));
  const auto id = static_cast<std::uint32_t>(line.number("a stream", UINT32_MAX));
  const auto found = streams_.find(id);
  if (line.ok() && found == streams_.end()) line.fail(fmt::format("stream {} is not declared before this line", id));
  if (!line.ok()) return;
  if (line.take('!')) {
    const std::string marker = line.word("lost or jump");
    if (marker == "lost") return lost(line, found->second, ticks);
    if (marker == "jump") return evt_stream_jump(found->second);
    return line.fail("expected !lost or !jump");
  }
  const Type* const type = find_type(line);
  if (type == nullptr) return;
  evt_row row = evt_begin_at(found->second, type->handle, ticks);
  if (row.p == nullptr) return line.fail("the event cannot be recorded");
  fields(line, *type, &row);
  const bool fits = row.p != nullptr;
  evt_commit(&row);
  if (!fits) line.fail("the event is larger than 16 MiB");
}

void TextFormReader::lost(Line& line, evt_stream* stream, std::uint64_t ticks) {
  std::uint64_t count = 0;
  std::uint16_t cause = 0;
  pairs(line, [&](const std::string& name) {
    if (name == "count") {
      count = line.number("a count");
    } else if (name == "cause" && line.peek() >= '0' && line.peek() <= '9') {
      cause = static_cast<std::uint16_t>(line.number("a cause", 0xFFFF));
    } else if (name == "cause") {
      const std::string text = line.word("a cause");
      for (const auto& [known, number] : kCauses) cause = known == text ? number : cause;
      if (cause == 0) line.fail(fmt::format("{} is not a cause", text));
    } else {
      return false;
    }
    return true;
  });
  if (line.ok()) evt_stream_lost(stream, cause, count, ticks);
}

void TextFormReader::fields(Line& line, const Type& type, evt_row* row) {
  std::size_t next = 0;
  while (line.ok() && !line.at_end()) {
    if (line.take('+')) {
      const std::string bytes = line.hex("the bytes behind the fields");
      evt_raw(row, bytes.data(), bytes.size());
      return;
    }
    const std::string name = line.word("a field");
    if (line.ok() && (next == type.fields.size() || type.fields[next].name != name)) {
      line.fail(next == type.fields.size()
                    ? fmt::format("the type has no more fields: {} is one too many", name)
                    : fmt::format("expected field {}: fields stand in their order", type.fields[next].name));
    }
    line.expect('=');
    if (line.ok()) value(line, type.fields[next++], row);
  }
}

void TextFormReader::value(Line& line, const Field& field, evt_row* row) {
  if (field.shape != Shape::kArray && field.shape != Shape::kList) return scalar(line, field, row);
  line.expect('[');
  const auto count_at = static_cast<std::size_t>(row->p - row->start);  // rows may move while they grow
  evt_u16(row, 0);
  std::uint32_t count = 0;
  while (line.ok() && !line.take(']')) {
    if (++count > 0xFFFF) return line.fail("at most 65535 elements");
    scalar(line, field, row);
  }
  if (row->p != nullptr) evt_store_u16(row->start + count_at, static_cast<std::uint16_t>(count));
}

std::uint32_t TextFormReader::interned(Line& line) {
  if (line.take('#')) return static_cast<std::uint32_t>(line.number("a string's number", UINT32_MAX));
  const std::string text = line.quoted("a text, or #number");
  if (!line.ok() || text.empty()) return 0;
  const auto known = ids_.find(text);
  return known != ids_.end() ? known->second : evt_intern(writer_, text.data(), text.size());
}

void TextFormReader::scalar(Line& line, const Field& field, evt_row* row) {
  const bool list = field.shape == Shape::kList;
  const auto counted = [&](const std::string& bytes) {
    const std::size_t most = field.shape == Shape::kCounted32 ? std::size_t{EVT_MAX_EVENT_ROW} : 0xFFFF;
    if (bytes.size() > most) return line.fail(fmt::format("field {} holds at most {} bytes", field.name, most));
    if (field.shape == Shape::kCounted32) {
      evt_u32(row, static_cast<std::uint32_t>(bytes.size()));
    } else if (list || field.shape == Shape::kCounted16) {
      evt_u16(row, static_cast<std::uint16_t>(bytes.size()));
    } else if (bytes.size() != field.width) {
      return line.fail(fmt::format("field {} has {} bytes", field.name, field.width));
    }
    evt_raw(row, bytes.data(), bytes.size());
  };
  const std::uint64_t most = field.width >= 8 ? UINT64_MAX : (std::uint64_t{1} << (field.width * 8)) - 1;
  switch (field.known() ? field.kind : Kind::kBytes) {
    case Kind::kUnsigned:
      return store_number(row, line.number("a number", most), field.width);
    case Kind::kSigned: {
      const std::int64_t number = line.signed_number("a number");
      const auto half = static_cast<std::int64_t>(most / 2);
      if (number > half || number < -half - 1) line.fail("the number does not fit its field");
      return store_number(row, static_cast<std::uint64_t>(number), field.width);
    }
    case Kind::kFloat:
      return store_number(row, float_bits(line, field.width), field.width);
    case Kind::kBool:
    case Kind::kEnumeration:
      return store_number(row, labelled(line, field, most), field.width);
    case Kind::kText:
      return counted(line.quoted("a text"));
    case Kind::kInterned:
      return store_number(row, interned(line), 4);
    case Kind::kTicks:
      return store_number(row, to_ticks(line.seconds("a time")), 8);
    case Kind::kTickDelta:
      return store_number(row, static_cast<std::uint64_t>(line.seconds("a duration")), 8);
    default:
      return counted(line.hex("bytes"));
  }
}

}  // namespace evt::tools

#include "text_events.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <cstdlib>

#include "libtrace-read/text/enum_names.h"
#include "text_form_parts.h"

namespace evt::tools {
namespace {

constexpr auto kEarliest = -static_cast<std::int64_t>(kStartTicks);

// A time, as a reading of the trace's clock.
std::uint64_t ticks_of_time(TextFormLexer& line) {
  const std::int64_t ns = line.seconds("a time");
  if (ns < kEarliest) line.refuse("expected a time, at most 4611686018.427387904 seconds before the start");
  return kStartTicks + static_cast<std::uint64_t>(ns);
}

// A duration that ends at this reading of the clock.
std::uint64_t ticks_of_duration(TextFormLexer& line, std::uint64_t end) {
  const std::int64_t ns = line.seconds("a duration");
  std::int64_t start = 0;
  const bool too_far = __builtin_sub_overflow(static_cast<std::int64_t>(end - kStartTicks), ns, &start);
  if (too_far || start < kEarliest) line.refuse("expected a duration that begins within the range of times");
  return static_cast<std::uint64_t>(ns);
}

void store_number(evt_row* row, std::uint64_t value, std::uint32_t width) {
  const std::uint64_t little = EVT_LE64(value);
  evt_raw(row, &little, width);
}

// A float's bits: a number as strtod takes it, or nan:0xBITS.
std::uint64_t float_bits(TextFormLexer& line, std::uint32_t width) {
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
  if (text.empty() || *end != '\0') line.refuse("expected a number, inf, nan or nan:0xBITS");
  return value;
}

// One label of a set of flags, or bits as a number: 64 or 0x40.
std::uint64_t flag_bits(TextFormLexer& line, const Field& field, std::uint64_t most) {
  if (line.at_digit()) {
    const std::string text = line.any_word("");
    const bool is_hex = text.starts_with("0x");
    const char* const begin = text.data() + (is_hex ? 2 : 0);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), bits, is_hex ? 16 : 10);
    if (error == std::errc() && begin != end && end == text.data() + text.size() && bits <= most) return bits;
    line.refuse(fmt::format("expected labels, or a number up to {}", most));
    return 0;
  }
  const std::string word = line.word("a label or a number");
  for (const Field::Label& label : field.labels) {
    if (label.text == word && label.value <= most) return label.value;
  }
  if (line.ok()) line.refuse(fmt::format("{} is not a label of field {}", word, field.name));
  return 0;
}

std::uint64_t flags(TextFormLexer& line, const Field& field, std::uint64_t most) {
  std::uint64_t bits = flag_bits(line, field, most);
  while (line.ok() && line.take('|')) bits |= flag_bits(line, field, most);
  return bits;
}

// An enumeration's label or a bool's word, or the number itself.
std::uint64_t labelled(TextFormLexer& line, const Field& field, std::uint64_t most) {
  if (line.at_digit()) return line.number(nullptr, most);
  const std::string word = line.word("a label or a number");
  if (!line.ok()) return 0;
  if (field.kind == Kind::kBool && (word == "true" || word == "false")) return word == "true" ? 1 : 0;
  for (const Field::Label& label : field.labels) {
    if (label.text == word && label.value <= most) return label.value;
  }
  line.refuse(fmt::format("{} is not a label of field {}", word, field.name));
  return 0;
}

}  // namespace

void TextEvents::read(TextFormLexer& line) {
  const std::uint64_t ticks = event_ticks_ = ticks_of_time(line);
  evt_stream* const stream = declared_.find_stream(line);
  if (stream == nullptr) return;
  const std::size_t start = line.place();
  if (line.take('!')) {
    const std::string marker = line.word("lost, jump or end");
    if (marker == "lost") return lost(line, stream, ticks);
    if (marker == "jump") return evt_stream_jump(stream);
    if (marker == "end") return evt_stream_end(stream, ticks);
    return line.fail_at(start, "expected !lost, !jump or !end");
  }
  const TextDeclarations::Type* const type = declared_.find_type(line);
  if (type == nullptr) return;
  evt_row row = evt_begin_at(stream, type->handle, ticks);
  if (row.p == nullptr) return line.refuse_all("the event cannot be recorded");
  fields(line, *type, &row);
  const bool fits = row.p != nullptr;
  evt_commit(&row);
  if (!fits) line.refuse_all("the event is larger than 16 MiB");
}

void TextEvents::lost(TextFormLexer& line, evt_stream* stream, std::uint64_t ticks) {
  std::uint64_t count = 0;
  std::uint16_t cause = 0;
  std::uint64_t duration = 0;
  pairs(line, [&](const std::string& name) {
    if (name == "count") {
      count = line.number("a count");
    } else if (name == "cause" && line.at_digit()) {
      cause = static_cast<std::uint16_t>(line.number("a cause", 0xFFFF));
    } else if (name == "cause") {
      const std::string text = line.word("a cause");
      for (const NamedNumber& each : named_numbers(NumberList::kLossCause)) {
        if (label_of(each) == text) cause = each.number;
      }
      if (cause == 0) line.refuse(fmt::format("{} is not a cause", text));
    } else if (name == "duration") {
      duration = ticks_of_duration(line, ticks);
      if (duration > INT64_MAX) line.refuse("a duration of losses is not negative");
    } else {
      return false;
    }
    return true;
  });
  if (line.ok()) evt_stream_lost(stream, cause, count, ticks - duration, ticks);
}

void TextEvents::fields(TextFormLexer& line, const TextDeclarations::Type& type, evt_row* row) {
  std::size_t next = 0;
  while (line.ok() && !line.at_end()) {
    if (line.take('+')) {
      const std::string bytes = line.hex("the bytes after the fields");
      evt_raw(row, bytes.data(), bytes.size());
      return;
    }
    const std::string name = line.word("a field");
    if (line.ok() && (next == type.fields.size() || type.fields[next].name != name)) {
      line.refuse(next == type.fields.size()
                      ? fmt::format("the type has no more fields: {} is one too many", name)
                      : fmt::format("expected field {}: fields stand in their order", type.fields[next].name));
    }
    line.expect('=');
    if (line.ok()) value(line, type.fields[next++], row);
  }
}

void TextEvents::value(TextFormLexer& line, const Field& field, evt_row* row) {
  if (field.shape != Shape::kArray && field.shape != Shape::kList) return scalar(line, field, row);
  line.expect('[');
  const auto count_at = static_cast<std::size_t>(row->p - row->start);  // rows may move while they grow
  evt_u16(row, 0);
  std::uint32_t count = 0;
  while (line.ok() && !line.take(']')) {
    if (++count > 0xFFFF) return line.fail("expected ']': a sequence has at most 65535 elements");
    scalar(line, field, row);
  }
  if (row->p != nullptr) evt_store_u16(row->start + count_at, static_cast<std::uint16_t>(count));
}

std::uint64_t TextEvents::ticks_for(TextFormLexer& line, const Field& field) const {
  const std::uint64_t ticks = ticks_of_time(line);
  const bool is_near = ticks <= event_ticks_ && event_ticks_ - ticks <= UINT32_MAX;
  if (line.ok() && field.width == sizeof(std::uint32_t) && !is_near) {
    line.refuse("expected a time at most 4.294967295 seconds before the event, which 4 bytes hold");
  }
  return ticks;
}

std::uint64_t TextEvents::delta_for(TextFormLexer& line, const Field& field) const {
  const std::uint64_t ticks = ticks_of_duration(line, event_ticks_);
  const auto delta = static_cast<std::int64_t>(ticks);
  if (line.ok() && field.width == sizeof(std::int32_t) && (delta < INT32_MIN || delta > INT32_MAX)) {
    line.refuse("expected a duration of at most 2.147483647 seconds, which 4 bytes hold");
  }
  return ticks;
}

void TextEvents::scalar(TextFormLexer& line, const Field& field, evt_row* row) {
  const bool list = field.shape == Shape::kList;
  const auto counted = [&](const std::string& bytes) {
    const std::size_t count_size = list ? 2 : count_width(field.shape);
    const std::size_t most = count_size == 4 ? std::size_t{EVT_MAX_EVENT_ROW} : 0xFFFF;
    const bool unsized = static_cast<unsigned>(field.shape) > EVT_SHAPE_LIST && count_size == 0;
    if (unsized) return line.refuse(fmt::format("field {} has a shape that is not known", field.name));
    if (count_size == 0 && bytes.size() != field.width) {
      return line.refuse(fmt::format("field {} has {} bytes", field.name, field.width));
    }
    if (count_size != 0 && bytes.size() > most) {
      return line.refuse(fmt::format("field {} holds at most {} bytes", field.name, most));
    }
    if (count_size == 4) evt_u32(row, static_cast<std::uint32_t>(bytes.size()));
    if (count_size == 2) evt_u16(row, static_cast<std::uint16_t>(bytes.size()));
    evt_raw(row, bytes.data(), bytes.size());
  };
  const std::uint64_t most = field.width >= 8 ? UINT64_MAX : (std::uint64_t{1} << (field.width * 8)) - 1;
  switch (field.known() ? field.kind : Kind::kBytes) {
    case Kind::kUnsigned:
      return store_number(row, line.number(nullptr, most), field.width);
    case Kind::kSigned: {
      const auto half = static_cast<std::int64_t>(most / 2);
      const std::int64_t number = line.signed_number(-half - 1, half);
      return store_number(row, static_cast<std::uint64_t>(number), field.width);
    }
    case Kind::kFloat:
      return store_number(row, float_bits(line, field.width), field.width);
    case Kind::kBool:
    case Kind::kEnumeration:
      if (field.is_flags) return store_number(row, flags(line, field, most), field.width);
      return store_number(row, labelled(line, field, most), field.width);
    case Kind::kText:
      return counted(line.quoted("a string"));
    case Kind::kInterned:
      return store_number(row, declared_.find_string(line), 4);
    case Kind::kTicks:
      return store_number(row, ticks_for(line, field), field.width);
    case Kind::kTickDelta:
      return store_number(row, delta_for(line, field), field.width);
    default:
      return counted(line.hex("bytes"));
  }
}

}  // namespace evt::tools

#include "json_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "json_words.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kStep = 256 << 10;
constexpr std::size_t kMaxShownName = 64;
constexpr std::string_view kPhase = "\"ph\"";
constexpr std::string_view kNoJson = "it is no JSON";
constexpr std::string_view kCut = "the file ends inside an event, or is no JSON from here on";
constexpr std::string_view kCutMember = "the file ends inside a member of its object, or is no JSON from here on";
constexpr std::string_view kSamples = "its member samples is not read: stacks are no events here";
constexpr std::string_view kBehindEnd = "it is behind the end of the JSON, and no event";

// What a value's end is found by.
enum Mark : std::uint8_t { kPlain, kOpens, kCloses, kQuote };

constexpr std::array<Mark, 256> marks() {
  std::array<Mark, 256> all{};
  all['{'] = all['['] = kOpens;
  all['}'] = all[']'] = kCloses;
  all['"'] = kQuote;
  return all;
}
constexpr std::array<Mark, 256> kMarks = marks();

bool is_empty_array(std::string_view text) {
  return text.starts_with('[') && text.find_first_not_of(" \t\r\n", 1) == text.size() - 1;
}

}  // namespace

// More bytes behind those of the window; what is not kept goes. False at the end of the file.
bool JsonScan::fill() {
  if (most_kept_ > 0 && at_ - kept_ > most_kept_) most_kept_ = 0;
  const std::size_t from = most_kept_ > 0 ? kept_ : at_;
  if (from > 0) {
    std::memmove(window_.data(), window_.data() + from, size_ - from);
    window_offset_ += from;
    size_ -= from;
    at_ -= from;
    kept_ = 0;
  }
  if (window_.size() < size_ + kStep) window_.resize(size_ + kStep);
  const std::size_t got =
      file_.read_at(window_offset_ + size_, reinterpret_cast<std::byte*>(window_.data() + size_), kStep);
  size_ += got;
  return got > 0;
}

void JsonScan::seek(std::uint64_t offset) {
  if (offset < window_offset_ || offset > window_offset_ + size_) {
    window_offset_ = offset;
    size_ = 0;
  }
  at_ = static_cast<std::size_t>(offset - window_offset_);
}

// The first byte that is neither that nor a comma; -1 at the end of the file. `comma` is set if there was one.
int JsonScan::skip_space(bool* comma) {
  for (int c = peek();; c = peek()) {
    if (c == ',') {
      *comma = true;
    } else if (!is_space(static_cast<char>(c))) {
      return c;
    }
    ++at_;
  }
}

// Behind the quote that ends a string, from the one that begins it. False if the file ends before.
bool JsonScan::skip_string() {
  ++at_;
  while (peek() >= 0) {
    const char* const window = window_.data();
    std::size_t at = at_;
    while (at < size_ && window[at] != '"' && window[at] != '\\') ++at;
    at_ = at;
    if (at == size_) continue;
    ++at_;
    if (window[at] == '"') return true;
    if (peek() < 0) return false;
    ++at_;
  }
  return false;
}

// Behind the value that begins here. False if the file ends before.
bool JsonScan::skip_value() {
  const int first = peek();
  if (first == '"') return skip_string();
  if (first != '{' && first != '[') {
    // A number or a word; whatever it is, one byte of it.
    do {
      ++at_;
      const int c = peek();
      if (c < 0) return false;
      if (is_space(static_cast<char>(c)) || c == ',' || c == ']' || c == '}') return true;
    } while (true);
  }
  std::size_t depth = 0;
  for (int c = peek(); c >= 0; c = peek()) {
    while (at_ < size_ && kMarks[static_cast<unsigned char>(window_[at_])] == kPlain) ++at_;
    if (at_ == size_) continue;
    switch (kMarks[static_cast<unsigned char>(window_[at_])]) {
      case kQuote:
        if (!skip_string()) return false;
        break;
      case kOpens:
        ++depth;
        ++at_;
        break;
      default:
        ++at_;
        if (--depth == 0) return true;
    }
  }
  return false;
}

void JsonScan::keep(std::size_t most, Element* element) {
  element->offset = here();
  kept_ = at_;
  most_kept_ = most;
}

void JsonScan::end_kept(Element* element) {
  element->size = here() - element->offset;
  const bool is_kept = most_kept_ > 0 && element->size <= most_kept_;
  element->text =
      is_kept ? std::string_view(window_.data() + kept_, static_cast<std::size_t>(element->size)) : std::string_view();
  most_kept_ = 0;
}

bool JsonScan::take_value(std::size_t most, Element* element) {
  keep(most, element);
  const bool is_whole = skip_value();
  end_kept(element);
  return is_whole;
}

// Up to the value's end, or to what is no JSON, or to `most` bytes of it. kGoesOn: the file ends in it, or it is
// longer.
JsonCheck::Result JsonScan::check_value(std::size_t most, std::size_t kept, Element* element) {
  keep(kept, element);
  check_.begin();
  JsonCheck::Result result = JsonCheck::Result::kGoesOn;
  while (result == JsonCheck::Result::kGoesOn && here() - element->offset < most && peek() >= 0) {
    std::size_t used = 0;
    const std::size_t size = std::min(size_ - at_, most - static_cast<std::size_t>(here() - element->offset));
    result = check_.take({window_.data() + at_, size}, &used);
    at_ += used;
  }
  end_kept(element);
  return result;
}

// Whether what begins there is a value of JSON, however long.
bool JsonScan::is_json(std::uint64_t from) {
  seek(from);
  Element value;
  const JsonCheck::Result result = check_value(SIZE_MAX, 0, &value);
  looked_at_again_ += value.size;
  return result == JsonCheck::Result::kWhole;
}

void JsonScan::begin() {
  has_begun_ = true;
  if (peek() == 0xEF) at_ = std::min<std::size_t>(size_, 3);  // a byte order mark
  bool has_comma = false;
  const int c = skip_space(&has_comma);
  ++at_;
  if (c == '[') begin_array(true);
}

void JsonScan::begin_array(bool is_bare) {
  state_ = State::kEvents;
  is_bare_ = is_bare;
  has_events_ = has_bracket_ = true;
  has_value_ = is_closed_ = false;
}

bool JsonScan::next(Element* element) {
  *element = {};
  if (!has_begun_) begin();
  for (;;) {
    if (is_broken_) {
      broken_.is_passed_over ? pass_over(element) : take_broken(element);
      return true;
    }
    bool has_comma = false;
    const int c = skip_space(&has_comma);
    if (state_ == State::kEvents) {
      if (take_in_events(c, has_comma, element)) return true;
    } else if (c >= 0 && state_ == State::kMembers) {
      take_in_members(c);
    } else if (c >= 0 && has_events_) {
      take_behind(c);
    } else {
      return false;
    }
    if (c < 0) return false;
  }
}

void JsonScan::refuse(std::string_view why) {
  const bool is_whole = is_json(last_from_);
  if (!is_whole) checked_to_ = std::max(checked_to_, last_to_);
  set_broken({last_from_, last_to_, true, why, is_whole && here() == last_to_});
}

// False if there is no value here.
bool JsonScan::take_in_events(int c, bool has_comma, Element* element) {
  if (c < 0) {
    // The format lets a bare array end so.
    is_closed_ = is_bare_ && !is_cut_;
    lacks_bracket_ = is_closed_ && has_bracket_;
    return false;
  }
  if (c == ']') {
    ++at_;
    state_ = is_bare_ ? State::kBehind : State::kMembers;
    is_closed_ = is_bare_;
    return false;
  }
  if (has_value_ && !has_comma && c != '{') {
    set_broken({here(), UINT64_MAX, false, kNoJson, false});
    return false;
  }
  has_value_ = true;
  element->kind = c == '{' ? Element::Kind::kObject : Element::Kind::kOther;
  if (here() < checked_to_) return take_checked(element);
  const bool is_whole = take_value(kMaxEvent, element);
  last_from_ = element->offset;
  last_to_ = here();
  if (!is_whole) {
    checked_to_ = UINT64_MAX;
    set_broken({last_from_, UINT64_MAX, true, kCut, false});
    return false;
  }
  if (element->text.empty()) {
    element->kind = Element::Kind::kTooLong;
    if (is_json(last_from_)) return true;
    checked_to_ = last_to_;
    set_broken({last_from_, last_to_, true, kNoJson, false});
    return false;
  }
  if (c == '{' || is_followed()) return true;
  checked_to_ = last_to_;
  set_broken({last_from_, last_to_, false, kNoJson, false});
  return false;
}

// As above, of a value that is checked.
bool JsonScan::take_checked(Element* element) {
  earn();
  last_from_ = here();
  if (credit_ > 0) {
    const bool is_whole = check_value(kMaxEvent, kMaxEvent, element) == JsonCheck::Result::kWhole;
    last_to_ = here();
    looked_at_again_ += element->size;
    if (is_whole) return true;
    credit_ -= static_cast<std::int64_t>(element->size);
  }
  set_broken({last_from_, UINT64_MAX, true, kNoJson, false});
  return false;
}

// Whether what may be behind a value of an array is here.
bool JsonScan::is_followed() {
  while (peek() >= 0 && is_space(window_[at_])) ++at_;
  const int c = peek();
  return c < 0 || c == ',' || c == ']';
}

void JsonScan::take_in_members(int c) {
  if (c == '}') {
    ++at_;
    state_ = State::kBehind;
    is_closed_ = true;
  } else if (c == '"') {
    take_property();
  } else {
    set_broken({here(), UINT64_MAX, false, kNoJson, false});
  }
}

void JsonScan::take_property() {
  Element key;
  if (!take_value(kMaxProperty, &key)) return set_broken({key.offset, UINT64_MAX, false, kCutMember, false});
  std::string name(key.text.size() < 2 ? std::string_view() : key.text.substr(1, key.text.size() - 2));
  bool has_comma = false;
  int c = skip_space(&has_comma);
  if (c >= 0 && (has_comma || c != ':')) return set_broken({key.offset, UINT64_MAX, false, kNoJson, false});
  if (c >= 0) ++at_;
  c = c < 0 ? c : skip_space(&has_comma);
  if (c < 0) return set_broken({key.offset, UINT64_MAX, false, kCutMember, false});
  if (c == '[' && name == "traceEvents") {
    ++at_;
    return begin_array(false);
  }
  Element value;
  const JsonCheck::Result result = check_value(SIZE_MAX, kMaxProperty, &value);
  if (result != JsonCheck::Result::kWhole) {
    broken_member_ = fmt::format("its member {} is no JSON", name.substr(0, kMaxShownName));
    bool is_whole = false;
    if (result == JsonCheck::Result::kWrong) {
      looked_at_again_ += value.size;
      seek(value.offset);
      Element trusted;
      is_whole = take_value(0, &trusted);
    }
    const std::uint64_t to = is_whole ? here() : UINT64_MAX;
    checked_to_ = std::max(checked_to_, to);
    return set_broken({value.offset, to, false, result == JsonCheck::Result::kWrong ? broken_member_ : kCutMember});
  }
  if (name == "samples" && !is_empty_array(value.text)) {
    return set_broken({value.offset, here(), false, kSamples, true});
  }
  if (properties_.size() == kMaxProperties) {
    ++properties_left_out_;
  } else {
    properties_.emplace_back(std::move(name), value.text);
  }
}

// More events, or another object.
void JsonScan::take_behind(int c) {
  const std::uint64_t from = here();
  if (c == '{') {
    const bool is_event = try_event() == Found::kEvent;
    if (!is_event) {
      seek(from + 1);
      state_ = State::kMembers;
      is_closed_ = false;
      return;
    }
    return find_events();
  }
  if (c == '[') {
    ++at_;
    bool has_comma = false;
    const int inner = skip_space(&has_comma);
    if (inner < 0 || inner == '{' || inner == ']') return begin_array(true);
  }
  set_broken({from, UINT64_MAX, false, kBehindEnd, false});
}

void JsonScan::set_broken(const Broken& broken) {
  is_broken_ = true;
  broken_ = broken;
}

// An event is here, whether or not an array is.
void JsonScan::find_events() {
  if (state_ == State::kEvents) return;
  const bool is_behind = state_ == State::kBehind;
  begin_array(is_behind);
  has_bracket_ = !is_behind;
}

// What may be checked in vain.
void JsonScan::earn() {
  if (here() <= earned_to_) return;
  const std::uint64_t more = std::min<std::uint64_t>(here() - earned_to_, kMaxCredit);
  credit_ = std::min(kMaxCredit, credit_ + 2 * static_cast<std::int64_t>(more));
  earned_to_ = here();
}

// Whether the bracket here begins an event: here, where it does not, or behind another object without any.
JsonScan::Found JsonScan::try_event() {
  earn();
  const std::uint64_t from = here();
  Element object;
  if (credit_ > 0) {
    const bool is_whole = check_value(kMaxEvent, kMaxEvent, &object) == JsonCheck::Result::kWhole;
    looked_at_again_ += object.size;
    if (is_whole && !check_.has_phase() && object.text.find(kPhase) == std::string_view::npos) return Found::kOther;
    credit_ -= is_whole && check_.has_phase() ? 0 : static_cast<std::int64_t>(object.size);
    if (is_whole && check_.has_phase()) {
      seek(from);
      return Found::kEvent;
    }
  }
  seek(from);
  return Found::kNothing;
}

// Whether the key of phases is here.
bool JsonScan::has_phase_here() {
  while (size_ - at_ < kPhase.size() && fill()) {
  }
  return std::string_view(window_.data() + at_, size_ - at_).starts_with(kPhase);
}

struct JsonScan::Search {
  bool holds_event = false;
  std::uint64_t solid_to = 0;  // behind the last byte that is no space and no comma
  char before = '\0';          // that byte, or a comma
  bool is_line = false;        // nothing is in front on the line
  bool has_quote = false;
  // Where an object begins that may be the next event, and is broken as well; and solid_to there.
  std::uint64_t part_from = 0;
  std::uint64_t part_solid_to = 0;
  // A bracket that may close the array, of which the byte behind it is not known yet; and the one that does.
  std::uint64_t bracket = 0;
  std::uint64_t bracket_solid_to = 0;
  std::uint64_t closes = 0;
  std::uint64_t closes_solid_to = 0;
  // What was found: an event at here(); or that broken one.
  bool has_event = false;
  bool has_part = false;
};

// One byte, or one object, further. False where something was found.
bool JsonScan::step(Search* search) {
  const int c = peek();
  ++looked_at_again_;
  if (is_space(static_cast<char>(c))) {
    search->is_line |= c == '\n';
    ++at_;
    return true;
  }
  if (search->bracket != 0) {
    if (!is_bare_ && search->closes == 0 && (c == '}' || c == ',')) {
      search->closes = search->bracket;
      search->closes_solid_to = search->bracket_solid_to;
    }
    search->bracket = 0;
  }
  const bool is_front = search->is_line || search->before == ',' || search->before == '[' || search->before == '}';
  const bool closes = c == ']' && (search->is_line || search->before == '}');
  search->is_line = false;
  search->before = static_cast<char>(c);
  if (c == '{' && is_front) {
    const std::uint64_t from = here();
    const Found found = try_event();
    if (found == Found::kEvent) {
      search->has_event = true;
      return false;
    }
    if (found == Found::kOther) {
      search->before = '}';
      search->solid_to = here();
      return true;
    }
    search->part_from = from;
    search->part_solid_to = search->solid_to;
  } else if (c == '"') {
    search->has_quote = true;
    if (has_phase_here()) {
      search->has_part = search->part_from != 0;
      if (search->has_part) return false;
      search->holds_event = true;
    }
  } else if (closes && state_ == State::kEvents) {
    search->bracket = here();
    search->bracket_solid_to = search->solid_to;
  }
  ++at_;
  if (c != ',') search->solid_to = here();
  return true;
}

// What is JSON, and not read.
void JsonScan::pass_over(Element* element) {
  is_broken_ = false;
  element->kind = Element::Kind::kBroken;
  element->offset = broken_.from;
  element->size = broken_.to - broken_.from;
  element->holds_event = broken_.holds_event;
  element->why = broken_.why;
}

// From the first byte of what is broken to where reading goes on.
void JsonScan::take_broken(Element* element) {
  is_broken_ = false;
  const Broken broken = broken_;
  element->kind = Element::Kind::kBroken;
  element->offset = broken.from;
  element->why = broken.why;
  Search search;
  search.holds_event = broken.holds_event;
  seek(broken.from);
  search.before = static_cast<char>(peek());
  search.has_quote = search.before == '"';
  ++at_;
  search.solid_to = here();
  const char end = state_ == State::kEvents ? ']' : state_ == State::kMembers ? '}' : '\0';
  bool is_found = false;
  bool is_at_end = false;
  while (!is_found && !is_at_end && here() < broken.to && peek() >= 0) {
    // What has no quotes hides neither a bracket nor a member.
    const bool is_member = state_ == State::kMembers && search.before == ',' && peek() == '"';
    is_at_end = !broken.holds_event && !search.has_quote && ((end != '\0' && peek() == end) || is_member);
    is_found = !is_at_end && !step(&search);
  }
  std::uint64_t solid_to = search.solid_to;
  if (search.has_part) {
    solid_to = search.part_solid_to;
    set_broken({search.part_from, UINT64_MAX, true, kNoJson, false});
  }
  if (is_found) {
    find_events();
  } else if (!is_at_end && here() < broken.to) {
    if (search.closes == 0 && search.bracket != 0) {
      search.closes = search.bracket;
      search.closes_solid_to = search.bracket_solid_to;
    }
    if (search.closes != 0) {
      solid_to = search.closes_solid_to;
      seek(search.closes);
    } else {
      is_cut_ = element->is_cut = state_ == State::kEvents;
    }
  }
  if (broken.why == kCut || (broken.why == kNoJson && element->is_cut)) element->why = element->is_cut ? kCut : kNoJson;
  element->holds_event = search.holds_event;
  element->size = solid_to - broken.from;
}

}  // namespace evt::chrome

#include "json_scan.h"

#include <fmt/core.h>

#include <algorithm>

#include "json_words.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kMaxShownName = 64;
constexpr std::string_view kPhase = "\"ph\"";
constexpr std::string_view kNoJson = "it is no JSON";
constexpr std::string_view kCut = "the file ends inside an event, or is no JSON from here on";
constexpr std::string_view kCutMember = "the file ends inside a member of its object, or is no JSON from here on";
constexpr std::string_view kSamples = "its member samples is not read: stacks are no events here";
constexpr std::string_view kBehindEnd = "it is behind the end of the JSON, and no event";

bool is_empty_array(std::string_view text) {
  return text.starts_with('[') && text.find_first_not_of(" \t\r\n", 1) == text.size() - 1;
}

}  // namespace

// True if a value of JSON, of any length, begins there.
bool JsonScan::is_json(std::uint64_t from) {
  in_.seek(from);
  JsonCursor::Value value;
  const JsonCheck::Result result = in_.check_value(SIZE_MAX, 0, &value);
  looked_at_again_ += value.size;
  return result == JsonCheck::Result::kWhole;
}

void JsonScan::begin() {
  has_begun_ = true;
  if (in_.starts_with("\xEF\xBB\xBF")) in_.seek(3);  // a byte order mark
  bool has_comma = false;
  const int c = in_.skip_space(&has_comma);
  in_.pass();
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
    const int c = in_.skip_space(&has_comma);
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
  set_broken({last_from_, last_to_, true, why, is_whole});
}

// Returns false if there is no value here.
bool JsonScan::take_in_events(int c, bool has_comma, Element* element) {
  if (c < 0) {
    // The format allows a bare array to end this way.
    is_closed_ = is_bare_ && !is_cut_;
    lacks_bracket_ = is_closed_ && has_bracket_;
    return false;
  }
  if (c == ']') {
    in_.pass();
    state_ = is_bare_ ? State::kBehind : State::kMembers;
    is_closed_ = is_bare_;
    return false;
  }
  if (has_value_ && !has_comma && c != '{') {
    set_broken({in_.here(), UINT64_MAX, false, kNoJson, false});
    return false;
  }
  has_value_ = true;
  element->kind = c == '{' ? Element::Kind::kObject : Element::Kind::kOther;
  if (in_.here() < checked_to_) return take_checked(element);
  const bool is_whole = in_.take_value(kMaxEvent, element);
  last_from_ = element->offset;
  last_to_ = in_.here();
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

// Like take_in_events(), for a value that is checked.
bool JsonScan::take_checked(Element* element) {
  earn();
  last_from_ = in_.here();
  if (credit_ > 0) {
    const bool is_whole = in_.check_value(kMaxEvent, kMaxEvent, element) == JsonCheck::Result::kWhole;
    last_to_ = in_.here();
    looked_at_again_ += element->size;
    if (is_whole) return true;
    credit_ -= static_cast<std::int64_t>(element->size);
  }
  set_broken({last_from_, UINT64_MAX, true, kNoJson, false});
  return false;
}

// True if something that may follow a value of an array is here.
bool JsonScan::is_followed() {
  while (in_.peek() >= 0 && is_space(static_cast<char>(in_.peek()))) in_.pass();
  const int c = in_.peek();
  return c < 0 || c == ',' || c == ']';
}

void JsonScan::take_in_members(int c) {
  if (c == '}') {
    in_.pass();
    state_ = State::kBehind;
    is_closed_ = true;
  } else if (c == '"') {
    take_property();
  } else {
    set_broken({in_.here(), UINT64_MAX, false, kNoJson, false});
  }
}

void JsonScan::take_property() {
  JsonCursor::Value key;
  if (!in_.take_value(kMaxProperty, &key)) return set_broken({key.offset, UINT64_MAX, false, kCutMember, false});
  std::string name(key.text.size() < 2 ? std::string_view() : key.text.substr(1, key.text.size() - 2));
  bool has_comma = false;
  int c = in_.skip_space(&has_comma);
  if (c >= 0 && (has_comma || c != ':')) return set_broken({key.offset, UINT64_MAX, false, kNoJson, false});
  if (c >= 0) in_.pass();
  c = c < 0 ? c : in_.skip_space(&has_comma);
  if (c < 0) return set_broken({key.offset, UINT64_MAX, false, kCutMember, false});
  if (c == '[' && name == "traceEvents") {
    in_.pass();
    return begin_array(false);
  }
  JsonCursor::Value value;
  const JsonCheck::Result result = in_.check_value(SIZE_MAX, kMaxProperty, &value);
  if (result != JsonCheck::Result::kWhole) {
    broken_member_ = fmt::format("its member {} is no JSON", name.substr(0, kMaxShownName));
    bool is_whole = false;
    if (result == JsonCheck::Result::kWrong) {
      looked_at_again_ += value.size;
      in_.seek(value.offset);
      JsonCursor::Value trusted;
      is_whole = in_.take_value(0, &trusted);
    }
    const std::uint64_t to = is_whole ? in_.here() : UINT64_MAX;
    checked_to_ = std::max(checked_to_, to);
    return set_broken({value.offset, to, false, result == JsonCheck::Result::kWrong ? broken_member_ : kCutMember});
  }
  if (name == "samples" && !is_empty_array(value.text)) {
    return set_broken({value.offset, in_.here(), false, kSamples, true});
  }
  if (properties_.size() == kMaxProperties) {
    ++properties_left_out_;
  } else {
    properties_.emplace_back(std::move(name), value.text);
  }
}

// Looks for more events, or another object.
void JsonScan::take_behind(int c) {
  const std::uint64_t from = in_.here();
  if (c == '{') {
    if (try_event() == Found::kEvent) return find_events();
    in_.seek(from + 1);
    state_ = State::kMembers;
    is_closed_ = false;
    return;
  }
  if (c == '[') {
    in_.pass();
    bool has_comma = false;
    const int inner = in_.skip_space(&has_comma);
    if (inner < 0 || inner == '{' || inner == ']') return begin_array(true);
  }
  set_broken({from, UINT64_MAX, false, kBehindEnd, false});
}

void JsonScan::set_broken(const Broken& broken) {
  is_broken_ = true;
  broken_ = broken;
}

// An event is here, possibly outside of an array.
void JsonScan::find_events() {
  if (state_ == State::kEvents) return;
  const bool is_behind = state_ == State::kBehind;
  begin_array(is_behind);
  has_bracket_ = !is_behind;
}

// Earns the budget of failed checks.
void JsonScan::earn() {
  if (in_.here() <= earned_to_) return;
  const std::uint64_t more = std::min<std::uint64_t>(in_.here() - earned_to_, kMaxCredit);
  credit_ = std::min(kMaxCredit, credit_ + 2 * static_cast<std::int64_t>(more));
  earned_to_ = in_.here();
}

// Tells whether the bracket here begins an event: here, where it does not, or after another object that is not one.
JsonScan::Found JsonScan::try_event() {
  earn();
  const std::uint64_t from = in_.here();
  JsonCursor::Value object;
  if (credit_ > 0) {
    const bool is_whole = in_.check_value(kMaxEvent, kMaxEvent, &object) == JsonCheck::Result::kWhole;
    const bool is_event = is_whole && in_.has_phase();
    looked_at_again_ += object.size;
    if (is_whole && object.text.find(kPhase) == std::string_view::npos) return Found::kOther;
    in_.seek(from);
    if (is_event) return Found::kEvent;
    credit_ -= static_cast<std::int64_t>(object.size);
  }
  return Found::kNothing;
}

struct JsonScan::Search {
  bool holds_event = false;
  std::uint64_t solid_to = 0;  // after the last byte that is not a space or a comma
  char before = '\0';          // that byte, or a comma
  bool is_line = false;        // nothing before it on the line
  bool has_quote = false;
  // Where an object begins that may be the next event, and is broken as well; and solid_to there.
  std::uint64_t part_from = 0;
  std::uint64_t part_solid_to = 0;
  // A bracket that may close the array if the next byte, not read yet, allows it; and the one that does.
  std::uint64_t bracket = 0;
  std::uint64_t bracket_solid_to = 0;
  std::uint64_t closes = 0;
  std::uint64_t closes_solid_to = 0;
  // Result: an event at in_.here(); or that broken one.
  bool has_event = false;
  bool has_part = false;
};

// Moves by one byte, or one object. Returns false if something was found.
bool JsonScan::step(Search* search) {
  const int c = in_.peek();
  ++looked_at_again_;
  if (is_space(static_cast<char>(c))) {
    search->is_line |= c == '\n';
    in_.pass();
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
    const std::uint64_t from = in_.here();
    const Found found = try_event();
    if (found == Found::kEvent) {
      return false;
    }
    if (found == Found::kOther) {
      search->before = '}';
      search->solid_to = in_.here();
      return true;
    }
    search->part_from = from;
    search->part_solid_to = search->solid_to;
  } else if (c == '"') {
    search->has_quote = true;
    if (in_.starts_with(kPhase)) {
      search->has_part = search->part_from != 0;
      if (search->has_part) return false;
      search->holds_event = true;
    }
  } else if (closes && state_ == State::kEvents) {
    search->bracket = in_.here();
    search->bracket_solid_to = search->solid_to;
  }
  in_.pass();
  if (c != ',') search->solid_to = in_.here();
  return true;
}

// For JSON that is not read.
void JsonScan::pass_over(Element* element) {
  is_broken_ = false;
  element->kind = Element::Kind::kBroken;
  element->offset = broken_.from;
  element->size = broken_.to - broken_.from;
  element->holds_event = broken_.holds_event;
  element->why = broken_.why;
}

// True if the array ends here, or a member of the object begins or that ends.
bool JsonScan::is_end(int c, char before) const {
  if (state_ == State::kEvents) return c == ']';
  return state_ == State::kMembers && (c == '}' || (c == '"' && before == ','));
}

// From the first broken byte to where reading continues.
void JsonScan::take_broken(Element* element) {
  is_broken_ = false;
  const Broken broken = broken_;
  element->kind = Element::Kind::kBroken;
  element->offset = broken.from;
  element->why = broken.why;
  Search search;
  search.holds_event = broken.holds_event;
  in_.seek(broken.from);
  search.before = static_cast<char>(in_.peek());
  search.has_quote = search.before == '"';
  in_.pass();
  search.solid_to = in_.here();
  // Anything but a value, without quotes, hides neither a bracket nor a member.
  const bool hides_nothing = !broken.holds_event && broken.to == UINT64_MAX;
  bool is_found = false;
  bool is_at_end = false;
  while (!is_found && !is_at_end && in_.here() < broken.to && in_.peek() >= 0) {
    is_at_end = hides_nothing && !search.has_quote && is_end(in_.peek(), search.before);
    is_found = !is_at_end && !step(&search);
  }
  std::uint64_t solid_to = search.solid_to;
  if (search.has_part) {
    solid_to = search.part_solid_to;
    set_broken({search.part_from, UINT64_MAX, true, kNoJson, false});
  }
  if (is_found) {
    find_events();
  } else if (!is_at_end && in_.here() < broken.to) {
    if (search.closes == 0 && search.bracket != 0) {
      search.closes = search.bracket;
      search.closes_solid_to = search.bracket_solid_to;
    }
    if (search.closes != 0) {
      solid_to = search.closes_solid_to;
      in_.seek(search.closes);
    } else {
      is_cut_ = element->is_cut = state_ == State::kEvents;
    }
  }
  if (broken.why == kCut || (broken.why == kNoJson && element->is_cut)) element->why = element->is_cut ? kCut : kNoJson;
  element->holds_event = search.holds_event;
  element->size = solid_to - broken.from;
}

}  // namespace evt::chrome

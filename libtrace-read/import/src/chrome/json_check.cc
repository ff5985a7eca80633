#include "json_check.h"

#include "json_words.h"

namespace evt::chrome {
namespace {

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

}  // namespace

void JsonCheck::begin() {
  state_ = State::kValue;
  has_phase_ = false;
  objects_.clear();
}

JsonCheck::Result JsonCheck::take(std::string_view bytes, std::size_t* used) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (state_ == State::kText && !is_key_) {
      while (at < bytes.size() && bytes[at] != '"' && bytes[at] != '\\') ++at;
      if (at == bytes.size()) break;
    }
    if (state_ == State::kWord && !is_word_byte(bytes[at])) {
      *used = at;
      if (!is_word()) return Result::kWrong;
      if (end_value() == Result::kWhole) return Result::kWhole;
    }
    const Result result = take_byte(bytes[at]);
    if (result == Result::kGoesOn) continue;
    *used = result == Result::kWhole ? at + 1 : at;
    return result;
  }
  *used = bytes.size();
  return Result::kGoesOn;
}

JsonCheck::Result JsonCheck::take_byte(char c) {
  switch (state_) {
    case State::kText:
      return take_in_text(c);
    case State::kEscaped:
      state_ = State::kText;
      return Result::kGoesOn;
    case State::kWord:
      add_to_word(c);
      return Result::kGoesOn;
    default:
      break;
  }
  if (is_space(c)) return Result::kGoesOn;
  switch (state_) {
    case State::kFirstValue:
      if (c == ']') return close(false);
      return begin_value(c);
    case State::kFirstKey:
      if (c == '}') return close(true);
      [[fallthrough]];
    case State::kKey:
      if (c != '"') return Result::kWrong;
      is_key_ = true;
      key_.clear();
      state_ = State::kText;
      return Result::kGoesOn;
    case State::kColon:
      if (c != ':') return Result::kWrong;
      state_ = State::kValue;
      return Result::kGoesOn;
    case State::kNext:
      if (c == '}' || c == ']') return close(c == '}');
      if (c != ',') return Result::kWrong;
      state_ = objects_.back() ? State::kKey : State::kValue;
      return Result::kGoesOn;
    default:
      return begin_value(c);
  }
}

JsonCheck::Result JsonCheck::take_in_text(char c) {
  if (c == '\\') state_ = State::kEscaped;
  if (c != '"') {
    if (is_key_ && key_.size() < 3) key_ += c;
    return Result::kGoesOn;
  }
  if (!is_key_) return end_value();
  has_phase_ |= objects_.size() == 1 && key_ == "ph";
  state_ = State::kColon;
  return Result::kGoesOn;
}

JsonCheck::Result JsonCheck::begin_value(char c) {
  if (c == '{' || c == '[') return open(c == '{');
  if (c == '"') {
    is_key_ = false;
    state_ = State::kText;
    return Result::kGoesOn;
  }
  if (!is_word_byte(c)) return Result::kWrong;
  state_ = State::kWord;
  word_.clear();
  is_number_ = true;
  add_to_word(c);
  return Result::kGoesOn;
}

JsonCheck::Result JsonCheck::open(bool is_object) {
  if (objects_.size() == kMaxDepth) return Result::kWrong;
  objects_.push_back(is_object);
  state_ = is_object ? State::kFirstKey : State::kFirstValue;
  return Result::kGoesOn;
}

JsonCheck::Result JsonCheck::close(bool is_object) {
  if (objects_.back() != is_object) return Result::kWrong;
  objects_.pop_back();
  return end_value();
}

JsonCheck::Result JsonCheck::end_value() {
  state_ = State::kNext;
  return objects_.empty() ? Result::kWhole : Result::kGoesOn;
}

void JsonCheck::add_to_word(char c) {
  is_number_ = is_number_ && is_of_number(c);
  if (word_.size() <= kMaxWord) word_ += c;
}

bool JsonCheck::is_word() const {
  return is_number_ || word_ == "true" || word_ == "false" || word_ == "null" || is_not_finite(word_);
}

}  // namespace evt::chrome

// Finds where a value of JSON ends, or stops being JSON: for files whose quotes and brackets cannot be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt::chrome {

// Takes a value piece by piece; memory is a bit for each level of nesting. Strings may have any byte, and numbers may
// be words (is_not_finite()): mend_json() makes JSON of these.
class JsonCheck {
 public:
  enum class Result : std::uint8_t { kGoesOn, kWhole, kWrong };

  void begin();
  // `used`: up to the end of the value, or the byte where it is wrong.
  Result take(std::string_view bytes, std::size_t* used);
  // True if it is an object with a key `ph`, so far.
  bool has_phase() const { return has_phase_; }

 private:
  static constexpr std::size_t kMaxDepth = 4 << 20;
  static constexpr std::size_t kMaxWord = 32;  // except for numbers

  enum class State : std::uint8_t { kValue, kFirstValue, kKey, kFirstKey, kColon, kNext, kText, kEscaped, kWord };

  Result take_byte(char c);
  Result take_in_text(char c);
  Result begin_value(char c);
  Result open(bool is_object);
  Result close(bool is_object);
  Result end_value();
  void add_to_word(char c);
  bool is_word() const;

  State state_ = State::kValue;
  bool is_key_ = false;  // the text is one
  std::string key_;      // the front of it
  bool has_phase_ = false;
  std::vector<bool> objects_;  // by level: true for an object, false for an array
  std::string word_;
  bool is_number_ = false;  // the whole word may be a number
};

}  // namespace evt::chrome

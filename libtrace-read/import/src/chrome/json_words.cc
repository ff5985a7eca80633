#include "json_words.h"

#include <algorithm>
#include <charconv>

namespace evt::chrome {
namespace {

// In lower case, without their sign.
constexpr std::string_view kNotFinite[] = {"nan",    "inf",    "infinity", "nan(ind)", "nan(snan)",
                                           "1.#inf", "1.#ind", "1.#qnan",  "1.#snan"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool is_not_finite(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return std::ranges::any_of(kNotFinite,
                             [word](std::string_view known) { return std::ranges::equal(word, known, {}, lower); });
}

namespace {

constexpr std::size_t kUnit = 6;  // bytes of \uXXXX

// The number of \uXXXX there; -1 if there is none.
int unit_at(std::string_view text, std::size_t at) {
  if (at + kUnit > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  const char* const from = text.data() + at + 2;
  const auto [end, error] = std::from_chars(from, text.data() + at + kUnit, unit, 16);
  return error == std::errc() && end == text.data() + at + kUnit && *from != '-' ? unit : -1;
}

bool is_high(int unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(int unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Mender {
 public:
  Mender(std::string_view text, std::string* mended) : text_(text), out_(mended) {}

  bool run() {
    out_->clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (in_text_) {
        take_in_text(c);
      } else if (is_word_byte(c)) {
        take_word();
      } else {
        in_text_ = c == '"';
        copy(1);
      }
    }
    return has_changed_;
  }

 private:
  void copy(std::size_t size) {
    out_->append(text_.substr(at_, size));
    at_ += size;
  }
  void replace(std::size_t size, std::string_view by) {
    out_->append(by);
    at_ += size;
    has_changed_ = true;
  }

  void take_word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word_byte(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (!is_not_finite(word)) return copy(word.size());
    *out_ += '"';
    replace(word.size(), word);
    *out_ += '"';
  }

  void take_in_text(char c) {
    if (c == '\\') return take_escape();
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      const char escape[] = {'\\', 'u', '0', '0', kDigits[c >> 4], kDigits[c & 15]};
      return replace(1, {escape, sizeof escape});
    }
    in_text_ = c != '"';
    copy(1);
  }

  void take_escape() {
    const char escaped = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const int unit = unit_at(text_, at_);
    if (is_high(unit) && is_low(unit_at(text_, at_ + kUnit))) return copy(2 * kUnit);
    if (is_high(unit) || is_low(unit)) return replace(kUnit, "\\ufffd");
    if (unit >= 0) return copy(kUnit);
    constexpr std::string_view kEscaped = "\"\\/bfnrt";
    if (escaped != '\0' && kEscaped.find(escaped) != std::string_view::npos) return copy(2);
    replace(1, "\\\\");
  }

  std::string_view text_;
  std::string* out_;
  std::size_t at_ = 0;
  bool in_text_ = false;
  bool has_changed_ = false;
};

}  // namespace

bool mend_json(std::string_view text, std::string* mended) { return Mender(text, mended).run(); }

}  // namespace evt::chrome

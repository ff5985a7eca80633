#include "tsdl_words.h"

#include <fmt/core.h>

namespace evt::ctf {

void TsdlWords::advance() { token_ = lexer_.next(); }

void TsdlWords::fail_at(std::size_t line, const std::string& why) {
  if (error_.empty()) error_ = fmt::format("line {}: {}", line, why);
}

void TsdlWords::fail(std::string_view wanted) {
  const std::string found = token_.kind == Token::kEnd   ? "its end"
                            : token_.kind == Token::kBad ? std::string(token_.text)
                                                         : fmt::format("\"{}\"", token_.text.substr(0, 40));
  fail_at(token_.line, fmt::format("{} is expected, and {} is there", wanted, found));
}

bool TsdlWords::is(std::string_view text) const {
  return (token_.kind == Token::kMark || token_.kind == Token::kName) && token_.text == text;
}

bool TsdlWords::accept(std::string_view text) {
  if (!is(text)) return false;
  advance();
  return true;
}

bool TsdlWords::expect(std::string_view text) {
  if (accept(text)) return true;
  fail(fmt::format("\"{}\"", text));
  return false;
}

std::string TsdlWords::take_name() {
  if (token_.kind != Token::kName) {
    fail("a name");
    return "";
  }
  std::string name(token_.text);
  advance();
  return name;
}

std::string TsdlWords::take_path() {
  std::string path = take_name();
  while (error_.empty() && accept(".")) path += "." + take_name();
  return path;
}

TsdlValue TsdlWords::take_value() {
  TsdlValue value;
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

std::vector<std::pair<std::string, TsdlValue>> TsdlWords::take_values() {
  std::vector<std::pair<std::string, TsdlValue>> values;
  expect("{");
  while (error_.empty() && !accept("}")) {
    std::string name = take_path();
    expect("=");
    values.emplace_back(std::move(name), take_value());
    expect(";");
  }
  return values;
}

std::optional<ByteOrder> TsdlWords::order_of(const TsdlValue& value) {
  if (value.text == "le") return ByteOrder::kLittle;
  if (value.text == "be" || value.text == "network") return ByteOrder::kBig;
  fail_at(value.line, fmt::format("a byte order is le, be, network or native, and not \"{}\"", value.text));
  return std::nullopt;
}

}  // namespace evt::ctf

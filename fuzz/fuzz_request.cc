// A request: its method, its target and its headers, a line each. It is read or refused; what is read is inside the
// limits, and reads the same when all of it is percent-encoded. What gets an answer has the host and the token.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fuzz_target.h"
#include "tools/http/access.h"
#include "tools/http/message.h"

namespace {

using evt::tools::http::Access;
using evt::tools::http::Pairs;
using evt::tools::http::parse_request;
using evt::tools::http::Request;
using evt::tools::http::RequestParsed;

constexpr const char* kToken = "00112233445566778899aabbccddeeff";

struct Text {
  std::string method;
  std::string target;
  Pairs headers;
};

std::string take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string line(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

Text text_of(std::string_view bytes) {
  Text text;
  text.method = take_line(bytes);
  text.target = take_line(bytes);
  while (!bytes.empty()) {
    const std::string line = take_line(bytes);
    const std::size_t colon = std::min(line.find(": "), line.size());
    text.headers.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
  }
  return text;
}

std::string encoded(std::string_view text) {
  std::string all;
  for (const char c : text) {
    all += '%';
    all += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
    all += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return all;
}

std::string target_of(const Request& request) {
  // The first character shows that it is a path.
  std::string target = "/" + encoded(std::string_view(request.path).substr(1));
  char separator = '?';
  for (const auto& [name, value] : request.parameters) {
    target += separator + encoded(name) + "=" + encoded(value);
    separator = '&';
  }
  return target;
}

void check_limits(const Request& request) {
  FUZZ_CHECK(request.path.size() <= evt::tools::http::kMaxHead);
  FUZZ_CHECK(request.path.front() == '/');
  FUZZ_CHECK((request.path + "/").find("/../") == std::string::npos);
  FUZZ_CHECK((request.path + "/").find("/./") == std::string::npos);
  FUZZ_CHECK(request.path.find("//") == std::string::npos);
  FUZZ_CHECK(request.path.find('\0') == std::string::npos);
  std::set<std::string> names;
  for (const auto& [name, value] : request.parameters) {
    FUZZ_CHECK(!name.empty() && names.insert(name).second);
    FUZZ_CHECK(request.parameter(name) != nullptr && *request.parameter(name) == value);
  }
  FUZZ_CHECK(names.size() <= evt::tools::http::kMaxParameters);
}

void check_again(const Request& request) {
  const std::string target = target_of(request);
  if (target.size() > evt::tools::http::kMaxHead / 2) return;
  const RequestParsed again = parse_request("GET", target, {});
  FUZZ_CHECK(again.request.has_value());
  FUZZ_CHECK(again.request->path == request.path && again.request->parameters == request.parameters);
}

// The only value of this header, if it is there.
std::optional<std::string> header_of(const Text& text, std::string_view name) {
  for (const auto& [each, value] : text.headers) {
    if (each == name) return value;
  }
  return std::nullopt;
}

void check_access(const Text& text, const Request& request) {
  const Access access(4711, {"localhost:9000"}, kToken);
  if (access.refuse(request)) return;
  const auto host = request.host;
  FUZZ_CHECK(host == "127.0.0.1:4711" || host == "localhost:4711" || host == "[::1]:4711" || host == "localhost:9000");
  FUZZ_CHECK(text.method == "GET" || text.method == "HEAD");
  FUZZ_CHECK(!header_of(text, "Transfer-Encoding"));
  if (request.path == "/") return;
  FUZZ_CHECK(request.token == kToken);
  FUZZ_CHECK(header_of(text, "Sec-Fetch-Site").value_or("none") == "none" ||
             header_of(text, "Sec-Fetch-Site") == "same-origin");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Text text = text_of({reinterpret_cast<const char*>(data), size});
  const RequestParsed parsed = parse_request(text.method, text.target, text.headers);
  if (!parsed.request) {
    FUZZ_CHECK(parsed.refusal.status == 400 || parsed.refusal.status == 431);
    FUZZ_CHECK(!parsed.refusal.sentence.empty());
    return 0;
  }
  FUZZ_CHECK(size < 2 * evt::tools::http::kMaxHead);
  check_limits(*parsed.request);
  check_again(*parsed.request);
  check_access(text, *parsed.request);
  return 0;
}

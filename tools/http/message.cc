#include "message.h"

#include <strings.h>

#include <algorithm>

namespace evt::tools::http {
namespace {

constexpr std::size_t kSeparators = 4;  // ": " and the end of a line

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Printable ASCII: all else has to be percent-encoded. A fragment stays in the browser.
bool may_be_in_target(char c) { return c > ' ' && c < 0x7F && c != '#'; }

// The bytes of a percent-encoded text. Nothing if a % is without its two digits.
std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return bytes;
}

// Takes what is in front of the separator, and the separator, off the text; all if there is none.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

bool is_plain_path(std::string_view path) {
  if (path.empty() || path[0] != '/' || std::ranges::any_of(path, is_control)) return false;
  if (path == "/") return true;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at + 1), path.size());
    const std::string_view segment = path.substr(at + 1, end - at - 1);
    if (segment.empty() || segment == "." || segment == "..") return false;
    at = end;
  }
  return path.back() != '/';
}

class Parser {
 public:
  RequestParsed parse(std::string_view method, std::string_view target, const Pairs& headers) {
    if (size_of(method, target, headers) > kMaxHead) {
      refuse(431, "the request line and the headers are larger than 8 KiB");
    } else {
      request_.method = method;
      take_target(target);
      for (const auto& [name, value] : headers) take_header(name, value);
    }
    if (refusal_.status != 0) return {std::nullopt, refusal_};
    return {request_, {}};
  }

 private:
  static std::size_t size_of(std::string_view method, std::string_view target, const Pairs& headers) {
    std::size_t size = method.size() + target.size() + kSeparators;
    for (const auto& [name, value] : headers) size += name.size() + value.size() + kSeparators;
    return size;
  }

  // The first reason is the one that is named.
  void refuse(unsigned status, const char* sentence) {
    if (refusal_.status == 0) refusal_ = {status, sentence};
  }

  void take_target(std::string_view target) {
    if (!std::ranges::all_of(target, may_be_in_target)) {
      return refuse(400, "the target has a character that must be percent-encoded");
    }
    const std::optional<std::string> path = decode(take_until(target, '?'), false);
    if (!path) return refuse(400, "a % in the path is not followed by two hexadecimal digits");
    if (!is_plain_path(*path)) return refuse(400, "the path is not /, or / in front of each of its names");
    request_.path = *path;
    while (!target.empty() && refusal_.status == 0) take_parameter(take_until(target, '&'));
  }

  void take_parameter(std::string_view text) {
    const std::optional<std::string> name = decode(take_until(text, '='), true);
    const std::optional<std::string> value = decode(text, true);
    if (!name || !value) return refuse(400, "a % in the query is not followed by two hexadecimal digits");
    if (name->empty()) return refuse(400, "a parameter of the query has no name");
    if (request_.parameter(*name) != nullptr) return refuse(400, "the query has a parameter twice");
    if (request_.parameters.size() == kMaxParameters) return refuse(400, "the query has more than 16 parameters");
    request_.parameters.emplace_back(*name, *value);
  }

  void take_header(const std::string& name, const std::string& value) {
    const auto is = [&name](const char* known) { return strcasecmp(name.c_str(), known) == 0; };
    if (is("Host")) return set_once(request_.host, value);
    if (is("Sec-Fetch-Site")) return set_once(request_.fetch_site, value);
    if (is("Sec-Fetch-Mode")) return set_once(request_.fetch_mode, value);
    if (is("Sec-Fetch-Dest")) return set_once(request_.fetch_dest, value);
    if (is("X-Evt-Token")) return set_once(request_.token, value);
    request_.has_body |= is("Transfer-Encoding") || (is("Content-Length") && value != "0");
  }

  void set_once(std::optional<std::string>& header, const std::string& value) {
    if (header) return refuse(400, "a header that may be there once is there twice");
    header = value;
  }

  Request request_;
  Refusal refusal_;
};

constexpr const char* kNothingAllowed =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

const std::string* Request::parameter(std::string_view name) const {
  const auto found = std::ranges::find_if(parameters, [name](const auto& each) { return each.first == name; });
  return found == parameters.end() ? nullptr : &found->second;
}

RequestParsed parse_request(std::string_view method, std::string_view target, const Pairs& headers) {
  return Parser().parse(method, target, headers);
}

Response refusal_response(const Refusal& refusal) {
  Response response;
  response.status = refusal.status;
  response.body = refusal.sentence + "\n";
  if (refusal.status == 401) response.headers.emplace_back("WWW-Authenticate", "X-Evt-Token");
  if (refusal.status == 405) response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

Pairs headers_of(const Response& response) {
  Pairs headers = response.headers;
  headers.emplace_back("Content-Type", response.type);
  headers.emplace_back("Content-Security-Policy", response.policy.empty() ? kNothingAllowed : response.policy);
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cache-Control", "no-store");
  return headers;
}

std::string page_policy(const std::vector<std::string>& script_sha256, const std::string& style_sha256) {
  std::string scripts;
  for (const std::string& sum : script_sha256) scripts += " 'sha256-" + sum + "'";
  return std::string(kNothingAllowed) + "; script-src" + scripts + "; style-src 'sha256-" + style_sha256 +
         "'; connect-src 'self'; img-src data:";
}

}  // namespace evt::tools::http

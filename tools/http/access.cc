#include "access.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace evt::tools::http {
namespace {

constexpr std::uint16_t kDefaultPort = 80;  // which no browser puts into Host

bool is_page(const Request& request) { return request.path == "/"; }

// The file that opens the browser redirects to the page, and so does a link in a message: to a browser both are other
// sites. It shows the page as a document of its own, which no script of that site can look into.
bool opens_page(const Request& request) {
  return is_page(request) && request.fetch_mode == "navigate" && request.fetch_dest == "document";
}

bool is_of_own_site(const Request& request) {
  return !request.fetch_site || *request.fetch_site == "same-origin" || *request.fetch_site == "none";
}

}  // namespace

Access::Access(std::uint16_t port, const std::vector<std::string>& more_hosts, std::string token)
    : hosts_(more_hosts), token_(std::move(token)) {
  for (const std::string name : {"127.0.0.1", "localhost", "[::1]"}) {
    hosts_.push_back(name + ":" + std::to_string(port));
    if (port == kDefaultPort) hosts_.push_back(name);
  }
  const std::string with_default = ":" + std::to_string(kDefaultPort);
  for (const std::string& host : more_hosts) {
    if (host.ends_with(with_default)) hosts_.push_back(host.substr(0, host.size() - with_default.size()));
  }
}

bool Access::is_for_us(const Request& request) const {
  return request.host && std::ranges::find(hosts_, *request.host) != hosts_.end();
}

bool Access::has_token(const Request& request) const { return request.token && is_same_secret(token_, *request.token); }

std::optional<Refusal> Access::refuse(const Request& request) const {
  if (!is_for_us(request)) return Refusal{421, "the Host header names another host; see --allow-host"};
  if (!is_of_own_site(request) && !opens_page(request)) return Refusal{403, "a page of another site sent this request"};
  if (request.method != "GET" && request.method != "HEAD") return Refusal{405, "the method is neither GET nor HEAD"};
  if (request.has_body) return Refusal{413, "the request has a body"};
  if (!is_page(request) && !has_token(request)) return Refusal{401, "the header X-Evt-Token is missing or wrong"};
  return std::nullopt;
}

Result<std::string> make_token() {
  std::array<unsigned char, 16> bits{};
  // Up to 256 bytes come at once, unless there are none (getrandom(2)).
  if (getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size())) {
    return Status(Code::kIo, std::string("no random bits for the page's token: ") + std::strerror(errno));
  }
  std::string token;
  for (const unsigned char byte : bits) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool is_same_secret(std::string_view secret, std::string_view given) {
  if (secret.size() != given.size()) return false;
  // The compiler may not end the loop early: each step is a write that it has to make.
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (secret[i] ^ given[i]));
  }
  return difference == 0;
}

}  // namespace evt::tools::http

// What a request is, how it is made of its text, and what a handler answers: no sockets, memory bounded by the limits
// below.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evt::tools::http {

// Why a request has no answer: the status of HTTP, and one lower-case sentence for the reader of the response.
struct Refusal {
  unsigned status = 0;
  std::string sentence{};

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// A name and a value each, in their order: headers, and parameters of a query.
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kMaxHead = 8 << 10;  // bytes of the request line and of all headers
constexpr std::size_t kMaxParameters = 16;

struct Request {
  std::string method{};
  std::string path{};  // decoded: begins with /, without empty, . and .. segments, without control characters
  Pairs parameters{};  // decoded bytes; each name once
  // Headers that matter, as they were sent.
  std::optional<std::string> host{};
  std::optional<std::string> fetch_site{};  // Sec-Fetch-Site, and so on
  std::optional<std::string> fetch_mode{};
  std::optional<std::string> fetch_dest{};
  std::optional<std::string> token{};  // X-Evt-Token
  bool has_body = false;

  // Null if the query has no such parameter.
  const std::string* parameter(std::string_view name) const;
};

// A request, or why there is none.
struct RequestParsed {
  std::optional<Request> request{};
  Refusal refusal{};
};

// `target` is the second word of the request line as it was sent. Strict: what two programs may read in two ways is
// refused with status 400, what is larger than the limits with 431.
RequestParsed parse_request(std::string_view method, std::string_view target, const Pairs& headers);

// What a handler answers.
struct Response {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
  // For a body whose end is not known yet, such as text/event-stream: returns the next piece, an empty one at the end,
  // and may wait for it. It is called until the end or until the client is gone, in the thread of the connection.
  std::function<std::string()> next{};
  // The Content-Security-Policy; without one nothing in the body may be run, loaded or framed.
  std::string policy{};
  Pairs headers{};  // more of them
};

// The sentence as text, with the headers that HTTP demands of its status.
Response refusal_response(const Refusal& refusal);

// All the headers of a response: its own, and what keeps other sites from it.
Pairs headers_of(const Response& response);

// The policy of a page that runs and shows no more than the scripts and the style with these SHA-256 sums, in base64,
// and asks its own server alone.
std::string page_policy(const std::vector<std::string>& script_sha256, const std::string& style_sha256);

}  // namespace evt::tools::http

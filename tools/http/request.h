// What a request is, and how it is made of its text: no sockets, memory bounded by the limits below.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "refusal.h"

namespace evt::tools::http {

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

}  // namespace evt::tools::http

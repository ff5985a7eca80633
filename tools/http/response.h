// What a handler answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "refusal.h"
#include "request.h"

namespace evt::tools::http {

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

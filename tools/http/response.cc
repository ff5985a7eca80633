#include "response.h"

namespace evt::tools::http {
namespace {

constexpr const char* kNothingAllowed =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

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

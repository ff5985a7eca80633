// Who gets an answer. Every page that the user has open, and every user of this machine, can send requests to a port of
// the loopback; the user's own page alone may have what is in the trace.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message.h"

namespace evt::tools::http {

// The secret that shows that a request is of the user's own page: 128 random bits as 32 hexadecimal digits.
Result<std::string> make_token();

// Takes the same time wherever the texts differ, so that a secret cannot be found digit by digit.
bool is_same_secret(std::string_view secret, std::string_view given);

class Access {
 public:
  // `token` is from make_token(). `more_hosts` are further names and ports of us as browsers have them, such as
  // localhost:9000.
  Access(std::uint16_t port, const std::vector<std::string>& more_hosts, std::string token);

  // Why this request has no answer, or nothing. 421: the request is for another host, whose name leads here (DNS
  // rebinding). 403: a page of another site sent it. 405: it is neither GET nor HEAD. 413: it has a body. 401: it lacks
  // the token, which all but the page itself need.
  std::optional<Refusal> refuse(const Request& request) const;

 private:
  bool is_for_us(const Request& request) const;
  bool has_token(const Request& request) const;

  std::vector<std::string> hosts_;
  std::string token_;
};

}  // namespace evt::tools::http

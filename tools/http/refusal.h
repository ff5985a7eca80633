// Why a request has no answer: the status of HTTP, and one lower-case sentence for the reader of the response.
#pragma once

#include <string>

namespace evt::tools::http {

struct Refusal {
  unsigned status = 0;
  std::string sentence{};

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

}  // namespace evt::tools::http

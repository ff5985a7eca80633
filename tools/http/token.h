// The secret that shows that a request is of the user's own page.
#pragma once

#include <evt/status.h>

#include <string>
#include <string_view>

namespace evt::tools::http {

// 128 random bits as 32 hexadecimal digits.
Result<std::string> make_token();

// Takes the same time wherever the texts differ, so that a secret cannot be found digit by digit.
bool is_same_secret(std::string_view secret, std::string_view given);

}  // namespace evt::tools::http

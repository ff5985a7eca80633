#include "token.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace evt::tools::http {

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

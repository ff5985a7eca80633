#include "cmd/numbered_name.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <optional>

namespace evt::tools {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::size_t kMaxDigits = 18;

// Where %n is in a pattern in which %% is a per cent sign.
std::size_t number_sign(const std::string& pattern, std::size_t from = 0) {
  for (std::size_t at = from; at + 1 < pattern.size(); ++at) {
    if (pattern[at] != '%') continue;
    if (pattern[at + 1] == 'n') return at;
    ++at;
  }
  return std::string::npos;
}

std::optional<std::uint64_t> number_between(const std::string& name, const std::string& front,
                                            const std::string& back) {
  if (name.size() < front.size() + kDigits + back.size() || name.size() > front.size() + kMaxDigits + back.size()) {
    return std::nullopt;
  }
  if (!name.starts_with(front) || !name.ends_with(back)) return std::nullopt;
  const std::string digits = name.substr(front.size(), name.size() - front.size() - back.size());
  if (!std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; })) return std::nullopt;
  return std::stoull(digits);
}

// One more than the last.
std::uint64_t next_number(const std::string& folder, const std::string& front, const std::string& back) {
  std::uint64_t next = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto number = number_between(entry->path().filename().string(), front, back);
    if (number) next = std::max(next, *number + 1);
  }
  return next;
}

}  // namespace

NumberedName::~NumberedName() {
  if (!taken_.empty()) unlink(taken_.c_str());
}

std::string NumberedName::expanded(const std::string& pattern, std::uint64_t pid) const {
  std::string path;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char sign = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (sign == 'p') path += std::to_string(pid);
    if (sign == 't') path += fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr)));
    if (sign == '%') path += '%';
    const bool is_sign = sign == 'p' || sign == 't' || sign == '%';
    if (!is_sign) path += pattern[at];
    at += is_sign ? 1 : 0;
  }
  return path;
}

Result<std::string> NumberedName::take(std::uint64_t pid) {
  const std::size_t sign = number_sign(pattern_);
  if (sign == std::string::npos) return expanded(pattern_, pid);
  const bool is_twice = number_sign(pattern_, sign + 2) != std::string::npos;
  if (is_twice || pattern_.find('/', sign) != std::string::npos) {
    return Status(Code::kInvalid,
                  "expected %n once, in the name of a file and not in that of its folder, found " + pattern_);
  }
  const std::string before = expanded(pattern_.substr(0, sign), pid);
  const std::string back = expanded(pattern_.substr(sign + 2), pid);
  const std::size_t slash = before.rfind('/');
  const std::string folder = slash == before.npos ? "" : before.substr(0, slash + 1);
  for (std::uint64_t number = next_number(folder, before.substr(folder.size()), back);; ++number) {
    const std::string path = fmt::format("{}{:06}{}", before, number, back);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
      close(fd);
      return taken_ = path;
    }
    if (errno != EEXIST) return Status(Code::kIo, fmt::format("cannot write {}: {}", path, strerror(errno)));
  }
}

}  // namespace evt::tools

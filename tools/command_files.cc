#include "command_files.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace evt::tools {
namespace {

// Where the bytes of a file are, which two names of it share; nothing for what keeps none: a terminal, a pipe.
std::optional<std::pair<dev_t, ino_t>> place_of(const std::string& path, int descriptor) {
  struct stat facts;
  if ((path == "-" ? fstat(descriptor, &facts) : stat(path.c_str(), &facts)) != 0) return std::nullopt;
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) return std::pair(facts.st_dev, facts.st_ino);
  // A device may have several nodes.
  return S_ISBLK(facts.st_mode) ? std::optional(std::pair(facts.st_rdev, ino_t{0})) : std::nullopt;
}

}  // namespace

Status check_files(const std::vector<std::string>& inputs, const std::string& output) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    return {Code::kInvalid, "expected - once, as standard input ends, found it twice"};
  const auto place = place_of(output, STDOUT_FILENO);
  if (!place) return {};
  for (const std::string& input : inputs) {
    if (place_of(input, STDIN_FILENO) != place) continue;
    const std::string name = input == "-" ? "standard input" : input;
    const std::string same = output == "-"     ? fmt::format("standard output is the input {}", name)
                             : output == input ? fmt::format("{} is the input", output)
                                               : fmt::format("{} is the input {}", output, name);
    return {Code::kInvalid, same + ": the output must be another file"};
  }
  return {};
}

}  // namespace evt::tools
